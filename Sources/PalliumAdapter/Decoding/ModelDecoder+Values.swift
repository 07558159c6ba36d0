import Foundation
import PalliumCore
import PalliumJSON

/// Decodes single values: reads a token and stores it in a slot.
///
/// Safety: slot, state and table belong together: the caller takes all three from one frame, list or temporary, and the
/// table's operation decides which Swift type is put into the slot.
extension ModelDecoder where Source: ~Copyable {
    /// Decodes the next value into an unset slot. Returns false when it pushed a frame that will store the value.
    @inline(__always)
    mutating func decodeValue(
        _ value: UnsafePointer<ValueTable>, _ slot: UnsafeMutableRawPointer, _ state: UnsafeMutablePointer<UInt8>
    ) throws -> Bool {
        switch unsafe value.pointee.operation {
        case .string:
            guard source.startsText() else { break }
            valueOffset = source.offset
            unsafe slot.initializeMemory(as: String.self, to: try source.readString())
            unsafe state.pointee = SlotState.value.rawValue
            return true
        case .integer:
            valueOffset = source.offset
            guard let integer = try source.readPlainInteger() else { break }
            guard unsafe value.pointee.signedRange.contains(integer) else {
                // Reading the number skipped the white space before it.
                valueOffset = session.startOfValue(at: valueOffset)
                throw unsafe error(.numberOutOfRange, value, expected: value.descriptor.rangeExpectation)
            }
            unsafe slot.storeBytes(of: integer, as: Int64.self)
            unsafe state.pointee = SlotState.value.rawValue
            return true
        case .url:
            guard source.startsText() else { break }
            valueOffset = source.offset
            let text = try unsafe source.readText()
            guard unsafe URLText.isPlain(text.bytes) else {
                try unsafe storeText(text, value, slot, state)
                return true
            }
            if unsafe scratch.canPack(text, in: slot) {
                unsafe scratch.pack(text, in: slot, state)
                return true
            }
            unsafe slot.initializeMemory(as: String.self, to: text.string)
            unsafe state.pointee = SlotState.value.rawValue
            return true
        case .iso8601Date:
            guard source.startsText() else { break }
            valueOffset = source.offset
            let text = try unsafe source.readText()
            guard let seconds = unsafe ISO8601Text.parse(text.bytes) else {
                try unsafe storeText(text, value, slot, state)
                return true
            }
            unsafe slot.storeBytes(of: seconds, as: Double.self)
            unsafe state.pointee = SlotState.value.rawValue
            return true
        case .enumeration:
            guard source.startsText(), let enumeration = unsafe value.pointee.enumeration else { break }
            valueOffset = source.offset
            let text = try unsafe source.readText()
            let number = unsafe enumeration._withUnsafeGuaranteedRef { unsafe $0.caseNumber(text.start, text.count) }
            guard number >= 0 else {
                if readsEmptyTextAsNull, unsafe text.count == 0 {
                    try unsafe storeNull(value, slot, state)
                    return true
                }
                try unsafe storeUnknownCase(.text(text.string), value, slot, state)
                return true
            }
            unsafe slot.storeBytes(of: number, as: Int.self)
            unsafe state.pointee = SlotState.enumerationCase.rawValue
            return true
        case .bool:
            let kind = try source.peekKind()
            guard kind == .true || kind == .false else { break }
            unsafe slot.storeBytes(of: try source.readBool() ? 1 : 0, as: UInt64.self)
            unsafe state.pointee = SlotState.value.rawValue
            return true
        case .double:
            guard try source.peekKind() == .number else { break }
            valueOffset = source.offset
            let number = try source.readDouble()
            guard number.isFinite else {
                throw unsafe error(.numberOutOfRange, value, expected: "a finite number")
            }
            unsafe slot.storeBytes(of: number, as: Double.self)
            unsafe state.pointee = SlotState.value.rawValue
            return true
        case .model:
            guard source.startsObject(), let model = unsafe value.pointee.model else { break }
            valueOffset = source.offset
            return try unsafe beginModel(model, value, slot, state)
        case .array, .set:
            guard source.startsArray() else { break }
            valueOffset = source.offset
            try source.enterArray()
            // Most lists of documents are short.
            let list = unsafe SlotList.make(element: elementDescriptor(value), capacity: source.isAtArrayEnd() ? 0 : 4)
            unsafe pushList(listFrame(list, .array, value, slot, state), value)
            return false
        case .dictionary:
            guard source.startsObject() else { break }
            valueOffset = source.offset
            try source.enterObject()
            unsafe pushList(
                listFrame(SlotDictionary(element: elementDescriptor(value)), .dictionary, value, slot, state), value)
            return false
        default: break
        }
        return try unsafe decodeOther(value, slot, state)
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
            targetState: state, targetValue: value, offset: valueOffset)
    }

    /// Decodes values that are rare, null, or of an unexpected kind.
    @inline(never)
    private mutating func decodeOther(
        _ value: UnsafePointer<ValueTable>, _ slot: UnsafeMutableRawPointer, _ state: UnsafeMutablePointer<UInt8>
    ) throws -> Bool {
        let kind = try source.peekKind()
        valueOffset = source.offset
        if kind == .null, unsafe value.pointee.operation != .json, unsafe !value.pointee.convertsNull {
            try source.readNull()
            try unsafe storeNull(value, slot, state)
            return true
        }
        let target = unsafe PropertySlot(pointer: slot, state: state, descriptor: value.pointee.descriptor)
        if kind == .string, readsEmptyTextAsNull, try unsafe skipEmptyText(value) {
            try unsafe storeNull(value, slot, state)
            return true
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
        case (.transformed, _): return try unsafe decodeTransformed(value, target)
        case (.text, .string):
            try unsafe storeText(try source.readText(), value, slot, state)
        case (.unixSeconds, .number):
            guard let seconds = UnixTime.sinceReference(seconds: try source.readDouble()) else {
                throw unsafe error(.numberOutOfRange, value)
            }
            target.replace(with: seconds)
        case (.unixMilliseconds, .number):
            let number = try source.readJSONNumber()
            guard let seconds = number.int64.flatMap(UnixTime.sinceReference(milliseconds:)) else {
                throw unsafe number.isInteger ? error(.numberOutOfRange, value) : mismatch(value)
            }
            target.replace(with: seconds)
        default: throw unsafe mismatch(value)
        }
        return true
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
        } else if unsafe !value.pointee.hasDefault {
            throw unsafe error(.nullNotAllowed, value, expected: value.descriptor.expectation, found: "null")
        } else if duplicates != .lastWins {
            unsafe state.pointee = SlotState.mentioned.rawValue
        }
        // Otherwise the slot stays unset and takes the default when the object ends.
    }

    /// Stores the value of a text as the form of the value reads it.
    @inline(never)
    private func storeText(
        _ text: JSONText, _ value: UnsafePointer<ValueTable>, _ slot: UnsafeMutableRawPointer,
        _ state: UnsafeMutablePointer<UInt8>
    ) throws {
        if readsEmptyTextAsNull, unsafe text.count == 0 { return try unsafe storeNull(value, slot, state) }
        let target = unsafe PropertySlot(pointer: slot, state: state, descriptor: value.pointee.descriptor)
        // Values whose operation reads text have a form of it.
        let form = unsafe value.form!
        guard case .refused(let code, let expected, let note) = unsafe form.read(text.bytes, target) else { return }
        let found = unsafe JSONValue.string(text.string).summary + (note.map { ", " + $0 } ?? "")
        throw unsafe error(code, value, expected: expected ?? form.expectation, found: found)
    }

    @inline(never)
    private func storeUnknownCase(
        _ raw: EnumerationSchema.RawValue, _ value: UnsafePointer<ValueTable>, _ slot: UnsafeMutableRawPointer,
        _ state: UnsafeMutablePointer<UInt8>
    ) throws {
        try unsafe PropertySlot(pointer: slot, state: state, descriptor: value.pointee.descriptor).storeEnumeration(raw)
    }

    // MARK: Your transformers

    /// Reads the input of the first transformer, applies all transformers, and stores the result.
    private mutating func decodeTransformed(
        _ value: UnsafePointer<ValueTable>, _ target: PropertySlot
    ) throws -> Bool {
        let plan = unsafe value.pointee.value._withUnsafeGuaranteedRef { $0 }
        let input = plan.input!
        if let conversion = plan.conversion {
            try unsafe decodeDirectly(value, input, target, conversion)
            return true
        }
        let first = plan.transformers[0]
        var current: (any PropertyValue)?
        switch input.operation {
        case .string where try source.peekKind() == .string: current = try source.readString()
        case let operation where operation.isScalar:
            let temporary = unsafe TemporarySlot(descriptor: input.descriptor.reference)
            _ = try unsafe decodeValue(input.table, temporary.slot)
            current = temporary.slot.load(as: first.readType)
        default:
            // Collections and models go through a tree: they are small or rare enough.
            let tree = try source.readValue()
            let temporary = unsafe TemporarySlot(descriptor: input.descriptor.reference)
            guard try unsafe decodeTree(tree, input.table, into: temporary.slot, path: []) else {
                unsafe recordFailure(of: value, target.state)
                return true
            }
            current = temporary.slot.load(as: first.readType)
        }
        try unsafe storeConverted(current, value, target)
        return true
    }

    /// Stores null for a property whose parent object is null; a transformer that handles null converts it first.
    mutating func storeNullOnTheWay(_ value: UnsafePointer<ValueTable>, _ target: PropertySlot) throws {
        if unsafe value.pointee.convertsNull { return try unsafe storeConverted(nil, value, target) }
        try unsafe storeNull(value, target.pointer, target.state)
    }

    /// Applies the transformers to a value and stores the result.
    private mutating func storeConverted(
        _ input: (any PropertyValue)?, _ value: UnsafePointer<ValueTable>, _ target: PropertySlot
    ) throws {
        let plan = unsafe value.pointee.value._withUnsafeGuaranteedRef { $0 }
        var current = input
        let context = session.context(plan, pointer: pointer())
        do {
            for transformer in plan.transformers { current = try transformer.convert(current, context: context) }
            if let current {
                try target.storeConverted(current)
            } else {
                try unsafe storeNull(value, target.pointer, target.state)
            }
        } catch let error as ModelError { throw error.concerning(plan.descriptor) }
    }

    /// Converts directly from the input's slot, which is on the stack, into the property's.
    private mutating func decodeDirectly(
        _ value: UnsafePointer<ValueTable>, _ input: ValuePlan, _ target: PropertySlot,
        _ conversion: Transformer.SlotConversion
    ) throws {
        let plan = unsafe value.pointee.value._withUnsafeGuaranteedRef { $0 }
        try unsafe PropertySlot.withTemporary(input.descriptor.reference) { slot in
            _ = try unsafe decodeValue(input.table, slot)
            // Empty text may have been read as null.
            guard slot.hasValue else { return try unsafe storeNull(value, target.pointer, target.state) }
            do { try conversion(slot, target, session.context(plan, pointer: pointer())) } catch let error
                as ModelError
            { throw error.concerning(plan.descriptor) }
        }
    }

    /// Not inlined: `decodeValue` is large, and the main loop inlines it already.
    @inline(never)
    private mutating func decodeValue(_ value: UnsafePointer<ValueTable>, _ slot: PropertySlot) throws -> Bool {
        try unsafe decodeValue(value, slot.pointer, slot.state)
    }
}
