import PalliumCore
import PalliumJSON

/// Decodes single values: reads a token and stores it in a slot.
///
/// Safety: slot, state and table belong together: the caller takes all three from one frame, list or temporary, and the
/// table's operation decides which Swift type is put into the slot.
extension ModelDecoder {
    /// Decodes the next value into an unset slot. Returns false when it pushed a frame that will store the value.
    ///
    /// Only the choice is inlined into the main loop. One function for all kinds would save and restore what the
    /// largest of them needs for every value.
    @inline(__always)
    mutating func decodeValue(
        _ value: UnsafePointer<ValueTable>, _ slot: UnsafeMutableRawPointer, _ state: UnsafeMutablePointer<UInt8>
    ) throws -> Bool {
        switch unsafe value.pointee.operation {
        case .string: try unsafe decodeString(value, slot, state)
        case .integer: try unsafe decodeInteger(value, slot, state)
        case .url: try unsafe decodeURL(value, slot, state)
        case .iso8601Date: try unsafe decodeDate(value, slot, state)
        case .enumeration: try unsafe decodeEnumeration(value, slot, state)
        case .bool: try unsafe decodeBool(value, slot, state)
        case .double, .storedDate: try unsafe decodeDouble(value, slot, state)
        case .model: return try unsafe decodeModel(value, slot, state)
        case .array, .set: return try unsafe decodeArray(value, slot, state)
        case .dictionary: return try unsafe decodeDictionary(value, slot, state)
        case .number, .text, .unixSeconds, .unixMilliseconds, .json, .transformed, .absent:
            try unsafe decodeOther(value, slot, state)
        }
        return true
    }

    /// Decodes into a slot with its description.
    @inline(never)
    mutating func decodeValue(_ value: UnsafePointer<ValueTable>, _ slot: PropertySlot) throws -> Bool {
        try unsafe decodeValue(value, slot.pointer, slot.state)
    }

    // MARK: Scalars

    @inline(never)
    private mutating func decodeString(
        _ value: UnsafePointer<ValueTable>, _ slot: UnsafeMutableRawPointer, _ state: UnsafeMutablePointer<UInt8>
    ) throws {
        guard source.startsText() else { return try unsafe decodeOther(value, slot, state) }
        valueOffset = source.offset
        unsafe slot.initializeMemory(as: String.self, to: try source.readString())
        unsafe state.pointee = SlotState.value.rawValue
    }

    @inline(never)
    private mutating func decodeInteger(
        _ value: UnsafePointer<ValueTable>, _ slot: UnsafeMutableRawPointer, _ state: UnsafeMutablePointer<UInt8>
    ) throws {
        valueOffset = source.offset
        guard let integer = try source.readPlainInteger() else { return try unsafe decodeOther(value, slot, state) }
        guard unsafe value.pointee.signedRange.contains(integer) else {
            // Reading the number skipped the white space before it.
            valueOffset = source.startOfValue(at: valueOffset)
            throw unsafe error(.numberOutOfRange, value, expected: value.descriptor.rangeExpectation)
        }
        unsafe slot.storeBytes(of: integer, as: Int64.self)
        unsafe state.pointee = SlotState.value.rawValue
    }

    @inline(never)
    private mutating func decodeURL(
        _ value: UnsafePointer<ValueTable>, _ slot: UnsafeMutableRawPointer, _ state: UnsafeMutablePointer<UInt8>
    ) throws {
        guard source.startsText() else { return try unsafe decodeOther(value, slot, state) }
        valueOffset = source.offset
        let text = try unsafe source.readText()
        guard unsafe URLText.isPlain(text.bytes) else { return try unsafe storeText(text, value, slot, state) }
        if unsafe scratch.canPack(text, in: slot) { return unsafe scratch.pack(text, in: slot, state) }
        unsafe slot.initializeMemory(as: String.self, to: text.string)
        unsafe state.pointee = SlotState.value.rawValue
    }

    @inline(never)
    private mutating func decodeDate(
        _ value: UnsafePointer<ValueTable>, _ slot: UnsafeMutableRawPointer, _ state: UnsafeMutablePointer<UInt8>
    ) throws {
        guard source.startsText() else { return try unsafe decodeOther(value, slot, state) }
        valueOffset = source.offset
        let text = try unsafe source.readText()
        guard let date = unsafe ISO8601Text.parse(text.bytes) else {
            return try unsafe storeText(text, value, slot, state)
        }
        unsafe slot.storeBytes(of: date, as: SpelledDate.self)
        unsafe state.pointee = SlotState.value.rawValue
    }

