import Foundation
import PalliumCore
import PalliumJSON

/// Decodes models from a source of tokens, in one pass and without recursion.
///
/// ```
///   source ──tokens──▶ frame ─┬─ name → entry → value table ──▶ slot
///                      frame  │
///                      frame ◀┘ a container pushes a frame, its end stores what was made in `target`
/// ```
/// The decoder fills the slots of new models only. Nobody sees a model before its object has ended and its hooks have
/// accepted it. After an error the frames release what they hold, and the target is unchanged.
///
/// Safety: `frames` belongs to the decoder; `DecodingFrame` says what a frame points at. The adapter holds the plans
/// and their tables for the whole call, and the frames own the models and lists whose slots are written.
@safe
struct ModelDecoder<Source: JSONSource & ~Copyable>: ~Copyable {
    var source: Source
    let session: DecodingSession
    /// The path from the document's root to the source, as tokens of a JSON Pointer. `baseOffset` is the offset of a
    /// tree that was read from bytes.
    var prefix: [String] {
        // A place of conversions has the prefix of the time it was made.
        didSet { place = nil }
    }
    let baseOffset: Int?

    var scratch = DecodingScratch()
    var frames: UnsafeMutablePointer<DecodingFrame>
    var frameCount = 0
    // Four frames are enough for most documents, and memory for many frames is slow to get for a single object.
    private var frameCapacity = 4
    /// The number of containers around the value of the first frame.
    private(set) var outerDepth = 0
    /// The offset of the value that is being decoded.
    var valueOffset = 0
    /// The place that is used for the next value that your transformers convert.
    var place: DecodingPlace?
    /// The options that are read for every member or value.
    let unknownMembers: JSONAdapterOptions.UnknownMembers
    let duplicates: JSONReadingOptions.DuplicateMembers
    let isCollecting: Bool
    let readsEmptyTextAsNull: Bool
    let recovers: Bool
    /// The beginning of each member is noted, to skip the member or to continue behind it.
    let watchesMembers: Bool
    let partialModels: PartialModels
    /// Whether the root value is a partial model, and whether it is a property of one.
    var rootIsPartial: Bool
    var holderIsPartial = false
    /// Whether the root value is inside an element that is skipped when it has a problem.
    var holderIsSkippedElement = false
    /// The root value had a problem that was collected.
    var rootFailed = false
    /// The frames with known values, and the innermost of them; see `takeKnown`.
    var known: [KnownValues] = [] {
        didSet { knownFrame = known.last?.frame ?? -1 }
    }
    private(set) var knownFrame = -1
    let knowsValues: Bool
    /// The number of the identity map whose instances may be shared; zero for none.
    let identityMap: UInt64
    /// The instances that the document describes just as they are, more than once if it repeats them.
    var unchanged: [DynamicModel] = []
    /// Whether frames of models have targets.
    let tracksTargets: Bool
    /// How many bytes may still be compared without finding an equal value.
    var remainingComparison: Int
    /// How many bytes may still be looked ahead for discriminators that are not near the beginning of their objects.
    var remainingLookAhead: Int

    init(_ source: consuming Source, session: DecodingSession, prefix: [String] = [], baseOffset: Int? = nil) {
        self.source = source
        self.session = session
        self.prefix = prefix
        self.baseOffset = baseOffset
        unsafe frames = .allocate(capacity: frameCapacity)
        unknownMembers = session.options.unknownMembers
        duplicates = session.options.reading.duplicateMembers
        isCollecting = session.isCollecting
        readsEmptyTextAsNull = session.options.leniency.contains(.emptyTextAsNull)
        partialModels = session.partialModels
        rootIsPartial = partialModels == .root
        recovers = session.isCollecting || session.options.elements == .skip
        watchesMembers = recovers || session.knowsReplacedMembers
        knowsValues = Self.mayKnowValues(session)
        identityMap = knowsValues ? session.targets?.identityMap ?? 0 : 0
        tracksTargets = Source.isTree && session.tracksTargets
        remainingComparison = session.documentLength
        remainingLookAhead = session.documentLength
    }

    // `decode` leaves no frame behind, whether it returns or throws.
    deinit { unsafe frames.deallocate() }

