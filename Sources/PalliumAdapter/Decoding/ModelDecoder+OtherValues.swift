import PalliumCore
import PalliumJSON

/// Decodes values that are rare, null, or of an unexpected kind.
///
/// Safety: a text is stored before the reader goes on.
extension ModelDecoder {
    /// Decodes a value that the functions of the common kinds leave to this one.
    @inline(never)
    mutating func decodeOther(_ slot: WritableSlot) throws {
        let kind = try source.peekKind()
        valueOffset = source.offset
        let value = slot.value
        if kind == .null, value.operation != .json, !value.convertsNull {
            try source.readNull()
            return try storeNull(slot)
        }
        if kind == .string, session.readsEmptyTextAsNull, try skipEmptyText(value) { return try storeNull(slot) }
        let property = slot.property
        switch (value.operation, kind) {
        case (.integer, .number), (.number, .number), (.enumeration, .number):
            let number = try source.readNumberValue()
            let reading = try value.descriptor.object.traits.read(.number(number), property)
            if case .refused(let code, let expected, _) = reading { throw error(code, value, expected: expected) }
        case (.json, _):
            let json = try source.readValue()
            if case .null = json {
                try storeNull(slot)
            } else {
                property.replace(with: JSONBox(json))
            }
        case (.transformed, _): try decodeTransformed(slot)
        case (.text, .string): try storeText(try unsafe TokenText(source.readText()), slot)
        case (.unixSeconds, .number):
            guard let date = UnixTime.date(in: try source.readNumberText()) else {
                throw error(.numberOutOfRange, value)
            }
            property.replace(with: date)
        case (.unixMilliseconds, .number):
            let number = try source.readNumberValue()
            guard let seconds = number.int64.flatMap(UnixTime.sinceReference(milliseconds:)) else {
                throw number.isInteger ? error(.numberOutOfRange, value) : mismatch(value)
            }
            property.replace(with: SpelledDate(seconds: seconds))
        case (.modelOrIdentity, .string), (.modelOrIdentity, .number): try decodeStub(slot)
        case (.storedDate, .string):
            guard let date = SpelledDate(storedText: try source.readString()) else { throw mismatch(value) }
            property.replace(with: date)
        default: throw mismatch(value)
        }
    }

    /// Whether the next value is empty text that stands for null; it is then consumed. Properties of text and JSON keep
    /// empty text.
    private mutating func skipEmptyText(_ value: ValueHandle) throws -> Bool {
        switch value.descriptor.object.property.kind {
        case .string, .json: return false
        default: break
        }
        let mark = source.mark()
        if try source.readString().isEmpty { return true }
        source.rewind(to: mark)
        return false
    }

    /// Stores null, or the default of a property for which null means the default.
    func storeNull(_ slot: WritableSlot) throws {
        let value = slot.value
        if value.isNullable || isPropertyOfPartialModel && value.isNullResolvedByMerging {
            slot.setNull()
        } else if isEntryOfPartialModel {
            // A merge removes the key of an entry without a value.
        } else if !value.takesNullForDefault {
            throw error(
                .nullNotAllowed, value, expected: value.descriptor.object.expectation, found: "null")
        } else if duplicates != .lastWins {
            slot.mention()
        }
        // Otherwise the slot stays unset and takes the default when the object ends.
    }

    /// Stores the value of a text as the codec of the value reads it.
    @inline(never)
    func storeText(_ text: borrowing TokenText, _ slot: WritableSlot) throws {
        if text.isEmpty, session.readsEmptyTextAsNull { return try storeNull(slot) }
        // Values whose operation reads text have a codec of it.
        let codec = slot.value.plan.codec!
        guard case .refused(let code, let expected, let note) = text.read(by: codec, into: slot.property) else {
            return
        }
        let found = JSONValue.string(text.string).summary + (note.map { ", " + $0 } ?? "")
        throw error(code, slot.value, expected: expected ?? codec.expectation, found: found)
    }
}
