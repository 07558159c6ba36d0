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
/// Safety: the adapter holds the plans and their tables for the whole call, and the frames own the models and lists whose
/// slots are written. A dictionary has elements of the value that it was made for.
struct ModelDecoder: ~Copyable {
    /// The text that is read: that of the document, or of the innermost of `composedTexts`.
    var source: JSONReader
    /// The state of the call that the attempt belongs to: options and problems.
    let session: DecodingSession
    /// The slots and texts of models whose frames are `isInScratch`. Frames release what they took, the innermost first.
    var scratch = DecodingScratch()
    /// The containers around the value that is being decoded. `decode` leaves none behind, whether it returns or throws.
    var frames = FrameStack<DecodingFrame>()
    /// The number of frames below the value that is decoded as a whole: 0 for the root. `decodeWhole` sets and restores it for
    /// the input of a transformer.
    var base = 0
    /// Whether the value above `base` could not be made because of collected problems; false unless the session recovers. While
    /// there are frames above `base`, they have the mark instead. `decodeWhole` saves and restores it.
    var hasFailed = false
    /// The offset in `source` where a problem is located: the current value, or the object whose end is checked. It is set
    /// before a problem can be found, not for every value, and means nothing in between.
    var valueOffset = 0
    /// The texts of parts of `allOf` that are being decoded, the innermost last; one for each frame whose extras say `hasParts`.
    var composedTexts: [ComposedText] = []
    /// The objects of `source` in the value that `lookUpObject` read last, by offset; empty before the first, and at the beginning
    /// of a composed text, which keeps those of the text around it.
    var objects = LocatedObjects()
    /// The context of the next value that your transformers convert; nil before the first, and after your code kept one.
    var context: DecodingContext?
    /// How many bytes may still be looked ahead for discriminators that are not near the beginning of their objects. It begins with
    /// the length of the text and only falls.
    var remainingLookAhead: Int
    /// The values that the targets of a merge hold already, pushed when a partial frame begins and popped before it ends.
    /// None for other documents, if the session tracks targets or skips bad elements, and unless the last of repeated
    /// members counts. `releaseFrames` need not pop them, because a session that shares values never goes on after a
    /// problem.
    var known: KnownTargets

    init(_ source: consuming JSONReader, session: DecodingSession) {
        remainingLookAhead = source.text.count
        known = KnownTargets(session, textCount: remainingLookAhead)
        self.source = source
        self.session = session
    }

    var unknownMembers: JSONAdapterOptions.UnknownMembers { session.options.unknownMembers }
    var duplicates: JSONReadingOptions.DuplicateMembers { session.options.reading.duplicateMembers }

    /// Decodes the root value into an unset slot.
    mutating func decode(into target: WritableSlot) throws(DecodingFailure) {
        valueOffset = source.offset
        let mark = source.mark()
        do {
            do {
                if try decodeValue(target) { return }
            } catch {
                guard session.isCollecting, frames.isEmpty else { throw error }
                try fail(with: error)
                source.rewind(to: mark)
                try source.skipValue()
                return
            }
            try run(downTo: 0)
        } catch {
            let located = locate(error)
            if session.isCollecting { keepDecodedRoots() }
            releaseFrames(downTo: 0)
            throw located
        }
    }

    /// Decodes the next value with all that is in it into an unset slot. Returns false, with the slot unset, if the value
    /// had problems that were collected.
    ///
    /// Each call takes stack, so values nest only as deep as transformers do.
    mutating func decodeWhole(_ target: WritableSlot) throws -> Bool {
        let (outerBase, hadFailed) = (base, hasFailed)
        (base, hasFailed) = (frames.count, false)
        defer { (base, hasFailed) = (outerBase, hadFailed) }
        if try decodeValue(target) { return true }
        try run(downTo: base)
        return !hasFailed
    }

    /// Keeps the elements of the root array that were decoded before malformed JSON.
    private func keepDecodedRoots() {
        if !frames.isEmpty, frames[0].kind == .array { session.decodedRoots = frames[0].list.object }
    }

