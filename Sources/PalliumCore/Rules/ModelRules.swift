import PalliumJSON

/// The rules about several properties, compiled for the slots of a layout.
///
/// Safety: a temporary slot has the descriptor of a property, which the caller holds.
package struct ModelRules: Sendable {
    /// A stored property.
    package typealias Property = (slot: Int, descriptor: ValueDescriptor)

    /// A rule that is broken, at a property or at the model as a whole.
    private struct Breach {
        let slot: Int?
        let expected: String
        let found: String
    }

    private typealias Check = @Sendable (DynamicModel) -> [Breach]

    /// A compiled rule with the slots that it reads.
    private struct Rule: Sendable {
        let rule: ModelSchema.Rule
        let message: String?
        let slots: [Int]
        let check: Check
    }

    private var rules: [Rule] = []

    package init() {}

    package var isEmpty: Bool { rules.isEmpty }

    /// Adds a rule.
    ///
    /// - Parameters:
    ///   - message: The text of the schema for people.
    ///   - property: Returns the stored property with a key.
    /// - Throws: ``RuleProblem`` when the rule means nothing for these properties.
    package mutating func add(
        _ rule: ModelSchema.Rule, message: String? = nil, transformers: TransformerRegistry,
        property: (String) -> Property?
    ) throws(RuleProblem) {
        var properties: [Property] = []
        for key in rule.keys {
            guard let found = property(key) else { throw RuleProblem("the rule \(rule.name) names no key \(key)") }
            properties.append(found)
        }
        // A condition may be about a property that the rule requires; it then never holds.
        let slots: [Int]
        if case .required(let keys, _) = rule {
            slots = properties.prefix(keys.count).map(\.slot)
        } else {
            slots = properties.map(\.slot)
        }
        guard Set(slots).count == slots.count else {
            throw RuleProblem("the rule \(rule.name) names a key twice", fix: "keep one")
        }
        let check: Check
        switch rule {
        case .required(let keys, let conditions):
            guard !keys.isEmpty, !conditions.isEmpty else {
                throw RuleProblem("the rule required needs keys and conditions", fix: "name them")
            }
            check = try Self.required(Array(properties.prefix(keys.count)), conditions, transformers, property)
        case .exactlyOneOf(let keys):
            guard keys.count > 1 else { throw RuleProblem("the rule exactlyOneOf needs two keys", fix: "name them") }
            check = Self.exactlyOne(of: properties)
        case .before: check = try Self.ordered(properties[0], properties[1], rule, canBeEqual: false)
        case .notAfter: check = try Self.ordered(properties[0], properties[1], rule, canBeEqual: true)
        }
        rules.append(Rule(rule: rule, message: message, slots: properties.map(\.slot), check: check))
    }

    /// Returns an error for each rule that a model breaks.
    ///
    /// - Parameters:
    ///   - selects: Whether a property was read. A rule about another one is not checked.
    ///   - path: Returns the path by which the caller knows a property.
    package func problems(
        with model: DynamicModel, selecting selects: (_ slot: Int) -> Bool = { _ in true },
        path: (_ slot: Int) -> [String]
    ) -> [ModelError] {
        rules.filter { $0.slots.allSatisfy(selects) }.flatMap { rule in
            rule.check(model).map { breach in
                let error = ModelError(
                    .ruleBroken, expected: breach.expected, found: breach.found, schema: model.schema.name,
                    property: breach.slot.map { model.slot(at: $0).description.key }
                ).with(.modelRule(rule.rule)).with(ruleMessage: rule.message)
                return breach.slot.map { error.at(path($0)) } ?? error
            }
        }
    }

    private static func required(
        _ properties: [Property], _ conditions: [String: JSONValue], _ transformers: TransformerRegistry,
        _ property: (String) -> Property?
    ) throws(RuleProblem) -> Check {
        var compiled: [(slot: Int, value: JSONValue, text: String)] = []
        for (key, value) in conditions.sorted(by: { UTF8Text.precedes($0.key, $1.key) }) {
            guard let condition = property(key) else { continue }
            let stored = try normalized(value, for: condition.descriptor, transformers)
            let shown = condition.descriptor.isSensitive ? MaskedValue.found : value.summary
            compiled.append((condition.slot, stored, "\(ModelError.shorten(key, to: 64)) is \(shown)"))
        }
        let conditions = compiled
        let reason = compiled.map(\.text).joined(separator: " and ")
        return { model in
            let missing = properties.filter { !model.slot(at: $0.slot).hasValue }
            // Most models miss nothing, and then the conditions do not matter.
            guard !missing.isEmpty,
                conditions.allSatisfy({ (try? model.slot(at: $0.slot).naturalJSON()) == $0.value })
            else { return [] }
            return missing.map {
                Breach(slot: $0.slot, expected: "a value of \($0.descriptor.path), because \(reason),", found: "none")
            }
        }
    }

    /// Returns JSON as the kind of a property writes it, so that other spellings of a value are the same condition.
    private static func normalized(
        _ value: JSONValue, for descriptor: ValueDescriptor, _ transformers: TransformerRegistry
    ) throws(RuleProblem) -> JSONValue {
        if value == .null { return .null }
        let temporary = TemporarySlot(for: descriptor)
        guard descriptor.element == nil, !descriptor.holdsModels, descriptor.kind != .weakModel else {
            throw RuleProblem(
                "the rule required compares \(descriptor.path), which holds no single value", fix: "compare with null")
        }
        do throws(ModelError) {
            try temporary.slot.store(json: value, transformers: transformers)
            return try temporary.slot.naturalJSON()
        } catch { throw RuleProblem("the rule required compares \(descriptor.path) with an unfit value: \(error)") }
    }

    private static func exactlyOne(of properties: [Property]) -> Check {
        let names = properties.map { ModelError.shorten($0.descriptor.key, to: 64) }.joined(separator: ", ")
        return { model in
            let present = properties.filter { model.slot(at: $0.slot).hasValue }
            if present.count == 1 { return [] }
            let found = present.map { ModelError.shorten($0.descriptor.key, to: 64) }.joined(separator: ", ")
            return [Breach(slot: nil, expected: "exactly one of \(names)", found: found.isEmpty ? "none" : found)]
        }
    }

    private static func ordered(
        _ first: Property, _ second: Property, _ rule: ModelSchema.Rule, canBeEqual: Bool
    ) throws(RuleProblem) -> Check {
        let descriptor = first.descriptor
        guard let precedes = descriptor.traits.precedes, descriptor.traits === second.descriptor.traits else {
            throw RuleProblem(
                "the rule \(rule.name) compares \(descriptor.path), \(descriptor.expectation), with "
                    + "\(second.descriptor.path), \(second.descriptor.expectation)",
                fix: "name two properties of one kind with an order, such as dates or numbers")
        }
        let relation = canBeEqual ? "not after" : "before"
        let expected = "\(descriptor.path) \(relation) \(second.descriptor.key)"
        return { model in
            let (left, right) = (model.slot(at: first.slot), model.slot(at: second.slot))
            guard left.hasValue, right.hasValue else { return [] }
            if canBeEqual ? !precedes(right, left) : precedes(left, right) { return [] }
            func shown(_ slot: PropertySlot) -> String {
                slot.description.isSensitive ? MaskedValue.found : slot.description.traits.describe(slot, 64)
            }
            return [Breach(slot: first.slot, expected: expected, found: "\(shown(left)) and \(shown(right))")]
        }
    }
}
