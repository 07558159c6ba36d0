package import PalliumCore

extension TransformerRegistry {
    /// The transformers that the fixtures name.
    package static func ofFixtures() throws -> TransformerRegistry {
        let registry = TransformerRegistry()
        try registry.register(Point.transformer, as: "Point")
        try registry.register(Range.transformer(under: ""), as: "Range")
        try registry.register(Range.transformer(under: "nested."), as: "NestedRange")
        return registry
    }
}

extension SchemaRegistry {
    /// A registry of its own with some schemas, and with what they name.
    package static func of(
        _ schemas: [ModelSchema], transformers: [TransformerName: Transformer] = [:], mergers: [String: Merger] = [:]
    ) throws -> SchemaRegistry {
        let registry = SchemaRegistry()
        for (name, transformer) in transformers { try registry.transformers.register(transformer, as: name) }
        for (name, merger) in mergers { try registry.mergers.register(merger, as: name) }
        try registry.register(schemas)
        return registry
    }

    /// A registry of its own with some schemas, and with what they name.
    package static func of(
        _ schemas: ModelSchema..., transformers: [TransformerName: Transformer] = [:], mergers: [String: Merger] = [:]
    ) throws -> SchemaRegistry {
        try of(schemas, transformers: transformers, mergers: mergers)
    }

    /// A registry of its own with all models of this folder.
    package static func ofFixtures() throws -> SchemaRegistry {
        let registry = SchemaRegistry(transformers: try .ofFixtures())
        try registry.register(
            EmptyModel.schema, TestModel.schema, SubTestModel.subSchema, ValidationModel.schema,
            SelfValidatingModel.schema, URLModel.schema, URLSubModel.subSchema, UUIDModel.schema,
            UUIDSubModel.subSchema, BoolModel.schema, StringModel.schema, AnyModel.schema, MultiPathModel.schema,
            NestedDefaultModel.schema, StorageModel.schema, StorageSubModel.subSchema, User.schema, Group.schema,
            Node.schema)
        try registry.register(ClusterModel.schema, ChocolateModel.chocolateSchema, StrawberryModel.strawberrySchema)
        return registry
    }
}
