import PalliumCore
import PalliumDocuments
import PalliumJSON

/// Decides whether rules about several properties follow from others.
///
/// Such rules tell few values apart: none, each one that a condition names, and all others; and of two ordered values which
/// is less. All combinations are tried, those that no model can have among them.
struct ModelRuleProof {
    /// The facts that rules can tell about a property, or about the order of two.
    enum Value: Hashable {
        case absent, other
        case equal(JSONValue)
        case less, same, greater
    }

    /// The values of properties, and of pairs of them in the order of their keys.
    typealias State = [[String]: Value]

    private static let maximumStates = 50_000
    private static let maximumCounterexamples = 200

    private(set) var isProved = true
    /// States in which a rule does not hold, but all premises.
    private(set) var counterexamples: [State] = []
    /// The keys of which a rule that does not follow asks which value is less.
    private(set) var pairs: [[String]] = []

    /// - Parameters:
    ///   - rules: The rules that are to follow.
    ///   - premises: The other rules.
    ///   - isOptional: Whether a property can have no value.
    init(
        of rules: [ModelSchema.Rule], given premises: [ModelSchema.Rule], isOptional: (String) -> Bool
    ) {
        let rules = rules.filter { !premises.contains($0) }
        if rules.isEmpty { return }
        // To leave out a premise is to try more states.
        let keys = Set(rules.flatMap(\.keys))
        let premises = premises.filter { !keys.isDisjoint(with: $0.keys) }
        let all = rules + premises
        var variables: [(keys: [String], values: [Value])] = []
        for key in Set(all.flatMap(\.keys)).sorted(by: UTF8Text.precedes) {
            var values: [Value] = isOptional(key) ? [.absent] : []
            for value in all.compactMap({ $0.constant(for: key) }) where !values.contains(.equal(value)) {
                values.append(.equal(value))
            }
            variables.append(([key], values + [.other]))
        }
        for pair in all.compactMap(\.pair) where !variables.contains(where: { $0.keys == pair }) {
            variables.append((pair, [.less, .same, .greater]))
        }
        pairs = rules.compactMap(\.pair)
        var positions = Array(repeating: 0, count: variables.count)
        for _ in 0..<Self.maximumStates {
            var state = State()
            for (variable, position) in zip(variables, positions) { state[variable.keys] = variable.values[position] }
            if premises.allSatisfy({ $0.holds(in: state) }), !rules.allSatisfy({ $0.holds(in: state) }) {
                isProved = false
                counterexamples.append(state)
                if counterexamples.count == Self.maximumCounterexamples { break }
            }
            guard let next = positions.indices.first(where: { positions[$0] + 1 < variables[$0].values.count }) else {
                return
            }
            for index in 0..<next { positions[index] = 0 }
            positions[next] += 1
        }
        isProved = false
    }

    /// Returns values that show that a rule does not follow.
    ///
    /// - Parameter known: Values of each property that are allowed alone.
    func assignments(_ known: [UTF8Key: [JSONValue]]) -> [SampleVariants.Assignment] {
        var assignments: [SampleVariants.Assignment] = []
        for state in counterexamples {
            var assignment = SampleVariants.Assignment()
            let constants = state.values.compactMap { if case .equal(let value) = $0 { value } else { nil } }
            for (keys, value) in state where keys.count == 1 {
                let key = UTF8Key(keys[0])
                switch value {
                case .equal(let value): assignment[key] = [value]
                case .absent: assignment[key] = []
                default: assignment[key] = known[key]?.first { !$0.isNull && !constants.contains($0) }.map { [$0] }
                }
            }
            assignments.append(assignment)
        }
        // Which value is less is known to the rules alone, so all orders are tried.
        for pair in pairs {
            let values = pair.flatMap { known[UTF8Key($0)] ?? [] }.filter { !$0.isNull }
            for assignment in assignments.prefix(4) {
                for first in values {
                    for second in values {
                        assignments.append(
                            assignment.merging([UTF8Key(pair[0]): [first], UTF8Key(pair[1]): [second]]) { $1 })
                    }
                }
            }
        }
        return assignments
    }
}

extension ModelSchema.Rule {
    /// The value of a property that the rule asks for, other than none.
    fileprivate func constant(for key: String) -> JSONValue? {
        guard case .required(_, let conditions) = self, let value = conditions[key], !value.isNull else { return nil }
        return value
    }

    /// The keys whose values are in an order, themselves in order.
    fileprivate var pair: [String]? {
        switch self {
        case .before(let first, let second), .notAfter(let first, let second):
            [first, second].sorted(by: UTF8Text.precedes)
        default: nil
        }
    }

    fileprivate func holds(in state: ModelRuleProof.State) -> Bool {
        func hasValue(_ key: String) -> Bool { state[[key]] != ModelRuleProof.Value.absent }
        switch self {
        case .required(let keys, let conditions):
            let isMet = conditions.allSatisfy { key, value in
                state[[key]] == (value.isNull ? ModelRuleProof.Value.absent : .equal(value))
            }
            return !isMet || keys.allSatisfy(hasValue)
        case .exactlyOneOf(let keys): return keys.count(where: hasValue) == 1
        case .before(let first, let second), .notAfter(let first, let second):
            guard hasValue(first), hasValue(second), let pair, let order = state[pair] else { return true }
            if case .notAfter = self, order == .same { return true }
            return order == (UTF8Text.equal(pair[0], first) ? .less : .greater)
        @unknown default: return false
        }
    }
}
