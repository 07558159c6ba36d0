import PalliumCore
import TestSupport

/// The hash of a value by itself.
func hash(_ value: some Hashable) -> Int {
    var hasher = Hasher()
    value.hash(into: &hasher)
    return hasher.finalize()
}

extension DynamicModel {
    /// What an accessor of exactly this type reads. In an expression the compiler may take `value(_:)` for an accessor of
    /// the type without the optional, and wrap its result.
    func read<Value: PropertyValue>(_ key: StaticString, as type: Value.Type) -> Value { value(key) }

    /// What an accessor of the optional type sets.
    func write<Value: PropertyValue>(_ newValue: Value?, _ key: StaticString) { set(newValue, key) }
}

extension SchemaRegistry {
    /// A registry with one schema without a class, and an empty model of it.
    static func plainModel(
        _ properties: KeyValuePairs<String, PropertySchema>, name: String = "Plain"
    ) throws -> DynamicModel {
        let schema = ModelSchema(name, properties)
        return DynamicModel(schema: schema, registry: try .of(schema))
    }
}
