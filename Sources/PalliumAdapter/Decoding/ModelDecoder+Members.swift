import PalliumCore
import PalliumJSON

/// Decodes members that are not simple values: discriminators, objects on key paths, and captured, ignored, repeated and
/// unknown members.
///
/// Of a captured member only the position is kept until its object ends. Then `ModelDecoder+Deferred.swift` finds the values
/// of deferred properties in it: those with several paths, a path into an array, or a member that another property reads
/// as well.
///
/// Safety: a frame is used while it is on the stack of frames; pushing may move the frames, so no older address is read
/// afterwards. Entries are numbered by the frame's node, slots by the plan of the model that the frame owns.
extension ModelDecoder {
    /// Decodes a member that is a discriminator, an object on a key path, captured, ignored or skipped. Returns false when
    /// it pushed a frame.
    @inline(never)
    mutating func decodeSpecialMember(
        _ frame: UnsafeMutablePointer<DecodingFrame>, _ entry: UnsafePointer<DecodingNode.Entry>
    ) throws -> Bool {
        if let check = unsafe entry.pointee.check {
            // `beginPath` detects repeated path objects itself.
            if unsafe entry.pointee.action != .path, try unsafe skipsRepeatedDiscriminator(frame) { return true }
            try unsafe checkDiscriminator(check.takeUnretainedValue(), frame)
        }
        switch unsafe entry.pointee.action {
        case .value:
            let value = unsafe entry.pointee.value!
            let slot = unsafe entry.pointee.slot
            let state = unsafe frame.pointee.states + slot
            if unsafe state.pointee != 0, try unsafe !replacesDuplicate(frame, slot: slot) { return true }
            return try unsafe decodeValue(value, frame.pointee.slots + slot &* 16, state)
        case .path: return try unsafe beginPath(frame, entry)
        case .capture: try unsafe capture(frame, entry.pointee.check)
        case .unknownMembers:
            for (name, value) in try source.readValue().objectValue ?? JSONObject() {
                unsafe extras(of: frame).preserved.updateValue(value, forKey: name)
            }
        case .ignore, .skip:
            if duplicates != .lastWins, unsafe entry.pointee.check == nil,
                unsafe !extras(of: frame).visited.insert(frame.pointee.current).inserted
            {
                try unsafe skipRepeated(memberName(in: frame))
            } else if unsafe entry.pointee.action == .ignore && keepsUnknownMembers(frame) {
                unsafe extras(of: frame).preserved.updateValue(try source.readValue(), forKey: memberName(in: frame))
            } else {
                try source.skipValue()
            }
        }
        return true
    }

    /// Whether the model of a model or path frame keeps its unknown members.
    func keepsUnknownMembers(_ frame: UnsafeMutablePointer<DecodingFrame>) -> Bool {
        // These frames have a plan.
        unsafe unknownMembers == .keep && frame.pointee.plan!._withUnsafeGuaranteedRef { $0.isWhole }
    }

    /// The name of the current member of a model or path frame.
    func memberName(in frame: UnsafeMutablePointer<DecodingFrame>) -> String {
        unsafe frame.pointee.node!._withUnsafeGuaranteedRef { unsafe $0.members[frame.pointee.current].name }
    }

    /// Whether a discriminator is skipped because its object had one already.
    private mutating func skipsRepeatedDiscriminator(_ frame: UnsafeMutablePointer<DecodingFrame>) throws -> Bool {
        if unsafe duplicates == .lastWins || extras(of: frame).visited.insert(frame.pointee.current).inserted {
            return false
        }
        try unsafe skipRepeated(memberName(in: frame))
        return true
    }

    /// Checks that the next value, which is not consumed, is a discriminator of the frame's model.
    mutating func checkDiscriminator(
        _ check: DiscriminatorCheck, _ frame: UnsafeMutablePointer<DecodingFrame>
    ) throws {
        let kind = try source.peekKind()
        guard kind != .null, kind != .array, kind != .object else { return }
        valueOffset = source.offset
        let mark = source.mark()
        let problem: ModelError?
        if kind == .string {
            problem = unsafe check.problem(reading: try source.readText())
        } else {
            problem = check.problem(reading: try source.readValue())
        }
        if let problem {
            guard isCollecting else { throw problem }
            // The document is of another model, so this one is dropped.
            unsafe frame.pointee.hasFailed = true
            try report(problem)
        }
        source.rewind(to: mark)
    }

