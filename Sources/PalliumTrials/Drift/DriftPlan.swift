import PalliumCore
import PalliumJSON

/// A layout prepared for looking into documents: where its properties are, and how its cluster chooses.
final class DriftPlan: Sendable {
    /// A property that is read from documents.
    struct Property: Sendable {
        let descriptor: ValueDescriptor
        let paths: [JSONKeyPath]
        let combination: ResolvedMapping.Combination

        /// Returns the value in an object and its path; nil if it is absent. Null on the way is null, as for an adapter.
        func value(in object: JSONObject) -> (value: JSONValue, path: JSONKeyPath)? {
            for path in paths {
                switch path.end(in: object) {
                case .value(let value): return (value, path)
                case .blocked(.null, _): return (.null, path)
                case .missing, .blocked: continue
                }
            }
            return nil
        }

        /// Whether the values are those that the kind of the property describes.
        var isPlain: Bool { combination != .allOf && descriptor.property.transformers.isEmpty }
    }

    let layout: ModelLayout
    let properties: [Property]
    /// The names of the schema and its ancestors.
    let lineage: [UTF8Key]
    /// The path of the discriminator, and the tags that the cluster lists; nil for other clusters.
    let discriminator: (path: JSONKeyPath, tags: Set<JSONValue>)?
    /// Whether the discriminator is the value of a secret property.
    let hasSensitiveDiscriminator: Bool

    init(_ layout: ModelLayout, profile: String?, registry: SchemaRegistry) {
        self.layout = layout
        lineage = layout.lineage.map { UTF8Key($0.schema.name) }
        properties = zip(layout.properties, layout.mappings(profile: profile)).compactMap { property, mapping in
            if property.schema.isWeak || property.schema.access == .writeOnly { return nil }
            let paths = mapping.paths
            if paths.isEmpty { return nil }
            return Property(descriptor: property.descriptor, paths: paths, combination: mapping.combination)
        }
        if case .discriminator(let text, let models, _)? = layout.cluster(in: registry),
            let path = try? JSONKeyPath(text)
        {
            discriminator = (path, Set(models.map(\.tag)))
            hasSensitiveDiscriminator = properties.contains { property in
                property.descriptor.isSensitive && property.paths.contains { path.steps.starts(with: $0.steps) }
            }
        } else {
            discriminator = nil
            hasSensitiveDiscriminator = false
        }
    }

    /// Returns the tag by which the cluster would choose, if it does not list it.
    func unlistedTag(in object: JSONObject) -> JSONValue? {
        guard let discriminator, let tag = discriminator.path.value(in: object), tag.isTag,
            !discriminator.tags.contains(tag)
        else { return nil }
        return tag
    }
}

/// The layouts of a registry, prepared as they are needed.
struct DriftPlans: Sendable {
    let root: ModelLayout
    let profile: String?
    let registry: SchemaRegistry
    private let clusters: SampledCluster
    private var plans: [ObjectIdentifier: DriftPlan] = [:]

    init(root: ModelLayout, profile: String?, registry: SchemaRegistry) {
        self.root = root
        self.profile = profile
        self.registry = registry
        clusters = SampledCluster(registry: registry)
    }

    /// Returns the plan of a layout.
    mutating func plan(of layout: ModelLayout) -> DriftPlan {
        if let plan = plans[ObjectIdentifier(layout)] { return plan }
        let plan = DriftPlan(layout, profile: profile, registry: registry)
        plans[ObjectIdentifier(layout)] = plan
        return plan
    }

    /// Returns the plan of the layout that an object of a declared one is read with; nil if its cluster chooses none.
    mutating func choice(for object: JSONObject, as declared: ModelLayout) -> DriftPlan? {
        guard declared.schema.cluster != nil else { return plan(of: declared) }
        return clusters.choice(for: object, as: declared).map { plan(of: $0) }
    }
}
