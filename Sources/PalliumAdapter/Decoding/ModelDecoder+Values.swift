import PalliumCore
import PalliumJSON

/// Decodes single values: reads a token and stores it in a slot.
///
/// Safety: a text is stored before the reader goes on. A list is made for the elements of the slot's value.
extension ModelDecoder {
    /// Decodes the next value into an unset slot. Returns false when it pushed a frame that will store the value.
    ///
    /// Only the choice is inlined into the main loop. One function for all kinds would save and restore what the
    /// largest of them needs for every value.
    @inline(__always)
    mutating func decodeValue(_ slot: WritableSlot) throws -> Bool {
        switch slot.typed {
        case .string(let slot): try decodeString(slot)
        case .integer(let slot): try decodeInteger(slot)
        case .url(let slot): try decodeURL(slot)
        case .date(let slot): try decodeDate(slot)
        case .enumeration(let slot): try decodeEnumeration(slot)
        case .bool(let slot): try decodeBool(slot)
        case .double(let slot): try decodeDouble(slot)
        case .model: return try decodeModel(slot)
        case .list: return try decodeArray(slot)
        case .dictionary: return try decodeDictionary(slot)
        case .other: try decodeOther(slot)
        }
        return true
    }

    /// Decodes the next value, away from the main loop.
    @inline(never)
    mutating func decodeRarely(_ slot: WritableSlot) throws -> Bool { try decodeValue(slot) }

    // MARK: Scalars

    @inline(never)
    private mutating func decodeString(_ slot: TypedSlot<String>) throws {
        guard source.startsText() else { return try decodeOther(slot.slot) }
        valueOffset = source.offset
        slot.store(try source.readString())
    }

    @inline(never)
    private mutating func decodeInteger(_ slot: TypedSlot<Int64>) throws {
        valueOffset = source.offset
        guard let integer = try source.readPlainInteger() else { return try decodeOther(slot.slot) }
        guard slot.value.signedRange.contains(integer) else {
            // Reading the number skipped the white space before it.
            valueOffset = source.startOfValue(at: valueOffset)
            throw error(.numberOutOfRange, slot.value, expected: slot.value.descriptor.object.rangeExpectation)
        }
        slot.store(integer)
    }

    @inline(never)
    private mutating func decodeURL(_ slot: TypedSlot<StoredURL>) throws {
        guard source.startsText() else { return try decodeOther(slot.slot) }
        valueOffset = source.offset
        let text = try unsafe TokenText(source.readText())
        guard text.isPlainURL else { return try storeText(text, slot.slot) }
        if scratch.pack(text, in: slot) { return }
        slot.store(text.string)
    }

    @inline(never)
    private mutating func decodeDate(_ slot: TypedSlot<SpelledDate>) throws {
        guard source.startsText() else { return try decodeOther(slot.slot) }
        valueOffset = source.offset
        let text = try unsafe TokenText(source.readText())
        guard let date = text.date else { return try storeText(text, slot.slot) }
        slot.store(date)
    }

    @inline(never)
    private mutating func decodeEnumeration(_ slot: TypedSlot<StoredCase>) throws {
        guard source.startsText(), let enumeration = slot.value.enumeration else { return try decodeOther(slot.slot) }
        valueOffset = source.offset
        let text = try unsafe TokenText(source.readText())
        let number = enumeration.with { text.number(in: $0) }
        guard number >= 0 else {
            if text.isEmpty, session.readsEmptyTextAsNull { return try storeNull(slot.slot) }
            return try slot.slot.property.storeEnumeration(.text(text.string))
        }
        slot.store(number: number)
    }

    @inline(never)
    private mutating func decodeBool(_ slot: TypedSlot<StoredBool>) throws {
        let kind = try source.peekKind()
        guard kind == .true || kind == .false else { return try decodeOther(slot.slot) }
        slot.store(try source.readBool())
    }

    @inline(never)
    private mutating func decodeDouble(_ slot: TypedSlot<SpelledDate>) throws {
        guard try source.peekKind() == .number else { return try decodeOther(slot.slot) }
        valueOffset = source.offset
        let number = try source.readDouble()
        guard number.isFinite else { throw error(.numberOutOfRange, slot.value, expected: "a finite number") }
        // The word after a date is its spelling.
        slot.store(SpelledDate(seconds: number))
    }

    // MARK: Models and collections

    @inline(never)
    private mutating func decodeModel(_ slot: WritableSlot) throws -> Bool {
        guard source.startsObject(), let plan = slot.value.model else {
            try decodeOther(slot)
            return true
        }
        valueOffset = source.offset
        return try beginModel(plan, slot)
    }

    @inline(never)
    private mutating func decodeArray(_ slot: WritableSlot) throws -> Bool {
        guard source.startsArray() else {
            try decodeOther(slot)
            return true
        }
        try source.enterArray()
        // Most lists of documents are short.
        let element = slot.value.element!.descriptor
        let list = unsafe SlotList.make(element: element.reference, capacity: source.isAtArrayEnd() ? 0 : 4)
        pushList(list, .array, slot)
        return false
    }

    @inline(never)
    private mutating func decodeDictionary(_ slot: WritableSlot) throws -> Bool {
        guard source.startsObject() else {
            try decodeOther(slot)
            return true
        }
        try source.enterObject()
        pushList(unsafe SlotDictionary(element: slot.value.element!.descriptor.reference), .dictionary, slot)
        return false
    }

    @inline(__always)
    private mutating func pushList(_ list: SlotList, _ kind: DecodingFrame.Kind, _ slot: WritableSlot) {
        let isPartial = session.partialModels != .none && isPartial(slot.value)
        frames.push(DecodingFrame(list, kind, target: slot))
        if isPartial { markPartial() }
    }
}
