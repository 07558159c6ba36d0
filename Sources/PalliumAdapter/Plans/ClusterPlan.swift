package import PalliumCore
package import PalliumJSON

/// A cluster compiled for an adapter: chooses the plan of an object among the schema's descendants.
///
/// Safety: plans are referred to without counting references; the plan set that holds the cluster holds them, too.
@safe
package final class ClusterPlan {
    private enum Selection {
        case discriminator(path: JSONKeyPath, texts: KeyTable, models: [ModelLayout])
        case rules([(conditions: [Condition], model: ModelLayout)])
        case resolver(ModelCluster.Resolver)
    }

    private typealias Condition = (path: JSONKeyPath, condition: ModelCluster.Condition)

    let layout: ModelLayout
    /// The cluster of the schema, limited to schemas that were registered when the adapter was made.
    private let cluster: ModelCluster
    private let selection: Selection
    private let fallback: ModelLayout?
    /// Whether a text that is not listed is an error although there is a fallback.
    private let refusesOthers: Bool
    /// The plans of the set by layout; set once, while the set is built. The registry is not held, because it holds the
    /// set.
    private var plans: [ObjectIdentifier: Unmanaged<JSONPlan>] = unsafe [:]
    /// The plans by the names that a resolver can return.
    private var plansByName: [UTF8Key: Unmanaged<JSONPlan>] = unsafe [:]
    private var plansByClass: [ObjectIdentifier: Unmanaged<JSONPlan>] = unsafe [:]

    /// Compiles the cluster of a layout's own schema; nil if it has none.
    init?(_ layout: ModelLayout, registry: SchemaRegistry) throws(ModelError) {
        guard let cluster = layout.cluster(in: registry) else { return nil }
        self.layout = layout
        self.cluster = cluster
        refusesOthers = false
        switch cluster {
        case .discriminator(let path, let models, let fallback):
            var layouts: [ModelLayout] = []
            for entry in models { layouts.append(try registry.layout(entry.model)) }
            selection = .discriminator(
                path: try Self.path(path), texts: KeyTable(models.map(\.text)), models: layouts)
            self.fallback = try fallback.map { reference throws(ModelError) in try registry.layout(reference) }
        case .rules(let rules, let fallback):
            var compiled: [(conditions: [Condition], model: ModelLayout)] = []
            for rule in rules {
                var conditions: [Condition] = []
                for condition in rule.conditions {
                    conditions.append((try Self.path(condition.path), condition))
                }
                compiled.append((conditions, try registry.layout(rule.model)))
            }
            selection = .rules(compiled)
            self.fallback = try fallback.map { reference throws(ModelError) in try registry.layout(reference) }
        case .resolver(let resolver):
            selection = .resolver(resolver)
            fallback = nil
        }
    }

    /// Makes the cluster of the stored form, which names the schema of a descendant; nil without descendants.
    init?(storing layout: ModelLayout, descendants: [ModelLayout]) throws(ModelError) {
        if descendants.isEmpty { return nil }
        let layouts = [layout] + descendants
        self.layout = layout
        let names = layouts.map(\.schema.name)
        cluster = .discriminator(
            path: StoredForm.schemaMember, models: names.map { ModelCluster.Entry($0, .named($0)) },
            default: .named(layout.schema.name))
        selection = .discriminator(
            path: JSONKeyPath(member: StoredForm.schemaMember), texts: KeyTable(names), models: layouts)
        fallback = layout
        refusesOthers = true
    }

    /// Copies a cluster, to be linked with other plans.
    init(_ other: ClusterPlan) {
        refusesOthers = other.refusesOthers
        layout = other.layout
        cluster = other.cluster
        selection = other.selection
        fallback = other.fallback
    }

    func link(_ plans: [ObjectIdentifier: JSONPlan]) {
        unsafe self.plans = plans.mapValues { unsafe Unmanaged.passUnretained($0) }
        guard case .resolver = selection else { return }
        for plan in plans.values {
            unsafe plansByName[UTF8Key(plan.layout.schema.name)] = Unmanaged.passUnretained(plan)
            // A class means the schema that is bound to it, not those that inherit it.
            guard let modelClass = plan.layout.schema.modelClass else { continue }
            unsafe plansByClass[ObjectIdentifier(modelClass)] = Unmanaged.passUnretained(plan)
        }
    }

    private func plan(named reference: ModelReference) -> JSONPlan? {
        switch reference {
        case .named(let name): unsafe plansByName[UTF8Key(name)]?.takeUnretainedValue()
        case .modelClass(let type): unsafe plansByClass[ObjectIdentifier(type)]?.takeUnretainedValue()
        }
    }

    private static func path(_ text: String) throws(ModelError) -> JSONKeyPath {
        do { return try JSONKeyPath(text) } catch {
            // Registration refuses malformed paths.
            throw ModelError(.unknownKey, expected: "a key path", found: error.description)
        }
    }

    /// The discriminator's member, if it is in the object itself; the decoder can then look for it ahead.
    var discriminatorMember: String? {
        guard case .discriminator(let path, _, _) = selection, let members = path.members, members.count == 1 else {
            return nil
        }
        return members[0]
    }

    /// Returns the plan for a discriminator text.
    func plan(for text: JSONText) throws(ModelError) -> JSONPlan {
        guard case .discriminator(_, let texts, let models) = selection else { return try plan(of: fallback, nil) }
        let number = unsafe texts.find(text.start, text.count)
        if number >= 0 { return try plan(of: models[number], nil) }
        return try unsafe plan(of: fallback, unlisted: text.string)
    }

    /// Returns the plan for an object without the discriminator.
    func planWithoutDiscriminator() throws(ModelError) -> JSONPlan { try plan(of: fallback, nil) }

    /// Returns the plan for an object that was read as a whole.
    package func plan(for object: JSONObject) throws(ModelError) -> JSONPlan {
        switch selection {
        case .discriminator(let path, let texts, let models):
            guard let value = path.value(in: object) else { return try plan(of: fallback, nil) }
            let text = try Self.discriminatorText(value, path: path)
            if let number = texts.find(text) { return try plan(of: models[number], nil) }
            return try plan(of: fallback, unlisted: text)
        case .rules(let rules):
            let rule = rules.first { $0.conditions.allSatisfy { $0.condition.holds(for: object, at: $0.path) } }
            return try plan(of: rule?.model ?? fallback, "an object that no rule matches")
        case .resolver(let resolver):
            let reference: ModelReference?
            do { reference = try resolver.resolve(object) } catch {
                if let error = error as? ModelError { throw error }
                throw ModelError(
                    .hookFailed, expected: "an object that the resolver of \(layout.schema.name) accepts",
                    found: "another", schema: layout.schema.name, underlying: error)
            }
            guard let reference else { return try plan(of: nil, "an object that the resolver names no model for") }
            guard let chosen = plan(named: reference), chosen.layout.isDescendant(of: layout) else {
                throw ModelError(
                    .unknownModel,
                    expected: "a descendant of \(layout.schema.name) that was registered before the adapter was made",
                    found: ModelError.shorten("\(reference)", to: 64), schema: layout.schema.name)
            }
            return chosen
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

    /// Returns the text of a discriminator: text, or an integer in decimal.
    static func discriminatorText(_ value: JSONValue, path: JSONKeyPath) throws(ModelError) -> String {
        switch value {
        case .string(let text): return text
        case .number(let number):
            if let integer = number.int64 { return "\(integer)" }
        default: break
        }
        throw ModelError(
            .typeMismatch, expected: "a text as the discriminator \"\(path)\"", found: value.summary)
    }

    /// Returns the plan for a discriminator text that the cluster does not list.
    private func plan(of fallback: ModelLayout?, unlisted text: String) throws(ModelError) -> JSONPlan {
        if let fallback, !refusesOthers { return try plan(of: fallback, nil) }
        do { return try plan(of: nil, ModelError.quote(text)) } catch {
            guard case .discriminator(_, let models, _) = cluster else { throw error }
            throw error.suggesting(
                ModelError.nearest(to: text, among: models.prefix(ModelError.maximumCandidates).map(\.text)))
        }
    }

    private func plan(of model: ModelLayout?, _ found: String?) throws(ModelError) -> JSONPlan {
        guard let model else {
            throw ModelError(
                .unknownModel, expected: expectation, found: found ?? "none", schema: layout.schema.name)
        }
        guard let plan = unsafe plans[ObjectIdentifier(model)] else {
            throw ModelError(
                .unknownModel, expected: "a model that was registered before the adapter was made",
                found: model.schema.name, schema: layout.schema.name)
        }
        return unsafe plan.takeUnretainedValue()
    }

    private var expectation: String {
        guard case .discriminator(let path, _, _) = selection,
            case .discriminator(_, let models, _) = cluster, !models.isEmpty
        else { return "an object that describes a \(layout.schema.name)" }
        let known = models.prefix(12).map { ModelError.quote($0.text) }.joined(separator: ", ")
        return "one of \(known)\(models.count > 12 ? ", …" : "") as the discriminator \"\(path)\""
    }
}