    /// Begins an object on a key path.
    private mutating func beginPath(
        _ frame: UnsafeMutablePointer<DecodingFrame>, _ entry: UnsafePointer<DecodingNode.Entry>
    ) throws -> Bool {
        let node = unsafe entry.pointee.node!
        let slots = unsafe node._withUnsafeGuaranteedRef { $0.slots }
        // A visit is recorded only where it can matter.
        if slots.contains(where: { unsafe frame.pointee.states[$0] != 0 }) || duplicates != .lastWins {
            if unsafe !extras(of: frame).visited.insert(frame.pointee.current).inserted {
                switch duplicates {
                case .error: try unsafe refuseRepeated(memberName(in: frame))
                case .firstWins:
                    try source.skipValue()
                    return true
                case .lastWins: break
                }
            }
            for slot in slots { unsafe self.slot(slot, in: frame).clear() }
        }
        let kind = try source.peekKind()
        valueOffset = source.offset
        switch kind {
        case .object:
            try source.enterObject()
            unsafe push(
                DecodingFrame(
                    kind: .path, entries: node._withUnsafeGuaranteedRef { unsafe $0.entries },
                    entryCount: node._withUnsafeGuaranteedRef { $0.count }, node: node, plan: frame.pointee.plan,
                    slots: frame.pointee.slots, states: frame.pointee.states, object: nil, element: nil,
                    target: frame.pointee.target, targetState: frame.pointee.targetState,
                    targetValue: frame.pointee.targetValue, offset: valueOffset))
            if unsafe frames[frameCount - 2].isPartial { markPartial() }
            return false
        case .null:
            try source.readNull()
            if unsafe keepsUnknownMembers(frame) {
                unsafe extras(of: frame).preserved.updateValue(.null, forKey: memberName(in: frame))
            }
            for number in slots {
                try unsafe storeNullOnTheWay(valueTable(number, in: frame), slot(number, in: frame))
            }
        default:
            guard slots.isEmpty else {
                throw unsafe ModelError(
                    .typeMismatch, expected: "an object on a key path", found: currentSummary(),
                    schema: schemaName(of: frame), property: valueTable(slots[0], in: frame).descriptor.key)
            }
            // No property reads the object, so the value does not matter.
            try source.skipValue()
        }
        return true
    }

    func slot(_ number: Int, in frame: UnsafeMutablePointer<DecodingFrame>) -> PropertySlot {
        let value = unsafe valueTable(number, in: frame)
        return unsafe PropertySlot(
            pointer: frame.pointee.slots + number &* 16, state: frame.pointee.states + number,
            descriptor: value.pointee.descriptor)
    }

    func valueTable(_ number: Int, in frame: UnsafeMutablePointer<DecodingFrame>) -> UnsafePointer<ValueTable> {
        // Frames with slots are frames of models, which have a plan.
        unsafe frame.pointee.plan!._withUnsafeGuaranteedRef { unsafe UnsafePointer($0.values[number].table) }
    }

    func schemaName(of frame: UnsafeMutablePointer<DecodingFrame>) -> String? {
        unsafe frame.pointee.plan?._withUnsafeGuaranteedRef { $0.layout.schema.name }
    }

    /// Notes where the value of a member is that deferred properties read, and skips it.
    private mutating func capture(
        _ frame: UnsafeMutablePointer<DecodingFrame>, _ check: Unmanaged<DiscriminatorCheck>?
    ) throws {
        session.decodesOutOfOrder = true
        let (extras, number) = unsafe (extras(of: frame), frame.pointee.current)
        _ = try source.peekKind()
        let member = (number, source.mark())
        // A discriminator was found to be the first, or the last one counts.
        let isFirst = unsafe check != nil && duplicates != .lastWins || extras.visited.insert(number).inserted
        if isFirst {
            extras.captured.append(member)
        } else if duplicates == .lastWins, let position = extras.captured.firstIndex(where: { $0.entry == number }) {
            extras.captured[position] = member
        } else {
            return try unsafe skipRepeated(memberName(in: frame))
        }
        // Only a tree shows the repeated members in the value.
        if duplicates == .error { _ = try source.readValue() } else { try source.skipValue() }
    }

