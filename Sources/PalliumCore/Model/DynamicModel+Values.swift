import PalliumJSON

// Makes models from values, and returns the values of models.
//
// Safety: the storage is made for the layout that was found.
extension DynamicModel {
    /// Makes a model from values by key. Other properties keep the schema's defaults; nil is null.
    ///
    /// The values are Swift values as accessors return them, not JSON, which an adapter decodes. Validators run for the
    /// given keys and may correct the values.
    ///
    /// - Throws: ``ModelError`` with every problem, in schema order: unknown keys, values of another kind, null where
    ///   it is not allowed, missing required properties, values that a validator refuses.
    public convenience init(values: [String: (any PropertyValue)?], registry: SchemaRegistry = .shared)
        throws(ModelError)
    {
        // The registry keeps the layout until the model does.
        defer { withExtendedLifetime(registry) {} }
        self.init(storage: try registry.layout(.modelClass(Self.self)).makeStorage())
        try fill(values)
    }

    /// Makes a model of a schema from values by key, as ``init(values:registry:)`` does for a class.
    ///
    /// - Throws: ``ModelError`` with every problem, and when the schema is not registered.
    public convenience init(
        schema: ModelSchema, values: [String: (any PropertyValue)?], registry: SchemaRegistry = .shared
    ) throws(ModelError) {
        // The registry keeps the layout until the model does.
        defer { withExtendedLifetime(registry) {} }
        guard let layout = registry.layout(for: schema), layout.modelClass.isSubclass(of: Self.self) else {
            throw ModelError(
                .unknownSchema, expected: "a registered schema of the class \(Self.self)", found: schema.name)
        }
        self.init(returning: layout.makeEmptyModel())
        try fill(values)
    }

    private final func fill(_ values: [String: (any PropertyValue)?]) throws(ModelError) {
        takeDefaults()
        let layout = layout
        var problems: [ModelError] = []
        for (index, property) in layout.properties.enumerated() {
            guard let value = values[property.key] else {
                if property.schema.isRequired, slot(at: index).isMissing { problems.append(missing(property)) }
                continue
            }
            do throws(ModelError) {
                try slot(at: index).store(value)
                try checkProperty(at: index)
            } catch { problems.append(error.under(property).inSchema(layout.schema.name)) }
        }
        let unknown = values.keys.filter { layout.index(of: $0) == nil }.sorted(by: UTF8Text.precedes)
        problems += unknown.map { layout.unknownKeyError($0) }
        if !problems.isEmpty { throw ModelError(problems) }
        linkChildren()
    }

    /// The values of all properties by key, in their natural Swift types; null and unset properties are nil.
    ///
    /// Nested models are the same objects, not dictionaries (conformance C044).
    public final var values: [String: (any PropertyValue)?] {
        didReadAll()
        var values: [String: (any PropertyValue)?] = [:]
        for (index, property) in layout.properties.enumerated() {
            values.updateValue(naturalValue(at: index), forKey: property.key)
        }
        return values
    }

    /// Stores the default value of every property that has one.
    package final func takeDefaults() {
        let layout = layout
        for index in layout.defaultedSlots { slot(at: index).takeDefault(layout.defaultSlot(index), marked: false) }
    }

    package final func missing(_ property: ModelLayout.Property) -> ModelError {
        ModelError(
            .missingProperty, expected: "a value for the required property \"\(property.key)\"", found: "none",
            schema: layout.schema.name, property: property.key)
    }
}
