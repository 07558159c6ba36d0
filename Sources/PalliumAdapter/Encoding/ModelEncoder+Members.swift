import PalliumCore
import PalliumJSON

/// Writes members that are not simple values: absent ones, discriminators, parts, objects on key paths, and unknown
/// members that were kept.
extension ModelEncoder {
    @inline(never)
    mutating func endSpecialObject() throws(ModelError) {
        let unknown = frames.top.unknownMembers
        if unknown >= 0 { try writeUnknownMembers(unknownMembers[unknown]) }
        if frames.top.kind == .path, frames.top.isFirst, unknown < 0 {
            // An empty parent object is not written.
            buffer.truncate(to: frames.top.start)
            frames.pop()
            if buffer.last == UInt8(ascii: "{") { frames.top.isFirst = true }
            return
        }
        let isTooDeep = frames.count > maximumDepth
        frames.pop()
        // An empty object takes no level, so this one had begun before.
        if isTooDeep { throw depthError() }
        buffer.append(byte: UInt8(ascii: "}"))
    }

    /// Writes unknown members, except those that the schema writes itself.
    private mutating func writeUnknownMembers(_ unknown: JSONObject) throws(ModelError) {
        guard let node = frames.top.members?.node.object else { return }
        var unknown = unknown
        if let name = node.unknownMembersName { unknown = JSONObject([(key: name, value: .object(unknown))]) }
        for (name, value) in unknown where node.member(named: name) == nil {
            if !frames.top.isFirst { buffer.append(byte: UInt8(ascii: ",")) }
            frames.top.isFirst = false
            buffer.append(quoted: name)
            buffer.append(byte: UInt8(ascii: ":"))
            do throws(ModelError) { try write(value) } catch {
                throw error.at(pointerTokens(upTo: frames.count - 1) + [name]).located()
            }
        }
    }

    /// The ways in which a document says that a property has no value.
    enum Absence { case omitted, null }

    /// Returns how the value of a slot is absent from the document; nil if the value is written.
    func absence(of slot: ReadableSlot, _ member: EncodingMember) -> Absence? {
        let policy = member.entry.nilPolicy ?? nilPolicy
        let state = slot.state
        if state.hasValue { return state.isDefaulted && policy == .asParsed ? .omitted : nil }
        return (state.isNull ? policy != .omit : policy == .write) ? .null : .omitted
    }

    /// Writes a slot that is unset, null or defaulted.
    ///
    /// - Parameter keepsNull: Whether a null is written although there is a constant.
    @inline(never)
    mutating func writeAbsent(
        _ member: EncodingMember, _ slot: ReadableSlot, keepsNull: Bool = false
    ) throws(ModelError) {
        let absence = absence(of: slot, member)
        if absence == nil, let filled = slot.filled {
            writePrefix(member)
            return try write(filled)
        }
        if let constant = member.entry.constant, !slot.state.isNull || !keepsNull {
            writePrefix(member)
            return buffer.append(constant)
        }
        if slot.value.isRequired, !slot.state.hasValue, !slot.state.isNull || !slot.value.isNullable, !allowsIncomplete
        {
            throw missing(slot)
        }
        guard absence == .null else { return }
        // A null part is no input of a transformer, which converts the whole value.
        if member.entry.action != .part, slot.value.convertsNull,
            try writeTransformedNull(member, slot.value.plan)
        {
            return
        }
        writePrefix(member)
        buffer.append(literal: "null")
    }

    /// Makes the error for a required property without a value.
    func missing(_ slot: ReadableSlot, lacking missing: String = "a value") -> ModelError {
        let descriptor = slot.value.descriptor.object
        return ModelError(
            .missingProperty, descriptor,
            expected: "\(missing) of the required \(descriptor.path), which only writesIncompleteModels lets be absent",
            found: slot.state.isNull ? "null" : "none")
    }

    @inline(never)
    mutating func writeSpecial(_ member: EncodingMember) throws(ModelError) {
        let selection = frames.top.selection
        guard let slot = member.slot else {
            switch member.entry.action {
            case .constant: return try writeConstant(member)
            case .cluster: return try recordForClusters()
            case .node: return try beginPath(member)
            case .value, .part, .discriminator, .redacted:
                // An invariant of the plan: these have a value.
                preconditionFailure("a member without its slot")
            }
        }
        if selection >= 0, !selections[selection][member.entry.slot] { return }
        switch member.entry.action {
        case .value:
            guard let filled = slot.filled, !slot.state.isDefaulted else { return try writeAbsent(member, slot) }
            writePrefix(member)
            try write(filled)
        case .part: try writePart(member, slot)
        case .discriminator: try writeDiscriminator(member, slot)
        case .redacted: try writeRedacted(member, slot)
        case .constant, .cluster, .node:
            // An invariant of the plan: these have no value.
            preconditionFailure("a slot of a member without a value")
        }
    }

    /// Writes what a cluster reads and no property holds: the discriminator that was kept, if the cluster reads the model
    /// from it again, otherwise the constant.
    @inline(never)
    private mutating func writeConstant(_ member: EncodingMember) throws(ModelError) {
        if let check = frames.top.member?.check, let kept = unknownMember, check.problem(writing: kept) == nil {
            writePrefix(member)
            return try write(kept)
        }
        guard let constant = member.entry.constant else { return }
        writePrefix(member)
        buffer.append(constant)
    }

    /// The unknown member of the innermost object that has the name of the member that is being written.
    private var unknownMember: JSONValue? {
        guard frames.top.unknownMembers >= 0, let name = frames.top.member?.name else { return nil }
        return unknownMembers[frames.top.unknownMembers][name]
    }

    /// Writes a property that a cluster reads as its discriminator.
    @inline(never)
    private mutating func writeDiscriminator(_ member: EncodingMember, _ slot: ReadableSlot) throws(ModelError) {
        let depth = frames.count
        let valueStart = buffer.count + member.entry.prefix.count - (frames.top.isFirst ? 1 : 0)
        let check = frames.top.member?.check
        if let filled = slot.filled, !slot.state.isDefaulted {
            writePrefix(member)
            try write(filled)
            // Only the beginning of a list or object is written yet.
            if frames.count > depth, let problem = check?.problem(writing: []) { throw problem }
        } else {
            try writeAbsent(member, slot, keepsNull: check?.readsNull ?? false)
        }
        guard buffer.count > valueStart else { return }
        let written = try written(from: valueStart)
        // Null names no model, so it is no wrong name. Whether the cluster reads the model without one is known.
        if !written.isNull, let problem = check?.problem(writing: written) { throw problem }
    }

    /// Parses the text after an offset, which is one value.
    func written(from start: Int) throws(ModelError) -> JSONValue {
        do { return try buffer.value(from: start, maximumDepth: options.writing.maximumDepth) } catch {
            throw ModelError(error)
        }
    }

    @inline(never)
    private mutating func beginPath(_ member: EncodingMember) throws(ModelError) {
        guard let members = member.members else { return }
        let unknown = unknownMember
        if case .null = unknown, members.node.object.readsNull, !members.haveValue {
            // The object was null when it was decoded, and nothing in it was set since.
            writePrefix(member)
            return buffer.append(literal: "null")
        }
        if markedValues == .all { marks.markPath(pathNode()) }
        let start = buffer.count
        writePrefix(member)
        buffer.append(byte: UInt8(ascii: "{"))
        var path = EncodingFrame(path: members, start: start, selection: frames.top.selection)
        if let object = unknown?.objectValue {
            unknownMembers.append(object)
            path.unknownMembers = unknownMembers.count - 1
        }
        frames.push(path)
    }
}
