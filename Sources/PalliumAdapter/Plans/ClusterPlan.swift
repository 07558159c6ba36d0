import PalliumCore
import PalliumJSON

/// A cluster compiled for an adapter: chooses the plan of an object among the schema's descendants.
///
/// Safety: plans are referred to without counting references; the table that compiled the cluster's plan holds them, too.
@safe
final class ClusterPlan {
    let layout: ModelLayout
    private let cluster: DocumentCluster
    private let discriminator: Discriminator?
    /// The plans of the layout and its descendants; set once, while the plan is compiled. The registry is not held,
    /// because it may hold the plans.
    private var plans: [ObjectIdentifier: Unowned<JSONPlan>] = [:]

    /// Makes the plan of a cluster.
    init(_ cluster: DocumentCluster) {
        layout = cluster.owner
        self.cluster = cluster
        discriminator = cluster.discriminator
    }

    /// Makes the cluster of the stored format, which names the schema of a descendant; nil without descendants.
    convenience init?(storing layout: ModelLayout, descendants: [ModelLayout]) {
        if descendants.isEmpty { return nil }
        let models = ([layout] + descendants).map { (tag: JSONValue.string($0.schema.name), model: $0) }
        let path = JSONKeyPath(member: StoredFormat.schemaMember)
        self.init(
            DocumentCluster(
                layout,
                .discriminator(Discriminator(owner: layout, path: path, models: models, fallback: layout)),
                refusesOthers: true))
    }

    /// Copies a cluster, to be linked with other plans.
    convenience init(_ other: ClusterPlan) { self.init(other.cluster) }

    /// Connects the cluster with the plans of the layout and its descendants.
    func link(_ plans: [ObjectIdentifier: Unowned<JSONPlan>]) { self.plans = plans }

    /// The discriminator's member, if it is in the object itself; the decoder can then look for it ahead.
    var discriminatorMember: String? {
        guard let members = discriminator?.path.members, members.count == 1 else { return nil }
        return members[0]
    }

    /// Returns the plan for a discriminator that is text.
    func plan(for text: borrowing TokenText) throws(ModelError) -> JSONPlan {
        if let model = discriminator?.model(text) { return try plan(of: model) }
        return try plan(of: cluster.model(unlisted: .string(text.string)))
    }

    /// Returns the plan for a discriminator; nil if the cluster does not list it.
    func listedPlan(for tag: JSONValue) throws(ModelError) -> JSONPlan? {
        try discriminator?.model(tag).map { model throws(ModelError) in try plan(of: model) }
    }

    /// What an object says of its class.
    enum Choice {
        case plan(JSONPlan)
        /// It has no discriminator, no rule matches, or the resolver names no model.
        case unspecified
    }

    /// Returns the plan for an object that does not say its class.
    func planWithoutDiscriminator() throws(ModelError) -> JSONPlan {
        try plan(of: cluster.modelWithoutDiscriminator())
    }

    /// Returns the plan for an object that was read as a whole.
    func plan(for object: JSONObject) throws(ModelError) -> JSONPlan { try plan(of: cluster.model(for: object)) }

    /// Returns what an object that was read as a whole says of its class.
    func choice(for object: JSONObject) throws(ModelError) -> Choice {
        guard let model = try cluster.specified(by: object) else { return .unspecified }
        return .plan(try plan(of: model))
    }

    /// Returns the error for an object that a model was written as; nil if this cluster and those below it read the
    /// layout back.
    func problem(writing object: JSONObject, of written: ModelLayout) -> ModelError? {
        do throws(ModelError) {
            var cluster = self
            var chosen = try cluster.plan(for: object)
            while chosen.layout !== cluster.layout, let next = chosen.cluster {
                cluster = next
                chosen = try cluster.plan(for: object)
            }
            if chosen.layout === written { return nil }
            return ModelError(
                .unknownModel, expected: "an object that \(layout.schema.name) reads as a \(written.schema.name)",
                found: "one that it reads as a \(chosen.layout.schema.name)", schema: written.schema.name)
        } catch { return error }
    }

    private func plan(of model: ModelLayout) throws(ModelError) -> JSONPlan {
        if let plan = plans[ObjectIdentifier(model)] { return plan.object }
        throw ModelError(
            .unknownModel, expected: "a model that was registered before the adapter was made",
            found: model.schema.name, schema: layout.schema.name)
    }
}
