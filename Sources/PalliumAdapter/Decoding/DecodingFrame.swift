import PalliumCore
import PalliumJSON

/// A container that is being decoded; it stands for one level of recursion.
///
/// Which fields are set follows from `kind` and from where a model is put together:
///
/// | field | model | model in scratch memory | path | array, dictionary |
/// | --- | --- | --- | --- | --- |
/// | `entries`, `nodeReference`, `planReference` | its own | its own | those of the key path and of its model | none |
/// | `slots` | of the model | in scratch memory, then of the model | of its model | none |
/// | `owned` | the model | nil, then the model | nil | the list |
/// | `textStart` | -1 | from 0 on, then -1 | -1 | -1 |
/// | `position` | counts | counts | counts | 0 |
/// | `deferred` | counts after the object's end | counts after the object's end | `readingMembers` | `readingMembers` |
/// | `offset` | of the object | of the object | of the object | 0 |
///
/// *Then* is when `makeModel` has been called, at the end of the object. `owned` is nil again after `storeInTarget()`, the
/// last step before the frame is removed; not for a set, whose target gets another list. The other fields are set for every kind.
///
/// Safety: `owned` is one reference that the frame owns and releases: a model, or the list of an array or dictionary frame;
/// path frames own none. The makers below set these fields together. `slots` and `target` are in scratch memory, a model, a list or a
/// temporary. The decoder owns the scratch memory; a frame below or the caller keeps the others alive. Node and plan belong to the plans
/// that the decoder's session holds.
@safe
struct DecodingFrame: ~Copyable {
    enum Kind: UInt8 {
        /// The object of a model.
        case model
        /// An object on a key path; shares the slots of the model frame below.
        case path
        case array
        case dictionary
    }

    /// The kind of container, which never changes.
    let kind: Kind
    /// Whether no member or element has come yet.
    var isFirst = true
    /// Whether something inside failed without which the model or list cannot be made; only if the session recovers from
    /// problems. It is never reset: the frame is dropped at its end, or passes the mark to the frame below if it is of a path.
    var hasFailed = false
    /// Whether required properties of the model or the elements may be missing; set right after the push, and only if the session
    /// has `partialModels`. Such a model is never put together in scratch memory.
    var isPartial = false
    /// One more than the number of the entry that came last; 0 before the first. Lists have none.
    private var position = 0
    /// The index of the entry or element that is being decoded, or one of `DecodingPosition`. Set with the name of a member, for
    /// each element, and when the object has ended.
    var current = DecodingPosition.none
    /// How many deferred properties have begun since the object ended, or `DecodingPosition.readingMembers` before its end.
    /// A model for which only rules and hooks are left, and which passes them, keeps `readingMembers` until it is removed.
    var deferred = DecodingPosition.readingMembers
    /// The entries of the node; none for lists.
    let entries: EntryList
    /// The members of the object; nil for lists.
    private let nodeReference: Unowned<DecodingNode>?
    /// The plan of the model that has the members; nil for lists.
    private let planReference: Unowned<JSONPlan>?
    /// The slots of the model of `planReference`, in scratch memory until `makeModel`; none for lists.
    private(set) var slots: SlotBlock
    /// The model or list; nil for paths, before `makeModel` moves slots out of scratch memory, and after `storeInTarget()`.
    /// The frame of a set, whose target gets another list, and a frame that is dropped release it when they are removed.
    private var owned: Unmanaged<AnyObject>?
    /// The slot that the finished model or list is stored in; that of the model for paths. It is unset until `storeInTarget`.
    let target: WritableSlot
    /// The offset of the object in `source`, where problems of a whole model are located; 0 for lists.
    let offset: Int
    /// Where the texts of a model begin in scratch memory; -1 for one that is not there, and for other frames.
    private var textStart = -1
    /// Rarely used state, allocated at first use; one reference that the frame owns. Its comments say which kinds use which part.
    private var ownedExtras: Unmanaged<FrameExtras>?

    // Most frames have stored their object and have no extras: to compare with nil is faster than to release nothing.
    deinit {
        if let object = unsafe owned { unsafe object.release() }
        if let extras = unsafe ownedExtras { unsafe extras.release() }
    }
}

