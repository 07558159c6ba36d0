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
    /// The cluster that chooses: where documents have what it looks at, and those of its descendants.
    private var cluster: (ancestor: DocumentShape, clusters: DocumentClusters)?

    /// Makes a choice of a single layout.
    init(_ layout: ModelLayout) {
        candidates = [layout]
        name = layout.schema.name
        conditions = [[:]]
        rest = [0]
    }

    /// Makes a choice of several layouts.
    init(_ name: String, _ version: Int, _ candidates: [ModelLayout], _ registry: SchemaRegistry) {
        self.name = name
        self.candidates = candidates
        conditions = candidates.map { $0.schema.renaming(after: version)?.when ?? [:] }
        rest = candidates.indices.filter { [conditions] in conditions[$0].isEmpty }
        guard rest.count > 1 else { return }
        cluster = candidates[rest[0]].lineage.first { ancestor in
            ancestor.schema.cluster != nil && rest.allSatisfy { candidates[$0].isDescendant(of: ancestor) }
        }.map { (DocumentShape($0), DocumentClusters(registry)) }
    }

    /// Whether every stored model has the same layout.
    var isDecided: Bool { candidates.count == 1 && rest.count == 1 }

    /// Returns the number of the candidate that a stored model has.
    ///
    /// - Throws: ``ModelError`` with the code `upgradeFailed` if no schema or several claim the model, and errors of
    ///   the cluster.
    func choose(for model: FormerModel) throws(ModelError) -> Int {
        if isDecided { return 0 }
        let matching = candidates.indices.filter { number in
            !conditions[number].isEmpty
                && conditions[number].allSatisfy { (model[$0.key]?.shallowJSON ?? .null) == $0.value }
        }
        if matching.count == 1 { return matching[0] }
        guard matching.isEmpty else { throw undecided("one that is a model of \(names(matching))") }
        if rest.count == 1 { return rest[0] }
        guard let (ancestor, clusters) = cluster else { throw undecided("another") }
        let chosen: ModelLayout
        do throws(ModelError) {
            chosen = try clusters.model(for: Self.object(of: model, ancestor), as: ancestor.layout)
        } catch { throw undecided("another", underlying: error) }
        guard let number = rest.first(where: { candidates[$0] === chosen }) else {
            throw undecided("one that is a model of \(chosen.schema.name)")
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

    /// Returns the object that a cluster chooses by. The model's keys stand for the members of the properties with these
    /// keys, or for members of the same names.
    private static func object(of model: FormerModel, _ shape: DocumentShape) throws(ModelError) -> JSONObject {
        var object = JSONObject()
        for key in model.keys {
            guard let value = model[key]?.shallowJSON else { continue }
            let path = shape[key]?.paths.prefix(1).first { $0.members != nil }
            try object.set(value, at: path ?? JSONKeyPath(member: key))
        }
        return object
    }
}
