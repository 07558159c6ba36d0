import PalliumCore
import PalliumJSON
import Testing

/// A predefined transformer, from a registry of its own.
func predefined(_ name: TransformerName) throws -> Transformer {
    try TransformerRegistry().transformer(named: name)
}

extension Transformer {
    /// What the conversion throws; an error of the test when it throws nothing.
    func refusal(of value: (any PropertyValue)?, context: Context = Context()) throws
        -> ModelError
    {
        try #require(throws: ModelError.self) { try convert(value, context: context) }
    }

    /// What the reverse conversion throws; an error of the test when it throws nothing.
    func reverseRefusal(of value: (any PropertyValue)?) throws -> ModelError {
        try #require(throws: ModelError.self) {
            try convertBack(value, context: Context(direction: .reverse))
        }
    }

    /// Whether null becomes null in both directions.
    func passesNull() throws -> Bool {
        let forward = try convert(nil, context: Context())
        let backward = try convertBack(nil, context: Context(direction: .reverse))
        return forward == nil && backward == nil
    }
}

/// JSON null where a transformer expects a value.
let nullValue = JSONValue.null
