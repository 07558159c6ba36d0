/// The bytes of a compiled schema that every operation on a model reads, at a fixed address.
///
/// A model points at this memory instead of holding a reference. Those of the shared registry live as long as the
/// process, like the metadata of a class, so making, copying and releasing models never changes a shared reference
/// count. Tables of other registries live as long as the registry, of which each model counts one reference.
///
/// ```
///   model ──▶ RawLayout { slotCount, kinds ─▶ [b b b …], flags ─▶ [b b b …], managed ─▶ [2 5 6 …], … }
///     └─────▶ [state byte] × slotCount, padding, then the slots: [16 bytes] × slotCount
/// ```
/// The states come first, so that they share a cache line with the first slots and, in a model of one block, with the
/// object (see `ModelStorage`).
///
/// Safety: the arrays have `slotCount` entries, except `managed`, `holders` and `compared`, which have their own counts.
/// All are written before the layout is published, and freed with the layout, when its registry ends or it is refused.
@frozen
@usableFromInline
@unsafe
package struct RawLayout {
    @usableFromInline package let slotCount: Int
    /// The registry, of which each model counts a reference; nil for the shared one, which lives as long as the process.
    package let registry: Unmanaged<SchemaRegistry>?
    /// One `SlotKind` per slot.
    @usableFromInline package let kinds: UnsafePointer<SlotKind>
    /// One `SlotFlags` per slot.
    @usableFromInline package let flags: UnsafePointer<SlotFlags>
    /// One descriptor per slot.
    @usableFromInline package let descriptors: UnsafePointer<Unmanaged<ValueDescriptor>>
    /// The indices of the slots whose kind owns memory.
    package let managed: UnsafeBufferPointer<UInt16>
    /// The indices of the slots that may hold models, or are lists.
    @usableFromInline package let holders: UnsafeBufferPointer<UInt16>
    /// The `ModelLayout`. The property `layout` gives it its type.
    @usableFromInline let layoutAddress: UnsafeRawPointer
    /// The slots that `==` compares, with their kinds.
    @usableFromInline package let compared: UnsafePointer<ComparedSlot>
    @usableFromInline package let comparedCount: Int
    /// Whether a property has an inverse, so that its models refer to their parent.
    package let hasChildren: Bool
    /// Whether reads and writes are told to observers.
    @usableFromInline let isObserved: Bool
    /// Whether a write does more than change the slot.
    let noticesWrites: Bool
    /// The accessors used so far.
    @usableFromInline package let accessors: AccessorTable
    /// The slots by key; the table belongs to the layout.
    package let keys: Unmanaged<KeyTable>

    /// The offset from the slots of a model to their states. Negative.
    @usableFromInline package let stateOffset: Int
    /// The class of the models, if a model of it can be one block of memory.
    let oneBlockClass: ObjectIdentifier?

    init(
        slotCount: Int, modelClass: DynamicModel.Type, registry: Unmanaged<SchemaRegistry>?,
        kinds: UnsafePointer<SlotKind>,
        flags: UnsafePointer<SlotFlags>,
        descriptors: UnsafePointer<Unmanaged<ValueDescriptor>>, managed: UnsafeBufferPointer<UInt16>,
        holders: UnsafeBufferPointer<UInt16>,
        layoutAddress: UnsafeRawPointer, compared: UnsafePointer<ComparedSlot>, comparedCount: Int,
        hasChildren: Bool, isObserved: Bool, accessors: AccessorTable, keys: Unmanaged<KeyTable>
    ) {
        unsafe self.slotCount = slotCount
        unsafe stateOffset = ModelStorage.stateOffset(slotCount: slotCount)
        // Only the initialiser of a class can give values to stored properties of its own.
        let hasStoredProperties = ClassMetadata(modelClass).instanceSize != ModelStorage.objectSize
        unsafe oneBlockClass = hasStoredProperties ? nil : ObjectIdentifier(modelClass)
        unsafe self.registry = registry
        unsafe self.kinds = kinds
        unsafe self.flags = flags
        unsafe self.descriptors = descriptors
        unsafe self.managed = managed
        unsafe self.holders = holders
        unsafe self.layoutAddress = layoutAddress
        unsafe self.compared = compared
        unsafe self.comparedCount = comparedCount
        unsafe self.hasChildren = hasChildren
        unsafe self.isObserved = isObserved
        unsafe noticesWrites = hasChildren || isObserved
        unsafe self.accessors = accessors
        unsafe self.keys = keys
    }
}

