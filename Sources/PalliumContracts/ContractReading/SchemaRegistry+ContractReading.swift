public import Foundation
public import PalliumCore
import PalliumDocuments
import PalliumJSON

// Registers the schemas that contracts describe.
//
// Safety: the bytes are copied while they are borrowed.
extension SchemaRegistry {
    /// Registers the models that a JSON Schema (2020-12) describes.
    ///
    ///     try registry.load(jsonSchema: bytes, name: "issue.schema.json")
    ///
    /// An adapter reads exactly the documents that the JSON Schema allows, with the exceptions that the article *Contracts*
    /// lists. What schemas cannot say is refused. The root and the definitions that are objects with properties become
    /// models. A document with the member `x-pallium`, as ``jsonSchema(of:isArray:direction:profile:)`` writes it, gives
    /// the schemas that it was written from.
    ///
    /// - Parameters:
    ///   - document: JSON in UTF-8.
    ///   - name: The document's name in messages.
    ///   - model: The name of the model at the root, instead of its title.
    ///   - takesNullAsAbsent: Whether members that may be absent may be null as well, and members that may be null may be
    ///     absent. Otherwise they are refused, because schemas take null and an absent member alike.
    /// - Throws: ``SchemaError`` with every problem, each with name, line and column; nothing is registered then.
    /// - Complexity: O(*n*) in the size of the document.
    @discardableResult
    public func load(
        jsonSchema document: some ContiguousBytes, name: String = "document", model: String? = nil,
        takesNullAsAbsent: Bool = false
    ) throws(SchemaError) -> ContractSchemas {
        try load(document, name: name, .jsonSchema, takesNullAsAbsent) { reader, value in
            reader.readJSONSchema(value, model: model)
        }
    }

    /// Registers the models that the components of an OpenAPI 3.1 document describe.
    ///
    /// The formats `date-time`, `date`, `duration`, `uri`, `uuid`, `byte`, `int8` to `uint64`, `float` and `double` are
    /// kinds. Everything outside of `components.schemas` is skipped.
    ///
    /// - Parameters:
    ///   - document: JSON in UTF-8.
    ///   - name: The document's name in messages.
    ///   - takesNullAsAbsent: Whether null and an absent member are taken as the same, as in
    ///     ``load(jsonSchema:name:model:takesNullAsAbsent:)``.
    /// - Throws: ``SchemaError`` with every problem, each with name, line and column; nothing is registered then.
    /// - Complexity: O(*n*) in the size of the document.
    @discardableResult
    public func load(
        openAPI document: some ContiguousBytes, name: String = "document", takesNullAsAbsent: Bool = false
    ) throws(SchemaError) -> ContractSchemas {
        try load(document, name: name, .openAPI, takesNullAsAbsent) { reader, value in reader.readOpenAPI(value) }
    }

    /// Registers a model with one property, whose values a JSON Schema describes.
    package func load(
        jsonSchema document: some ContiguousBytes, ofProperty key: String, of model: String
    ) throws(SchemaError) -> ContractSchemas {
        try load(document, name: "document", .jsonSchema, false) { reader, value in
            reader.readProperty(key, of: model, value)
        }
    }

    private func load(
        _ document: some ContiguousBytes, name: String, _ notation: ContractNotation, _ takesNullAsAbsent: Bool,
        read: (inout ContractReader, LocatedJSON) -> Void
    ) throws(SchemaError) -> ContractSchemas {
        // One byte above the limit is enough to detect a document that is too large.
        let bytes = document.withBorrowedBytes { Array($0.prefix(LocatedJSON.maximumDocumentBytes + 1)) }
        let document = SchemaDocument(name: ModelError.shorten(name, to: 200), bytes: bytes)
        var reader = ContractReader(registry: self, notation: notation, takesNullAsAbsent: takesNullAsAbsent)
        var contract: LocatedJSON?
        do throws(JSONSyntaxError) { contract = try LocatedJSON(parsing: bytes) } catch {
            reader.report(error.offset, SchemaLoading.sentence(error))
        }
        if let contract {
            if notation == .jsonSchema, let documents = contract["x-pallium"] {
                return try restore(documents, from: contract, document)
            }
            read(&reader, contract)
            reader.finish()
        }
        try Self.check(reader.problems, in: document)
        let schemas = reader.models.map(\.schema)
        var places: [UTF8Key: SchemaPlaces] = [:]
        for model in reader.models { places[UTF8Key(model.schema.name)] = model.places }
        try document.locate(places) { () throws(SchemaError) in try register(schemas) }
        return ContractSchemas(schemas: schemas, refusesUnknownMembers: !reader.closedOffsets.isEmpty)
    }

    /// Throws problems with their lines and columns, in the order of the document.
    private static func check(_ problems: [DocumentProblem], in document: SchemaDocument) throws(SchemaError) {
        if problems.isEmpty { return }
        let locations = document.locations(of: problems.map(\.offset))
        let sorted = problems.enumerated().sorted {
            ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset)
        }
        throw SchemaError(sorted.map { $0.element.problem.located(at: locations[$0.element.offset]) })
    }

    /// Registers the schemas from which a contract was written, if they still describe it.
    private func restore(
        _ documents: LocatedJSON, from contract: LocatedJSON, _ document: SchemaDocument
    ) throws(SchemaError) -> ContractSchemas {
        var reader = SchemaReader(registry: self)
        reader.read(documents)
        try Self.check(reader.problems, in: document)
        let schemas = reader.schemas.map(\.schema)
        var places: [UTF8Key: SchemaPlaces] = [:]
        for entry in reader.schemas { places[UTF8Key(entry.schema.name)] = entry.places }
        let trial = try copy()
        try document.locate(places) { () throws(SchemaError) in try trial.register(schemas) }
        guard trial.writes(contract.value, from: schemas) else {
            try Self.check(
                [
                    DocumentProblem(
                        offset: documents.offset,
                        message: "x-pallium: its schemas do not describe the definitions of this document",
                        fix: "drop x-pallium, or write the contract again")
                ], in: document)
            return ContractSchemas(schemas: [], refusesUnknownMembers: false)
        }
        try document.locate(places) { () throws(SchemaError) in try register(schemas) }
        return ContractSchemas(schemas: schemas, refusesUnknownMembers: false)
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

/// The schemas that a contract describes.
public struct ContractSchemas: Sendable {
    /// The registered schemas, in the order of the document.
    public let schemas: [ModelSchema]
    /// Whether the objects of the contract refuse members that no property maps, as adapters with the option
    /// `unknownMembers: .refuse` do.
    public let refusesUnknownMembers: Bool
    /// The largest number of bytes of a contract.
    package static let maximumDocumentBytes = LocatedJSON.maximumDocumentBytes
}
