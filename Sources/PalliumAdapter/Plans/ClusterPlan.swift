package import PalliumCore
package import PalliumJSON

/// A cluster compiled for an adapter: chooses the plan of an object among the schema's descendants.
///
/// Safety: plans are referred to without counting references; the table that compiled the cluster's plan holds them, too.
@safe
package final class ClusterPlan {
    private enum Selection {
        case discriminator(Discriminator)
        case rules(ClusterRules)
        case resolver(ModelCluster.Resolver)
    }

    let layout: ModelLayout
    private let selection: Selection
    private let fallback: ModelLayout?
    /// Whether a text that is not listed is an error although there is a fallback.
    private let refusesOthers: Bool
    /// Whether a property with a label reads the discriminator, so that no error tells it.
    private var hidesTags = false
    /// The plans of the layout and its descendants; set once, while the plan is compiled. The registry is not held,
    /// because it may hold the plans.
    private var plans: [ObjectIdentifier: Unowned<JSONPlan>] = [:]
    /// The plans by the names that a resolver can return.
    private var plansByName: [UTF8Key: Unowned<JSONPlan>] = [:]
    private var plansByClass: [ObjectIdentifier: Unowned<JSONPlan>] = [:]

    /// Compiles the cluster of a layout's own schema, limited to schemas that were registered when the adapter was made;
    /// nil if it has none.
    init?(_ layout: ModelLayout, _ clusters: CompiledClusters) throws(ModelError) {
        self.layout = layout
        refusesOthers = false
        if let discriminator = try clusters.discriminator(of: layout) {
            selection = .discriminator(discriminator)
            fallback = discriminator.fallback
        } else if let rules = try clusters.rules(of: layout) {
            selection = .rules(rules)
            fallback = rules.fallback
        } else if case .resolver(let resolver) = layout.schema.cluster {
            selection = .resolver(resolver)
            fallback = nil
        } else {
            return nil
        }
    }

    /// Makes the cluster of the stored format, which names the schema of a descendant; nil without descendants.
    init?(storing layout: ModelLayout, descendants: [ModelLayout]) {
        if descendants.isEmpty { return nil }
        let layouts = [layout] + descendants
        self.layout = layout
        selection = .discriminator(
            Discriminator(
                owner: layout, path: JSONKeyPath(member: StoredFormat.schemaMember),
                models: layouts.map { (.string($0.schema.name), $0) }, fallback: layout))
        fallback = layout
        refusesOthers = true
    }

    /// Copies a cluster, to be linked with other plans.
    init(_ other: ClusterPlan) {
        refusesOthers = other.refusesOthers
        layout = other.layout
        selection = other.selection
        fallback = other.fallback
    }

    /// Connects the cluster with the plans of the layout and its descendants.
    func link(_ plans: [ObjectIdentifier: Unowned<JSONPlan>]) {
        self.plans = plans
        if case .discriminator(let discriminator) = selection {
            hidesTags = plans.values.contains { $0.object.isLabelled(at: discriminator.path) }
        }
        guard case .resolver = selection else { return }
        for plan in plans.values {
            let layout = plan.object.layout
            plansByName[UTF8Key(layout.schema.name)] = plan
            // A class means the schema that is bound to it, not those that inherit it.
            if let modelClass = layout.schema.modelClass { plansByClass[ObjectIdentifier(modelClass)] = plan }
        }
    }

    private func plan(named reference: ModelReference) -> JSONPlan? {
        switch reference {
        case .named(let name): plansByName[UTF8Key(name)]?.object
        case .modelClass(let type): plansByClass[ObjectIdentifier(type)]?.object
        }
    }

    /// The discriminator's member, if it is in the object itself; the decoder can then look for it ahead.
    var discriminatorMember: String? {
        guard case .discriminator(let discriminator) = selection, let members = discriminator.path.members,
            members.count == 1
        else { return nil }
        return members[0]
    }

    /// Returns the plan for a discriminator that is text.
    func plan(for text: borrowing TokenText) throws(ModelError) -> JSONPlan {
        guard case .discriminator(let discriminator) = selection else { return try plan(of: fallback, nil) }
        if let model = discriminator.model(text) { return try plan(of: model, nil) }
        return try plan(of: fallback, unlisted: .string(text.string))
    }

    /// Returns the plan for a discriminator; nil if the cluster does not list it.
    func listedPlan(for tag: JSONValue) throws(ModelError) -> JSONPlan? {
        guard case .discriminator(let discriminator) = selection, let model = discriminator.model(tag) else {
            return nil
        }
        return try plan(of: model, nil)
    }

    /// What an object says of its class.
    enum Choice {
        case plan(JSONPlan)
        /// It has no discriminator, no rule matches, or the resolver names no model.
        case unspecified
    }

    /// Returns the plan for an object that does not say its class.
    func planWithoutDiscriminator() throws(ModelError) -> JSONPlan {
        let found: String? =
            switch selection {
            case .discriminator: nil
            case .rules: "an object that no rule matches"
            case .resolver: "an object that the resolver names no model for"
            }
        return try plan(of: fallback, found)
    }

    /// Returns the plan for an object that was read as a whole.
    package func plan(for object: JSONObject) throws(ModelError) -> JSONPlan {
        if case .plan(let plan) = try choice(for: object) { return plan }
        return try planWithoutDiscriminator()
    }

    /// Returns what an object that was read as a whole says of its class.
    func choice(for object: JSONObject) throws(ModelError) -> Choice {
        switch selection {
        case .discriminator(let discriminator):
            guard let tag = try discriminator.tag(discriminator.path.value(in: object)) else { return .unspecified }
            if let plan = try listedPlan(for: tag) { return .plan(plan) }
            return .plan(try plan(of: fallback, unlisted: tag))
        case .rules(let rules):
            let rule = rules.rules.first { $0.conditions.allSatisfy { $0.condition.holds(for: object, at: $0.path) } }
            return try rule.map { rule throws(ModelError) in .plan(try plan(of: rule.model, nil)) } ?? .unspecified
        case .resolver(let resolver):
            let reference: ModelReference?
            do { reference = try resolver.resolve(object) } catch {
                if let error = error as? ModelError { throw error }
                throw ModelError(
                    .hookFailed, expected: "an object that the resolver of \(layout.schema.name) accepts",
                    found: "another", schema: layout.schema.name, underlying: error)
            }
            guard let reference else { return .unspecified }
            guard let chosen = plan(named: reference), chosen.layout.isDescendant(of: layout) else {
                throw ModelError(
                    .unknownModel,
                    expected: "a descendant of \(layout.schema.name) that was registered before the adapter was made",
                    found: ModelError.shorten("\(reference)", to: 64), schema: layout.schema.name)
            }
            return .plan(chosen)
        }
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

    /// Returns the plan for a discriminator that the cluster does not list.
    private func plan(of fallback: ModelLayout?, unlisted tag: JSONValue) throws(ModelError) -> JSONPlan {
        if let fallback, !refusesOthers { return try plan(of: fallback, nil) }
        do { return try plan(of: nil, hidesTags ? MaskedValue.found : tag.summary) } catch {
            if hidesTags { throw error }
            guard case .discriminator(let discriminator) = selection else { throw error }
            let texts = discriminator.tags.prefix(ModelError.maximumCandidates).compactMap(\.stringValue)
            throw error.suggesting(ModelError.nearest(to: tag.tagText, among: texts))
        }
    }

    private func plan(of model: ModelLayout?, _ found: String?) throws(ModelError) -> JSONPlan {
        guard let model else {
            throw ModelError(
                .unknownModel, expected: expectation, found: found ?? "none", schema: layout.schema.name)
        }
        guard let plan = plans[ObjectIdentifier(model)] else {
            throw ModelError(
                .unknownModel, expected: "a model that was registered before the adapter was made",
                found: model.schema.name, schema: layout.schema.name)
        }
        return plan.object
    }

    private var expectation: String {
        guard case .discriminator(let discriminator) = selection, !discriminator.tags.isEmpty else {
            return "an object that describes a \(layout.schema.name)"
        }
        let known = discriminator.tags.prefix(12).map(\.summary).joined(separator: ", ")
        return """
            one of \(known)\(discriminator.tags.count > 12 ? ", …" : "") as the discriminator "\(discriminator.path)"
            """
    }
}
