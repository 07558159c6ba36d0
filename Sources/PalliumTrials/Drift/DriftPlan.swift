import PalliumCore
import PalliumJSON

/// A layout prepared for looking into documents: where its properties are, and how its cluster chooses.
final class DriftPlan: Sendable {
    let layout: ModelLayout
    /// The properties that are read from documents.
    let properties: [DocumentShape.Property]
    /// The names of the schema and its ancestors.
    let lineage: [UTF8Key]
    private let cluster: DocumentCluster?

    init(_ layout: ModelLayout, profile: String?, _ clusters: DocumentClusters) {
        self.layout = layout
        lineage = layout.lineage.map { UTF8Key($0.schema.name) }
        properties = DocumentShape(layout, profile: profile).properties.filter(\.isRead)
        cluster = try? clusters.cluster(of: layout)
    }

    /// Whether no report may tell the discriminator.
    var hidesTags: Bool { cluster?.hidesTags ?? false }

    /// Returns the tag by which the cluster would choose, if it does not list it and no label hides it.
    func unlistedTag(in object: JSONObject) -> JSONValue? {
        guard !hidesTags, let discriminator = cluster?.discriminator,
            let tag = discriminator.path.value(in: object), tag.isTag,
            discriminator.model(tag) == nil
        else { return nil }
        return tag
    }
}

extension DocumentShape.Property {
    /// Whether the values are those that the kind of the property describes.
    var isPlain: Bool { combination != .allOf && schema.transformers.isEmpty }
}

/// The layouts of a registry, prepared as they are needed.
struct DriftPlans: Sendable {
    let root: ModelLayout
    let profile: String?
    let registry: SchemaRegistry
    private let clusters: DocumentClusters
    private var plans: [ObjectIdentifier: DriftPlan] = [:]

    init(root: ModelLayout, profile: String?, registry: SchemaRegistry) {
        self.root = root
        self.profile = profile
        self.registry = registry
        clusters = DocumentClusters(registry, profile: profile)
    }

    /// Returns the plan of a layout.
    mutating func plan(of layout: ModelLayout) -> DriftPlan {
        if let plan = plans[ObjectIdentifier(layout)] { return plan }
        let plan = DriftPlan(layout, profile: profile, clusters)
        plans[ObjectIdentifier(layout)] = plan
        return plan
    }

    /// Returns the plan of the layout that an object of a declared one is read with; nil if its cluster chooses none.
    mutating func choice(for object: JSONObject, as declared: ModelLayout) -> DriftPlan? {
        (try? clusters.model(for: object, as: declared)).map { plan(of: $0) }
    }
}
