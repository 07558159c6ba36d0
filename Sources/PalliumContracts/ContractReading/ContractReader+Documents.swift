import PalliumCore
import PalliumDocuments
import PalliumJSON

/// Reads whole documents.
extension ContractReader {
    /// Reads a JSON Schema document.
    ///
    /// - Parameter fallback: The name of the root, if it has no title.
    mutating func readJSONSchema(_ document: LocatedJSON, named fallback: String) {
        guard case .object = document.content else {
            return problems.report(
                at: document.offset, "expected a schema, which is an object, but found \(document.summary)")
        }
        let members = ["$defs", "definitions"].flatMap { document[$0]?.members ?? [] }
        take(members)
        if let model = options.model, let member = members.first(where: { UTF8Text.equal($0.name, model) }) {
            return readDefinitions([member])
        }
        let root = whole(document)
        let hasRoot = document.asserts
        if let model = options.model, !hasRoot {
            return problems.report(
                at: document.offset,
                "there is no definition \(ModelError.quote(model)), and no root that could have the name",
                fix: SchemaError.Problem.suggestion(for: model, among: members.prefix(1000).map(\.name)))
        }
        let title = document["title"]?.text.flatMap { $0.isEmpty || $0.unicodeScalars.count > 100 ? nil : $0 }
        if hasRoot, document["$ref"] == nil { take(options.model ?? title ?? fallback, for: root) }
        readDefinitions(members)
        if hasRoot { readRoot(document, root, named: options.model ?? title ?? fallback) }
    }

    /// Returns the schema of the elements, if a root is a list.
    private func whole(_ document: LocatedJSON) -> LocatedJSON {
        guard let type = document["type"]?.text, UTF8Text.equal(type, "array"), let items = document["items"],
            items.elements == nil, items["$ref"] == nil
        else { return document }
        return items
    }

    private mutating func readRoot(_ document: LocatedJSON, _ root: LocatedJSON, named name: String) {
        problems.schema = ModelError.shorten(name, to: 64)
        var value = value(of: root, named: name, depth: 0)
        if root.offset == document.offset, case .array(let element) = value.property.kind {
            value = Value(property: element)
        }
        if case .model(.named(let name)) = value.property.kind, !value.property.isByIdentity {
            rootName = name
            if value.acceptsNull, root.offset == document.offset {
                lose(document.offset, "root", "may be null; only objects are read")
            }
        } else {
            lose(document.offset, "root", "is neither an object nor a list of objects; only definitions are read")
            let facets = facets(of: [root], expandsReferences: true)
            for alternative in facets.unions.flatMap(\.alternatives).prefix(1000) {
                _ = self.value(of: alternative, named: name, depth: 0)
            }
        }
        readPending()
    }

    private mutating func readDefinitions(_ members: [LocatedJSON.Member]) {
        for member in members {
            problems.schema = ModelError.shorten(member.name, to: 64)
            _ = value(of: member.value, named: member.name, depth: 0)
        }
        readPending()
    }

    /// Reads an OpenAPI document of any version.
    mutating func readOpenAPI(_ document: LocatedJSON) {
        guard document["openapi"] != nil || document["swagger"] != nil else {
            return problems.report(
                at: document.offset, "there is no member openapi or swagger, so this is no OpenAPI document")
        }
        let schemas = document["components"]?["schemas"] ?? document["definitions"]
        let members = schemas?.members ?? []
        take(members)
        guard let model = options.model else {
            if members.isEmpty { lose(document.offset, "components", "there are no schemas to read") }
            return readDefinitions(members)
        }
        guard let member = members.first(where: { UTF8Text.equal($0.name, model) }) else {
            return problems.report(
                at: schemas?.offset ?? document.offset, "there is no schema \(ModelError.quote(model))",
                fix: SchemaError.Problem.suggestion(for: model, among: members.prefix(1000).map(\.name)))
        }
        readDefinitions([member])
    }

    /// Reads the schema of a value as the only property of a model.
    mutating func readProperty(_ key: String, of model: String, _ document: LocatedJSON) {
        take(document["$defs"]?.members ?? [])
        let name = takeName(ModelName(text: model))
        readDefinitions(document["$defs"]?.members ?? [])
        problems.schema = name
        let value = value(of: document, named: "\(model)Value", depth: 0)
        let property = value.acceptsNull ? value.property : value.property.required
        models.append(
            Model(
                schema: .named(name, properties: [ModelSchema.Property(key, property)]), offset: document.offset,
                propertyOffsets: [UTF8Key(key): document.offset]))
        readPending()
    }
}
