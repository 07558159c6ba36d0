import PalliumCore
import PalliumJSON

/// How records of one schema of an archive become models, made for one archive. A schema whose records nobody can read
/// has a program, too: what is wrong is told when somebody asks for one of them, and they are skipped otherwise.
///
/// Safety: `entries` is allocated in `init`, never changed, and freed in `deinit`; it refers to `nodes`, which the
/// program owns. The program holds its layout, and the caller the registry that keeps it.
@safe
final class ArchiveReadingPlan {
    /// A property as the archive has it.
    @unsafe
    struct Entry {
        /// The slot, or -1 where the value is skipped.
        let slot: Int
        let isRequired: Bool
        let table: UnsafePointer<ReadingTable>
    }

    /// The layout of the models; nil where nobody can read them.
    let layout: ModelLayout?
    /// Why nobody can read the records.
    let problem: ModelError?
    let schema: ArchivedSchema
    let entries: UnsafePointer<Entry>
    let nodes: [ArchiveReadingNode]
    /// The steps from the archive's versions to the present ones; nil where records can be read straight into slots.
    let upgrade: UpgradePlan?
    /// The slots that take their default where a record leaves them unset: those the archive knows nothing of, and those
    /// that are never null, so that no accessor meets nothing.
    let fallbackDefaults: [Int]
    /// The slots of required properties that reading the entries does not look after.
    let requiredSlots: [Int]
    /// The keys of properties whose values do not fit the slots as they are.
    let changedKeys: Set<UTF8Key>

    /// - Throws: ``ModelError`` as the steps of the layout, where there is none for the version.
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
        let entries = UnsafeMutablePointer<Entry>.allocate(capacity: max(nodes.count, 1))
        for (position, node) in nodes.enumerated() {
            unsafe (entries + position).initialize(
                to: Entry(
                    slot: slots[position] ?? -1,
                    isRequired: slots[position].map { layout.properties[$0].schema.isRequired } ?? false,
                    table: node.table))
        }
        unsafe self.entries = UnsafePointer(entries)
        let known = upgrade == nil ? Set(slots.compactMap { $0 }) : []
        requiredSlots = layout.requiredSlots.filter { !known.contains($0) }
        fallbackDefaults = layout.defaultedSlots.filter {
            !known.contains($0) || !layout.properties[$0].descriptor.isNullable
        }
    }

    /// The program of records that nobody can read.
    init(_ schema: ArchivedSchema, problem: ModelError) {
        self.schema = schema
        self.problem = problem
        layout = nil
        changedKeys = []
        upgrade = nil
        nodes = []
        unsafe entries = UnsafePointer(UnsafeMutablePointer<Entry>.allocate(capacity: 1))
        (fallbackDefaults, requiredSlots) = ([], [])
    }

    // Entries own nothing that must be released.
    deinit { unsafe entries.deallocate() }

    /// The error of asking for a record that nobody can read.
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

    /// Finds out which models can stand where; called once, when all layouts are known.
    func link(_ accepted: AcceptedSchemas) {
        for node in nodes { node.link(accepted) }
    }
}
