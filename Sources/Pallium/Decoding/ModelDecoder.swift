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
/// Slots are filled fresh: a model is visible to nobody before its object has ended and its hooks have accepted it. When
/// something fails, the frames release what they hold and the target is as it was.
///
/// Safety: `frames` belongs to the decoder; what the frames point at is as `DecodingFrame` says. Programs and their tables
/// are held by the adapter for the whole call, and slots by the models and lists that the frames own.
@safe
struct ModelDecoder<Source: JSONSource & ~Copyable>: ~Copyable {
    var source: Source
    let session: DecodingSession
    /// The place of the source in the document: tokens of a pointer, and the offset of trees that came from bytes.
    var prefix: [String]
    let baseOffset: Int?

    var frames: UnsafeMutablePointer<DecodingFrame>
    var frameCount = 0
    // Most documents need no more; memory for many frames is slow to get for a document of a single object.
    private var frameCapacity = 4
    /// Where the value that is being decoded begins.
    var valueOffset = 0
    /// See `pointer()`.
    var spareTokens: [String] = []
    /// What options ask for, at hand.
    let unknownMembers: JSONAdapterOptions.UnknownMembers
    let duplicates: JSONReadingOptions.DuplicateMembers
    let isCollecting: Bool
    let readsEmptyTextAsNull: Bool
    let recovers: Bool
    /// Members are looked at before they are decoded: decoding may have to go on behind one, or to skip one.
    let watchesMembers: Bool
    let parts: DocumentParts
    /// Whether the value that was asked for may be part of a model, and whether it is a property of such a part.
    var rootIsPart: Bool
    var holderIsPart = false
    /// Whether the value that was asked for stands in an element of a list that a problem leaves out.
    var holderIsSkippedElement = false
    /// The value that was asked for had a problem that was collected.
    var rootFailed = false
    /// The frames that have counterparts in the model the document is about, and the innermost of them; see `takeKnown`.
    var known: [KnownFrame] = []
    var knownFrame = -1
    let reusesKnown: Bool
    /// How many bytes may still be compared in vain.
    var remainingComparison: Int

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
        parts = session.parts
        rootIsPart = parts == .root
        recovers = session.isCollecting || session.options.elements == .skip
        watchesMembers = recovers || session.knowsReplacedMembers
        reusesKnown = Self.mayReuseKnown(session)
        remainingComparison = session.documentLength
    }

    deinit {
        var count = frameCount
        while count > 0 {
            count -= 1
            unsafe frames[count].object?.release()
            unsafe (frames + count).deinitialize(count: 1)
        }
        unsafe frames.deallocate()
    }

    /// Decodes the next value of the source into an unset slot.
    mutating func decode(_ value: UnsafePointer<ValueTable>, into slot: PropertySlot) throws {
        let base = frameCount
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
            frameCount -= 1
            unsafe frames[frameCount].object?.release()
            unsafe (frames + frameCount).deinitialize(count: 1)
        }
    }

    @inline(__always)
    mutating func push(_ frame: DecodingFrame) {
        if frameCount == frameCapacity { growFrames() }
        unsafe (frames + frameCount).initialize(to: frame)
        frameCount &+= 1
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

    /// Works until the frames above `base` are gone.
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

    /// Decodes the rest of the innermost container up to the next container that begins or ends.
    private mutating func step() throws {
        let frame = unsafe frames + (frameCount &- 1)
        switch unsafe frame.pointee.kind {
        case .model, .path:
            if unsafe frame.pointee.deferred >= 0 { return try unsafe finishModel(frame) }
            while try unsafe source.nextMember(first: frame.pointee.isFirst) {
                unsafe frame.pointee.isFirst = false
                let index = try unsafe findEntry(frame)
                if watchesMembers, try unsafe skipsReplacedMember(frame, index) { continue }
                if index < 0 {
                    try unsafe decodeUnknownMember(frame)
                    continue
                }
                let entry = unsafe frame.pointee.entries + index
                if unsafe entry.pointee.action != .value || entry.pointee.check != nil {
                    guard try unsafe decodeSpecialMember(frame, entry) else { return }
                    continue
                }
                let value = unsafe entry.pointee.value!
                let slot = unsafe entry.pointee.slot
                let state = unsafe frame.pointee.states + slot
                if unsafe state.pointee != 0, try unsafe !replacesDuplicate(frame, slot: slot) { continue }
                if knownFrame == frameCount &- 1,
                    unsafe takeKnown(slot, value, frame.pointee.slots + slot &* 16, state)
                {
                    continue
                }
                guard try unsafe decodeValue(value, frame.pointee.slots + slot &* 16, state) else { return }
            }
            try unsafe endObject(frame)
        case .array:
            let element = unsafe frame.pointee.element!
            let list = unsafe SlotOperations.list(frame.pointee.object!)
            while try unsafe source.nextElement(first: frame.pointee.isFirst) {
                unsafe frame.pointee.isFirst = false
                unsafe frame.pointee.current &+= 1
                if recovers { unsafe extras(of: frame).mark = source.mark() }
                let slot = list.appendSlot()
                if knownFrame == frameCount &- 1,
                    unsafe takeKnown(frame.pointee.current, element, slot.pointer, slot.state)
                {
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
                    // The key keeps the place of its first value.
                    list.slot(forKey: key)
                    try source.skipValue()
                    continue
                }
            }
            if let known = list.index(of: key) {
                unsafe frame.pointee.current = known
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

    /// The entry for the member whose name comes next, or -1 for a name that no entry has, which is then held in extras.
    @inline(__always)
    private mutating func findEntry(_ frame: UnsafeMutablePointer<DecodingFrame>) throws -> Int {
        let hint = unsafe frame.pointee.hint
        if unsafe hint < frame.pointee.entryCount {
            let entry = unsafe frame.pointee.entries + hint
            if try unsafe source.matchName(entry.pointee.name, entry.pointee.nameCount) {
                unsafe frame.pointee.hint = hint &+ 1
                unsafe frame.pointee.current = hint
                return hint
            }
        }
        return try unsafe searchEntry(frame)
    }

    @inline(never)
    private mutating func searchEntry(_ frame: UnsafeMutablePointer<DecodingFrame>) throws -> Int {
        let name = try unsafe source.readName()
        let index = unsafe frame.pointee.node!._withUnsafeGuaranteedRef { unsafe $0.table.find(name.start, name.count) }
        unsafe frame.pointee.current = index
        if index >= 0 {
            unsafe frame.pointee.hint = index &+ 1
        } else if unknownMembers != .ignore || duplicates == .error {
            unsafe extras(of: frame).unknownName = name.string
        }
        return index
    }

    func extras(of frame: UnsafeMutablePointer<DecodingFrame>) -> FrameExtras {
        if let extras = unsafe frame.pointee.extras { return extras }
        let extras = FrameExtras()
        unsafe frame.pointee.extras = extras
        return extras
    }
}

extension SlotOperations {
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