    @inline(never)
    private mutating func decodeEnumeration(
        _ value: UnsafePointer<ValueTable>, _ slot: UnsafeMutableRawPointer, _ state: UnsafeMutablePointer<UInt8>
    ) throws {
        guard source.startsText(), let enumeration = unsafe value.pointee.enumeration else {
            return try unsafe decodeOther(value, slot, state)
        }
        valueOffset = source.offset
        let text = try unsafe source.readText()
        let number = unsafe enumeration._withUnsafeGuaranteedRef { unsafe $0.caseNumber(text.start, text.count) }
        guard number >= 0 else {
            if readsEmptyTextAsNull, unsafe text.count == 0 { return try unsafe storeNull(value, slot, state) }
            return try unsafe storeUnknownCase(.text(text.string), value, slot, state)
        }
        unsafe slot.storeBytes(of: number, as: Int.self)
        unsafe state.pointee = SlotState.enumerationCase.rawValue
    }

    @inline(never)
    private mutating func decodeBool(
        _ value: UnsafePointer<ValueTable>, _ slot: UnsafeMutableRawPointer, _ state: UnsafeMutablePointer<UInt8>
    ) throws {
        let kind = try source.peekKind()
        guard kind == .true || kind == .false else { return try unsafe decodeOther(value, slot, state) }
        unsafe slot.storeBytes(of: try source.readBool() ? 1 : 0, as: UInt64.self)
        unsafe state.pointee = SlotState.value.rawValue
    }

    @inline(never)
    private mutating func decodeDouble(
        _ value: UnsafePointer<ValueTable>, _ slot: UnsafeMutableRawPointer, _ state: UnsafeMutablePointer<UInt8>
    ) throws {
        guard try source.peekKind() == .number else { return try unsafe decodeOther(value, slot, state) }
        valueOffset = source.offset
        let number = try source.readDouble()
        guard number.isFinite else { throw unsafe error(.numberOutOfRange, value, expected: "a finite number") }
        // The word after a date is its spelling.
        unsafe slot.storeBytes(of: SpelledDate(seconds: number), as: SpelledDate.self)
        unsafe state.pointee = SlotState.value.rawValue
    }

    // MARK: Models and collections

    @inline(never)
    private mutating func decodeModel(
        _ value: UnsafePointer<ValueTable>, _ slot: UnsafeMutableRawPointer, _ state: UnsafeMutablePointer<UInt8>
    ) throws -> Bool {
        guard source.startsObject(), let model = unsafe value.pointee.model else {
            try unsafe decodeOther(value, slot, state)
            return true
        }
        valueOffset = source.offset
        return try unsafe beginModel(model, value, slot, state)
    }

    @inline(never)
    private mutating func decodeArray(
        _ value: UnsafePointer<ValueTable>, _ slot: UnsafeMutableRawPointer, _ state: UnsafeMutablePointer<UInt8>
    ) throws -> Bool {
        guard source.startsArray() else {
            try unsafe decodeOther(value, slot, state)
            return true
        }
        try source.enterArray()
        // Most lists of documents are short.
        let list = unsafe SlotList.make(element: elementDescriptor(value), capacity: source.isAtArrayEnd() ? 0 : 4)
        unsafe pushList(listFrame(list, .array, value, slot, state), value)
        return false
    }

    @inline(never)
    private mutating func decodeDictionary(
        _ value: UnsafePointer<ValueTable>, _ slot: UnsafeMutableRawPointer, _ state: UnsafeMutablePointer<UInt8>
    ) throws -> Bool {
        guard source.startsObject() else {
            try unsafe decodeOther(value, slot, state)
            return true
        }
        try source.enterObject()
        unsafe pushList(
            listFrame(SlotDictionary(element: elementDescriptor(value)), .dictionary, value, slot, state), value)
        return false
    }

    @inline(__always)
    private mutating func pushList(_ frame: DecodingFrame, _ value: UnsafePointer<ValueTable>) {
        let isPartial = unsafe partialModels != .none && isPartial(value)
        unsafe push(frame)
        if isPartial { markPartial() }
    }

    private func elementDescriptor(_ value: UnsafePointer<ValueTable>) -> Unmanaged<ValueDescriptor> {
        unsafe value.pointee.element!.pointee.descriptor
    }

    private func listFrame(
        _ list: SlotList, _ kind: DecodingFrame.Kind, _ value: UnsafePointer<ValueTable>,
        _ slot: UnsafeMutableRawPointer, _ state: UnsafeMutablePointer<UInt8>
    ) -> DecodingFrame {
        unsafe DecodingFrame(
            kind: kind, entries: DecodingNode.noEntries, entryCount: 0, node: nil, plan: nil, slots: slot,
            states: state,
            object: Unmanaged.passRetained(list as AnyObject), element: value.pointee.element, target: slot,
            targetState: state, targetValue: value, offset: 0)
    }
}