    /// Whether a repeated member replaces the existing value; the slot is then unset. Otherwise the member was skipped.
    @inline(never)
    mutating func replacesDuplicate(_ frame: UnsafeMutablePointer<DecodingFrame>, slot: Int) throws -> Bool {
        switch duplicates {
        case .lastWins:
            unsafe self.slot(slot, in: frame).clear()
            return true
        case .firstWins:
            try source.skipValue()
            return false
        case .error: try unsafe refuseRepeated(memberName(in: frame))
        }
    }

    /// Skips or refuses a repeated member, as the options say.
    private mutating func skipRepeated(_ name: String) throws {
        if duplicates == .error { try refuseRepeated(name) }
        try source.skipValue()
    }

    /// Throws the error for a repeated member, located at its value.
    mutating func refuseRepeated(_ name: String) throws -> Never {
        _ = try source.peekKind()
        valueOffset = source.offset
        throw ModelError(
            .duplicateMember, expected: "different member names", found: "\(ModelError.quote(name)) again")
    }

    /// The unknown name that `searchEntry` stored in the extras.
    private func unknownName(in frame: UnsafeMutablePointer<DecodingFrame>) -> String {
        unsafe frame.pointee.extras?.unknownName ?? ""
    }

    /// Makes the error for a member that no property maps.
    func unknownMember(
        _ name: String, among known: [String], in frame: UnsafeMutablePointer<DecodingFrame>
    ) -> ModelError {
        unsafe ModelError(
            .unknownMember, expected: "a member that \(schemaName(of: frame) ?? "the schema") knows",
            found: ModelError.quote(name), schema: schemaName(of: frame)
        ).suggesting(ModelError.nearest(to: name, among: known))
    }

    /// Skips a member that a cluster reads, and checks what is in it.
    private mutating func checkMember(
        _ member: DecodingNode.Member, _ frame: UnsafeMutablePointer<DecodingFrame>
    ) throws {
        guard let node = member.node else { return try source.skipValue() }
        unsafe frame.pointee.current = DecodingPosition.deferredProperty
        try unsafe checkMembers(at: [member.name], in: node, frame, extras(of: frame))
        unsafe frame.pointee.current = DecodingPosition.none
    }

    @inline(never)
    mutating func decodeUnknownMember(_ frame: UnsafeMutablePointer<DecodingFrame>) throws {
        if unsafe partialModels != .none && frame.pointee.isPartial { try unsafe considerClass(of: frame) }
        if duplicates == .error || duplicates == .firstWins && unknownMembers == .keep {
            let name = unsafe unknownName(in: frame)
            if unsafe !extras(of: frame).unknownNames.insert(UTF8Key(name)).inserted { return try skipRepeated(name) }
        }
        switch unknownMembers {
        case .ignore: try source.skipValue()
        case .keep where unsafe !keepsUnknownMembers(frame): try source.skipValue()
        case .keep:
            unsafe extras(of: frame).preserved.updateValue(
                try source.readValue(), forKey: unknownName(in: frame))
        case .refuse where unsafe frame.pointee.node?._withUnsafeGuaranteedRef { $0.isIgnored } ?? false:
            try source.skipValue()
        case .refuse:
            let name = unsafe unknownName(in: frame)
            let node = unsafe frame.pointee.node?.takeUnretainedValue()
            _ = try source.peekKind()
            valueOffset = source.offset
            if let member = node?.member(name) { return try unsafe checkMember(member, frame) }
            let error = unsafe unknownMember(name, among: node?.names ?? [], in: frame)
            guard isCollecting else { throw error }
            try report(error)
            try source.skipValue()
        }
    }
}