    /// Decodes the next value of the source into an unset slot.
    mutating func decode(_ value: UnsafePointer<ValueTable>, into slot: PropertySlot) throws {
        let base = frameCount
        outerDepth = source.depth &- base
        valueOffset = source.offset
        do {
            let mark: JSONSourceMark? = isCollecting ? source.mark() : nil
            do {
                if try unsafe decodeValue(value, slot.pointer, slot.state) { return }
            } catch {
                guard isCollecting, let mark, frameCount == base else { throw error }
                try fail(with: error)
                source.rewind(to: mark)
                try source.skipValue()
                return
            }
            try run(downTo: base)
        } catch {
            let located = locate(error)
            releaseFrames(downTo: base)
            throw located
        }
    }

    mutating func releaseFrames(downTo base: Int) {
        while frameCount > base {
            let frame = unsafe frames + (frameCount - 1)
            if unsafe frame.pointee.textStart >= 0, let plan = unsafe frame.pointee.plan {
                unsafe scratch.destroy(
                    frame.pointee.slots, plan._withUnsafeGuaranteedRef { unsafe $0.rawLayout },
                    textStart: frame.pointee.textStart)
            }
            unsafe frame.pointee.object?.release()
            unsafe pop(frame)
        }
    }

    @inline(__always)
    mutating func push(_ frame: DecodingFrame) {
        if frameCount == frameCapacity { growFrames() }
        unsafe (frames + frameCount).initialize(to: frame)
        frameCount &+= 1
    }

    /// Removes the innermost frame, but does not release its object.
    @inline(__always)
    mutating func pop(_ frame: UnsafeMutablePointer<DecodingFrame>) {
        frameCount &-= 1
        // All else in a frame is plain bytes.
        if unsafe frame.pointee.extras != nil { unsafe frame.deinitialize(count: 1) }
    }

    @inline(never)
    private mutating func growFrames() {
        let grown = UnsafeMutablePointer<DecodingFrame>.allocate(capacity: frameCapacity * 2)
        unsafe grown.moveInitialize(from: frames, count: frameCount)
        unsafe frames.deallocate()
        unsafe frames = grown
        frameCapacity *= 2
    }

    // MARK: The loop

    /// Runs until all frames above `base` have ended.
    private mutating func run(downTo base: Int) throws {
        while frameCount > base {
            do {
                try step()
            } catch {
                guard recovers else { throw error }
                try recover(from: error, base: base)
            }
        }
    }

    /// Decodes members or elements of the innermost container until a container begins or ends.
    private mutating func step() throws {
        let frame = unsafe frames + (frameCount &- 1)
        switch unsafe frame.pointee.kind {
        case .model, .path:
            if unsafe frame.pointee.isFinishing { return try unsafe finishModel(frame) }
            var isFirst = unsafe frame.pointee.isFirst
            unsafe frame.pointee.isFirst = false
            while try source.nextMember(first: isFirst) {
                isFirst = false
                let found = try unsafe findEntry(frame)
                if watchesMembers, try unsafe skipsReplacedMember(frame, found) { continue }
                guard let entry = unsafe found else {
                    try unsafe decodeUnknownMember(frame)
                    continue
                }
                guard let value = unsafe entry.pointee.uncheckedValue else {
                    guard try unsafe decodeSpecialMember(frame, entry) else { return }
                    continue
                }
                let slot = unsafe entry.pointee.slot
                let state = unsafe frame.pointee.states + slot
                if unsafe state.pointee != 0, try unsafe !replacesDuplicate(frame, slot: slot) { continue }
                if hasKnownValues, unsafe takeKnown(slot, value, frame.pointee.slots + slot &* 16, state) { continue }
                guard try unsafe decodeValue(value, frame.pointee.slots + slot &* 16, state) else { return }
            }
            try unsafe endObject(frame)
        case .array:
            let element = unsafe frame.pointee.element!
            let list = unsafe frame.pointee.object!
            while try unsafe source.nextElement(first: frame.pointee.isFirst) {
                unsafe frame.pointee.isFirst = false
                unsafe frame.pointee.current &+= 1
                if recovers { unsafe extras(of: frame).mark = source.mark() }
                // A reference to the list would be counted for every element.
                let slot = unsafe list._withUnsafeGuaranteedRef {
                    unsafe unsafeDowncast($0, to: SlotList.self).appendSlot()
                }
                if hasKnownValues, unsafe takeKnown(frame.pointee.current, element, slot.pointer, slot.state) {
                    continue
                }
                guard try unsafe decodeValue(element, slot.pointer, slot.state) else { return }
            }
            unsafe endList(frame)
        case .dictionary: try unsafe stepDictionary(frame)
        }
    }

