import PalliumCore
import PalliumJSON

/// Writes what a redaction lets be seen of values with labels.
extension ModelEncoder {
    /// Writes a mask or a hash in place of a value. What is absent or null stays so.
    @inline(never)
    mutating func writeRedacted(_ member: EncodingMember, _ slot: ReadableSlot) throws(ModelError) {
        guard absence(of: slot, member) == nil, let filled = slot.filled else {
            return try writeAbsent(member, slot)
        }
        let text = try redactedText(of: filled, by: frames.top.member?.redaction)
        writePrefix(member)
        buffer.append(quoted: text)
    }

    /// A mask or a hash in place of a value.
    mutating func redactedText(of slot: FilledSlot, by rule: Redaction.Rule?) throws(ModelError) -> String {
        guard rule == .hash, let redaction else { return MaskedValue.text }
        return redaction.hash(of: try canonicalText(of: slot).utf8)
    }

    /// The JSON text of a value without white space, with members in the order of their names, and elements of a set in
    /// the order of their texts.
    private mutating func canonicalText(of slot: FilledSlot) throws(ModelError) -> String {
        // The other encoder does not see the frames of this one.
        holdFrames()
        var encoder = ModelEncoder(
            plans: plans, options: options, isPartial: isPartial, splitDepth: splitDepth + 1, capacity: 256)
        var style = JSONWritingOptions()
        style.sortsKeys = true
        style.maximumDepth = options.writing.maximumDepth
        do {
            try encoder.encodeAlone(slot)
            let json = try encoder.written(from: 0)
            guard slot.value.operation == .set, case .array(let elements) = json else {
                return try json.text(options: style)
            }
            let texts = try elements.map { try $0.text(options: style) }.sorted(by: UTF8Text.precedes)
            return "[\(texts.joined(separator: ","))]"
        } catch {
            let problem = error as? ModelError
            throw ModelError(
                problem?.code ?? .depthLimit, slot.value.descriptor.object,
                expected: problem?.expected ?? "fewer levels",
                found: MaskedValue.found)
        }
    }
}
