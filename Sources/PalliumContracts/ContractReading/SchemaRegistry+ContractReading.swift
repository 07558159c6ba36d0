public import Foundation
public import PalliumCore
import PalliumDocuments
import PalliumGeneration
import PalliumJSON

// Registers the schemas that contracts describe.
//
// Safety: the bytes are copied while they are borrowed.
extension SchemaRegistry {
    /// Registers the models that a JSON Schema describes: draft-04 to 2020-12.
    ///
    ///     try registry.load(jsonSchema: bytes, name: "issue.schema.json")
    ///
    /// An adapter reads the documents that the JSON Schema allows, with the exceptions that the article *Contracts* lists.
    /// A place that schemas cannot say becomes a value of the kind `json`; ``ContractSchemas/losses`` lists these. The root
    /// and the definitions that are objects with properties become models. A document with the member `x-pallium`, as
    /// ``jsonSchema(of:isArray:direction:profile:)`` writes it, gives the schemas that it was written from.
    ///
    /// - Parameters:
    ///   - document: JSON in UTF-8.
    ///   - name: The document's name in messages.
    ///   - options: The choices in reading.
    /// - Throws: ``SchemaError`` with every problem, each with name, line and column; nothing is registered then.
    /// - Complexity: O(*n*) in the size of the document.
    @discardableResult
    public func load(
        jsonSchema document: some ContiguousBytes, name: String = "document", options: ContractOptions = .init()
    ) throws(SchemaError) -> ContractSchemas {
        try load(document, name: name, .jsonSchema, options) { reader, value in
            reader.readJSONSchema(value, named: Self.rootName(name))
        }
    }

    /// Registers the models that the schemas of an OpenAPI document describe: Swagger 2.0, OpenAPI 3.0 and 3.1.
    ///
    /// The formats `date-time`, `date`, `uri`, `uuid`, `byte` and `int8` to `uint64` are kinds. Everything outside of
    /// `components.schemas`, or of `definitions` in Swagger, is skipped unless a schema refers to it.
    ///
    /// - Parameters:
    ///   - document: JSON in UTF-8.
    ///   - name: The document's name in messages.
    ///   - options: The choices in reading.
    /// - Throws: ``SchemaError`` with every problem, each with name, line and column; nothing is registered then.
    /// - Complexity: O(*n*) in the size of the document.
    @discardableResult
    public func load(
        openAPI document: some ContiguousBytes, name: String = "document", options: ContractOptions = .init()
    ) throws(SchemaError) -> ContractSchemas {
        try load(document, name: name, .openAPI, options) { reader, value in reader.readOpenAPI(value) }
    }

    /// Registers a model with one property, whose values a JSON Schema describes.
    package func load(
        jsonSchema document: some ContiguousBytes, ofProperty key: String, of model: String,
        options: ContractOptions = .init()
    ) throws(SchemaError) -> ContractSchemas {
        try load(document, name: "document", .jsonSchema, options) { reader, value in
            reader.readProperty(key, of: model, value)
        }
    }

    /// The name of a root without a title: that of its file without the extensions.
    private static func rootName(_ file: String) -> String {
        let name = file.split(separator: "/").last?.split(separator: ".").first.map(String.init) ?? ""
        return name.isEmpty || name.utf8.first == UInt8(ascii: "<") ? "Root" : SwiftName.upperCamelCase(name)
    }

    private func load(
        _ document: some ContiguousBytes, name: String, _ notation: ContractNotation, _ options: ContractOptions,
        read: (inout ContractReader, LocatedJSON) -> Void
    ) throws(SchemaError) -> ContractSchemas {
        // One byte above the limit is enough to detect a document that is too large.
        let bytes = document.withBorrowedBytes { Array($0.prefix(LocatedJSON.maximumDocumentBytes + 1)) }
        let document = SchemaDocument(name: ModelError.shorten(name, to: 200), bytes: bytes)
        let contract: LocatedJSON
        do throws(JSONSyntaxError) { contract = try LocatedJSON(parsing: bytes) } catch {
            let source = document.locations(of: [error.offset])[error.offset]
            throw SchemaError([SchemaError.Problem(message: SchemaLoading.sentence(error), source: source)])
        }
        if notation == .jsonSchema, let documents = contract["x-pallium"] {
            return try restore(documents, from: contract, document)
        }
        var reader = ContractReader(
            registry: self, notation: notation, options: options,
            sources: ContractSources(document, contract, path: options.path, folder: options.folder))
        read(&reader, contract)
        if reader.problems.count == 0 { reader.finish() }
        return try register(&reader)
    }