/// The values of a frame's `current` and `deferred` that are no index or count.
///
/// They are integers and no cases of an enumeration, because the decoder counts with both in its innermost loop.
enum DecodingPosition {
    /// Before the first member or element, or at a member that no property maps.
    static var none: Int { -1 }
    /// At no member: a problem concerns the whole object.
    static var wholeObject: Int { -2 }
    /// At the deferred property whose path is in the frame's extras.
    static var deferredProperty: Int { -3 }

    /// The value of `deferred` before the object has ended.
    static var readingMembers: Int { -1 }
}

// MARK: Making

extension DecodingFrame {
    /// Makes the frame of a model that has its slots from the beginning.
    @inline(__always)
    init(_ plan: Unowned<JSONPlan>, target: WritableSlot, offset: Int) {
        let model = plan.with { $0.makeModel() }
        kind = .model
        (entries, nodeReference) = plan.with { unsafe ($0.input.entries, Unowned($0.input)) }
        planReference = plan
        slots = unsafe SlotBlock(of: model)
        unsafe owned = Unmanaged.passRetained(model as AnyObject)
        self.target = target
        self.offset = offset
    }

    /// Makes the frame of a model that is put together in scratch memory, in slots that were taken for the plan.
    @unsafe @inline(__always)
    init(scratch: SlotBlock, textStart: Int, _ plan: Unowned<JSONPlan>, target: WritableSlot, offset: Int) {
        kind = .model
        (entries, nodeReference) = plan.with { unsafe ($0.input.entries, Unowned($0.input)) }
        planReference = plan
        slots = scratch
        unsafe owned = nil
        self.target = target
        self.offset = offset
        self.textStart = textStart
    }

    /// Makes the frame of an object on a key path, whose node is one of the holder's plan.
    @unsafe
    init(path node: Unowned<DecodingNode>, in holder: borrowing DecodingFrame, offset: Int) {
        kind = .path
        entries = node.object.entries
        nodeReference = node
        planReference = holder.planReference
        slots = holder.slots
        unsafe owned = nil
        target = holder.target
        self.offset = offset
    }

    /// Makes the frame of an array or a dictionary, which is of the kind of its target.
    @inline(__always)
    init(_ list: SlotList, _ kind: Kind, target: WritableSlot) {
        assert(kind == .array || kind == .dictionary && list is SlotDictionary)
        self.kind = kind
        entries = .none
        nodeReference = nil
        planReference = nil
        slots = .none
        unsafe owned = Unmanaged.passRetained(list as AnyObject)
        self.target = target
        offset = 0
    }
}

// MARK: Contents

extension DecodingFrame {
    /// The node of a model or path frame.
    var node: Unowned<DecodingNode> { @_transparent get { nodeReference! } }
    /// The plan of a model or path frame.
    var plan: Unowned<JSONPlan> { @_transparent get { planReference! } }
    /// Whether the frame is of a model or path.
    var hasMembers: Bool { @_transparent get { planReference != nil } }
    /// The name of the schema of a model or path frame.
    var schemaName: String? { planReference?.object.layout.schema.name }
    /// The name of the current member of a model or path frame.
    var memberName: String { node.object.members[current].name }

    /// Whether the object has ended, so that only deferred properties and the checks of the whole object are left.
    var isFinishing: Bool { @_transparent get { deferred >= 0 } }

    /// The list of an array or dictionary frame.
    var list: Unowned<SlotList> {
        @_transparent get {
            precondition(kind == .array || kind == .dictionary)
            return unsafe Unowned(Unmanaged.fromOpaque(owned!.toOpaque()))
        }
    }
    /// The list of a dictionary frame.
    var dictionary: SlotDictionary {
        precondition(kind == .dictionary)
        return list.with { unsafe unsafeDowncast($0, to: SlotDictionary.self) }
    }
    /// The model of a model frame; nil while it is put together in scratch memory.
    var model: Unowned<DynamicModel>? {
        @_transparent get {
            guard kind == .model, let owned = unsafe owned else { return nil }
            return unsafe Unowned(Unmanaged.fromOpaque(owned.toOpaque()))
        }
    }
    /// Whether the model is put together in scratch memory.
    var isInScratch: Bool { @_transparent get { textStart >= 0 } }

