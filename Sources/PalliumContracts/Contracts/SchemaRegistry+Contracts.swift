public import PalliumCore
import PalliumDocuments
public import PalliumJSON

// Writes contracts for other programs from registered schemas.
extension SchemaRegistry {
    /// Returns a JSON Schema (2020-12) of the documents that an adapter reads, or of those that it writes.
    ///
    ///     let contract = try registry.jsonSchema(of: registry.schema(named: "Issue"))
    ///
    /// It has a definition for each schema under `$defs`. A document that the adapter reads is always valid. Documents
    /// that the adapter refuses are invalid, but for those that only code can refuse; the article *Contracts* lists them.
    ///
    /// The member `x-pallium` holds the schema documents of all definitions, from which
    /// ``load(jsonSchema:name:options:)`` restores the schemas. Schemas with Swift code are not among them.
    ///
    /// - Parameters:
    ///   - schema: The registered schema of the document; nil for definitions of all schemas, without a root.
    ///   - isArray: Whether the document is an array of models.
    ///   - direction: Whether the documents are read or written.
    ///   - profile: The profile that says where properties live in JSON.
    /// - Throws: ``SchemaError`` if the schema is not registered, or no schema of the contract has the profile.
    /// - Complexity: O(*n*) in the size of the schemas.
    public func jsonSchema(
        of schema: ModelSchema? = nil, isArray: Bool = false, direction: ContractDirection = .input,
        profile: String? = nil
    ) throws(SchemaError) -> JSONValue {
        var writer = ContractWriter(registry: self, notation: .jsonSchema, direction: direction, profile: profile)
        var result: JSONObject = ["$schema": "https://json-schema.org/draft/2020-12/schema"]
        if let schema {
            let root = writer.reference(to: try registeredLayout(schema))
            if isArray {
                result["type"] = "array"
                result["items"] = .object(root)
            } else {
                for (name, value) in root { result[name] = value }
            }
        } else {
            requestAll(&writer)
        }
        try finish(&writer)
        result["$defs"] = .object(writer.definitions)
        result["x-pallium"] = .array(documents(neededBy: writer.requestedLayouts))
        return .object(result)
    }

    /// Returns an OpenAPI 3.1 document with all schemas as components, for programs that generate code.
    ///
    /// It has no paths. Names of components are letters, digits and underscores. A cluster is `oneOf` with a
    /// `discriminator`, and each of its models has its text as a constant.
    ///
    /// - Parameters:
    ///   - title: The title of the interface.
    ///   - version: The version of the interface.
    ///   - schema: The schema to write with all that it refers to; nil for all schemas.
    ///   - direction: Whether the documents are read or written.
    ///   - profile: The profile that says where properties live in JSON.
    /// - Throws: ``SchemaError`` if the schema is not registered, or no schema of the contract has the profile.
    /// - Complexity: O(*n*) in the size of the schemas.
    public func openAPI(
        title: String, version: String = "1", of schema: ModelSchema? = nil, direction: ContractDirection = .input,
        profile: String? = nil
    ) throws(SchemaError) -> JSONValue {
        var writer = ContractWriter(registry: self, notation: .openAPI, direction: direction, profile: profile)
        if let schema {
            _ = writer.reference(to: try registeredLayout(schema))
        } else {
            requestAll(&writer)
        }
        try finish(&writer)
        return [
            "openapi": "3.1.0", "info": ["title": .string(title), "version": .string(version)], "paths": [:],
            "components": ["schemas": .object(writer.definitions)],
        ]
    }

    /// Returns a JSON Schema for the structured output of language models.
    ///
    /// It uses only the keywords `$defs`, `$ref`, `type`, `properties`, `required`, `additionalProperties`, `items`,
    /// `enum`, `anyOf` and `description`. All properties are required, and optional ones accept null. Rules are sentences
    /// in descriptions. Optional properties whose JSON has no such form, such as dictionaries, are left out.
    ///
    /// The output still has to be decoded, because rules are checked there.
    ///
    /// - Throws: ``SchemaError`` with every required property that has no such form. Also if the schema is not registered,
    ///   or has a cluster, since the root must be an object.
    /// - Complexity: O(*n*) in the size of the schemas.
    public func strictJSONSchema(of schema: ModelSchema, profile: String? = nil) throws(SchemaError) -> JSONValue {
        let layout = try registeredLayout(schema)
        var writer = ContractWriter(registry: self, notation: .strict, direction: .input, profile: profile)
        let root = writer.reference(to: layout)
        try finish(&writer)
        if schema.cluster != nil {
            writer.problems.schema = schema.name
            writer.problems.report(
                "has a cluster, but the root of a strict schema is one object",
                fix: "name one of its models, or a model with a property of it")
        }
        try writer.problems.check()
        // Not every service resolves a reference at the root.
        let name = root["$ref"]?.stringValue?.split(separator: "/").last.map { String($0) } ?? ""
        var definitions = writer.definitions
        var result = definitions[name]?.objectValue ?? root
        if !writer.repeatedNames.contains(name) { definitions[name] = nil }
        if !definitions.isEmpty { result["$defs"] = .object(definitions) }
        return .object(result)
    }

    /// Writes everything, and checks that the profile is one of the schemas'.
    private func finish(_ writer: inout ContractWriter) throws(SchemaError) {
        writer.finish()
        guard let profile = writer.profile else { return }
        let names = writer.requestedLayouts.flatMap { $0.profiles.map(\.name) }
        if names.contains(where: { UTF8Text.equal($0, profile) }) { return }
        throw SchemaError([
            SchemaError.Problem(
                message: "no schema has the profile \(ModelError.quote(profile))",
                fix: SchemaError.Problem.suggestion(for: profile, among: names.sorted(by: UTF8Text.precedes)))
        ])
    }

    private func requestAll(_ writer: inout ContractWriter) {
        for schema in schemas {
            if let layout = layout(for: schema) { _ = writer.reference(to: layout) }
        }
    }

    /// Returns the documents of schemas and of all that they name, without those that no document can hold.
    private func documents(neededBy layouts: [ModelLayout]) -> [JSONValue] {
        self.layouts(neededBy: layouts).compactMap { try? document(of: $0.schema) }
    }
}
