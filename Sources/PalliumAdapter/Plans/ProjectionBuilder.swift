import PalliumCore
import PalliumJSON

/// Derives the plans for a projection from those for whole models, so that no schema is compiled again.
///
/// ```
///   only: number, author.login
///
///   selection                 plans                     members
///   0  {number, author: 1}    Issue and descendants     number ─ read,  author ─ read by 1,  body ─ skipped
///   1  {login}                User and descendants      login  ─ read,  email ─ skipped
/// ```
/// Models of which everything is selected use the plans for whole models.
///
/// Safety: plans refer to one another without counting references; the plan set that is built holds them all, and the
/// table that holds those for whole models.
struct ProjectionBuilder {
    private let whole: JSONPlanSet
    /// The plans of each projection, which have its number.
    private(set) var plans: [[ObjectIdentifier: JSONPlan]] = []
    private var numbers: [Projection: Int] = [:]
    private var requested: [Set<ObjectIdentifier>] = []
    private var pending: [(plan: JSONPlan, projection: Projection, number: Int)] = []
    private var links: [(value: ValuePlan, layout: ModelLayout, number: Int)] = []

    /// - Parameter whole: The plans for whole models.
    init(_ whole: JSONPlanSet) { self.whole = whole }

    /// Builds the plans, and returns that of the root.
    ///
    /// - Throws: ``ModelError`` with the code `unknownKey` for a key that no model at its level can have, or a label
    ///   that no property has.
    mutating func build(_ projection: Projection) throws(ModelError) -> JSONPlan {
        for tree in projection.trees { try whole.check(tree) }
        try whole.check(labels: projection.redaction.keys.map(\.text))
        _ = request(whole.root, projection)
        while let (plan, projection, number) = pending.popLast() {
            let selection = SelectedSlots(projection, number: number, of: plan.layout)
            let values = plan.values.enumerated().map { slot, value in
                // A redacted value is hashed as a whole.
                guard selection.contains(slot), selection.redaction(of: slot) == nil else { return value }
                guard let inside = projection.inside(plan.layout.properties[slot].key) else { return value }
                return self.value(value, inside)
            }
            plans[number][ObjectIdentifier(plan.layout)] = plan.projected(to: selection, values)
        }
        for (value, layout, number) in links {
            unsafe value.link(plans[number][ObjectIdentifier(layout)])
        }
        for plans in plans {
            for plan in plans.values {
                let descendants = whole.plan(for: plan.layout)?.descendants ?? []
                plan.link(descendants.compactMap { plans[ObjectIdentifier($0.layout)] })
            }
        }
        // The root was requested first.
        return plans[0][ObjectIdentifier(whole.root.layout)]!
    }

    /// Requests the plans of a model and its descendants for a projection; returns its number.
    private mutating func request(_ unprojected: JSONPlan, _ projection: Projection) -> Int {
        let number = numbers[projection] ?? plans.count
        if number == plans.count {
            numbers[projection] = number
            plans.append([:])
            requested.append([])
        }
        if requested[number].contains(ObjectIdentifier(unprojected.layout)) { return number }
        for plan in [unprojected] + unprojected.descendants
        where requested[number].insert(ObjectIdentifier(plan.layout)).inserted {
            pending.append((plan, projection, number))
        }
        return number
    }

    /// Returns the plan of a value in whose models only some properties are selected.
    ///
    /// Recursion is as deep as the nesting of kinds.
    private mutating func value(_ value: ValuePlan, _ projection: Projection) -> ValuePlan {
        if let model = value.ownModel {
            let copy = ValuePlan(value.descriptor, operation: value.operation)
            links.append((copy, model.layout, request(model, projection)))
            return copy
        }
        if value.element == nil, value.input == nil { return value }
        return value.replacing(
            element: value.element.map { self.value($0, projection) },
            input: value.input.map { self.value($0, projection) })
    }
}

extension JSONPlanSet {
    /// Throws for a label that no property has.
    fileprivate func check(labels: [String]) throws(ModelError) {
        let known = self.labels
        for label in labels.sorted(by: UTF8Text.precedes) where !known.contains(where: { UTF8Text.equal($0, label) }) {
            throw ModelError(
                .unknownKey,
                expected: "a label of a property of \(root.layout.schema.name) or of a schema it refers to",
                found: ModelError.quote(label), schema: root.layout.schema.name
            ).suggesting(ModelError.nearest(to: label, among: known))
        }
    }

    /// Throws for keys that no model at their level can have.
    fileprivate func check(_ tree: PropertySelection.Tree) throws(ModelError) {
        var pending = [(tree: tree, layouts: [root.layout])]
        while let (tree, layouts) = pending.popLast() {
            for (key, inner) in tree.children.sorted(by: { UTF8Text.precedes($0.key.text, $1.key.text) }) {
                let known = layouts.flatMap { properties(called: key.text, below: $0) }
                if known.isEmpty { throw layouts[0].unknownKeyError(key.text) }
                if inner.children.isEmpty { continue }
                let models = known.compactMap(\.innermost.model)
                if models.isEmpty {
                    throw ModelError(
                        .unknownKey, expected: "a property of models before the dot", found: ModelError.quote(key.text),
                        schema: layouts[0].schema.name)
                }
                pending.append((inner, models))
            }
        }
    }
}
