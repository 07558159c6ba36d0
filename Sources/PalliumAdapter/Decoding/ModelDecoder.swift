import Foundation
import PalliumCore
import PalliumJSON

/// Decodes models from the bytes of a document, in one pass and without recursion.
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
struct ModelDecoder: ~Copyable {
    var source: JSONReader
    let session: DecodingSession
    var scratch = DecodingScratch()
    var frames: UnsafeMutablePointer<DecodingFrame>
    var frameCount = 0
    /// The innermost frame, if there is one. Pushing may move it.
    private var innermost: UnsafeMutablePointer<DecodingFrame>
    // Four frames are enough for most documents, and memory for many frames is slow to get for a single object.
    private var frameCapacity = 4
    /// The number of frames below the value that is decoded as a whole: 0 for the root, more for the input of a transformer
    /// and for parts.
    var base = 0
    /// Whether that value had a problem that was collected.
    var hasFailed = false
    /// The number of containers around the value of the first frame.
    private(set) var outerDepth = 0
    /// The texts of parts that are being decoded, the innermost last; `source` reads it.
    var composedTexts: [ComposedText] = []
    /// An object that was looked up as a tree, with the objects in it; see `lookUpObject`.
    var objects = LocatedObjects()
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
    let partialModels: PartialModels
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

    init(_ source: consuming JSONReader, session: DecodingSession) {
        self.source = source
        self.session = session
        unsafe frames = .allocate(capacity: frameCapacity)
        unsafe innermost = frames
        unknownMembers = session.options.unknownMembers
        duplicates = session.options.reading.duplicateMembers
        isCollecting = session.isCollecting
        readsEmptyTextAsNull = session.options.leniency.contains(.emptyTextAsNull)
        partialModels = session.partialModels
        recovers = session.isCollecting || session.options.elements == .skip
        knowsValues = Self.mayKnowValues(session)
        identityMap = knowsValues ? session.targets?.identityMap ?? 0 : 0
        tracksTargets = session.tracksTargets
        remainingComparison = unsafe self.source.text.count
        remainingLookAhead = remainingComparison
    }

    // `decode` leaves no frame behind, whether it returns or throws.
    deinit { unsafe frames.deallocate() }

    /// Decodes the root value into an unset slot.
    mutating func decode(_ value: UnsafePointer<ValueTable>, into slot: PropertySlot) throws(ModelError) {
        outerDepth = source.depth
        valueOffset = source.offset
        let mark = source.mark()
        do {
            do {
                if try unsafe decodeValue(value, slot.pointer, slot.state) { return }
            } catch {
                guard isCollecting, frameCount == 0 else { throw error }
                try fail(with: error)
                source.rewind(to: mark)
                try source.skipValue()
                return
            }
            try run(downTo: 0)
        } catch {
            let located = locate(error)
            if isCollecting { keepDecodedRoots() }
            releaseFrames(downTo: 0)
            throw located
        }
    }

    /// Decodes the next value with all that is in it into an unset slot. Returns false, with the slot unset, if the value
    /// had problems that were collected.
    ///
    /// Each call takes stack, so values nest only as deep as transformers and parts do.
    mutating func decodeWhole(_ value: UnsafePointer<ValueTable>, into slot: PropertySlot) throws -> Bool {
        let (outerBase, hadFailed) = (base, hasFailed)
        (base, hasFailed) = (frameCount, false)
        defer { (base, hasFailed) = (outerBase, hadFailed) }
        if try unsafe decodeValue(value, slot) { return true }
        try run(downTo: base)
        return !hasFailed
    }

    /// Keeps the elements of the root array that were decoded before malformed JSON.
    private func keepDecodedRoots() {
        guard frameCount > 0, unsafe frames.pointee.kind == .array, let list = unsafe frames.pointee.object else {
            return
        }
        session.decodedRoots = unsafe SlotOperations.list(list)
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
            if let extras = unsafe frame.pointee.extras { endParts(of: extras) }
            unsafe pop(frame)
        }
    }

    @inline(__always)
    mutating func push(_ frame: DecodingFrame) {
        if frameCount == frameCapacity { growFrames() }
        unsafe innermost = frames + frameCount
        unsafe innermost.initialize(to: frame)
        frameCount &+= 1
    }

    /// Removes the innermost frame, but does not release its object.
    @inline(__always)
    mutating func pop(_ frame: UnsafeMutablePointer<DecodingFrame>) {
        frameCount &-= 1
        unsafe innermost = frame - 1
        // All else in a frame is plain bytes.
        if unsafe frame.pointee.extras != nil { unsafe frame.deinitialize(count: 1) }
    }

    @inline(never)
    private mutating func growFrames() {
        let grown = UnsafeMutablePointer<DecodingFrame>.allocate(capacity: frameCapacity * 2)
        unsafe grown.moveInitialize(from: frames, count: frameCount)
        unsafe frames.deallocate()
        unsafe frames = grown
        unsafe innermost = grown + (frameCount - 1)
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
        switch unsafe innermost.pointee.kind {
        case .model, .path:
            if unsafe innermost.pointee.isFinishing { return try unsafe finishModel(innermost) }
            var isFirst = unsafe innermost.pointee.isFirst
            unsafe innermost.pointee.isFirst = false
            while try source.nextMember(first: isFirst) {
                isFirst = false
                let frame = unsafe innermost
                let found = try unsafe findEntry(frame)
                if recovers { unsafe extras(of: frame).mark = source.mark() }
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
            try unsafe endObject(innermost)
        case .array:
            let element = unsafe innermost.pointee.element!
            let list = unsafe innermost.pointee.object!
            while try unsafe source.nextElement(first: innermost.pointee.isFirst) {
                let frame = unsafe innermost
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
            unsafe endList(innermost)
        case .dictionary: try stepDictionary()
        }
    }

    private mutating func stepDictionary() throws {
        let element = unsafe innermost.pointee.element!
        let list = unsafe SlotOperations.dictionary(innermost.pointee.object!)
        while try unsafe source.nextMember(first: innermost.pointee.isFirst) {
            let frame = unsafe innermost
            unsafe frame.pointee.isFirst = false
            let key = try unsafe source.readName().string
            if recovers { unsafe extras(of: frame).mark = source.mark() }
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
        unsafe endList(innermost)
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
