public import PalliumJSON

extension PropertySchema {
    /// A limit on the values of a property or of the elements of a collection.
    ///
    /// A rule is data: schema documents contain it, and tools can read it. It never changes a value. A value that is
    /// missing or null keeps every rule.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Rule: Sendable, Hashable, CustomStringConvertible {
        /// Numbers are at least this.
        case minimum(JSONNumber)
        /// Numbers are at most this.
        case maximum(JSONNumber)
        /// Numbers are larger than this.
        case exclusiveMinimum(JSONNumber)
        /// Numbers are smaller than this.
        case exclusiveMaximum(JSONNumber)
        /// Numbers are this number, which is above zero, times an integer. Decimal fractions count exactly: 0.3 is three
        /// times 0.1.
        case multipleOf(JSONNumber)
        /// Text has at least this many Unicode scalars.
        case minLength(Int)
        /// Text has at most this many Unicode scalars.
        case maxLength(Int)
        /// A part of the text matches this regular expression, in the subset of ECMA-262 that the article *Rules* lists.
        case pattern(String)
        /// Text has the format of this name in the ``FormatRegistry``.
        case format(String)
        /// An array, set or dictionary has at least this many elements.
        case minCount(Int)
        /// An array, set or dictionary has at most this many elements.
        case maxCount(Int)
        /// The elements of an array are all different.
        case unique

        /// The name in schema documents, such as `"minLength"`.
        public var name: String {
            switch self {
            case .minimum: "minimum"
            case .maximum: "maximum"
            case .exclusiveMinimum: "exclusiveMinimum"
            case .exclusiveMaximum: "exclusiveMaximum"
            case .multipleOf: "multipleOf"
            case .minLength: "minLength"
            case .maxLength: "maxLength"
            case .pattern: "pattern"
            case .format: "format"
            case .minCount: "minCount"
            case .maxCount: "maxCount"
            case .unique: "unique"
            }
        }

        /// The limit as it stands in schema documents.
        public var limit: JSONValue {
            switch self {
            case .minimum(let number), .maximum(let number), .exclusiveMinimum(let number),
                .exclusiveMaximum(let number), .multipleOf(let number):
                .number(number)
            case .minLength(let count), .maxLength(let count), .minCount(let count), .maxCount(let count):
                .number(JSONNumber(count))
            case .pattern(let text), .format(let text): .string(text)
            case .unique: true
            }
        }

        /// The name and the limit as JSON: `minLength 3`.
        public var description: String { self == .unique ? name : "\(name) \(limit.shortText)" }

        /// Whether the two are equal; texts are compared by their bytes.
        public static func == (left: Rule, right: Rule) -> Bool { left.name == right.name && left.limit == right.limit }

        /// Hashes what `==` compares.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(name)
            hasher.combine(limit)
        }
    }
}

extension JSONValue {
    /// The text of a number or a string, of at most 64 characters.
    fileprivate var shortText: String {
        if case .number(let number) = self { ModelError.shorten(number.text, to: 64) } else { summary }
    }
}

extension PropertySchema.Rule {
    /// A rule in schema documents: its name, its limit in words, and the rule with a limit.
    private typealias Form = (name: String, limit: String, make: @Sendable (JSONValue) -> Self?)

    private static let forms: [Form] = [
        number("minimum", Self.minimum), number("maximum", Self.maximum),
        number("exclusiveMinimum", Self.exclusiveMinimum), number("exclusiveMaximum", Self.exclusiveMaximum),
        number("multipleOf", Self.multipleOf), count("minLength", Self.minLength), count("maxLength", Self.maxLength),
        ("pattern", "a regular expression", { $0.stringValue.map(Self.pattern) }),
        ("format", "the name of a format", { $0.stringValue.map(Self.format) }), count("minCount", Self.minCount),
        count("maxCount", Self.maxCount), ("unique", "true", { $0 == true ? .unique : nil }),
    ]

    private static func number(_ name: String, _ make: @escaping @Sendable (JSONNumber) -> Self) -> Form {
        (name, "a number", { limit in if case .number(let number) = limit { make(number) } else { nil } })
    }

    private static func count(_ name: String, _ make: @escaping @Sendable (Int) -> Self) -> Form {
        (
            name, "an integer from 0 on",
            { limit in
                guard case .number(let number) = limit, let count = number.int, count >= 0 else { return nil }
                return make(count)
            }
        )
    }

    /// The names of all rules in schema documents.
    package static let names = forms.map(\.name)

    /// Makes the rule of a name from its limit in a schema document; nil if the limit is of another kind.
    package init?(_ name: String, limit: JSONValue) {
        guard let rule = Self.forms.first(where: { $0.name == name })?.make(limit) else { return nil }
        self = rule
    }

    /// The form of the limit in a schema document, for messages.
    package static func limitExpectation(of name: String) -> String {
        forms.first { $0.name == name }?.limit ?? ""
    }
}
