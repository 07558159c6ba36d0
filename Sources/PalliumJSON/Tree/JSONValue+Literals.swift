/// Creates values from literals in code.
extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// `null`.
    public init(nilLiteral: ()) { self = .null }

    /// A Boolean.
    public init(booleanLiteral value: Bool) { self = .bool(value) }

    /// An integer.
    public init(integerLiteral value: Int64) { self = .number(JSONNumber(value)) }

    /// A number. A literal too large for a Double becomes `null`, since JSON has no infinity.
    public init(floatLiteral value: Double) { self = JSONNumber(value).map { .number($0) } ?? .null }

    /// A string.
    public init(stringLiteral value: String) { self = .string(value) }

    /// An array.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

    /// An object. When a name occurs twice, its last value counts.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        var members = JSONObject()
        for (key, value) in elements { members.updateValue(value, forKey: key) }
        self = .object(members)
    }
}

extension JSONNumber: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
    /// Makes the value from a literal such as `7`.
    public init(integerLiteral value: Int64) { self.init(value) }

    /// Makes the value from a literal such as `0.1`, which is one tenth exactly.
    ///
    /// Traps for a literal that is no finite `Double`.
    public init(floatLiteral value: Double) {
        guard let number = JSONNumber(value) else { trap("\(value) is no number in JSON") }
        self = number
    }
}
