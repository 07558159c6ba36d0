import PalliumJSON

/// A key in the table of a mapping.
///
/// Text is compared by its bytes wherever the library recognises it: alone, in arrays and in JSON values. Other types,
/// including your own, are compared by their `==`.
enum MappingKey<Value: PropertyValue & Hashable & Sendable>: Hashable, Sendable {
    case textual(Textual)
    case other(Value)

    /// Null, text, and arrays of these.
    enum Textual: Hashable, Sendable {
        case null
        case text(UTF8Key)
        case list([Textual])
    }

    init(_ value: Value) {
        self = Textual(value).map { .textual($0) } ?? .other(value)
    }
}

extension MappingKey.Textual {
    init?(_ value: (any PropertyValue)?) {
        switch Erased.value(value) {
        case nil: self = .null
        case let text as String: self = .text(UTF8Key(text))
        case let json as JSONValue where json.isNull: self = .null
        case let array as any ArrayShape:
            var elements: [Self] = []
            for element in array.erasedElements {
                guard let element = Self(element) else { return nil }
                elements.append(element)
            }
            self = .list(elements)
        default: return nil
        }
    }
}

extension MappingKey: CustomStringConvertible {
    /// The value for errors.
    var description: String {
        switch self {
        case .textual(let textual): textual.description
        case .other(let value):
            JSONValue(scalarFor: value).map { ModelError.shorten($0.description, to: 64) } ?? ModelError.describe(value)
        }
    }
}

extension MappingKey.Textual: CustomStringConvertible {
    var description: String {
        switch self {
        case .null: "null"
        case .text(let text): ModelError.quote(text.text)
        case .list(let elements): "[" + elements.map(\.description).joined(separator: ", ") + "]"
        }
    }
}
