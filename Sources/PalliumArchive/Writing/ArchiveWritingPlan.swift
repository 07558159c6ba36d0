import PalliumCore
import PalliumJSON

/// A property as the archiver writes it.
@unsafe
struct WritingEntry {
    let slot: Int
    let kind: ArchivedKind
    let isConditional: Bool
    let isRequired: Bool
    let descriptor: Unmanaged<ValueDescriptor>

    /// Returns the state that the record stores; conditional values are in the index, if at all.
    @inline(__always)
    func archivedState(_ state: SlotState) -> ArchivedState {
        unsafe isConditional && state.hasValue ? .null : ArchivedState(state)
    }
}

/// The archive writing plan of one layout, made for one archive.
///
/// Safety: `entries` is allocated in `init`, never changed, and freed in `deinit`. Layouts and descriptors live as long
/// as the models that are written.
@safe
final class ArchiveWritingPlan {
    let rawLayout: UnsafePointer<RawLayout>
    /// The number of the schema in the archive.
    let number: Int
    let schema: ArchivedSchema
    let entries: UnsafePointer<WritingEntry>
    let count: Int
    let hasConditionalEntries: Bool
    /// Whether writing runs your code.
    let runsTransformers: Bool
    /// Whether reading may refuse what can be written, for other reasons than a rule of the class.
    var mustBeTried: Bool { runsTransformers || layout.hasValidators }
    /// Whether archives may leave out values of the models.
    var leavesValuesOut: Bool { count < layout.properties.count || hasConditionalEntries }
    var layout: ModelLayout { unsafe rawLayout.pointee.layout.takeUnretainedValue() }

    /// Makes the plan of a layout.
    ///
    /// - Parameter validates: Whether required properties must have a value.
    init(_ layout: ModelLayout, number: Int, validates: Bool) throws(ModelError) {
        unsafe rawLayout = layout.rawLayout
        self.number = number
        let stored = layout.properties.indices.filter { layout.properties[$0].schema.archiving != .excluded }
        let properties = stored.map { layout.properties[$0] }
        for property in properties where Self.nesting(of: property.descriptor) > ArchivedSchema.maximumNesting {
            throw ModelError(
                .depthLimit, property.descriptor,
                expected: "at most \(ArchivedSchema.maximumNesting.counted("level")) of elements",
                found: "more")
        }
        schema = ArchivedSchema(
            levels: layout.levels,
            properties: properties.map {
                ArchivedProperty(key: $0.key, type: ArchivedType($0.descriptor), isSensitive: $0.schema.isSensitive)
            })
        let entries = UnsafeMutablePointer<WritingEntry>.allocate(capacity: max(properties.count, 1))
        for (position, property) in properties.enumerated() {
            unsafe (entries + position).initialize(
                to: WritingEntry(
                    slot: stored[position], kind: ArchivedKind(property.descriptor.traits),
                    isConditional: property.schema.archiving == .conditional,
                    isRequired: validates && property.schema.isRequired,
                    descriptor: property.descriptor.reference))
        }
        unsafe self.entries = UnsafePointer(entries)
        count = properties.count
        hasConditionalEntries = properties.contains { $0.schema.archiving == .conditional }
        runsTransformers = properties.contains { $0.descriptor.innermost.kind == .custom }
    }

    // Entries own nothing that must be released.
    deinit { unsafe entries.deallocate() }

    private static func nesting(of descriptor: ValueDescriptor) -> Int {
        var levels = 1
        var current = descriptor
        while let element = current.element {
            current = element
            levels += 1
        }
        return levels
    }
}
