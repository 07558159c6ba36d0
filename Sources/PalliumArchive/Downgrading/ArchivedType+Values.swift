import PalliumCore
import PalliumJSON

// The types of stored values, where no property of a schema tells them. Recursion is bounded: types and values nest at
// most `ArchivedSchema.maximumNesting` deep.
extension ArchivedType {
    /// Any value that JSON has: for values of several types.
    private static let json = ArchivedType(.json)

    /// Whether values of the type can be equal to a stored value.
    func holds(_ value: StoredModel.Value) -> Bool {
        switch (kind, value) {
        case (_, .null), (.bool, .bool), (.integer, .integer), (.unsigned, .unsigned), (.double, .double),
            (.string, .string), (.moment, .date), (.date, .date), (.url, .url), (.enumeration, .enumeration),
            (.model, .model),
            (.json, .json), (.custom, .json):
            true
        case (.bytes, _): value.scalar(for: traits) != nil
        case (.array, .array(let elements)), (.set, .array(let elements)):
            elements.allSatisfy { element?.holds($0) ?? false }
        case (.dictionary, .dictionary(let entries)): entries.allSatisfy { element?.holds($0.value) ?? false }
        default: false
        }
    }

    /// Makes the type of a stored value; nil for null. The type of a collection without values has no element.
    convenience init?(of value: StoredModel.Value) {
        switch value {
        case .null: return nil
        case .url: self.init(PropertyKind.url.traits)
        case .enumeration: self.init(.enumeration)
        case .json: self.init(.json)
        case .model: self.init(.model)
        case .array(let elements): self.init(.array, element: Self.joined(elements))
        case .dictionary(let entries): self.init(.dictionary, element: Self.joined(entries.map(\.value)))
        default:
            guard let scalar = value.scalar, let kind = type(of: scalar)._naturalKind else { return nil }
            self.init(kind.traits)
        }
    }

    private static func joined(_ values: [StoredModel.Value]) -> ArchivedType? {
        values.reduce(nil) { join($0, ArchivedType(of: $1)) }
    }

    /// Returns a type for the values of two; nil is the type of null.
    static func join(_ left: ArchivedType?, _ right: ArchivedType?) -> ArchivedType? {
        guard let left, let right else { return left ?? right }
        guard left.traits.archiveNumber == right.traits.archiveNumber else { return json }
        guard left.kind == .array || left.kind == .dictionary else { return left }
        return ArchivedType(left.traits, element: join(left.element, right.element))
    }

    /// Returns the type with elements where no value has told their type.
    static func complete(_ type: ArchivedType?) -> ArchivedType {
        guard let type else { return json }
        guard type.kind == .array || type.kind == .dictionary else { return type }
        return ArchivedType(type.traits, element: complete(type.element))
    }
}

extension StoredModel.Value {
    /// The Swift value for a kind with bytes of its own; nil if the stored value is of another kind.
    func scalar(for traits: KindTraits) -> (any PropertyValue)? {
        guard let scalar, let type = traits.type else { return nil }
        if let number = scalar as? Double, type == Float.self {
            let float = Float(number)
            return Double(float) == number || number.isNaN ? float : nil
        }
        return Swift.type(of: scalar) == type ? scalar : nil
    }
}