    /// The rarely used state; nil if none was needed yet.
    var extras: FrameExtras? { unsafe ownedExtras?.takeUnretainedValue() }
    /// The rarely used state, which is made at first use.
    var neededExtras: FrameExtras {
        mutating get {
            if let extras { return extras }
            let extras = FrameExtras()
            unsafe ownedExtras = .passRetained(extras)
            return extras
        }
    }

    /// The name of the unknown member that is being read.
    var unknownName: String { extras?.innerPath.first ?? "" }
}

// MARK: Members and elements

extension DecodingFrame {
    /// A member whose name was read.
    enum Member {
        /// It is stored in a slot.
        case slot(WritableSlot)
        /// It has another action, or is a discriminator.
        case special
        /// It is not the one that was expected, or unknown.
        case other
    }

    /// Reads the next name if it is that of the entry that is expected, and moves on to that entry. For another name, nothing
    /// is read.
    @inline(__always)
    mutating func readExpectedName(_ source: inout JSONReader) throws(JSONSyntaxError) -> Member {
        let expected = entries.expected(at: position)
        guard expected < entries.count, let entry = try entries.entry(expected, matching: &source) else {
            return .other
        }
        position = expected &+ 1
        current = expected
        return member(entry)
    }

    /// Moves on to an entry that was not expected.
    mutating func move(toUnexpected number: Int, chance: Int) -> Member {
        entries.learn(number, at: position, chance: chance)
        move(to: number)
        return member(entries[number])
    }

    @_transparent
    private func member(_ entry: DecodingNode.Entry) -> Member {
        guard let value = entry.uncheckedValue else { return .special }
        return unsafe .slot(slots.writable(by: entry, value))
    }

    /// Moves on to an entry that has come.
    mutating func move(to entry: Int) {
        precondition(entries.contains(entry))
        position = entry &+ 1
        current = entry
    }

    /// The value of a slot in the plan of a model or path frame.
    func value(_ number: Int) -> ValueHandle { plan.with { unsafe $0.values[number].handle } }

    /// A slot of the model of a model or path frame.
    func slot(_ number: Int) -> WritableSlot { unsafe slots.writable(number, value(number)) }

    /// Adds an element to the list of an array frame and returns its slot.
    @_transparent
    func appendElement(_ value: ValueHandle) -> WritableSlot {
        precondition(kind == .array)
        return list.with { unsafe WritableSlot($0.appendSlot(), value) }
    }
}

// MARK: Ending

extension DecodingFrame {
    /// Whether nothing is left to do but checks by rules and hooks: no deferred properties and no problems, and each slot
    /// that is expected to have a value has one.
    var mayFinishSimply: Bool {
        @inline(__always) get {
            guard let plan = planReference, unsafe ownedExtras == nil, !hasFailed, !isPartial,
                plan.object.finishesSimply
            else {
                return false
            }
            return plan.with { $0.hasExpected(in: slots) }
        }
    }

    /// Takes the model that was made of the slots in scratch memory.
    @inline(__always)
    mutating func makeModel(by scratch: inout DecodingScratch) {
        precondition(isInScratch)
        let model = plan.with { unsafe scratch.makeModel($0, slots, textStart: textStart) }
        textStart = -1
        slots = unsafe SlotBlock(of: model)
        unsafe owned = Unmanaged.passRetained(model as AnyObject)
    }

    /// Moves the finished model or list to its target.
    @_transparent
    mutating func storeInTarget() {
        guard let object = unsafe owned else { return }
        unsafe target.store(owned: object)
        unsafe owned = nil
    }

    /// Stores another list of the same elements in the target.
    func storeInTarget(insteadOfList other: SlotList) {
        unsafe target.store(owned: Unmanaged.passRetained(other as AnyObject))
    }

    /// Destroys the slots of a model that is put together in scratch memory.
    mutating func destroySlots(in scratch: inout DecodingScratch) {
        if isInScratch { plan.with { unsafe scratch.destroy(slots, $0, textStart: textStart) } }
        textStart = -1
    }
}
