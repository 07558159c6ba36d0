import PalliumCore
import PalliumJSON

/// Decodes values that are rare, null, or of an unexpected kind.
///
/// Safety: as for all values, slot, state and table belong together, and the table decides the type in the slot.
extension ModelDecoder {
    /// Decodes a value that the functions of the common kinds leave to this one.
    @inline(never)
    mutating func decodeOther(
        _ value: UnsafePointer<ValueTable>, _ slot: UnsafeMutableRawPointer, _ state: UnsafeMutablePointer<UInt8>
    ) throws {
        let kind = try source.peekKind()
        valueOffset = source.offset
        if kind == .null, unsafe value.pointee.operation != .json, unsafe !value.pointee.convertsNull {
            try source.readNull()
            return try unsafe storeNull(value, slot, state)
        }
        let target = unsafe PropertySlot(pointer: slot, state: state, descriptor: value.pointee.descriptor)
        if kind == .string, readsEmptyTextAsNull, try unsafe skipEmptyText(value) {
            return try unsafe storeNull(value, slot, state)
        }
        switch unsafe (value.pointee.operation, kind) {
        case (.integer, .number), (.number, .number), (.enumeration, .number):
            let number = try source.readJSONNumber()
            let reading = try unsafe value.descriptor.traits.read(.number(number), target)
            if case .refused(let code, let expected, _) = reading {
                throw unsafe error(code, value, expected: expected)
            }
        case (.json, _):
            let json = try source.readValue()
            if case .null = json {
                try unsafe storeNull(value, slot, state)
            } else {
                target.replace(with: JSONBox(json))
            }
        case (.transformed, _): try unsafe decodeTransformed(value, target)
        case (.text, .string):
            try unsafe storeText(try source.readText(), value, slot, state)
        case (.unixSeconds, .number):
            guard let date = UnixTime.date(in: try source.readNumberText()) else {
                throw unsafe error(.numberOutOfRange, value)
            }
            target.replace(with: date)
        case (.unixMilliseconds, .number):
            let number = try source.readJSONNumber()
            guard let seconds = number.int64.flatMap(UnixTime.sinceReference(milliseconds:)) else {
                throw unsafe number.isInteger ? error(.numberOutOfRange, value) : mismatch(value)
            }
            target.replace(with: SpelledDate(seconds: seconds))
        case (.storedDate, .string):
            let text = try unsafe source.readText().string
            guard let date = SpelledDate(storedText: text) else { throw unsafe mismatch(value) }
            target.replace(with: date)
        default: throw unsafe mismatch(value)
        }
    }

    /// Whether the next value is empty text that stands for null; it is then consumed. Properties of text and JSON keep
    /// empty text.
    private mutating func skipEmptyText(_ value: UnsafePointer<ValueTable>) throws -> Bool {
        switch unsafe value.descriptor.property.kind {
        case .string, .json: return false
        default: break
        }
        let mark = source.mark()
        if try unsafe source.readText().count == 0 { return true }
        source.rewind(to: mark)
        return false
    }

    /// Stores null, or the default of a property for which null means the default.
    func storeNull(
        _ value: UnsafePointer<ValueTable>, _ slot: UnsafeMutableRawPointer, _ state: UnsafeMutablePointer<UInt8>
    ) throws {
        if unsafe value.pointee.isNullable || isPropertyOfPartialModel && value.isNullResolvedByMerging {
            unsafe state.pointee = SlotState.null.rawValue
        } else if isEntryOfPartialModel {
            // A merge removes the key of an entry without a value.
        } else if unsafe !value.pointee.hasDefault {
            throw unsafe error(.nullNotAllowed, value, expected: value.descriptor.expectation, found: "null")
        } else if duplicates != .lastWins {
            unsafe state.pointee = SlotState.mentioned.rawValue
        }
        // Otherwise the slot stays unset and takes the default when the object ends.
    }

    /// Stores the value of a text as the codec of the value reads it.
    @inline(never)
    func storeText(
        _ text: JSONText, _ value: UnsafePointer<ValueTable>, _ slot: UnsafeMutableRawPointer,
        _ state: UnsafeMutablePointer<UInt8>
    ) throws {
        if readsEmptyTextAsNull, unsafe text.count == 0 { return try unsafe storeNull(value, slot, state) }
        let target = unsafe PropertySlot(pointer: slot, state: state, descriptor: value.pointee.descriptor)
        // Values whose operation reads text have a codec of it.
        let codec = unsafe value.codec!
        guard case .refused(let code, let expected, let note) = unsafe codec.read(text.bytes, target) else { return }
        let found = unsafe JSONValue.string(text.string).summary + (note.map { ", " + $0 } ?? "")
        throw unsafe error(code, value, expected: expected ?? codec.expectation, found: found)
    }

    @inline(never)
    func storeUnknownCase(
        _ raw: EnumerationSchema.RawValue, _ value: UnsafePointer<ValueTable>, _ slot: UnsafeMutableRawPointer,
        _ state: UnsafeMutablePointer<UInt8>
    ) throws {
        try unsafe PropertySlot(pointer: slot, state: state, descriptor: value.pointee.descriptor).storeEnumeration(raw)
    }
}
