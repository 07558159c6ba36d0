public import PalliumCore

/// A condition on models, which SQLite tests.
///
///     Key("state") == "open" && Key("assignee.login") != nil && !Key("labels").contains("wontfix")
///
/// Values are compared as the kind of the property says: numbers and dates by size, text by its bytes. A property without
/// a value equals nil and nothing else; it is neither less nor greater than anything.
public struct Condition: Sendable {
    typealias Value = any PropertyValue & Sendable

    enum Comparison: String {
        case equal = "IS"
        case different = "IS NOT"
        case less = "<"
        case atMost = "<="
        case greater = ">"
        case atLeast = ">="
    }

    indirect enum Content: Sendable {
        case comparison(Key, Comparison, Value?)
        case list(Key, [Value])
        case contains(Key, Value)
        case prefix(Key, String)
        case both(Content, Content)
        case either(Content, Content)
        case not(Content)
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
