import PalliumCore
import PalliumJSON

/// Writes members that are not simple values: absent ones, discriminators, parts, objects on key paths, and unknown
/// members that were kept.
///
/// Safety: a frame is used while it is on the stack of frames. Slots are numbered by the plan of the frame's model, and
/// constants come with their count.
extension ModelEncoder {
    @inline(never)
    mutating func endSpecialObject(_ frame: UnsafeMutablePointer<EncodingFrame>) throws(ModelError) {
        if unsafe frame.pointee.preserved >= 0 { try unsafe writePreserved(preserved[frame.pointee.preserved], frame) }
        if unsafe frame.pointee.kind == .path, unsafe frame.pointee.isFirst, unsafe frame.pointee.preserved < 0 {
            // An empty parent object is not written.
            unsafe buffer.truncate(to: frame.pointee.start)
            end()
            let isFirst = unsafe buffer.withBytes { unsafe $0.last == UInt8(ascii: "{") }
            if isFirst { unsafe frames[frameCount - 1].isFirst = true }
            return
        }
        if frameCount > maximumDepth {
            // An empty object takes no level, so this one had begun before.
            end()
            throw unsafe depthError(nil)
        }
        buffer.append(byte: UInt8(ascii: "}"))
        end()
    }

    /// Writes kept unknown members, except those that the schema writes itself.
    mutating func writePreserved(
        _ members: JSONObject, _ frame: UnsafeMutablePointer<EncodingFrame>
    ) throws(ModelError) {
        let node = unsafe frame.pointee.node!.takeUnretainedValue()
        var members = members
        if let name = node.unknownMembersName { members = JSONObject([(key: name, value: .object(members))]) }
        for (name, value) in members where node.member(named: name) == nil {
            if unsafe !frame.pointee.isFirst { buffer.append(byte: UInt8(ascii: ",")) }
            unsafe frame.pointee.isFirst = false
            buffer.append(quoted: name)
            buffer.append(byte: UInt8(ascii: ":"))
            do throws(ModelError) { try write(value) } catch {
                throw error.at(pointerTokens(upTo: frameCount - 1) + [name]).located()
            }
        }
    }

    /// Writes a slot that is unset, null or defaulted.
    ///
    /// - Parameter keepsNull: Whether a null is written although there is a constant.
    @inline(never)
    mutating func writeAbsent(
        _ entry: UnsafePointer<EncodingNode.Entry>, _ value: UnsafePointer<ValueTable>, _ state: SlotState,
        _ frame: UnsafeMutablePointer<EncodingFrame>, keepsNull: Bool = false
    ) throws(ModelError) {
        let policy = unsafe entry.pointee.nilPolicy ?? nilPolicy
        if state.hasValue, policy != .asParsed {
            unsafe writePrefix(entry, frame)
            let index = unsafe entry.pointee.slot
            return try unsafe write(frame.pointee.slots + index &* 16, frame.pointee.states + index, value)
        }
        if let constant = unsafe entry.pointee.constant, !state.isNull || !keepsNull {
            unsafe writePrefix(entry, frame)
            return unsafe buffer.append(bytes: constant, count: entry.pointee.constantCount)
        }
        if unsafe value.pointee.isRequired, !state.hasValue, !allowsIncomplete {
            throw unsafe missing(value, state)
        }
        let writesNull = state.isNull ? policy != .omit : !state.hasValue && policy == .write
        guard writesNull else { return }
        if unsafe value.pointee.convertsNull, try unsafe writeTransformedNull(entry, value, frame) { return }
        unsafe writePrefix(entry, frame)
        buffer.append(literal: "null")
    }

    /// Makes the error for a required property without a value.
    func missing(
        _ value: UnsafePointer<ValueTable>, _ state: SlotState, lacking what: String = "a value"
    ) -> ModelError {
        let descriptor = unsafe value.pointee.descriptor.takeUnretainedValue()
        return ModelError(
            .missingProperty, descriptor,
            expected: "\(what) of the required \(descriptor.path), which only writesIncompleteModels lets be absent",
            found: state.isNull ? "null" : "none")
    }

    @inline(never)
    mutating func writeSpecial(
        _ entry: UnsafePointer<EncodingNode.Entry>, _ frame: UnsafeMutablePointer<EncodingFrame>
    ) throws(ModelError) {
        let index = unsafe entry.pointee.slot
        if index >= 0, unsafe frame.pointee.selection >= 0, unsafe !selections[frame.pointee.selection][index] {
            return
        }
        switch unsafe entry.pointee.action {
        case .value:
            let value = unsafe entry.pointee.value!
            let state = unsafe SlotState(rawValue: frame.pointee.states[index])
            guard state.hasValue, !state.isDefaulted else { return try unsafe writeAbsent(entry, value, state, frame) }
            unsafe writePrefix(entry, frame)
            try unsafe write(frame.pointee.slots + index &* 16, frame.pointee.states + index, value)
        case .constant: try unsafe writeConstant(entry, frame)
        case .part:
            let members = unsafe frame.pointee.node!.takeUnretainedValue().members
            try unsafe writePart(entry, members[frame.pointee.index - 1], frame)
        case .discriminator: try unsafe writeDiscriminator(entry, frame)
        case .redacted: try unsafe writeRedacted(entry, frame)
        case .cluster: try unsafe recordForClusters(frame)
        case .node: try unsafe beginPath(entry, frame)
        }
    }

