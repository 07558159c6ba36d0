import PalliumCore
import PalliumDocuments
import PalliumJSON

/// Finds values that a property or an element refuses, one for each kind of problem and each rule.
struct ValueFaults {
    /// A refused value, and the kind of its problem.
    struct Fault {
        let value: JSONValue
        let code: ModelError.Code
        let text: String
    }

    let descriptor: ValueDescriptor
    let rules: [PropertySchema.Rule]
    let trial: ValueTrial
    /// A value that is accepted.
    let value: JSONValue
    let formats: FormatRegistry

    /// The longest lists that a rule about their counts refuses, of models and of other elements.
    private static let maximumModels = 100
    private static let maximumElements = 1000
    /// How many numbered values are tried for each element that a list lacks, and besides.
    private static let triesOfElement = 4
    private static let furtherTries = 8

    /// The codes of values that do not fit the kind.
    private static let kindCodes: [(code: ModelError.Code, text: String)] = [
        (.typeMismatch, "a value of another kind"), (.numberOutOfRange, "a number out of range"),
        (.invalidValue, "a text that is no value"), (.unknownCase, "an unlisted case"),
    ]

    /// Returns the faults. Recursion is bounded by the nesting of kinds.
    func all() -> [Fault] {
        var faults: [Fault] = []
        if isPredefined {
            for (code, text) in Self.kindCodes {
                if let value = ownProposals.first(where: { trial.problems(with: $0).map(\.code) == [code] }) {
                    faults.append(Fault(value: value, code: code, text: text))
                }
            }
        }
        for rule in rules {
            let alone = ValueTrial(
                descriptor: descriptor,
                rules: ValueRules(
                    PropertySchema(descriptor.property.kind).rules([rule]), formats: formats),
                transformers: trial.transformers)
            let broken = ruleProposals(rule).first { value in
                let problems = trial.problems(with: value)
                return problems.map(\.code) == [.ruleBroken] && alone.problems(with: value) == problems
            }
            if let broken {
                faults.append(Fault(value: broken, code: .ruleBroken, text: "a value against \(rule.name)"))
            }
        }
        return faults + elementFaults()
    }

    /// Whether the library alone decides which values are accepted.
    private var isPredefined: Bool {
        if case .custom = descriptor.property.kind { return false }
        return descriptor.property.transformers.allSatisfy { Transformer.predefinedByName[$0] != nil }
    }

    private var ownProposals: [JSONValue] {
        var proposals: [JSONValue] = [true, 7, "no value of this kind", [], [:], 1.5]
        proposals += SampleNumbers.outOfRange(descriptor.property.kind)
        if case .enumeration(let enumeration) = descriptor.property.kind {
            let listed = enumeration.cases.flatMap { [$0.rawValue] + $0.aliases }
            proposals = SampleValues.unlisted(among: listed).map(\.json) + proposals
        }
        return proposals
    }

    private func ruleProposals(_ rule: PropertySchema.Rule) -> [JSONValue] {
        let samples = SampleValues(transformers: trial.transformers)
        switch rule {
        case .minLength, .maxLength, .pattern, .format: return SampleTexts.refusable(rules: rules)
        case .minimum, .maximum, .exclusiveMinimum, .exclusiveMaximum, .multipleOf:
            let others = SampleValues(transformers: trial.transformers).candidates(descriptor.property, rules: [])
            return samples.candidates(descriptor.property, rules: rules) + others
                + ([3, 1.5, 1e6, -1e6, 0.05, 1e9] as [JSONValue])
        case .minCount(let count):
            return count > 0 && count <= Self.maximumElements ? [resized(to: count - 1)] : []
        case .maxCount(let count): return count < Self.maximumElements ? [resized(to: count + 1)] : []
        case .unique:
            guard case .array(let elements) = value, let first = elements.first else { return [] }
            return [.array([first] + elements), .array([first, first])]
        @unknown default: return []
        }
    }

    /// The accepted value with another number of elements.
    private func resized(to count: Int) -> JSONValue {
        switch value {
        case .array(let elements):
            var elements = Array(elements.prefix(count))
            var number = 0
            while elements.count < count, number < count * Self.triesOfElement + Self.furtherTries {
                let trial = descriptor.element.map(self.trial(of:))
                let fresh = SampleValues.numbered(number).first { trial?.accepts($0) == true && !elements.contains($0) }
                if let element = fresh ?? elements.first { elements.append(element) }
                number += 1
            }
            return .array(elements)
        case .object(let members):
            var members = JSONObject(members.prefix(count))
            guard let element = value.objectValue?.first?.value else { return .object(members) }
            while members.count < count { members.updateValue(element, forKey: "key \(members.count)") }
            return .object(members)
        default: return value
        }
    }

    private func trial(of element: ValueDescriptor) -> ValueTrial {
        ValueTrial(element, formats: formats, transformers: trial.transformers)
    }

    /// Returns the faults of the first element.
    private func elementFaults() -> [Fault] {
        guard descriptor.property.transformers.isEmpty, let element = descriptor.element,
            let first = Self.first(of: value)
        else { return [] }
        var faults: [Fault] = []
        if !element.isNullable, element.property.transformers.isEmpty {
            faults.append(Fault(value: .null, code: .nullNotAllowed, text: "null"))
        }
        if !first.isNull {
            let inner = ValueFaults(
                descriptor: element, rules: element.property.rules,
                trial: trial(of: element), value: first, formats: formats)
            faults += inner.all()
        }
        return faults.map { fault in
            Fault(
                value: Self.replacingFirst(of: value, by: fault.value), code: fault.code,
                text: "\(fault.text) in an element")
        }
    }

    private static func first(of value: JSONValue) -> JSONValue? {
        switch value {
        case .array(let elements): elements.first
        case .object(let members): members.first?.value
        default: nil
        }
    }

    private static func replacingFirst(of value: JSONValue, by element: JSONValue) -> JSONValue {
        switch value {
        case .array(let elements): return .array([element] + elements.dropFirst())
        case .object(var members):
            if let key = members.first?.key { members.updateValue(element, forKey: key) }
            return .object(members)
        default: return value
        }
    }

    // MARK: Models

    /// Returns values that a model or a collection of models may refuse.
    static func faults(ofModels value: JSONValue, _ descriptor: ValueDescriptor) -> [Fault] {
        guard descriptor.property.transformers.isEmpty else { return [] }
        var faults = [Fault(value: 7, code: .typeMismatch, text: "a value of another kind")]
        guard descriptor.element != nil, let first = Self.first(of: value) else { return faults }
        faults.append(
            Fault(value: replacingFirst(of: value, by: .null), code: .nullNotAllowed, text: "null in an element"))
        faults.append(
            Fault(
                value: replacingFirst(of: value, by: 7), code: .typeMismatch,
                text: "a value of another kind in an element"))
        for rule in descriptor.property.rules {
            let elements: [JSONValue]? =
                switch (rule, value.arrayValue) {
                case (.minCount(let count), let elements?): Array(elements.prefix(max(count - 1, 0)))
                case (.maxCount(let count), _?) where count < maximumModels: Array(repeating: first, count: count + 1)
                case (.unique, _?): [first, first]
                default: nil
                }
            if let elements {
                faults.append(
                    Fault(value: .array(elements), code: .ruleBroken, text: "a value against \(rule.name)"))
            }
        }
        return faults
    }
}
