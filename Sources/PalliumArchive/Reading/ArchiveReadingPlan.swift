import PalliumCore
import PalliumJSON

/// The archive reading plan of one schema, made for one archive.
///
/// A schema whose records cannot be read has a plan, too: requests for its records throw, and otherwise they are
/// skipped.
///
/// `entries` refers to `nodes`, which the plan owns. The plan holds its layout, and the caller the registry that keeps it.
final class ArchiveReadingPlan {
    /// A property of the archive.
    struct Entry {
        /// The slot, or -1 if the value is skipped. Not used for a schema with upgrade steps, whose values they decide on.
        let slot: Int
        let isRequired: Bool
        let node: Unowned<ArchiveReadingNode>
    }

    /// The layout of the models; nil if the records cannot be read.
    let layout: ModelLayout?
    /// The reason why the records cannot be read.
    let problem: ModelError?
    let schema: ArchivedSchema
    private let entryOwner: FixedArrayOwner<Entry>
    let entries: FixedArray<Entry>
    let nodes: [ArchiveReadingNode]
    /// The steps from the archive's versions to the present ones; nil if records fit into slots directly.
    let upgrade: UpgradePlan?
    /// The slots that get their default if a record leaves them unset: properties that the archive does not have, and
    /// those that are never null, so that every accessor has a value.
    let fallbackDefaults: [Int]
    /// The slots of required properties that no entry checks.
    let requiredSlots: [Int]
    /// The keys of properties whose values need a conversion.
    let changedKeys: Set<UTF8Key>

    /// Makes the plan for a schema of the archive.
    ///
    /// - Throws: ``ModelError`` if the layout has no steps from the stored version.
    init(_ schema: ArchivedSchema, _ layout: ModelLayout) throws(ModelError) {
        self.schema = schema
        self.layout = layout
        problem = nil
        let slots = schema.properties.map { property in
            layout.index(of: property.key).flatMap { layout.properties[$0].schema.archiving == .excluded ? nil : $0 }
        }
        let changed = zip(schema.properties, slots).filter { property, slot in
            slot.map { !ArchiveReadingNode.isDirect(property.type, layout.properties[$0].descriptor) } ?? false
        }
        changedKeys = Set(changed.map { UTF8Key($0.0.key) })
        upgrade = try UpgradePlan(schema.levels, layout, isDirect: changed.isEmpty)
        nodes = zip(schema.properties, slots).map { property, slot in
            let descriptor = changed.isEmpty ? slot.map { layout.properties[$0].descriptor } : nil
            return ArchiveReadingNode(property.type, descriptor, layout.transformers)
        }
        entryOwner = FixedArrayOwner(
            zip(nodes, slots).map { node, slot in
                Entry(
                    slot: slot ?? -1,
                    isRequired: slot.map { layout.properties[$0].schema.isRequired && !layout.allowsStubs } ?? false,
                    node: node.unowned)
            })
        entries = entryOwner.elements
        let archived = upgrade == nil ? Set(slots.compactMap { $0 }) : []
        // Stubs lack some of them, which is known at the end of a record.
        requiredSlots = layout.requiredSlots.filter { layout.allowsStubs || !archived.contains($0) }
        fallbackDefaults = layout.defaultedSlots.filter {
            !archived.contains($0) || !layout.properties[$0].descriptor.isNullable
        }
    }

    /// Makes a plan for records that cannot be read.
    init(_ schema: ArchivedSchema, problem: ModelError) {
        self.schema = schema
        self.problem = problem
        layout = nil
        changedKeys = []
        upgrade = nil
        nodes = []
        entryOwner = FixedArrayOwner([])
        entries = entryOwner.elements
        (fallbackDefaults, requiredSlots) = ([], [])
    }

    /// The error for a request of a record that cannot be read.
    var unreadable: ModelError {
        problem ?? .archive(expected: "a schema", found: "none")
    }

    @inline(never)
    func missingError(_ slot: Int, isNull: Bool) -> ModelError {
        guard let descriptor = layout?.properties[slot].descriptor else { return unreadable }
        return ModelError(
            isNull ? .nullNotAllowed : .missingProperty, descriptor, expected: descriptor.expectation,
            found: isNull ? "null" : "none")
    }

    /// Sets which models fit into which slots; called once, when all layouts are known.
    func link(_ accepted: AcceptedSchemas) {
        for node in nodes { node.link(accepted) }
    }
}
