package import Pallium
import TestSupport

/// Adapters of schemas that one test needs, each in a registry of its own.
package enum Plain {
    /// An adapter of a schema without a class.
    package static func adapter(
        _ properties: KeyValuePairs<String, PropertySchema>, keys: ModelSchema.KeyStrategy = .identity,
        ignored: [String] = [],
        options: JSONAdapterOptions = JSONAdapterOptions(), transformers: [TransformerName: Transformer] = [:]
    ) throws -> Entrances<DynamicModel> {
        try adapter(
            [ModelSchema("Plain", properties, keys: keys, ignored: ignored)], options: options,
            transformers: transformers)
    }

    /// An adapter of the first of some schemas.
    package static func adapter(
        _ schemas: [ModelSchema], options: JSONAdapterOptions = JSONAdapterOptions(),
        transformers: [TransformerName: Transformer] = [:]
    ) throws -> Entrances<DynamicModel> {
        let registry = try SchemaRegistry.of(schemas, transformers: transformers)
        return Entrances(try JSONAdapter(schema: schemas[0], registry: registry, options: options))
    }

    /// The problems of registering a schema, as people read them; none when it can be registered.
    package static func problems(
        _ properties: KeyValuePairs<String, PropertySchema>, keys: ModelSchema.KeyStrategy = .identity,
        ignored: [String] = []
    ) -> [String] {
        problems([ModelSchema("Plain", properties, keys: keys, ignored: ignored)])
    }

    /// The problems of registering schemas.
    package static func problems(_ schemas: [ModelSchema]) -> [String] {
        do throws(SchemaError) {
            try SchemaRegistry().register(schemas)
            return []
        } catch { return error.problems.map(\.description) }
    }
}

extension JSONAdapterOptions {
    /// The defaults with a change.
    package static func with(_ change: (inout JSONAdapterOptions) -> Void) -> JSONAdapterOptions {
        var options = JSONAdapterOptions()
        change(&options)
        return options
    }
}
