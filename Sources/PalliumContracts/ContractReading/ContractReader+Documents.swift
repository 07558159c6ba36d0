import PalliumCore
import PalliumDocuments
import PalliumJSON

/// Reads whole documents.
extension ContractReader {
    /// Reads a JSON Schema document.
    ///
    /// - Parameter model: The name of the model at the root, instead of its title.
    mutating func readJSONSchema(_ document: LocatedJSON, model: String?) {
        guard let keywords = keywords(of: document) else { return }
        checkDialect(keywords["$schema"])
        let members = entries(of: keywords["$defs"], "$defs")
        take(members)
        let isEmpty = keywords.assertions.allSatisfy { member in
            Self.rootKeywords.contains { UTF8Text.equal($0, member.name) }
        }
        let reference = keywords["$ref"]
        if reference == nil, !isEmpty { nameRoot(document, keywords, model) }
        readDefinitions(in: members)
        if let reference {
            refuseOthers(than: ["$ref"] + Self.rootKeywords, in: keywords, "with $ref")
            if let name = definitionName(of: reference) {
                if nullableModels[UTF8Key(name)] != false {
                    report(
                        reference.offset,
                        "$ref: the root refers to \(ModelError.quote(name)), which is no object, or may be null")
                }
                if let model, !UTF8Text.equal(model, name) {
                    report(
                        reference.offset,
                        "$ref: the root is \(ModelError.quote(name)) and not \(ModelError.quote(model))",
                        fix: "give it no other name")
                }
            }
        } else if isEmpty {
            if let model, definitions[UTF8Key(model)] == nil {
                report(document.offset, "there is no root that could be named \(ModelError.quote(model))")
            }
        } else if let rootName {
            schemaName = ModelError.shorten(rootName, to: 64)
            readModel(named: rootName, document, isRoot: true)
            readPending()
        }
    }

    private mutating func nameRoot(_ document: LocatedJSON, _ keywords: ContractKeywords, _ model: String?) {
        let isObject =
            Self.isModel(document)
            || keywords["type"]?.text.map { UTF8Text.equal($0, "object") } == true
                && keywords["additionalProperties"] == nil
        guard isObject else {
            refuseOthers(than: ContractKeywords.standard, in: keywords, "")
            return report(
                document.offset, "the root does not describe an object with properties",
                fix: "import the schema of the objects in it")
        }
        guard let name = model ?? annotation("title", in: keywords) else {
            return report(document.offset, "the root has no name", fix: "add a title, or name the model")
        }
        guard reserve(name) else {
            return report(
                document.offset, "the root has the name of the definition \(ModelError.quote(name))",
                fix: "choose another")
        }
        rootName = name
    }

    /// Reads an OpenAPI document.
    mutating func readOpenAPI(_ document: LocatedJSON) {
        guard let keywords = keywords(of: document) else { return }
        guard let version = keywords["openapi"]?.text, version.utf8.starts(with: "3.1.".utf8) else {
            return report(
                keywords["openapi"]?.offset ?? document.offset,
                "openapi: expected the version 3.1 but found \(keywords["openapi"]?.summary ?? "none")")
        }
        checkDialect(keywords["jsonSchemaDialect"])
        guard let components = keywords["components"], let parts = self.keywords(of: components),
            let schemas = parts["schemas"]
        else { return report(document.offset, "there are no components.schemas") }
        let members = entries(of: schemas, "schemas")
        take(members)
        readDefinitions(in: members)
    }

    /// Reads the schema of a value as the only property of a model.
    mutating func readProperty(_ key: String, of model: String, _ document: LocatedJSON) {
        guard let keywords = keywords(of: document) else { return }
        checkDialect(keywords["$schema"])
        let members = entries(of: keywords["$defs"], "$defs")
        take(members)
        guard reserve(model) else { return report(document.offset, "the name \(model) is taken") }
        readDefinitions(in: members)
        schemaName = model
        let content = keywords.members.filter { member in
            !Self.rootKeywords.contains { UTF8Text.equal($0, member.name) }
        }
        let schema = LocatedJSON(offset: document.offset, content: .object(content))
        guard let value = readValue(schema, named: "\(model)Value", depth: 0) else { return }
        let property = value.acceptsNull ? value.property : value.property.required
        models.append(
            Model(
                schema: .named(model, properties: [ModelSchema.Property(key, property)]), offset: document.offset,
                propertyOffsets: [UTF8Key(key): document.offset]))
        readPending()
    }

    private mutating func entries(of value: LocatedJSON?, _ name: String) -> [LocatedJSON.Member] {
        guard let value else { return [] }
        if case .object(let members) = value.content { return members }
        report(value.offset, "\(name): expected an object of schemas but found \(value.summary)")
        return []
    }

    private mutating func checkDialect(_ dialect: LocatedJSON?) {
        let known = [
            "https://json-schema.org/draft/2020-12/schema", "https://json-schema.org/draft/2020-12/schema#",
            "https://spec.openapis.org/oas/3.1/dialect/base",
        ]
        guard let dialect, dialect.text.map({ known.contains($0) }) != true else { return }
        report(dialect.offset, "expected the dialect \(known[0]) but found \(dialect.summary)")
    }

    /// Links models with their parents, and checks what concerns several of them.
    mutating func finish() {
        schemaName = nil
        propertyKey = nil
        for position in models.indices {
            let name = models[position].schema.name
            if let parent = parents[UTF8Key(name)] { models[position].schema.parent = .named(parent.name) }
        }
        if let closed = closedOffsets.first, !openOffsets.isEmpty {
            report(
                closed,
                "additionalProperties: this object refuses other members and another allows them, "
                    + "but an adapter treats all objects alike",
                fix: "say the same of all objects")
        }
        if let closed = closedOffsets.first, !parents.isEmpty,
            parents.values.contains(where: { parent in
                positions[UTF8Key(parent.name)].map { models[$0].schema.cluster == nil } ?? false
            })
        {
            report(closed, "additionalProperties: objects that refuse other members cannot have parents")
        }
        checkInheritance()
    }

    /// Checks that no property is described twice, and that inherited properties are not too many.
    private mutating func checkInheritance() {
        var total = 0
        for model in models {
            var parent = parents[UTF8Key(model.schema.name)]
            var ancestors = 0
            while let (name, offset) = parent, let position = positions[UTF8Key(name)], ancestors < 64 {
                ancestors += 1
                total += models[position].values.count
                if total > SchemaLoading.maximumTotal {
                    return report(
                        model.offset, "the models have more than \(SchemaLoading.maximumTotal) inherited properties")
                }
                // Registering reports that a model extends itself.
                if UTF8Text.equal(name, model.schema.name) { break }
                for property in model.schema.properties
                where models[position].values[UTF8Key(property.key)] != nil {
                    problems.append(
                        DocumentProblem(
                            offset: model.propertyOffsets[UTF8Key(property.key)] ?? offset, schema: model.schema.name,
                            property: property.key, message: "is described by the parent \(name) as well",
                            fix: "describe it once"))
                }
                parent = parents[UTF8Key(name)]
            }
        }
    }
}
