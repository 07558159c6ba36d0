public import Foundation
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

    /// A schema as the text of a document, one member a line, with a line break at the end.
    ///
    /// - Throws: ``SchemaError`` as ``document(of:)-(ModelSchema)``.
    /// - Complexity: O(*n*) in the size of the schema.
    public func documentText(of schema: ModelSchema) throws(SchemaError) -> String {
        try SchemaWriter.text(of: document(of: schema))
    }

    /// Schemas as the text of one document, an array.
    ///
    /// - Throws: ``SchemaError`` as ``document(of:)-(ModelSchema)``, with the problems of all schemas.
    /// - Complexity: O(*n*) in the size of the schemas.
    public func documentText(of schemas: [ModelSchema]) throws(SchemaError) -> String {
        try SchemaWriter.text(of: document(of: schemas))
    }

    /// A schema as the bytes of a document in UTF-8: what ``load(contentsOf:classes:)`` reads from a file.
    ///
    /// - Throws: ``SchemaError`` as ``document(of:)-(ModelSchema)``.
    /// - Complexity: O(*n*) in the size of the schema.
    public func documentData(of schema: ModelSchema) throws(SchemaError) -> Data {
        Data(try documentText(of: schema).utf8)
    }
}
