import PalliumCore
import PalliumJSON

/// The values that the targets of a merge hold already, along the frames of a decoder.
struct KnownTargets {
    /// Whether values may be left out or shared at all. If not, the other fields stay as they are made: no frames, no map.
    let mayShare: Bool
    /// The number of the identity map whose instances may be shared; zero for none.
    let identityMap: UInt64
    /// The known values of partial frames, the innermost last: pushed when a frame begins, popped before it ends. Without an
    /// identity map, only the root object has some.
    private(set) var frames: [KnownValues] = [] {
        didSet { frameCount = frames.last.map { $0.frame + 1 } ?? 0 }
    }
    /// How many frames the decoder has up to the innermost with known values, set with `frames`; zero if there is none.
    private(set) var frameCount = 0
    /// The instances of the identity map that the document describes just as they are, more than once if it repeats them; empty
    /// without a map. A failed comparison removes those that it added; the session hands the rest to the targets.
    var unchanged: [DynamicModel] = []
    /// How many bytes may still be compared without finding an equal value.
    var remainingComparison: Int

    init(_ session: DecodingSession, textCount: Int) {
        // A comparison would not notice repeated members or skip bad elements, as decoding does. Where targets are tracked,
        // models of other classes may belong there.
        mayShare =
            !session.tracksTargets && session.targets?.sharesValues ?? false && session.options.elements != .skip
            && session.options.reading.duplicateMembers == .lastWins
        identityMap = mayShare ? session.targets?.identityMap ?? 0 : 0
        remainingComparison = textCount
    }

    mutating func push(_ values: KnownValues) { frames.append(values) }

    @inline(never)
    mutating func pop() { frames.removeLast() }
}

/// A frame with what the targets hold where its values belong: the slots of a model or the elements of a list.
///
/// Safety: the object is held here, and nothing changes it while a document is compared with it. Your code may run
/// between comparisons and change a model's slots, but it does not move them; a list in a model never changes.
@safe
struct KnownValues {
    private(set) var frame: Int
    private let object: AnyObject
    private let slots: SlotBlock
    /// The merge rules of a model that has merge policies.
    private let layout: ModelLayout?
    /// Whether the source of the merge need not mention a value that is the same. Only a root is sure to be merged into
    /// its target; a nested object may turn out to be another model, which then needs all its values.
    private let omitsEqualValues: Bool
    /// The slot by which an import finds the instance of the source once more; -1 for none.
    private let identitySlot: Int

    init(_ model: DynamicModel, frame: Int, isRoot: Bool, identitySlot: Int) {
        self.frame = frame
        object = model
        slots = unsafe SlotBlock(of: model)
        layout = model.layout.hasMergePolicies ? model.layout : nil
        omitsEqualValues = isRoot && layout == nil
        self.identitySlot = identitySlot
    }

    init(_ list: SlotList, frame: Int) {
        self.frame = frame
        object = list
        slots = unsafe SlotBlock(of: list)
        layout = nil
        omitsEqualValues = false
        identitySlot = -1
    }

    /// Makes the values of a path frame, which shares the slots of the frame below.
    init(_ holder: KnownValues, frame: Int) {
        self = holder
        self.frame = frame
    }

    /// The object in a slot, of a kind that stores one; nil if the slot has no value.
    func object(at index: Int) -> AnyObject? {
        guard index < slots.count, slots[index].hasValue else { return nil }
        return unsafe slots.withMemory { unsafe SlotOperations.box(AnyObject.self, $0 + index * 16) }
    }

    /// The value in a slot; nil if it has none. The value must be that of the slot, or of the elements of the list.
    @unsafe @inline(__always)
    func value(at index: Int, _ value: ValueHandle) -> FilledSlot? {
        guard index < slots.count else { return nil }
        return unsafe slots.readable(index, value).filled
    }

    /// Whether source and target of a merge may share the value of a slot.
    @inline(__always)
    func mayShare(_ index: Int) -> Bool { layout.map { $0.mergeRules[index].acceptsOwnContent } ?? true }

    /// Whether the source of the merge need not mention an equal value in a slot.
    @inline(__always)
    func mayOmit(_ index: Int) -> Bool { omitsEqualValues && index != identitySlot }
}
