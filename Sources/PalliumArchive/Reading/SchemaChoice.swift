import PalliumAdapter
import PalliumCore
import PalliumJSON

/// Chooses the present schema of a stored model: the one that had its name, or one of several.
///
/// Of several schemas, those with a condition decide first. The only one without a condition gets the remaining models,
/// or the cluster of a common ancestor chooses.
struct SchemaChoice {
    /// The layouts that models of the stored schema can have; never empty.
    let candidates: [ModelLayout]
    private let name: String
    private let conditions: [[String: JSONValue]]
    /// The numbers of the candidates without a condition.
    private let rest: [Int]
    /// The plans of the ancestor whose cluster chooses.
    private var cluster: JSONPlanSet?

    /// Makes a choice of a single layout.
    init(_ layout: ModelLayout) {
        candidates = [layout]
        name = layout.schema.name
        conditions = [[:]]
        rest = [0]
    }

    /// Makes a choice of several layouts.
    ///
    /// - Throws: ``ModelError`` if a cluster of the candidates cannot be compiled.
    init(
        _ name: String, _ version: Int, _ candidates: [ModelLayout], _ registry: SchemaRegistry
    ) throws(ModelError) {
        self.name = name
        self.candidates = candidates
        conditions = candidates.map { $0.schema.renaming(after: version)?.when ?? [:] }
        rest = candidates.indices.filter { [conditions] in conditions[$0].isEmpty }
        guard rest.count > 1 else { return }
        for ancestor in candidates[rest[0]].lineage
        where ancestor.schema.cluster != nil && rest.allSatisfy({ candidates[$0].isDescendant(of: ancestor) }) {
            cluster = try JSONAdapter<DynamicModel>(ancestor, registry: registry, options: JSONAdapterOptions()).plans
            return
        }
    }

    /// Whether every stored model has the same layout.
    var isDecided: Bool { candidates.count == 1 && rest.count == 1 }

    /// Returns the number of the candidate that a stored model has.
    ///
    /// - Throws: ``ModelError`` with the code `upgradeFailed` if no schema or several claim the model, and errors of
    ///   the cluster.
    func choose(for model: StoredModel) throws(ModelError) -> Int {
        if isDecided { return 0 }
        let matching = candidates.indices.filter { number in
            !conditions[number].isEmpty
                && conditions[number].allSatisfy { (model[$0.key]?.shallowJSON ?? .null) == $0.value }
        }
        if matching.count == 1 { return matching[0] }
        guard matching.isEmpty else { throw undecided("one that is a model of \(names(matching))") }
        if rest.count == 1 { return rest[0] }
        guard let cluster else { throw undecided("another") }
        let chosen: JSONPlan
        do throws(ModelError) { chosen = try Self.leaf(of: model, cluster.root) } catch {
            throw undecided("another", underlying: error)
        }
        guard let number = rest.first(where: { candidates[$0] === chosen.layout }) else {
            throw undecided("one that is a model of \(chosen.layout.schema.name)")
        }
        return number
    }

    private func names(_ numbers: [Int]) -> String {
        numbers.map { candidates[$0].schema.name }.joined(separator: " and ")
    }

    private func undecided(_ found: String, underlying: ModelError? = nil) -> ModelError {
        ModelError(
            .upgradeFailed,
            expected:
                "a stored model of \(ModelError.quote(name)) that is one of \(candidates.map(\.schema.name).joined(separator: ", "))",
            found: found, schema: name, underlying: underlying)
    }

    /// Returns the plan that a cluster chooses for a stored model. The model's keys stand for the members of the
    /// properties with these keys, or for members of the same names.
    private static func leaf(of model: StoredModel, _ root: JSONPlan) throws(ModelError) -> JSONPlan {
        var object = JSONObject()
        for key in model.keys {
            guard let value = model[key]?.shallowJSON else { continue }
            try object.set(value, at: path(of: key, in: root.layout))
        }
        var plan = root
        // A cluster chooses itself or a descendant, so the loop ends.
        while let cluster = plan.cluster {
            let chosen = try cluster.plan(for: object)
            if chosen === plan { break }
            plan = chosen
        }
        return plan
    }

    private static func path(of key: String, in layout: ModelLayout) -> JSONKeyPath {
        let mapping = layout.index(of: key).map { layout.mappings(profile: nil)[$0] }
        let path = mapping?.paths.first
        guard let path, path.members != nil else { return JSONKeyPath(member: key) }
        return path
    }
}