/// Makes and frees raw layouts.
///
/// Safety: every array is allocated by `copy`, with room for one element at least. References are to objects that the
/// layout holds, or that hold it.
extension RawLayout {
    /// Initialises the bytes of a layout.
    ///
    /// - Parameters:
    ///   - memory: Memory that was allocated for it.
    ///   - layout: The `ModelLayout`.
    ///   - slots: The descriptor of each slot, and whether `==` compares it.
    static func initialize(
        _ memory: UnsafeMutablePointer<RawLayout>, modelClass: DynamicModel.Type, registry: SchemaRegistry?,
        layout: AnyObject,
        slots: [(descriptor: ValueDescriptor, isPermanent: Bool)], hasChildren: Bool, isObserved: Bool, keys: KeyTable
    ) {
        func numbers(where fits: (SlotKind) -> Bool) -> UnsafeBufferPointer<UInt16> {
            let numbers = slots.indices.filter { fits(slots[$0].descriptor.kind) }.map { UInt16($0) }
            return unsafe UnsafeBufferPointer(start: copy(numbers), count: numbers.count)
        }
        let compared = slots.indices.filter { slots[$0].isPermanent }.map {
            ComparedSlot(index: UInt16($0), kind: slots[$0].descriptor.kind)
        }
        unsafe memory.initialize(
            to: RawLayout(
                slotCount: slots.count, modelClass: modelClass, registry: registry.map(Unmanaged.passUnretained),
                kinds: copy(slots.map(\.descriptor.kind)), flags: copy(slots.map { $0.isPermanent ? .permanent : [] }),
                descriptors: copy(slots.map { unsafe $0.descriptor.reference }), managed: numbers { $0.ownsMemory },
                holders: numbers { $0.mayHoldModels }, layoutAddress: Unmanaged.passUnretained(layout).toOpaque(),
                compared: copy(compared), comparedCount: compared.count, hasChildren: hasChildren,
                isObserved: isObserved, accessors: AccessorTable(propertyCount: slots.count),
                keys: Unmanaged.passUnretained(keys)))
    }

    /// Copies elements to a fixed address.
    private static func copy<Element>(_ elements: [Element]) -> UnsafePointer<Element> {
        let memory = UnsafeMutablePointer<Element>.allocate(capacity: max(elements.count, 1))
        unsafe memory.initialize(from: elements, count: elements.count)
        return unsafe UnsafePointer(memory)
    }

    static func deallocate(_ rawLayout: UnsafePointer<RawLayout>) {
        let layout = unsafe rawLayout.pointee
        unsafe layout.kinds.deallocate()
        unsafe layout.flags.deallocate()
        unsafe layout.descriptors.deallocate()
        unsafe layout.managed.deallocate()
        unsafe layout.holders.deallocate()
        unsafe layout.compared.deallocate()
        unsafe layout.accessors.deallocate()
        unsafe rawLayout.deallocate()
    }
}

/// A slot that `==` compares.
@usableFromInline
package struct ComparedSlot {
    @usableFromInline package let index: UInt16
    @usableFromInline package let kind: SlotKind
}

/// The parts a slot plays.
@frozen
@usableFromInline
package struct SlotFlags: OptionSet, Sendable {
    @usableFromInline package let rawValue: UInt8
    @inlinable package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Part of ==, hash and description.
    @inlinable package static var permanent: SlotFlags { SlotFlags(rawValue: 1) }
}
