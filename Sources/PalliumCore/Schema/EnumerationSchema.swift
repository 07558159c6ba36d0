import PalliumJSON

/// The text or number that stands for an enumeration case outside the program.
public enum EnumerationRawValue: Sendable, Hashable, CustomStringConvertible {
    case text(String)
    case number(Int64)

    /// Whether the two say the same.
    public static func == (left: EnumerationRawValue, right: EnumerationRawValue) -> Bool {
        switch (left, right) {
        case (.text(let left), .text(let right)): UTF8Text.equal(left, right)
        case (.number(let left), .number(let right)): left == right
        default: false
        }
    }

    /// Mixes what `==` compares.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .text(let text): hasher.combine(UTF8Key(text))
        case .number(let number): hasher.combine(number)
        }
    }

    /// The text, or the number in decimal.
    public var description: String {
        switch self {
        case .text(let text): text
        case .number(let number): "\(number)"
        }
    }
}

extension EnumerationRawValue {
    var isNumber: Bool {
        if case .number = self { true } else { false }
    }

    /// As it stands in a list of cases: text in quotation marks.
    var quoted: String {
        switch self {
        case .text(let text): ModelError.quote(text)
        case .number(let number): "\(number)"
        }
    }

    /// As it stands in an error, in the words of `JSONValue.summary`.
    package var summary: String {
        switch self {
        case .text(let text): ModelError.quote(text)
        case .number(let number): "the number \(number)"
        }
    }
}

/// The closed set of cases of an enumeration property.
public struct EnumerationSchema: Sendable, Hashable {
    /// One case: the text or number that is written, and others that are read as well.
    public struct Case: Sendable, Hashable {
        /// What is written.
        public var rawValue: EnumerationRawValue
        /// What is read as this case besides the raw value.
        public var aliases: [EnumerationRawValue]

        /// Describes a case.
        public init(_ rawValue: EnumerationRawValue, aliases: [EnumerationRawValue] = []) {
            self.rawValue = rawValue
            self.aliases = aliases
        }
    }

    /// What happens to a text or number that no case lists.
    public enum UnknownCasePolicy: Sendable, Hashable {
        /// An error that lists the allowed values.
        case fail
        /// The raw text or number is kept and written back; a typed accessor is optional and reads nil.
        case keep
        /// This case instead.
        case fallback(EnumerationRawValue)
    }

    /// The cases, in order.
    public var cases: [Case]
    /// What happens to an unknown text or number.
    public var unknown: UnknownCasePolicy
    /// The Swift type the cases came from, when they came from one.
    package var type: EnumerationType?

    /// Describes an enumeration without a Swift type, as a schema document does.
    public init(cases: [Case], unknown: UnknownCasePolicy = .fail) {
        self.cases = cases
        self.unknown = unknown
    }

    /// Takes the cases of a Swift type, in the order of `allCases`.
    public init<Value: PropertyEnumeration>(_ type: Value.Type, unknown: UnknownCasePolicy = .fail) {
        let values = Array(Value.allCases)
        self.cases = values.map { Case($0._rawEnumerationValue) }
        self.unknown = unknown
        self.type = TypedEnumeration(values)
    }

    /// Whether an unknown raw value can be kept: accessors read the raw type of the cases, so a number is no value of an
    /// enumeration of texts, nor a text of one of numbers.
    package func canKeep(_ raw: EnumerationRawValue) -> Bool {
        switch raw {
        case .text: !isNumeric
        case .number: cases.contains { $0.rawValue.isNumber }
        }
    }

    /// Whether every case is a number.
    package var isNumeric: Bool { cases.allSatisfy { $0.rawValue.isNumber } }

    // The Swift type is a view of the cases; two descriptions of the same cases are the same.
    /// Whether the two say the same.
    public static func == (left: EnumerationSchema, right: EnumerationSchema) -> Bool {
        left.cases == right.cases && left.unknown == right.unknown
    }

    /// Mixes what `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(cases)
        hasher.combine(unknown)
    }
}

/// The Swift cases of an enumeration, erased.
package class EnumerationType: @unchecked Sendable {
    // @unchecked: immutable, and the subclass below holds Sendable values only.
    // An invariant: only the subclass is ever made.
    package var valueType: any PropertyValue.Type { preconditionFailure("abstract") }
}

/// The Swift cases of an enumeration, by case number.
package final class TypedEnumeration<Value: PropertyEnumeration>: EnumerationType, @unchecked Sendable {
    // @unchecked: `cases` never changes and its elements are Sendable.
    package let cases: [Value]
    package init(_ cases: [Value]) { self.cases = cases }
    package override var valueType: any PropertyValue.Type { Value.self }
}
