import PalliumCore
import PalliumJSON

/// Members that are more than a value: absent ones, discriminators, parts, objects on the way of key paths, and what was
/// kept of unknown members.
extension ModelEncoder {
    @inline(never)
    mutating func endSpecialObject(_ frame: UnsafeMutablePointer<EncodingFrame>) throws(ModelError) {
        if frame.pointee.preserved >= 0 { try writePreserved(preserved[frame.pointee.preserved], frame) }
        if frame.pointee.kind == .path, frame.pointee.isFirst, frame.pointee.preserved < 0 {
            // No empty parent objects: the member is taken back.
            buffer.truncate(to: frame.pointee.start)
            let wasFirst = frame.pointee.wasFirst
            end()
            if wasFirst { frames[frameCount - 1].isFirst = true }
            return
        }
        buffer.append(byte: UInt8(ascii: "}"))
        end()
    }

    /// Writes what was kept of unknown members, except what the schema writes itself.
    mutating func writePreserved(
        _ members: JSONObject, _ frame: UnsafeMutablePointer<EncodingFrame>
    ) throws(ModelError) {
        guard let node = frame.pointee.node?.takeUnretainedValue() else { return }
        for (name, value) in members where !node.members.contains(where: { UTF8Text.equal($0.name, name) }) {
            if !frame.pointee.isFirst { buffer.append(byte: UInt8(ascii: ",")) }
            frame.pointee.isFirst = false
            buffer.append(quoted: name)
            buffer.append(byte: UInt8(ascii: ":"))
            try write(value)
        }
    }

    /// A slot without a value of its own: unset, null or defaulted.
    @inline(never)
    mutating func writeAbsent(
        _ entry: UnsafePointer<OutputNode.Entry>, _ value: UnsafePointer<ValueTable>, _ state: SlotState,
        _ frame: UnsafeMutablePointer<EncodingFrame>
    ) throws(ModelError) {
        let policy = entry.pointee.nilPolicy ?? nilPolicy
        if state.hasValue, policy != .asParsed {
            writePrefix(entry, frame)
            let index = entry.pointee.slot
            return try write(frame.pointee.slots + index &* 16, frame.pointee.states + index, value)
        }
        if let constant = entry.pointee.constant {
            writePrefix(entry, frame)
            return buffer.append(bytes: constant, count: entry.pointee.constantCount)
        }
        let writesNull = state.isNull ? policy != .omit : !state.hasValue && policy == .write
        guard writesNull else { return }
        if value.pointee.convertsNull, try writeTransformedNull(entry, value, frame) { return }
        writePrefix(entry, frame)
        buffer.append(literal: "null")
    }

    @inline(never)
    mutating func writeSpecial(
        _ entry: UnsafePointer<OutputNode.Entry>, _ frame: UnsafeMutablePointer<EncodingFrame>
    ) throws(ModelError) {
        let index = entry.pointee.slot
        if frame.pointee.isSelective, index >= 0, !selectedSlots[index] { return }
        switch entry.pointee.action {
        case .value:
            guard let value = entry.pointee.value else { return }
            let state = SlotState(rawValue: frame.pointee.states[index])
            guard state.hasValue, !state.isDefaulted else { return try writeAbsent(entry, value, state, frame) }
            writePrefix(entry, frame)
            try write(frame.pointee.slots + index &* 16, frame.pointee.states + index, value)
        case .constant:
            guard let constant = entry.pointee.constant else { return }
            writePrefix(entry, frame)
            buffer.append(bytes: constant, count: entry.pointee.constantCount)
        case .part:
            guard let node = frame.pointee.node?.takeUnretainedValue() else { return }
            try writePart(entry, node.members[frame.pointee.index - 1], frame)
        case .node: try beginPath(entry, frame)
        }
    }

    mutating func beginPath(
        _ entry: UnsafePointer<OutputNode.Entry>, _ frame: UnsafeMutablePointer<EncodingFrame>
    ) throws(ModelError) {
        guard let child = entry.pointee.node?.takeUnretainedValue(),
            let node = frame.pointee.node?.takeUnretainedValue()
        else { return }
        let kept =
            frame.pointee.preserved < 0
            ? nil : preserved[frame.pointee.preserved][node.members[frame.pointee.index - 1].name]
        let states = frame.pointee.states
        if case .null = kept, child.slots.allSatisfy({ !SlotState(rawValue: states[$0]).hasValue }) {
            // The object was null when it was read, and nothing was set since.
            writePrefix(entry, frame)
            return buffer.append(literal: "null")
        }
        if frameCount >= maximumDepth { throw depthError(nil) }
        let start = buffer.count
        let wasFirst = frame.pointee.isFirst
        writePrefix(entry, frame)
        buffer.append(byte: UInt8(ascii: "{"))
        var path = EncodingFrame(
            kind: .path, wasFirst: wasFirst, count: child.count, node: Unmanaged.passUnretained(child),
            entries: child.entries, slots: frame.pointee.slots, states: states, start: start,
            isSelective: frame.pointee.isSelective)
        if let left = kept?.objectValue {
            preserved.append(left)
            path.preserved = preserved.count - 1
        }
        push(path)
    }
}
