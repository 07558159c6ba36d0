import PalliumCore
import PalliumJSON

/// Writes what a redaction lets be seen of values with labels.
///
/// Safety: a frame is used while it is on the stack of frames. Slots are numbered by the plan of the frame's model.
extension ModelEncoder {
    /// Writes a mask or a hash in place of a value. What is absent or null stays so.
    mutating func writeRedacted(
        _ entry: UnsafePointer<EncodingNode.Entry>, _ frame: UnsafeMutablePointer<EncodingFrame>
    ) throws(ModelError) {
        let value = unsafe entry.pointee.value!
        let index = unsafe entry.pointee.slot
        let state = unsafe SlotState(rawValue: frame.pointee.states[index])
        if unsafe absence(of: state, entry) != nil { return try unsafe writeAbsent(entry, value, state, frame) }
        let member = unsafe frame.pointee.node!.takeUnretainedValue().members[frame.pointee.index - 1]
        guard member.redaction == .hash, let redaction else {
            unsafe writePrefix(entry, frame)
            return buffer.append(quoted: MaskedValue.text)
        }
        let slot = unsafe PropertySlot(
            pointer: frame.pointee.slots + index &* 16, state: frame.pointee.states + index,
            descriptor: value.pointee.descriptor)
        let text = try unsafe canonicalText(of: slot, value)
        unsafe writePrefix(entry, frame)
        buffer.append(quoted: redaction.hash(of: text.utf8))
    }

    /// The JSON text of a value without white space, with members in the order of their names, and elements of a set in
    /// the order of their texts.
    private mutating func canonicalText(
        of slot: PropertySlot, _ value: UnsafePointer<ValueTable>
    ) throws(ModelError) -> String {
        // The other encoder does not see the frames of this one.
        holdFrames()
        var encoder = ModelEncoder(
            plans: plans, options: options, isPartial: isPartial, splitDepth: splitDepth + 1, capacity: 256)
        var style = JSONWritingOptions()
        style.sortsKeys = true
        style.maximumDepth = options.writing.maximumDepth
        do {
            let json = try unsafe encoder.encodeValue(slot, value)
            guard unsafe value.pointee.operation == .set, case .array(let elements) = json else {
                return try json.text(options: style)
            }
            let texts = try elements.map { try $0.text(options: style) }.sorted(by: UTF8Text.precedes)
            return "[\(texts.joined(separator: ","))]"
        } catch {
            let problem = error as? ModelError
            throw ModelError(
                problem?.code ?? .depthLimit, slot.description, expected: problem?.expected ?? "fewer levels",
                found: MaskedValue.found)
        }
    }
}
