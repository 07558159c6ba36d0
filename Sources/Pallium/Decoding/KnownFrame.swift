import PalliumCore

/// A frame whose slots or elements have counterparts in the model that the document is about.
///
/// Safety: the object is held here, and nothing changes it while a document is compared with it. Code of the program that
/// runs in between may change a model's slots, but not where they are; a list in a model never changes.
@safe
struct KnownFrame {
    private(set) var frame: Int
    private let object: AnyObject
    let slots: UnsafeMutableRawPointer
    let states: UnsafeMutablePointer<UInt8>
    let count: Int
    /// What decides about the slots of a model that has merge policies.
    private let layout: ModelLayout?

    init(_ model: DynamicModel, frame: Int) {
        self.frame = frame
        object = model
        unsafe slots = model.slots
        unsafe states = model.stateBytes
        count = unsafe model.table.pointee.slotCount
        layout = model.layout.hasMergePolicies ? model.layout : nil
    }

    /// For a list that is not empty.
    init(_ list: SlotList, frame: Int) {
        self.frame = frame
        object = list
        unsafe slots = list.slot(at: 0).pointer
        unsafe states = list.slot(at: 0).state
        count = list.count
        layout = nil
    }

    /// The counterparts of a frame for the path frame above it, which shares its slots.
    init(_ holder: KnownFrame, frame: Int) {
        self = holder
        self.frame = frame
    }

    /// Whether the content of a slot may stand on both sides of a merge.
    @inline(__always)
    func mayShare(_ index: Int) -> Bool { layout.map { $0.mergeRules[index].acceptsOwnContent } ?? true }
}
