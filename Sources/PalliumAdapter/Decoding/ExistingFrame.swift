import PalliumCore

/// A frame with its counterpart in the existing model: the slots of a model or the elements of a list.
///
/// Safety: the object is held here, and nothing changes it while a document is compared with it. Your code may run
/// between comparisons and change a model's slots, but it does not move them; a list in a model never changes.
@safe
struct ExistingFrame {
    private(set) var frame: Int
    private let object: AnyObject
    let slots: UnsafeMutableRawPointer
    let states: UnsafeMutablePointer<UInt8>
    let count: Int
    /// The merge rules of a model that has merge policies.
    private let layout: ModelLayout?
    /// Whether the source of the merge need not mention a value that is the same: that leaves the value as it is.
    private let omitsEqualValues: Bool
    /// The slot by which an import finds the instance of the source once more; -1 for none.
    private let identitySlot: Int

    /// Makes the counterpart of a model. Only a root is sure to be merged into its counterpart and may omit equal values: a
    /// nested object may turn out to be another model, which then needs all its values.
    init(_ model: DynamicModel, frame: Int, omitsEqualValues: Bool = false, identitySlot: Int = -1) {
        self.frame = frame
        object = model
        unsafe slots = model.slots
        unsafe states = model.stateBytes
        count = unsafe model.table.pointee.slotCount
        layout = model.layout.hasMergePolicies ? model.layout : nil
        self.omitsEqualValues = omitsEqualValues && layout == nil
        self.identitySlot = identitySlot
    }

    /// Makes the counterpart of a list, which must not be empty.
    init(_ list: SlotList, frame: Int) {
        self.frame = frame
        object = list
        unsafe slots = list.slot(at: 0).pointer
        unsafe states = list.slot(at: 0).state
        count = list.count
        layout = nil
        omitsEqualValues = false
        identitySlot = -1
    }

    /// Makes the counterpart of a path frame, which shares the slots of the frame below.
    init(_ holder: ExistingFrame, frame: Int) {
        self = holder
        self.frame = frame
    }

    /// Whether source and target of a merge may share the value of a slot.
    @inline(__always)
    func mayShare(_ index: Int) -> Bool { layout.map { $0.mergeRules[index].acceptsOwnContent } ?? true }

    /// Whether the source of the merge need not mention an equal value in a slot.
    @inline(__always)
    func mayOmit(_ index: Int) -> Bool { omitsEqualValues && index != identitySlot }
}
