package import PalliumJSON

extension EnumerationSchema.RawValue {
    package var isNumber: Bool {
        if case .number = self { true } else { false }
    }

    /// The value in a list of cases: text in quotation marks.
    var quoted: String {
        switch self {
        case .text(let text): ModelError.quote(text)
        case .number(let number): "\(number)"
        }
    }

    /// The value in an error, in the words of `JSONValue.summary`.
    package var summary: String {
        switch self {
        case .text(let text): ModelError.quote(text)
        case .number(let number): "the number \(number)"
        }
    }
}

/// The closed set of cases of an enumeration property.
public struct EnumerationSchema: Sendable, Hashable {
    /// One case: the text or number that is written, and others that are also read.
    public struct Case: Sendable, Hashable {
        /// The text or number that is written.
        public var rawValue: RawValue
        /// Other texts or numbers that are read as this case.
        public var aliases: [RawValue]

        /// Describes a case.
        public init(_ rawValue: RawValue, aliases: [RawValue] = []) {
            self.rawValue = rawValue
            self.aliases = aliases
        }
    }

    /// The treatment of a text or number that no case lists. The case is a Swift case, or a raw value.
    public enum UnknownCasePolicy<Value: Sendable & Hashable>: Sendable, Hashable {
        /// Throw an error that lists the allowed values.
        case fail
        /// Keep the raw text or number and write it back. A typed accessor is optional and reads nil.
        case keep
        /// Use this case instead.
        case fallback(Value)

        /// Converts the case.
        func map<Other>(_ convert: (Value) -> Other) -> UnknownCasePolicy<Other> {
            switch self {
            case .fail: .fail
            case .keep: .keep
            case .fallback(let value): .fallback(convert(value))
            }
        }
    }

    /// The cases, in order.
    public var cases: [Case]
    /// The treatment of an unknown text or number.
    public var unknown: UnknownCasePolicy<RawValue>
    /// The Swift type of the cases, if there is one.
    package var type: EnumerationType?

    /// Describes an enumeration without a Swift type, as a schema document does.
    public init(cases: [Case], unknown: UnknownCasePolicy<RawValue> = .fail) {
        self.cases = cases
        self.unknown = unknown
    }

    /// Takes the cases of a Swift type, in the order of `allCases`.
    public init<Value: PropertyEnumeration>(_ type: Value.Type, unknown: UnknownCasePolicy<Value> = .fail) {
        let values = Array(Value.allCases)
        self.cases = values.map { Case($0._rawEnumerationValue) }
        self.unknown = unknown.map(\._rawEnumerationValue)
        self.type = TypedEnumeration(values)
    }

    /// Whether an unknown raw value can be kept.
    ///
    /// Accessors read the raw type of the cases, so an enumeration of texts keeps no number, and one of numbers no
    /// text.
    package func canKeep(_ raw: RawValue) -> Bool {
        switch raw {
        case .text: !isNumeric
        case .number: cases.contains { $0.rawValue.isNumber }
        }
    }

    /// Whether every case is a number.
    package var isNumeric: Bool { cases.allSatisfy { $0.rawValue.isNumber } }

    // The Swift type is only a view of the cases, so it is not compared.
    /// Whether the two are equal.
    public static func == (left: EnumerationSchema, right: EnumerationSchema) -> Bool {
        left.cases == right.cases && left.unknown == right.unknown
    }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(cases)
        hasher.combine(unknown)
    }
}

extension EnumerationSchema {
    /// The text or number of an enumeration case in JSON and in archives.
    public enum RawValue: Sendable, Hashable, CustomStringConvertible {
        case text(String)
        case number(Int64)

        /// Whether the two are equal.
        public static func == (left: RawValue, right: RawValue) -> Bool {
            switch (left, right) {
            case (.text(let left), .text(let right)): UTF8Text.equal(left, right)
            case (.number(let left), .number(let right)): left == right
            default: false
            }
        }

        /// Hashes what `==` compares.
        public func hash(into hasher: inout Hasher) {
            switch self {
            case .text(let text): hasher.combine(UTF8Key(text))
            case .number(let number): hasher.combine(number)
            }
        }

        /// Takes JSON; nil for other JSON than text and integers.
        package init?(_ json: JSONValue) {
            switch json {
            case .string(let text): self = .text(text)
            case .number(let number):
                guard let integer = number.int64 else { return nil }
                self = .number(integer)
            default: return nil
            }
        }

        /// The text or number in JSON.
        package var json: JSONValue {
            switch self {
            case .text(let text): .string(text)
            case .number(let number): .number(JSONNumber(number))
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
