import Pallium
import PalliumContracts

/// Loads schemas from text.
func loaded(_ documents: String) throws -> SchemaRegistry {
    let registry = SchemaRegistry()
    try registry.load(Array(documents.utf8))
    return registry
}

/// The JSON Schema definition of a schema, from documents.
func definition(
    of name: String, in documents: String, direction: ContractDirection = .input, profile: String? = nil
) throws -> JSONValue? {
    let registry = try loaded(documents)
    let contract = try registry.jsonSchema(direction: direction, profile: profile)
    return contract["$defs"]?[name]
}

/// Parses JSON that a test expects.
func json(_ text: String) throws -> JSONValue { try JSONValue(parsing: text) }
