import PalliumCore
import PalliumJSON

// Changes choices until they keep the rules about several properties.
extension SampleMaker {
    private static let maximumRepairs = 12
    private static let maximumPairs = 60

    /// Changes the choices for properties that break a rule, and their values.
    mutating func repair(
        _ leaf: Int, _ choices: inout [SampledProperty.Choice], _ values: inout [JSONValue?]
    ) {
        for _ in 0..<Self.maximumRepairs {
            guard let broken = brokenRules(of: leaf, values).first else { return }
            switch broken.rule {
            case .required(let keys, let conditions):
                for position in positions(of: keys, in: leaf) where !hasValue(values[position]) {
                    if !take(leaf, position, &choices, &values, where: \.isValue) {
                        // Without a value, a condition must not hold.
                        for position in positions(of: Array(conditions.keys), in: leaf) {
                            take(leaf, position, &choices, &values) { _ in true }
                        }
                    }
                }
            case .exactlyOneOf(let keys):
                let all = positions(of: keys, in: leaf)
                let known = all.filter { models[leaf].properties[$0].content != nil }
                let small = known.filter { !isLeftOut(models[leaf].properties[$0]) }
                let possible = small.isEmpty ? known : small
                guard !possible.isEmpty else { return }
                let kept = possible[models[leaf].count % possible.count]
                for position in all {
                    take(leaf, position, &choices, &values) { $0.isValue == (position == kept) }
                }
            case .before(let first, let second), .notAfter(let first, let second):
                let pair = positions(of: [first, second], in: leaf)
                guard pair.count == 2 else { return }
                order(leaf, pair, broken.compiled, &choices, &values)
            @unknown default: return
            }
        }
    }

    private func hasValue(_ value: JSONValue?) -> Bool { value.map { !$0.isNull } ?? false }

    func positions(of keys: [String], in leaf: Int) -> [Int] {
        keys.compactMap { key in
            models[leaf].properties.firstIndex { UTF8Text.equal($0.key, key) }
        }
    }

    /// Takes another choice that fits; returns false if there is none.
    @discardableResult
    private mutating func take(
        _ leaf: Int, _ position: Int, _ choices: inout [SampledProperty.Choice], _ values: inout [JSONValue?],
        where fits: (SampledProperty.Choice) -> Bool
    ) -> Bool {
        let property = models[leaf].properties[position]
        let fitting = property.choices.filter(fits)
        guard !fitting.isEmpty else { return false }
        if fits(choices[position]), fitting.count == 1 { return true }
        choices[position] = random.pick(fitting)
        values[position] = value(property, choices[position])
        return true
    }

    /// Takes values that stand in the order of a rule, or leaves one of them out.
    private mutating func order(
        _ leaf: Int, _ pair: [Int], _ rule: ModelRules, _ choices: inout [SampledProperty.Choice],
        _ values: inout [JSONValue?]
    ) {
        for _ in 0..<Self.maximumPairs {
            for position in pair { take(leaf, position, &choices, &values, where: \.isValue) }
            if let model = trialModel(of: leaf, values), rule.problems(with: model, path: { _ in [] }).isEmpty {
                return
            }
        }
        for position in pair.reversed() where !models[leaf].properties[position].isRequired {
            take(leaf, position, &choices, &values) { !$0.isValue }
            return
        }
    }
}
