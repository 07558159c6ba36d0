import PalliumJSON

/// Transformers that replace values by a table.
extension Transformer {
    /// Makes a transformer that replaces values by a table.
    ///
    ///     let state = Transformer.mapping(["open": 1, "opened": 1, "closed": 2], default: 0)
    ///
    /// Several keys may have the same value; the first of them is written. Of equal keys the first counts. Text is
    /// compared by its UTF-8 bytes. Use `JSONValue` as the key type for keys of different types.
    ///
    /// Null is converted, too. A table with optional keys or values can contain it: `["none": nil]`. If the table does
    /// not contain null, it becomes the default, or stays null without one.
    ///
    /// Without a default, a value that is not in the table is refused with the code `unknownCase` and a list of allowed
    /// values. Complexity of a conversion: O(1), apart from the length of the value.
    ///
    /// - Parameters:
    ///   - pairs: The values in JSON, and the values they become.
    ///   - default: The result for every other value of any type. Use `.some(nil)` for null.
    ///     the default, `.some(nil)`.
    ///   - reverseDefault: The JSON for values that are not in the table.
    public static func mapping<Key: PropertyValue & Hashable & Sendable, Value: PropertyValue & Hashable & Sendable>(
        _ pairs: KeyValuePairs<Key, Value>, default: Value? = nil, reverseDefault: Key? = nil
    ) -> Transformer {
        let forward = MappingTable(pairs.map { ($0.key, $0.value) }, default: `default`)
        let backward = MappingTable(pairs.map { ($0.value, $0.key) }, default: reverseDefault)
        // With a default, no JSON value has a wrong type. Keys of types that JSON does not have are read by their kind.
        let keyType = Erased.type(Key.self)
        let readType = `default` != nil && JSONScalar(keyType) != nil ? JSONValue.self : keyType
        return Transformer(
            inputType: keyType, outputType: Erased.type(Value.self), handlesNull: true, readType: readType,
            examples: pairs.compactMap { (Erased.value($0.key)).flatMap { JSONValue(scalar: $0) } },
            forward: { value, _ in try forward.convert(value) }, backward: { value, _ in try backward.convert(value) })
    }
}

/// A table for one direction of a mapping.
private struct MappingTable<Key: PropertyValue & Hashable & Sendable, Value: PropertyValue & Sendable>: Sendable {
    private var values: [MappingKey<Key>: Value] = [:]
    private let defaultValue: Value?
    private var allowed: [String] = []
    /// The texts among the keys, for suggestions.
    private var texts: [String] = []

    init(_ pairs: [(Key, Value)], default: Value?) {
        defaultValue = `default`
        for (key, value) in pairs {
            let mappingKey = MappingKey(key)
            guard values[mappingKey] == nil else { continue }
            values[mappingKey] = value
            allowed.append(mappingKey.description)
            if case .textual(.text(let text)) = mappingKey { texts.append(text.text) }
        }
    }

    func convert(_ input: (any PropertyValue)?) throws(ModelError) -> (any PropertyValue)? {
        let key: MappingKey<Key>
        if let input {
            guard let typed = Transformer.pass(input, as: Key.self) else {
                if let defaultValue { return Erased.value(defaultValue) }
                throw ModelError.refused(input, expected: expectation, code: .typeMismatch)
            }
            key = MappingKey(typed)
        } else {
            key = .textual(.null)
        }
        if let value = values[key] ?? defaultValue { return Erased.value(value) }
        if case .textual(.null) = key { return nil }
        let error = ModelError.refused(input, expected: expectation, code: .unknownCase)
        guard case .textual(.text(let text)) = key else { throw error }
        throw error.suggesting(ModelError.nearest(to: text.text, among: texts))
    }

    /// The first sixteen allowed values, so that the error stays readable.
    private var expectation: String {
        if allowed.count <= 1 { return allowed.first ?? "no value, as the table is empty" }
        let rest = allowed.count - 16
        return "one of " + allowed.prefix(16).joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    }
}