    private mutating func stepDictionary(_ frame: UnsafeMutablePointer<DecodingFrame>) throws {
        let element = unsafe frame.pointee.element!
        let list = unsafe SlotOperations.dictionary(frame.pointee.object!)
        while try unsafe source.nextMember(first: frame.pointee.isFirst) {
            unsafe frame.pointee.isFirst = false
            let key = try unsafe source.readName().string
            if watchesMembers {
                if recovers { unsafe extras(of: frame).mark = source.mark() }
                if !Source.isTree, session.isReplaced(at: source.offset) {
                    // The key keeps the position of its first value.
                    list.slot(forKey: key)
                    try source.skipValue()
                    continue
                }
            }
            if let position = list.index(of: key) {
                unsafe frame.pointee.current = position
                switch duplicates {
                case .lastWins: break
                case .firstWins:
                    try source.skipValue()
                    continue
                case .error:
                    if recovers { unsafe extras(of: frame).keepsElement = true }
                    try refuseRepeated(key)
                }
            } else {
                unsafe frame.pointee.current = list.count
            }
            let slot = list.slot(forKey: key)
            guard try unsafe decodeValue(element, slot.pointer, slot.state) else { return }
        }
        unsafe endList(frame)
    }

    /// Returns the entry for the next member; nil for an unknown name, which is then stored in the extras.
    @inline(__always)
    private mutating func findEntry(
        _ frame: UnsafeMutablePointer<DecodingFrame>
    ) throws -> UnsafePointer<DecodingNode.Entry>? {
        let expected = unsafe frame.pointee.order.entry(at: frame.pointee.place)
        if unsafe expected < frame.pointee.entryCount {
            let entry = unsafe frame.pointee.entries + expected
            if try unsafe source.matchName(entry.pointee.name) {
                unsafe frame.pointee.place = expected &+ 1
                unsafe frame.pointee.current = expected
                return unsafe entry
            }
        }
        return try unsafe searchEntry(frame)
    }

    @inline(never)
    private mutating func searchEntry(
        _ frame: UnsafeMutablePointer<DecodingFrame>
    ) throws -> UnsafePointer<DecodingNode.Entry>? {
        let name = try unsafe source.readName()
        let index = unsafe frame.pointee.node!._withUnsafeGuaranteedRef { unsafe $0.table.find(name.start, name.count) }
        unsafe frame.pointee.current = index
        if index >= 0 {
            unsafe frame.pointee.order.learn(index, at: frame.pointee.place, chance: source.offset)
            unsafe frame.pointee.place = index &+ 1
            return unsafe frame.pointee.entries + index
        }
        if unknownMembers != .ignore || duplicates == .error { unsafe extras(of: frame).unknownName = name.string }
        return nil
    }

    func extras(of frame: UnsafeMutablePointer<DecodingFrame>) -> FrameExtras {
        if let extras = unsafe frame.pointee.extras { return extras }
        let extras = FrameExtras()
        unsafe frame.pointee.extras = extras
        return extras
    }
}

extension SlotOperations {
    /// The model that a model frame owns.
    static func model(_ object: Unmanaged<AnyObject>) -> DynamicModel {
        unsafe object._withUnsafeGuaranteedRef { unsafe unsafeDowncast($0, to: DynamicModel.self) }
    }

    /// The list that an array frame owns.
    @inline(__always)
    static func list(_ object: Unmanaged<AnyObject>) -> SlotList {
        unsafe object._withUnsafeGuaranteedRef { unsafe unsafeDowncast($0, to: SlotList.self) }
    }

    /// The list that a dictionary frame owns.
    static func dictionary(_ object: Unmanaged<AnyObject>) -> SlotDictionary {
        unsafe object._withUnsafeGuaranteedRef { unsafe unsafeDowncast($0, to: SlotDictionary.self) }
    }
}
