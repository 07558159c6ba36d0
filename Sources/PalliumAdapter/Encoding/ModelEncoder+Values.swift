import Foundation
import PalliumCore
import PalliumJSON

/// Writes values of the rarer kinds, and values that transformers convert back.
///
/// Safety: temporary slots are made for plans that the encoder holds.
extension ModelEncoder {
    @inline(never)
    mutating func writeOther(_ filled: FilledSlot) throws(ModelError) {
        // The operation was chosen by the kind of the slot, so the slot holds the type that it is read as.
        let slot = filled.slot.property
        switch filled.value.operation {
        case .url, .text:
            let isMoment = markedValues == .sets && slot.description.kind == .date
            let text = isMoment ? filled.value.plan.codec?.text(Date._load(slot)) : filled.value.plan.codec?.write(slot)
            guard let text else { throw notConvertible(filled) }
            buffer.append(quoted: text)
        case .double:
            let number = slot.load(Double.self)
            guard number.isFinite else { throw notConvertible(filled) }
            buffer.append(double: number)
        case .storedDate:
            let date = slot.load(SpelledDate.self)
            guard date.seconds.isFinite else { throw notConvertible(filled) }
            if date.spelling == .canonical {
                buffer.append(double: date.seconds)
            } else {
                buffer.append(quoted: date.storedText)
            }
        case .number, .enumeration, .json:
            guard let json = slot.description.traits.write(slot) else { throw notConvertible(filled) }
            try write(json)
        case .unixSeconds:
            let date = slot.load(SpelledDate.self)
            let text = UnixTime.text(of: markedValues == .sets ? SpelledDate(seconds: date.seconds) : date)
            guard let text else { throw notConvertible(filled) }
            for byte in text.utf8 { buffer.append(byte: byte) }
        case .unixMilliseconds:
            guard let milliseconds = UnixTime.milliseconds(slot.load(Double.self)) else {
                throw notConvertible(filled)
            }
            buffer.append(integer: milliseconds)
        case .modelOrIdentity:
            // The slot holds the model, and its owner the slot.
            let model = unsafe Unowned(slot.model)
            if try !writeStub(model, filled.value) { try begin(model, in: filled.value) }
        case .transformed: try writeInput(try convertBack(slot, filled.value.plan), filled.value.plan)
        // The caller writes the other kinds, or they are in no document.
        case .string, .integer, .iso8601Date, .bool, .model, .array, .set, .dictionary, .absent:
            preconditionFailure("\(slot.description.path) is not written here")
        }
    }

    mutating func write(_ value: JSONValue) throws(ModelError) {
        var compact = JSONWritingOptions()
        compact.maximumDepth = maximumDepth - frames.count
        // Only its depth can keep a tree from being written.
        do { try buffer.append(value: value, options: compact) } catch { throw depthError() }
    }

    /// The error for a value that JSON does not have.
    func notConvertible(_ filled: FilledSlot) -> ModelError {
        let slot = filled.slot.property
        let codec = filled.value.plan.codec ?? slot.description.traits.text
        return ModelError(
            .notConvertible, slot.description, expected: codec?.writable ?? "a finite number",
            found: ModelDescription.scalar(slot, textLength: 64))
    }

    // MARK: Transformers

    /// Returns the first transformer's input for a slot; nil is null.
    ///
    /// Your code gets its own copy of the value, which stays valid when the slot is changed.
    private mutating func convertBack(
        _ slot: PropertySlot, _ plan: ValuePlan
    ) throws(ModelError) -> (any PropertyValue)? {
        holdFrames()
        var current: (any PropertyValue)?
        if slot.hasValue {
            let last = plan.transformers[plan.transformers.count - 1]
            if plan.descriptor.holds(last.outputType) || last.outputType is DynamicModel.Type {
                current = slot.load(as: last.outputType)
            } else {
                // The last transformer returned JSON, which the kind read by its own rules, so it is written by them.
                do { current = try slot.naturalJSON() } catch { throw error.concerning(plan.descriptor) }
            }
        }
        let context = Transformer.Context(
            direction: .reverse, schema: plan.descriptor.schema, property: plan.descriptor.key,
            userInfo: options.userInfo)
        do throws(ModelError) {
            for transformer in plan.transformers.reversed() {
                current = try transformer.convertBack(current, context: context)
            }
        } catch { throw error.concerning(plan.descriptor) }
        return current
    }

    /// Writes a converted value by the rules of the first transformer's input.
    private mutating func writeInput(_ converted: (any PropertyValue)?, _ plan: ValuePlan) throws(ModelError) {
        guard let converted else { return buffer.append(literal: "null") }
        if let json = converted as? JSONValue { return try write(json) }
        let input = plan.input!
        // An input of the kind JSON is written as the JSON that the value stands for.
        if input.operation == .json, let json = JSONValue(scalar: converted) { return try write(json) }
        let temporary = unsafe input.makeTemporary()
        do { try temporary.slot.store(converted) } catch { throw error.concerning(plan.descriptor) }
        guard let filled = unsafe ReadableSlot(temporary.slot, by: input).filled else {
            return buffer.append(literal: "null")
        }
        keep(temporary)
        try write(filled)
    }

    /// Writes null through a transformer that handles null; returns false if null stays null.
    mutating func writeTransformedNull(_ member: EncodingMember, _ plan: ValuePlan) throws(ModelError) -> Bool {
        guard let converted = try convertBack(unsafe plan.makeTemporary().slot, plan) else { return false }
        writePrefix(member)
        try writeInput(converted, plan)
        return true
    }
}
