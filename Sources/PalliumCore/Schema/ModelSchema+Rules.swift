public import PalliumJSON

extension ModelSchema {
    /// A rule about several properties of a model.
    ///
    /// As ``PropertySchema/Rule``, it is data. A property that is missing or null has no value.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Rule: Sendable, Hashable {
        /// These properties have values when others have these values; `null` stands for no value.
        ///
        ///     .required(["closedAt"], when: ["state": "closed"])
        case required([String], when: [String: JSONValue])
        /// Exactly one of these properties has a value.
        case exactlyOneOf([String])
        /// The first property is before the second, or less, if both have values.
        case before(String, String)
        /// The first property is not after the second, or greater, if both have values.
        case notAfter(String, String)

        /// The name in schema documents, such as `"exactlyOneOf"`.
        package var name: String {
            switch self {
            case .required: "required"
            case .exactlyOneOf: "exactlyOneOf"
            case .before: "before"
            case .notAfter: "notAfter"
            }
        }

        /// The keys of all properties that the rule reads.
        package var keys: [String] {
            switch self {
            case .required(let keys, let conditions): keys + conditions.keys.sorted(by: UTF8Text.precedes)
            case .exactlyOneOf(let keys): keys
            case .before(let first, let second), .notAfter(let first, let second): [first, second]
            }
        }
    }

    /// Adds rules about several properties.
    ///
    ///     ModelSchema(
    ///         "Issue", ["state": .string, "openedAt": .date, "closedAt": .date]
    ///     ).rules(.required(["closedAt"], when: ["state": "closed"]), .notAfter("openedAt", "closedAt"))
    ///
    /// They are checked whenever ``validate(_:)`` would run, before the rules in Swift. A model that breaks one is an error
    /// with the code `ruleBroken`.
    public func rules(_ rules: Rule...) -> ModelSchema {
        var copy = self
        copy.rules += rules
        return copy
    }

    /// Adds a rule about several properties with a text for people, which an error has as ``ModelError/ruleMessage``.
    ///
    ///     schema.rule(.notAfter("openedAt", "closedAt"), message: "An issue is opened before it is closed.")
    public func rule(_ rule: Rule, message: String) -> ModelSchema {
        var copy = self
        copy.add(rule, message: message)
        return copy
    }

    /// Adds a rule in place, so that many take linear time.
    package mutating func add(_ rule: Rule, message: String?) {
        rules.append(rule)
        if let message { messages[rule] = message }
    }
}
