public import PalliumCore
public import PalliumJSON

// Writes schemas as documents.
extension SchemaRegistry {
    /// Returns a schema as a document.
    ///
    /// Members have the order of the format; values that equal a default of the format are left out. The class of the
    /// schema is not part of it. Parents, models and clusters that are named by class get the name of the schema that
    /// this registry has for the class. Default values from code are written as JSON: dates in ISO 8601, bytes in
    /// Base64.
    ///
    /// - Throws: ``SchemaError`` with every part that no document can express: rules, hooks and validators in Swift,
    ///   classes without a schema, custom kinds that are not registered, defaults that JSON does not have.
    /// - Complexity: O(*n*) in the size of the schema.
    public func document(of schema: ModelSchema) throws(SchemaError) -> JSONValue {
        try SchemaWriter.documents(of: [schema], registry: self)[0]
    }

    /// Returns schemas as one document, an array.
    ///
    /// - Throws: ``SchemaError`` as ``document(of:)-(ModelSchema)``, with the problems of all schemas.
    /// - Complexity: O(*n*) in the size of the schemas.
    public func document(of schemas: [ModelSchema]) throws(SchemaError) -> JSONValue {
        .array(try SchemaWriter.documents(of: schemas, registry: self))
    }
}