    /// Writes what a cluster reads and no property holds: the discriminator that was kept, if the cluster reads the model
    /// from it again, otherwise the constant.
    private mutating func writeConstant(
        _ entry: UnsafePointer<EncodingNode.Entry>, _ frame: UnsafeMutablePointer<EncodingFrame>
    ) throws(ModelError) {
        if unsafe frame.pointee.preserved >= 0 {
            let member = unsafe frame.pointee.node!.takeUnretainedValue().members[frame.pointee.index - 1]
            if let check = member.check, let kept = unsafe preserved[frame.pointee.preserved][member.name],
                check.problem(writing: kept) == nil
            {
                unsafe writePrefix(entry, frame)
                return try write(kept)
            }
        }
        guard let constant = unsafe entry.pointee.constant else { return }
        unsafe writePrefix(entry, frame)
        unsafe buffer.append(bytes: constant, count: entry.pointee.constantCount)
    }

    /// Writes a property that a cluster reads as its discriminator.
    private mutating func writeDiscriminator(
        _ entry: UnsafePointer<EncodingNode.Entry>, _ frame: UnsafeMutablePointer<EncodingFrame>
    ) throws(ModelError) {
        let index = unsafe entry.pointee.slot
        let value = unsafe entry.pointee.value!
        let depth = frameCount
        let valueStart = unsafe buffer.count + entry.pointee.prefixCount - (frame.pointee.isFirst ? 1 : 0)
        let check = unsafe frame.pointee.node!.takeUnretainedValue().members[frame.pointee.index - 1].check
        let state = unsafe SlotState(rawValue: frame.pointee.states[index])
        if state.hasValue, !state.isDefaulted {
            unsafe writePrefix(entry, frame)
            try unsafe write(frame.pointee.slots + index &* 16, frame.pointee.states + index, value)
            // Only the beginning of a list or object is written yet.
            if frameCount > depth, let problem = check?.problem(writing: []) { throw problem }
        } else {
            try unsafe writeAbsent(entry, value, state, frame, keepsNull: check?.readsNull ?? false)
        }
        guard buffer.count > valueStart else { return }
        let written = try written(from: valueStart)
        // Null names no model, so it is no wrong name. Whether the cluster reads the model without one is known.
        if !written.isNull, let problem = check?.problem(writing: written) { throw problem }
    }

    /// Parses the text behind a position, which is one value.
    func written(from start: Int) throws(ModelError) -> JSONValue {
        let result = unsafe buffer.withBytes { bytes -> Result<JSONValue, JSONSyntaxError> in
            do throws(JSONSyntaxError) {
                return unsafe .success(
                    try JSONValue(
                        parsing: UnsafeRawBufferPointer(rebasing: bytes[start...]),
                        options: .unlimited(maximumDepth: options.writing.maximumDepth)))
            } catch { return .failure(error) }
        }
        do { return try result.get() } catch { throw ModelError(error) }
    }

    mutating func beginPath(
        _ entry: UnsafePointer<EncodingNode.Entry>, _ frame: UnsafeMutablePointer<EncodingFrame>
    ) throws(ModelError) {
        let child = unsafe entry.pointee.node!.takeUnretainedValue()
        let node = unsafe frame.pointee.node!.takeUnretainedValue()
        let kept =
            unsafe frame.pointee.preserved < 0
            ? nil : preserved[frame.pointee.preserved][node.members[frame.pointee.index - 1].name]
        let states = unsafe frame.pointee.states
        if case .null = kept, child.readsNull,
            child.mappedSlots.allSatisfy({ unsafe !SlotState(rawValue: states[$0]).hasValue })
        {
            // The object was null when it was decoded, and nothing in it was set since.
            unsafe writePrefix(entry, frame)
            return buffer.append(literal: "null")
        }
        if markedValues == .all { marks.markPath(pathNode()) }
        let start = buffer.count
        unsafe writePrefix(entry, frame)
        buffer.append(byte: UInt8(ascii: "{"))
        var path = unsafe EncodingFrame(
            kind: .path, count: child.count, node: Unmanaged.passUnretained(child),
            entries: child.entries, slots: frame.pointee.slots, states: states, start: start,
            selection: frame.pointee.selection)
        if let left = kept?.objectValue {
            preserved.append(left)
            unsafe path.preserved = preserved.count - 1
        }
        unsafe push(path)
    }
}
