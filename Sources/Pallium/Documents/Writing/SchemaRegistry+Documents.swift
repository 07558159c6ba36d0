public import PalliumCore
public import PalliumJSON

extension SchemaRegistry {
    /// A schema as a document.
    ///
    /// Members come in the order of the format; what equals a default of the format is left out. The class of the schema
    /// is not part of it. Parents, models and clusters that are named by class appear under the name of the schema that
    /// this registry has for the class. Default values given in code are written as they stand in JSON: dates in ISO 8601,
    /// bytes in Base64.
    ///
    /// - Throws: ``SchemaError`` with every part that no document can say: rules, hooks and validators in Swift, classes
    ///   without a schema, custom kinds that are not registered, defaults that JSON cannot hold.
    /// - Complexity: O(*n*) in the size of the schema.
    public func document(of schema: ModelSchema) throws(SchemaError) -> JSONValue {
        try SchemaWriter.documents(of: [schema], registry: self)[0]
    }

    /// Schemas as one document, an array.
    ///
    /// - Throws: ``SchemaError`` as ``document(of:)-(ModelSchema)``, with the problems of all schemas.
    /// - Complexity: O(*n*) in the size of the schemas.
    public func document(of schemas: [ModelSchema]) throws(SchemaError) -> JSONValue {
        .array(try SchemaWriter.documents(of: schemas, registry: self))
    }
}
