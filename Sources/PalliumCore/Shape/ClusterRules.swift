package import PalliumJSON

/// The rules of a cluster, compiled.
package final class ClusterRules: Sendable {
    /// A condition with its path.
    package struct Condition: Sendable {
        package let path: JSONKeyPath
        package let condition: ModelCluster.Condition

        /// - Throws: ``ModelError`` for a malformed path, which registration refuses.
        package init(_ condition: ModelCluster.Condition) throws(ModelError) {
            path = try JSONKeyPath(registered: condition.path)
            self.condition = condition
        }

        /// Whether the condition holds for an object.
        package func holds(for object: JSONObject) -> Bool {
            switch condition {
            case .present: path.value(in: object) != nil
            case .equals(_, let value): path.value(in: object) == value
            case .kind(_, let kind): path.value(in: object)?.kind == kind
            }
        }

        /// A value at the path for which the condition holds.
        package var example: JSONValue {
            switch condition {
            case .present, .kind(_, .bool): true
            case .equals(_, let value): value
            case .kind(_, .null): nil
            case .kind(_, .number): 1
            case .kind(_, .string): ""
            case .kind(_, .array): []
            case .kind(_, .object): [:]
            }
        }
    }

    package typealias Rule = (conditions: [Condition], model: ModelLayout)

    /// The layout that declares them.
    package let owner: ModelLayout
    package let rules: [Rule]
    /// The model of objects that no rule matches.
    package let fallback: ModelLayout?
    /// The number of the first rule for each model.
    private let firstRules: [ObjectIdentifier: Int]

    init(owner: ModelLayout, rules: [Rule], fallback: ModelLayout?) {
        self.owner = owner
        self.rules = rules
        self.fallback = fallback
        firstRules = Dictionary(rules.enumerated().map { (ObjectIdentifier($1.model), $0) }) { first, _ in first }
    }

    /// Returns the first rule that names a layout; without one, the first that leads to it.
    package func rule(leadingTo layout: ModelLayout) -> Rule? {
        if let number = firstRules[ObjectIdentifier(layout)], owner.leads(by: layout, to: layout) {
            return rules[number]
        }
        let numbers = layout.lineage.filter { owner.leads(by: $0, to: layout) }
        return numbers.compactMap { firstRules[ObjectIdentifier($0)] }.min().map { rules[$0] }
    }
}
