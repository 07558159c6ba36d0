import PalliumJSON

/// The rules of a property, compiled for the kind of its values, and those of its elements.
package final class ValueRules: Sendable {
    private let checks: [ValueCheck]
    private let element: ValueRules?
    /// The tests of the rules, and that of the elements.
    package let tests: [RuleTest]

    /// Compiles the rules of a property; nil if there are none, neither of its own nor of its elements.
    ///
    /// Rules that mean nothing are left out; the registry refuses their schema.
    ///
    /// - Parameter inherited: The rules of the property that this one redeclares.
    package convenience init?(
        _ property: PropertySchema, formats: FormatRegistry, inherited: ValueRules? = nil
    ) {
        let own = property.rules.compactMap { rule in
            do throws(RuleProblem) { return try ValueCheck(rule, kind: property.kind, formats: formats) } catch {
                return nil
            }
        }
        let checks = ((inherited?.checks ?? []) + own).map { check in
            var check = check
            check.message = property.messages[check.rule.name] ?? check.message
            return check
        }
        // The kind is the same, and so are the elements.
        self.init(
            checks: checks,
            element: inherited?.element ?? property.kind.element.flatMap { ValueRules($0, formats: formats) })
    }

    private init?(checks: [ValueCheck], element: ValueRules?) {
        if checks.isEmpty, element == nil { return nil }
        self.checks = checks
        self.element = element
        tests = checks.map(\.test) + (element.map { [.elements($0)] } ?? [])
    }

    /// Whether a value keeps all rules. Recursion is bounded by the nesting of kinds.
    package func areKept(by slot: PropertySlot) -> Bool {
        guard slot.hasValue else { return true }
        for test in tests where !test.isKept(by: slot) { return false }
        return true
    }

    /// Whether all elements of a collection keep the rules.
    func areKept(byElementsOf slot: PropertySlot) -> Bool {
        let list = slot.list
        for index in 0..<list.count where !areKept(by: list.slot(at: index)) { return false }
        return true
    }

    /// Returns an error for each rule that a value breaks, with the path of the element that breaks it.
    package func problems(with slot: PropertySlot) -> [ModelError] {
        guard slot.hasValue else { return [] }
        var problems = checks.filter { !$0.test.isKept(by: slot) }.map { $0.problem(with: slot) }
        guard let element else { return problems }
        let list = slot.list
        for index in 0..<list.count {
            let found = element.problems(with: list.slot(at: index))
            if found.isEmpty { continue }
            switch slot.description.kind {
            case .dictionary: problems += found.map { $0.under(key: slot.dictionary.keys[index]) }
            // A set has lost repeated elements, so that the index is not that of the document.
            case .set: problems += found.map { $0.at([]) }
            default: problems += found.map { $0.under(index: index) }
            }
        }
        return problems
    }
}

/// A reason why a rule means nothing.
package struct RuleProblem: Error {
    package let message: String
    package let fix: String?

    init(_ message: String, fix: String? = nil) {
        self.message = message
        self.fix = fix
    }
}
