package import PalliumJSON

/// A cluster, compiled: it chooses the model of an object among the descendants of its owner, as far as they were registered
/// by then.
package final class DocumentCluster: Sendable {
    package enum Selection: Sendable {
        case discriminator(Discriminator)
        case rules(ClusterRules)
        /// A resolver, and the models that it can name.
        case resolver(ModelCluster.Resolver, byName: [UTF8Key: ModelLayout], byClass: [ObjectIdentifier: ModelLayout])
    }

    /// The layout that declares it.
    package let owner: ModelLayout
    private let selection: Selection
    /// Whether a tag that is not listed is an error although there is a fallback.
    private let refusesOthers: Bool
    /// Whether a property with a label reads the discriminator, so that no error tells it.
    package let hidesTags: Bool

    /// Makes a cluster.
    ///
    /// - Parameters:
    ///   - refusesOthers: Whether only an object without a discriminator is one of the fallback.
    ///   - hidesTags: Whether a property with a label reads the discriminator.
    package init(_ owner: ModelLayout, _ selection: Selection, refusesOthers: Bool = false, hidesTags: Bool = false) {
        self.owner = owner
        self.selection = selection
        self.refusesOthers = refusesOthers
        self.hidesTags = hidesTags
    }

    /// The discriminator; nil for other clusters.
    package var discriminator: Discriminator? {
        if case .discriminator(let discriminator) = selection { discriminator } else { nil }
    }

    /// The rules; nil for other clusters.
    package var rules: ClusterRules? { if case .rules(let rules) = selection { rules } else { nil } }

    /// The paths that the cluster reads, except those that only a resolver reads.
    package var paths: [JSONKeyPath] {
        switch selection {
        case .discriminator(let discriminator): [discriminator.path]
        case .rules(let rules): rules.rules.flatMap(\.conditions).map(\.path)
        case .resolver: []
        }
    }

    /// The model of objects that the cluster does not know otherwise.
    private var fallback: ModelLayout? {
        switch selection {
        case .discriminator(let discriminator): discriminator.fallback
        case .rules(let rules): rules.fallback
        case .resolver: nil
        }
    }

    // MARK: Choosing

    /// Returns the model that the cluster chooses for an object.
    ///
    /// - Throws: ``ModelError`` with the code `unknownModel` if it chooses none, with `typeMismatch` for a discriminator
    ///   that can be no tag, and the errors of a resolver.
    package func model(for object: JSONObject) throws(ModelError) -> ModelLayout {
        if let model = try specified(by: object) { return model }
        return try modelWithoutDiscriminator()
    }

    /// Returns the model that an object says it is; nil if it has no discriminator, no rule matches, or the resolver names
    /// none.
    package func specified(by object: JSONObject) throws(ModelError) -> ModelLayout? {
        switch selection {
        case .discriminator(let discriminator):
            guard let tag = try discriminator.tag(discriminator.path.value(in: object)) else { return nil }
            if let model = discriminator.model(tag) { return model }
            return try model(unlisted: tag)
        case .rules(let rules):
            return rules.rules.first { $0.conditions.allSatisfy { $0.holds(for: object) } }?.model
        case .resolver(let resolver, let byName, let byClass):
            let reference: ModelReference?
            do { reference = try resolver.resolve(object) } catch {
                if let error = error as? ModelError { throw error }
                throw ModelError(
                    .hookFailed, expected: "an object that the resolver of \(owner.schema.name) accepts",
                    found: "another", schema: owner.schema.name, underlying: error)
            }
            guard let reference else { return nil }
            let model =
                switch reference {
                case .named(let name): byName[UTF8Key(name)]
                case .modelClass(let type): byClass[ObjectIdentifier(type)]
                }
            if let model { return model }
            throw ModelError(
                .unknownModel,
                expected: "a descendant of \(owner.schema.name) that was registered before the adapter was made",
                found: ModelError.shorten("\(reference)", to: 64), schema: owner.schema.name)
        }
    }

    /// Returns the model of objects that do not say what they are.
    package func modelWithoutDiscriminator() throws(ModelError) -> ModelLayout {
        if let fallback { return fallback }
        switch selection {
        case .discriminator: throw unknown("none")
        case .rules: throw unknown("an object that no rule matches")
        case .resolver: throw unknown("an object that the resolver names no model for")
        }
    }

    /// Returns the model of objects with a discriminator that the cluster does not list.
    package func model(unlisted tag: JSONValue) throws(ModelError) -> ModelLayout {
        if let fallback, !refusesOthers { return fallback }
        if hidesTags { throw unknown(MaskedValue.found) }
        let texts = (discriminator?.tags ?? []).prefix(ModelError.maximumCandidates).compactMap(\.stringValue)
        throw unknown(tag.summary).suggesting(ModelError.nearest(to: tag.tagText, among: texts))
    }

    private func unknown(_ found: String) -> ModelError {
        ModelError(.unknownModel, expected: expectation, found: found, schema: owner.schema.name)
    }

    private var expectation: String {
        guard let discriminator, !discriminator.tags.isEmpty else {
            return "an object that describes a \(owner.schema.name)"
        }
        let known = discriminator.tags.prefix(12).map(\.summary).joined(separator: ", ")
        return """
            one of \(known)\(discriminator.tags.count > 12 ? ", …" : "") as the discriminator "\(discriminator.path)"
            """
    }
}