    mutating func releaseFrames(downTo base: Int) {
        while frames.count > base {
            frames.top.destroySlots(in: &scratch)
            if let extras = frames.top.extras { endParts(of: extras) }
            frames.pop()
        }
    }

    // MARK: The loop

    /// Runs until all frames above `base` have ended.
    private mutating func run(downTo base: Int) throws {
        while frames.count > base {
            do {
                try step()
            } catch {
                guard session.recovers else { throw error }
                try recover(from: error, base: base)
            }
        }
    }

    /// Decodes members or elements of the innermost container until a container begins or ends.
    private mutating func step() throws {
        switch frames.top.kind {
        case .model, .path:
            if frames.top.isFinishing { return try finishModel() }
            var isFirst = frames.top.isFirst
            frames.top.isFirst = false
            while try source.nextMember(first: isFirst) {
                isFirst = false
                let member = try frames.top.readExpectedName(&source)
                guard case .slot(let slot) = member, !session.recovers else {
                    guard try decodeMember(member) else { return }
                    continue
                }
                if slot.isTaken, try !replacesDuplicate(slot) { continue }
                if hasKnownValues, takeKnown(frames.top.slots.number(of: slot), slot) { continue }
                guard try decodeValue(slot) else { return }
            }
            try endObject()
        case .array:
            let element = frames.top.target.value.element!
            while try source.nextElement(first: frames.top.isFirst) {
                frames.top.isFirst = false
                frames.top.current &+= 1
                if session.recovers { frames.top.neededExtras.mark = source.mark() }
                let slot = frames.top.appendElement(element)
                if hasKnownValues, takeKnown(frames.top.current, slot) { continue }
                guard try decodeValue(slot) else { return }
            }
            endList()
        case .dictionary: try stepDictionary()
        }
    }

    private mutating func stepDictionary() throws {
        let element = frames.top.target.value.element!
        let list = frames.top.dictionary
        while try source.nextMember(first: frames.top.isFirst) {
            frames.top.isFirst = false
            let key = try source.readNameString()
            if session.recovers { frames.top.neededExtras.mark = source.mark() }
            if let position = list.index(of: key) {
                frames.top.current = position
                switch duplicates {
                case .lastWins: break
                case .firstWins:
                    try source.skipValue()
                    continue
                case .error:
                    if session.recovers { frames.top.neededExtras.keepsElement = true }
                    try refuseRepeated(key)
                }
            } else {
                frames.top.current = list.count
            }
            let slot = unsafe WritableSlot(list.slot(forKey: key), element)
            guard try decodeValue(slot) else { return }
        }
        endList()
    }

    /// Decodes a member that is not expected or not simple, or behind whose problems decoding goes on. Returns false when it
    /// pushed a frame.
    @inline(never)
    private mutating func decodeMember(_ expected: DecodingFrame.Member) throws -> Bool {
        let member = if case .other = expected { try searchMember() } else { expected }
        if session.recovers { frames.top.neededExtras.mark = source.mark() }
        switch member {
        case .slot(let slot):
            if slot.isTaken, try !replacesDuplicate(slot) { return true }
            if hasKnownValues, takeKnown(frames.top.slots.number(of: slot), slot) { return true }
            return try decodeValue(slot)
        case .special: return try decodeSpecialMember()
        case .other:
            try decodeUnknownMember()
            return true
        }
    }

    /// Reads the next name, which is not the expected one. The name of an unknown member is stored in the extras.
    @inline(never)
    private mutating func searchMember() throws -> DecodingFrame.Member {
        let name = try unsafe TokenText(source.readName())
        let number = name.number(in: frames.top.node.object.table)
        if number >= 0 { return frames.top.move(toUnexpected: number, chance: source.offset) }
        frames.top.current = DecodingPosition.none
        if unknownMembers != .ignore || duplicates == .error || frames.top.plan.object.refusesUnknownMembers {
            frames.top.neededExtras.innerPath = [name.string]
        }
        return .other
    }
}
