import PalliumCore
import PalliumDocuments
import PalliumJSON

/// Finds values that a property or an element refuses, one for each kind of problem and each rule.
struct ValueFaults {
    /// A refused value, and the problem with its path in the value.
    struct Fault {
        let value: JSONValue
        let problem: SampleProblem
        let text: String
    }

    let descriptor: ValueDescriptor
    let rules: [PropertySchema.Rule]
    let trial: ValueTrial
    /// A value that is accepted.
    let value: JSONValue
    let formats: FormatRegistry

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
                let problem = SampleProblem(code: code, tokens: [])
                if let value = ownProposals.first(where: { trial.problems(with: $0) == [problem] }) {
                    faults.append(Fault(value: value, problem: problem, text: text))
                }
            }
        }
        for rule in rules {
            let alone = ValueTrial(
                descriptor: descriptor,
                rules: ValueRules(
                    PropertySchema(descriptor.property.kind).rules([rule]).withoutElementRules, formats: formats),
                transformers: trial.transformers)
            for value in ruleProposals(rule) {
                let problems = trial.problems(with: value)
                guard problems.count == 1, problems[0].code == .ruleBroken, alone.problems(with: value) == problems
                else {
                    continue
                }
                faults.append(Fault(value: value, problem: problems[0], text: "a value against \(rule.name)"))
                break
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
            return count > 0 && count <= 1000 ? [resized(to: count - 1)] : []
        case .maxCount(let count): return count < 1000 ? [resized(to: count + 1)] : []
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
            while elements.count < count, number < count * 4 + 8 {
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
            let (first, token) = Self.first(of: value)
        else { return [] }
        var faults: [Fault] = []
        if !element.isNullable, element.property.transformers.isEmpty {
            faults.append(
                Fault(value: .null, problem: SampleProblem(code: .nullNotAllowed, tokens: []), text: "null"))
        }
        if !first.isNull {
            let inner = ValueFaults(
                descriptor: element, rules: element.property.rules,
                trial: trial(of: element), value: first, formats: formats)
            faults += inner.all()
        }
        return faults.compactMap { fault in
            let changed = Self.replacingFirst(of: value, by: fault.value)
            let problem = fault.problem.under([token])
            guard trial.problems(with: changed) == [problem] else { return nil }
            return Fault(value: changed, problem: problem, text: "\(fault.text) in an element")
        }
    }

    private static func first(of value: JSONValue) -> (element: JSONValue, token: String)? {
        switch value {
        case .array(let elements): elements.first.map { ($0, "0") }
        case .object(let members): members.first.map { ($0.value, $0.key) }
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

    /// Returns the faults of a model or of a collection of models.
    static func faults(ofModels value: JSONValue, _ descriptor: ValueDescriptor) -> [Fault] {
        let mismatch = SampleProblem(code: .typeMismatch, tokens: [])
        guard descriptor.property.transformers.isEmpty else { return [] }
        var faults = [Fault(value: 7, problem: mismatch, text: "a value of another kind")]
        guard let element = descriptor.element, let (first, token) = Self.first(of: value) else { return faults }
        if !element.isNullable {
            faults.append(
                Fault(
                    value: replacingFirst(of: value, by: .null),
                    problem: SampleProblem(code: .nullNotAllowed, tokens: [token]), text: "null in an element"))
        }
        faults.append(
            Fault(
                value: replacingFirst(of: value, by: 7), problem: mismatch.under([token]),
                text: "a value of another kind in an element"))
        for rule in descriptor.property.rules {
            let broken = SampleProblem(code: .ruleBroken, tokens: [])
            switch (rule, value) {
            case (.minCount(let count), .array(let elements)) where count > 0 && !elements.isEmpty:
                faults.append(
                    Fault(
                        value: .array(Array(elements.prefix(count - 1))), problem: broken,
                        text: "a value against minCount"))
            case (.maxCount(let count), .array)
            where count < 100 && !descriptor.property.rules.contains(.unique)
                && descriptor.kind == .array:
                let many = [JSONValue](repeating: first, count: count + 1)
                faults.append(Fault(value: .array(many), problem: broken, text: "a value against maxCount"))
            case (.unique, .array):
                let most = descriptor.property.rules.contains { rule in
                    if case .maxCount(let count) = rule { count < 2 } else { false }
                }
                if most { continue }
                faults.append(
                    Fault(value: .array([first, first]), problem: broken.under(["1"]), text: "a value against unique"))
            default: break
            }
        }
        return faults
    }
}

extension PropertySchema {
    /// The property with elements that have no rules, so that a rule of the collection can be tried alone.
    fileprivate var withoutElementRules: PropertySchema {
        guard let element = kind.element else { return self }
        let plain = PropertySchema(element.kind).withoutElementRules
        switch kind {
        case .array: return PropertySchema(.array(plain)).rules(rules)
        case .set: return PropertySchema(.set(plain)).rules(rules)
        case .dictionary: return PropertySchema(.dictionary(plain)).rules(rules)
        default: return self
        }
    }
}
