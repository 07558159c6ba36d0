import Pallium
import PalliumTrials
import Testing

/// Infers the schemas of documents, the root's named Root.
func inferred(_ documents: [UInt8]...) throws -> [ModelSchema] { try inferred(documents) }

/// Infers the schemas of documents, the root's named Root.
func inferred(_ documents: [[UInt8]]) throws -> [ModelSchema] {
    var inference = SchemaInference(name: "Root")
    for document in documents { try inference.add(document) }
    return try inference.schemas()
}

/// Infers the schemas of one document.
func inferred(_ document: String) throws -> [ModelSchema] { try inferred([Array(document.utf8)]) }

/// The law of inference: the schemas read their samples strictly and write them back equal, also after they were
/// written as documents themselves. Returns the schemas.
@discardableResult
func expectTheLaw(_ documents: [[UInt8]], _ comment: Comment? = nil) throws -> [ModelSchema] {
    let schemas = try inferred(documents)
    let registry = SchemaRegistry()
    let loaded = try registry.load(Array(try SchemaRegistry().document(of: schemas).text().utf8))
    #expect(loaded == schemas, comment)
    var options = JSONAdapterOptions()
    options.unknownMembers = .refuse
    let adapter = try JSONAdapter(schema: loaded[0], registry: registry, options: options)
    for document in documents {
        let value = try JSONValue(parsing: document)
        let written =
            value.arrayValue == nil
            ? try adapter.data(from: adapter.model(from: document))
            : try adapter.data(from: adapter.models(from: document))
        #expect(try JSONValue(parsing: [UInt8](written)) == value, comment)
    }
    return schemas
}

/// The law for one document.
@discardableResult
func expectTheLaw(_ document: String) throws -> [ModelSchema] {
    try expectTheLaw([Array(document.utf8)], "\(document.prefix(2000))")
}

extension [ModelSchema] {
    /// The document of the schema with a name.
    func document(_ name: String) throws -> JSONValue {
        try SchemaRegistry().document(of: #require(first { $0.name == name }))
    }
}
