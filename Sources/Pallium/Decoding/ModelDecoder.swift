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
    let parts: DocumentParts
    /// Whether the value that was asked for may be part of a model, and whether it is a property of such a part.
    var rootIsPart: Bool
    var holderIsPart = false
    /// The value that was asked for had a problem that was collected.
    var rootFailed = false

    init(_ source: consuming Source, session: DecodingSession, prefix: [String] = [], baseOffset: Int? = nil) {
        self.source = source
        self.session = session
        self.prefix = prefix
        self.baseOffset = baseOffset
        frames = .allocate(capacity: frameCapacity)
        unknownMembers = session.options.unknownMembers
        duplicates = session.options.reading.duplicateMembers
        isCollecting = session.isCollecting
        readsEmptyTextAsNull = session.options.leniency.contains(.emptyTextAsNull)
        parts = session.parts
        rootIsPart = parts == .root
        recovers = session.isCollecting || session.options.elements == .skip
    }

    deinit {
        var count = frameCount
        while count > 0 {
            count -= 1
            frames[count].object?.release()
            (frames + count).deinitialize(count: 1)
        }
        frames.deallocate()
    }

    /// Decodes the next value of the source into an unset slot.
    mutating func decode(_ value: UnsafePointer<ValueTable>, into slot: PropertySlot) throws {
        let base = frameCount
        valueOffset = source.offset
        do {
            let mark: JSONSourceMark? = isCollecting ? source.mark() : nil
            do {
                if try decodeValue(value, slot.pointer, slot.state) { return }
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
            frames[frameCount].object?.release()
            (frames + frameCount).deinitialize(count: 1)
        }
    }

    @inline(__always)
    mutating func push(_ frame: DecodingFrame) {
        if frameCount == frameCapacity { growFrames() }
        (frames + frameCount).initialize(to: frame)
        frameCount &+= 1
    }

    @inline(never)
    private mutating func growFrames() {
        let grown = UnsafeMutablePointer<DecodingFrame>.allocate(capacity: frameCapacity * 2)
        grown.moveInitialize(from: frames, count: frameCount)
        frames.deallocate()
        frames = grown
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
        let frame = frames + (frameCount &- 1)
        switch frame.pointee.kind {
        case .model, .path:
            if frame.pointee.deferred >= 0 { return try finishModel(frame) }
            while try source.nextMember(first: frame.pointee.isFirst) {
                frame.pointee.isFirst = false
                let index = try findEntry(frame)
                if index < 0 {
                    try decodeUnknownMember(frame)
                    continue
                }
                let entry = frame.pointee.entries + index
                if recovers { extras(of: frame).mark = source.mark() }
                if entry.pointee.action != .value || entry.pointee.check != nil {
                    guard try decodeSpecialMember(frame, entry) else { return }
                    continue
                }
                guard let value = entry.pointee.value else { continue }
                let slot = entry.pointee.slot
                let state = frame.pointee.states + slot
                if state.pointee != 0, try !replacesDuplicate(frame, slot: slot) { continue }
                guard try decodeValue(value, frame.pointee.slots + slot &* 16, state) else { return }
            }
            try endObject(frame)
        case .array:
            guard let element = frame.pointee.element, let object = frame.pointee.object else { return }
            let list = SlotOperations.list(object)
            while try source.nextElement(first: frame.pointee.isFirst) {
                frame.pointee.isFirst = false
                frame.pointee.current &+= 1
                if recovers { extras(of: frame).mark = source.mark() }
                let slot = list.appendSlot()
                guard try decodeValue(element, slot.pointer, slot.state) else { return }
            }
            endList(frame)
        case .dictionary: try stepDictionary(frame)
        }
    }

    private mutating func stepDictionary(_ frame: UnsafeMutablePointer<DecodingFrame>) throws {
        guard let element = frame.pointee.element, let object = frame.pointee.object else { return }
        let list = SlotOperations.dictionary(object)
        while try source.nextMember(first: frame.pointee.isFirst) {
            frame.pointee.isFirst = false
            let key = try source.readName().string
            if recovers { extras(of: frame).mark = source.mark() }
            if let known = list.index(of: key) {
                frame.pointee.current = known
                switch duplicates {
                case .lastWins: break
                case .firstWins:
                    try source.skipValue()
                    continue
                case .error: throw duplicateError(key)
                }
            } else {
                frame.pointee.current = list.count
            }
            let slot = list.slot(forKey: key)
            guard try decodeValue(element, slot.pointer, slot.state) else { return }
        }
        endList(frame)
    }

    /// The entry for the member whose name comes next, or -1 for a name that no entry has, which is then held in extras.
    @inline(__always)
    private mutating func findEntry(_ frame: UnsafeMutablePointer<DecodingFrame>) throws -> Int {
        let hint = frame.pointee.hint
        if hint < frame.pointee.entryCount {
            let entry = frame.pointee.entries + hint
            if try source.matchName(entry.pointee.name, entry.pointee.nameCount) {
                frame.pointee.hint = hint &+ 1
                frame.pointee.current = hint
                return hint
            }
        }
        return try searchEntry(frame)
    }

    @inline(never)
    private mutating func searchEntry(_ frame: UnsafeMutablePointer<DecodingFrame>) throws -> Int {
        let name = try source.readName()
        let index = frame.pointee.node?._withUnsafeGuaranteedRef { $0.table.find(name.start, name.count) } ?? -1
        frame.pointee.current = index
        if index >= 0 {
            frame.pointee.hint = index &+ 1
        } else if unknownMembers != .ignore || duplicates == .error {
            extras(of: frame).unknownName = name.string
        }
        return index
    }

    func extras(of frame: UnsafeMutablePointer<DecodingFrame>) -> FrameExtras {
        if let extras = frame.pointee.extras { return extras }
        let extras = FrameExtras()
        frame.pointee.extras = extras
        return extras
    }
}

extension SlotOperations {
    /// The list that an array frame owns.
    @inline(__always)
    static func list(_ object: Unmanaged<AnyObject>) -> SlotList {
        object._withUnsafeGuaranteedRef { unsafeDowncast($0, to: SlotList.self) }
    }

    /// The list that a dictionary frame owns.
    static func dictionary(_ object: Unmanaged<AnyObject>) -> SlotDictionary {
        object._withUnsafeGuaranteedRef { unsafeDowncast($0, to: SlotDictionary.self) }
    }
}
