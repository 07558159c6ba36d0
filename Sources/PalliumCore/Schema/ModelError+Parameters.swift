public import PalliumJSON

extension ModelError {
    /// The data of a problem: the rule with its limit, the cases that are allowed, the kind that is wanted.
    ///
    /// Programs read it instead of the sentence: a form that marks a field, a server that answers in another language. The
    /// table in <doc:Errors> lists which code has which parameters.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Parameters: Sendable, Hashable {
        /// A value breaks a rule of its property.
        ///
        /// Found is what the rule limits: the number of characters or elements, the index of the earlier element for
        /// `unique`, else the value; nil for a property with a label.
        case rule(PropertySchema.Rule, found: JSONValue?)
        /// The model breaks a rule over several properties.
        case modelRule(ModelSchema.Rule)
        /// A value is none of the cases of its enumeration. Nothing is found for a property with a label.
        case cases([EnumerationSchema.RawValue], found: JSONValue?)
        /// A value is not of its kind: the name of the kind in schema documents, such as `"integer"`, and that of the JSON
        /// value that was found, such as `"string"`; nil for a property with a label, and for values that are no JSON.
        case kind(expected: String, found: String?)
        /// A member is missing: its own pointer, while that of the error leads to the object.
        case member(JSONPointer)
    }

    /// The data of the problem; nil for codes that have none.
    public var parameters: Parameters? {
        switch content.detail {
        case nil: nil
        case .parameters(let parameters): parameters
        // Nothing is told below a masked value.
        case .missing(let tokens):
            content.shownCount == nil ? .member(JSONPointer(tokens: content.path.reversed() + tokens)) : nil
        }
    }

    /// The text that the schema gives the broken rule, for people; nil for other problems, and if it gives none.
    public var ruleMessage: String? { content.ruleMessage }

    /// The problems by the key of the property that they are about, for forms. Those of a whole model have the empty key.
    public var byProperty: [String: [ModelError]] { Dictionary(grouping: problems) { $0.property ?? "" } }

    /// Returns the sentence of the app for a problem, else ``ruleMessage``, else the sentence of the library.
    ///
    ///     let text = problem.message { parameters in
    ///         guard case .rule(.minLength(let count), _) = parameters else { return nil }
    ///         return "mindestens \(count) Zeichen"
    ///     }
    ///
    /// - Parameter localize: Returns a sentence for parameters; nil for those that the app does not know.
    public func message(_ localize: (Parameters) -> String?) -> String {
        parameters.flatMap(localize) ?? ruleMessage ?? sentence
    }

    /// The parameters as they are stored: the pointer of a missing member is not known before the error has its path.
    enum Detail: Sendable {
        case parameters(Parameters)
        /// The tokens from the object to a member that is missing.
        case missing([String])

        /// Nothing that could tell the value found.
        var masked: Detail {
            switch self {
            case .parameters(.rule(let rule, _)): .parameters(.rule(rule, found: nil))
            case .parameters(.cases(let cases, _)): .parameters(.cases(cases, found: nil))
            case .parameters(.kind(let expected, _)): .parameters(.kind(expected: expected, found: nil))
            default: self
            }
        }
    }

    /// Returns the error with its parameters.
    package func with(_ parameters: Parameters?) -> ModelError {
        with { $0.detail = parameters.map { .parameters($0) } ?? $0.detail }
    }

    /// Returns the error with the text of a schema for the rule.
    func with(ruleMessage: String?) -> ModelError { ruleMessage == nil ? self : with { $0.ruleMessage = ruleMessage } }

    /// Returns the error with the tokens that lead from its own pointer to the missing member.
    package func missing(_ tokens: [String]) -> ModelError { with { $0.detail = .missing(tokens) } }

    /// Returns the error with the value that was found instead of a case, or with the name of its kind instead of another
    /// kind.
    package func finding(_ found: JSONValue?) -> ModelError {
        switch content.detail {
        case .parameters(.cases(let cases, _)): with(.cases(cases, found: found))
        case .parameters(.kind(let expected, _)): with(.kind(expected: expected, found: found?.stringValue))
        default: self
        }
    }
}

extension ModelError.Detail {
    /// The data of a problem with a value, as far as its descriptor tells.
    init?(_ code: ModelError.Code, _ descriptor: ValueDescriptor) {
        switch code {
        case .typeMismatch, .nullNotAllowed, .numberOutOfRange, .invalidValue:
            let isNull = code == .nullNotAllowed && !descriptor.isSensitive
            self = .parameters(.kind(expected: descriptor.property.kind.name, found: isNull ? "null" : nil))
        case .unknownCase:
            guard let enumeration = descriptor.enumeration else { return nil }
            self = .parameters(.cases(enumeration.schema.cases.map(\.rawValue), found: nil))
        default: return nil
        }
    }
}

extension ModelError.Parameters {
    /// The parameters as a JSON object, whose members stay.
    package var members: JSONObject {
        switch self {
        case .rule(let rule, let found):
            ["rule": .string(rule.name), "limit": rule.limit, "found": found ?? .null]
        case .modelRule(let rule):
            ["rule": .string(rule.name), "keys": .array(rule.keys.map { .string($0) })]
        case .cases(let cases, let found):
            ["cases": .array(cases.map(\.json)), "found": found ?? .null]
        case .kind(let expected, let found):
            ["kind": .string(expected), "found": found.map { .string($0) } ?? .null]
        case .member(let pointer): ["member": .string(pointer.description)]
        }
    }
}
