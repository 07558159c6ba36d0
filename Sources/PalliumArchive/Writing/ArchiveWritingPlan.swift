import PalliumCore
import PalliumJSON

/// A property as the archiver writes it.
struct WritingEntry {
    let slot: Int
    let kind: ArchivedKind
    let isConditional: Bool
    let isRequired: Bool
    let descriptor: Unowned<ValueDescriptor>

    /// Returns the state that the record stores; conditional values are in the index, if at all.
    @inline(__always)
    func archivedState(_ state: SlotState) -> ArchivedState {
        isConditional && state.hasValue ? .null : ArchivedState(state)
    }
}

/// The archive writing plan of one layout, made for one archive.
///
/// Layouts and descriptors live as long as the models that are written, and the plan as long as the writer.
final class ArchiveWritingPlan {
    private let unownedLayout: Unowned<ModelLayout>
    let layoutIdentifier: LayoutIdentifier
    /// The number of the schema in the archive.
    let number: Int
    let schema: ArchivedSchema
    private let entryOwner: FixedArrayOwner<WritingEntry>
    let entries: FixedArray<WritingEntry>
    let hasConditionalEntries: Bool
    /// Whether writing runs your code.
    let runsTransformers: Bool
    /// Whether reading may refuse what can be written, for other reasons than a rule of the class.
    var mustBeTried: Bool { runsTransformers || layout.hasValidators }
    /// Whether archives may leave out values of the models.
    var leavesValuesOut: Bool { entries.count < layout.properties.count || hasConditionalEntries }
    var layout: ModelLayout { unownedLayout.object }
    /// The plan without reference counting.
    ///
    /// Safety: the writer holds its plans.
    var unowned: Unowned<ArchiveWritingPlan> { unsafe Unowned(self) }

    /// Makes the plan of a layout.
    ///
    /// - Parameter validates: Whether required properties must have a value.
    init(_ layout: ModelLayout, number: Int, validates: Bool) throws(ModelError) {
        unownedLayout = layout.unowned
        layoutIdentifier = layout.layoutIdentifier
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
        entryOwner = FixedArrayOwner(
            zip(stored, properties).map { slot, property in
                WritingEntry(
                    slot: slot, kind: ArchivedKind(property.descriptor.traits),
                    isConditional: property.schema.archiving == .conditional,
                    isRequired: validates && property.schema.isRequired, descriptor: property.descriptor.unowned)
            })
        entries = entryOwner.elements
        hasConditionalEntries = properties.contains { $0.schema.archiving == .conditional }
        runsTransformers = properties.contains { $0.descriptor.innermost.kind == .custom }
    }

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