    /// Registers what a reader has read. Parts that a registry refuses are left out, as other losses.
    private func register(_ reader: inout ContractReader) throws(SchemaError) -> ContractSchemas {
        let isLossless = reader.options.isLossless
        for _ in 0..<16 {
            try Self.check(reader.problems.all + (isLossless ? reader.losses.map(\.problem) : []), in: reader.sources)
            do throws(SchemaError) {
                try register(reader.models.map(\.schema))
                break
            } catch {
                guard reader.leaveOut(error.problems) else {
                    let offsets = error.problems.map { reader.offset(of: $0) }
                    let locations = reader.sources.locations(of: Set(offsets))
                    throw SchemaError(zip(error.problems, offsets).map { $0.located(at: locations[$1]) })
                }
            }
        }
        var schemas = ContractSchemas(schemas: reader.models.map(\.schema))
        schemas.root = reader.rootName
        schemas.losses = reader.locatedLosses()
        schemas.propertyCount = reader.properties.count
        schemas.typedPropertyCount = reader.properties.values.count { $0 }
        return schemas
    }

    /// Throws problems with their lines and columns, in the order of the document.
    private static func check(_ problems: [SchemaError.Problem], in sources: ContractSources) throws(SchemaError) {
        if problems.isEmpty { return }
        let locations = sources.locations(of: Set(problems.map(\.offset)))
        let sorted = problems.enumerated().sorted {
            ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset)
        }
        throw SchemaError(sorted.map { $0.element.located(at: locations[$0.element.offset]) })
    }

    /// Registers the schemas from which a contract was written, if they still describe it.
    private func restore(
        _ documents: LocatedJSON, from contract: LocatedJSON, _ document: SchemaDocument
    ) throws(SchemaError) -> ContractSchemas {
        var reader = SchemaReader(registry: self)
        reader.read(documents)
        try Self.check(reader.problems.all, in: ContractSources(document, contract, path: nil, folder: nil))
        let schemas = reader.schemas.map(\.schema)
        var places: [UTF8Key: SchemaPlaces] = [:]
        for entry in reader.schemas { places[UTF8Key(entry.schema.name)] = entry.places }
        let trial = try copy()
        try document.locate(places) { () throws(SchemaError) in try trial.register(schemas) }
        guard trial.writes(contract.value, from: schemas) else {
            try Self.check(
                [
                    SchemaError.Problem(
                        message: "x-pallium: its schemas do not describe the definitions of this document",
                        fix: "drop x-pallium, or write the contract again", offset: documents.offset)
                ], in: ContractSources(document, contract, path: nil, folder: nil))
            return ContractSchemas(schemas: [])
        }
        try document.locate(places) { () throws(SchemaError) in try register(schemas) }
        return ContractSchemas(schemas: schemas)
    }

    /// Whether some schemas are written as this contract, in one of the directions and the first profiles.
    ///
    /// Every trial writes the whole contract, so few are made.
    private func writes(_ contract: JSONValue, from schemas: [ModelSchema]) -> Bool {
        let names = Set(schemas.flatMap { $0.profiles.map { UTF8Key($0.name) } }).map(\.text)
        let profiles = [nil] + names.sorted(by: UTF8Text.precedes).prefix(8).map { Optional($0) }
        /// The contract without annotations.
        func rules(_ contract: JSONValue) -> JSONValue {
            let annotations = ["x-pallium", "$schema", "$id", "$comment", "title", "description"]
            let members = contract.objectValue ?? JSONObject()
            return .object(
                JSONObject(members.filter { member in !annotations.contains { UTF8Text.equal($0, member.key) } }))
        }
        let expected = rules(contract)
        // The definition that the root refers to comes first.
        let root = contract["$ref"] ?? contract["items"]?["$ref"]
        for direction in ContractDirection.allCases {
            for profile in profiles {
                var roots: [ModelSchema?] = [nil]
                if root != nil { roots = schemas.first.map { [$0] } ?? [] }
                for schema in roots {
                    let isArray = contract["items"] != nil
                    guard
                        let written = try? jsonSchema(
                            of: schema, isArray: isArray, direction: direction, profile: profile)
                    else { continue }
                    if rules(written) == expected { return true }
                }
            }
        }
        return false
    }
}
