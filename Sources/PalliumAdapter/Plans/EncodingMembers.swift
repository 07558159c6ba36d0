import PalliumCore

/// The members of an object, with the slots of the model that they are written from.
///
/// Safety: a node of the plan of the model's layout has only slots of the layout, with the values of their kinds. The
/// plan holds its nodes. Whoever has the members holds the plan and the model; the slots of a model do not move.
@safe
struct EncodingMembers {
    let node: Unowned<EncodingNode>
    private let slots: UnsafeMutableRawPointer
    private let states: UnsafeMutablePointer<UInt8>

    /// The members of a model's own object; nil if the plan is not that of the model's layout.
    @inline(__always)
    init?(of model: Unowned<DynamicModel>, by plan: Unowned<JSONPlan>) {
        let rawLayout = unsafe plan.object.rawLayout
        guard unsafe model.object.rawLayout == rawLayout else { return nil }
        unsafe node = Unowned(plan.object.output)
        unsafe slots = model.object.slots
        unsafe states = (slots + rawLayout.pointee.stateOffset).assumingMemoryBound(to: UInt8.self)
    }

    /// The members of an object on a key path.
    @_transparent
    fileprivate init(_ node: Unowned<EncodingNode>, beside member: EncodingMember) {
        self.node = node
        unsafe slots = member.slots
        unsafe states = member.states
    }

    /// The member at an index; nil after the last one.
    subscript(index: Int) -> EncodingMember? {
        @_transparent get {
            guard UInt(bitPattern: index) < UInt(bitPattern: node.object.count) else { return nil }
            return unsafe EncodingMember(entry: node.object.entries + index, slots: slots, states: states)
        }
    }

    /// Whether one of the slots has a value that these members and those below them can write.
    var haveValue: Bool {
        node.object.mappedSlots.contains { unsafe SlotState(rawValue: states[$0]).hasValue }
    }
}

/// A member of an object, with the slots of the model that it is written from.
///
/// Safety: only `EncodingMembers` makes one, from an entry of its node and with its slots.
@safe
struct EncodingMember {
    private let address: UnsafePointer<EncodingNode.Entry>
    fileprivate let slots: UnsafeMutableRawPointer
    fileprivate let states: UnsafeMutablePointer<UInt8>

    @_transparent
    fileprivate init(
        entry: UnsafePointer<EncodingNode.Entry>, slots: UnsafeMutableRawPointer, states: UnsafeMutablePointer<UInt8>
    ) {
        unsafe address = entry
        unsafe self.slots = slots
        unsafe self.states = states
    }

    var entry: EncodingNode.Entry { @_transparent get { unsafe address.pointee } }

    /// The slot that the member is written from; nil if there is none.
    var slot: ReadableSlot? {
        @_transparent get {
            guard let value = entry.value else { return nil }
            // Of an entry with a value, the node has checked this.
            assert(entry.slot >= 0)
            return unsafe ReadableSlot(slots + entry.slot &* 16, states + entry.slot, value)
        }
    }

    /// Whether the member is left out because its property is unset and leaves it out.
    var isSkipped: Bool { @_transparent get { entry.skipsUnset && slot?.state.isUnset ?? false } }

    /// The members of the object on a key path; nil for other members.
    var members: EncodingMembers? { entry.node.map { EncodingMembers($0, beside: self) } }
}

extension Unowned<DynamicModel> {
    /// Asks the processor for the models and lists that the model holds.
    @_transparent
    func prefetchHeld() { with { unsafe DynamicModel.prefetchHeld($0.slots, $0.rawLayout) } }
}
