public import PalliumCore

/// A condition on models, which SQLite tests.
///
///     Key("state") == "open" && Key("assignee.login") != nil && !Key("labels").contains("wontfix")
///
/// Values are compared as the kind of the property says: numbers and dates by size, text by its bytes. A property without
/// a value equals nil and nothing else; it is neither less nor greater than anything.
public struct Condition: Sendable {
    typealias Value = any PropertyValue & Sendable

    enum Comparison { case equal, different, less, atMost, greater, atLeast }

    /// How many elements must meet a condition.
    enum Quantifier { case any, all, none }

    indirect enum Content: Sendable {
        case comparison(Key, Comparison, Value?)
        case list(Key, [Value])
        case contains(Key, Value)
        case prefix(Key, String)
        case elements(Key, Quantifier, Content)
        case both(Content, Content)
        case either(Content, Content)
        case not(Content)

        /// The property that the condition is about, and the condition about another one; nil for one of several parts.
        var test: (key: Key, of: (Key) -> Content)? {
            switch self {
            case .comparison(let key, let comparison, let value): (key, { .comparison($0, comparison, value) })
            case .list(let key, let values): (key, { .list($0, values) })
            case .contains(let key, let value): (key, { .contains($0, value) })
            case .prefix(let key, let text): (key, { .prefix($0, text) })
            case .elements(let key, let quantifier, let condition): (key, { .elements($0, quantifier, condition) })
            case .both, .either, .not: nil
            }
        }
    }

    let content: Content

    /// Whether both hold.
    public static func && (left: Condition, right: Condition) -> Condition {
        Condition(content: .both(left.content, right.content))
    }

    /// Whether one of them holds, or both.
    public static func || (left: Condition, right: Condition) -> Condition {
        Condition(content: .either(left.content, right.content))
    }

    /// Whether the condition does not hold.
    public static prefix func ! (condition: Condition) -> Condition { Condition(content: .not(condition.content)) }
}

extension Key {
    /// Whether a property has a value; nil means that it has none.
    public static func == (key: Key, value: (any PropertyValue & Sendable)?) -> Condition {
        key.compare(.equal, value)
    }

    /// Whether a property has another value, or none; nil means that it has one.
    public static func != (key: Key, value: (any PropertyValue & Sendable)?) -> Condition {
        key.compare(.different, value)
    }

    /// Whether a property has a smaller value.
    public static func < (key: Key, value: any PropertyValue & Sendable) -> Condition { key.compare(.less, value) }

    /// Whether a property has a smaller value, or this one.
    public static func <= (key: Key, value: any PropertyValue & Sendable) -> Condition { key.compare(.atMost, value) }

    /// Whether a property has a greater value.
    public static func > (key: Key, value: any PropertyValue & Sendable) -> Condition { key.compare(.greater, value) }

    /// Whether a property has a greater value, or this one.
    public static func >= (key: Key, value: any PropertyValue & Sendable) -> Condition { key.compare(.atLeast, value) }

    /// Whether a property has one of these values.
    public func isIn(_ values: [any PropertyValue & Sendable]) -> Condition { Condition(content: .list(self, values)) }

    /// Whether a text contains another one, or an array or set contains a value.
    public func contains(_ value: any PropertyValue & Sendable) -> Condition {
        Condition(content: .contains(self, value))
    }

    /// Whether a text begins with another one.
    public func hasPrefix(_ text: String) -> Condition { Condition(content: .prefix(self, text)) }

    /// Whether at least one element of a collection meets a condition.
    ///
    ///     Key("labels").any(Key("name") == "bug")
    ///
    /// The keys of the condition begin at the element. An element whose row does not exist meets no condition.
    public func any(_ condition: Condition) -> Condition { elements(.any, condition) }

    /// Whether all elements of a collection meet a condition, or there are none.
    public func all(_ condition: Condition) -> Condition { elements(.all, condition) }

    /// Whether no element of a collection meets a condition.
    public func none(_ condition: Condition) -> Condition { elements(.none, condition) }

    private func elements(_ quantifier: Condition.Quantifier, _ condition: Condition) -> Condition {
        Condition(content: .elements(self, quantifier, condition.content))
    }

    private func compare(_ comparison: Condition.Comparison, _ value: (any PropertyValue & Sendable)?) -> Condition {
        Condition(content: .comparison(self, comparison, value))
    }
}

/// A property that models are ordered by, and the direction.
public struct Order: Sendable {
    let key: Key
    let isDescending: Bool

    /// From the smallest value to the greatest. Models without a value come first.
    public static func ascending(_ key: Key) -> Order { Order(key: key, isDescending: false) }

    /// From the greatest value to the smallest. Models without a value come last.
    public static func descending(_ key: Key) -> Order { Order(key: key, isDescending: true) }
}
