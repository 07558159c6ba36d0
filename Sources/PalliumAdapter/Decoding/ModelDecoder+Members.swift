import PalliumCore
import PalliumJSON

/// Decodes members that are not simple values: discriminators, objects on key paths, and captured, ignored, repeated and
/// unknown members.
///
/// Of a captured member only the position is kept until its object ends. Then `ModelDecoder+Deferred.swift` finds the values
/// of deferred properties in it: those with several paths, a path into an array, or a member that another property reads
/// as well.
///
/// Safety: the text of a discriminator is used before the reader goes on. The node of a path is one of the frame's plan.
extension ModelDecoder {
    /// Decodes the current member of the innermost frame, which is a discriminator, an object on a key path, captured, ignored
    /// or skipped. Returns false when it pushed a frame.
    @inline(never)
    mutating func decodeSpecialMember() throws -> Bool {
        let number = frames.top.current
        let entry = frames.top.entries[number]
        if let check = entry.check {
            // `beginPath` detects repeated path objects itself.
            if entry.action != .path, try skipsRepeatedDiscriminator() { return true }
            try checkDiscriminator(check.object)
        }
        switch entry.action {
        case .value:
            let slot = frames.top.slot(entry.slot)
            if slot.isTaken, try !replacesDuplicate(slot) { return true }
            return try decodeRarely(slot)
        case .path: return try beginPath(entry.node!)
        case .capture: try capture(isDiscriminator: entry.check != nil)
        case .unknownMembers:
            let members = try source.readValue().objectValue ?? JSONObject()
            let extras = frames.top.neededExtras
            for (name, value) in members { extras.preserved.updateValue(value, forKey: name) }
        case .ignore, .skip:
            if duplicates != .lastWins, entry.check == nil,
                !frames.top.neededExtras.visited.insert(.entry(number)).inserted
            {
                try skipRepeated(frames.top.memberName)
            } else if entry.action == .ignore && keepsUnknownMembers {
                let value = try source.readValue()
                preserve(value, frames.top.memberName)
            } else {
                try source.skipValue()
            }
        }
        return true
    }

    /// Whether the model of the innermost frame, of a model or path, keeps its unknown members.
    var keepsUnknownMembers: Bool { unknownMembers == .keep && frames.top.plan.object.isUnprojected }

    /// Whether the model of the innermost frame, of a model or path, refuses unknown members.
    var refusesUnknownMembers: Bool { unknownMembers == .refuse || frames.top.plan.object.refusesUnknownMembers }

    /// Keeps a member that no property maps with the model of the innermost frame.
    private mutating func preserve(_ value: JSONValue, _ name: String) {
        frames.top.neededExtras.preserved.updateValue(value, forKey: name)
    }

    /// Whether a discriminator is skipped because its object had one already.
    private mutating func skipsRepeatedDiscriminator() throws -> Bool {
        let member = VisitedMember.entry(frames.top.current)
        if duplicates == .lastWins || frames.top.neededExtras.visited.insert(member).inserted { return false }
        try skipRepeated(frames.top.memberName)
        return true
    }

    /// Checks that the next value, which is not consumed, is a discriminator of the innermost frame's model.
    mutating func checkDiscriminator(_ check: DiscriminatorCheck) throws {
        let kind = try source.peekKind()
        guard kind != .null, kind != .array, kind != .object else { return }
        valueOffset = source.offset
        let mark = source.mark()
        let problem: ModelError?
        if kind == .string {
            problem = check.problem(reading: try unsafe TokenText(source.readText()))
        } else {
            problem = check.problem(reading: try source.readValue())
        }
        if let problem {
            guard session.isCollecting else { throw problem }
            // The document is of another model, so this one is dropped.
            frames.top.hasFailed = true
            try report(problem)
        }
        source.rewind(to: mark)
    }

    /// Begins an object on a key path. Returns false when it pushed a frame.
    private mutating func beginPath(_ node: Unowned<DecodingNode>) throws -> Bool {
        let slots = node.object.slots
        // A visit is recorded only where it can matter.
        if duplicates != .lastWins || slots.contains(where: { frames.top.slots[$0] != .unset }) {
            let member = VisitedMember.entry(frames.top.current)
            if !frames.top.neededExtras.visited.insert(member).inserted {
                switch duplicates {
                case .error: try refuseRepeated(frames.top.memberName)
                case .firstWins:
                    try source.skipValue()
                    return true
                case .lastWins: break
                }
            }
            for slot in slots { frames.top.slot(slot).property.clear() }
        }
        let kind = try source.peekKind()
        valueOffset = source.offset
        switch kind {
        case .object:
            try source.enterObject()
            let isPartial = frames.top.isPartial
            frames.push(unsafe DecodingFrame(path: node, in: frames.top, offset: valueOffset))
            if isPartial { markPartial() }
            return false
        case .null:
            try source.readNull()
            if keepsUnknownMembers { preserve(.null, frames.top.memberName) }
            for number in slots { try storeNullOnTheWay(frames.top.slot(number)) }
        default:
            guard slots.isEmpty else {
                throw ModelError(
                    .typeMismatch, expected: "an object on a key path", found: currentSummary(),
                    schema: frames.top.schemaName, property: frames.top.value(slots[0]).descriptor.object.key)
            }
            // No property reads the object, so the value does not matter.
            try source.skipValue()
        }
        return true
    }

    /// Notes where the value of the current member is, which deferred properties read, and skips it.
    private mutating func capture(isDiscriminator: Bool) throws {
        session.decodesOutOfOrder = true
        let (extras, number) = (frames.top.neededExtras, frames.top.current)
        _ = try source.peekKind()
        let member = (number, source.mark())
        // A discriminator was found to be the first, or the last one counts.
        let isFirst = isDiscriminator && duplicates != .lastWins || extras.visited.insert(.entry(number)).inserted
        if isFirst {
            extras.captured.append(member)
        } else if duplicates == .lastWins, let position = extras.captured.firstIndex(where: { $0.entry == number }) {
            extras.captured[position] = member
        } else {
            return try skipRepeated(frames.top.memberName)
        }
        // Only a tree shows the repeated members in the value.
        if duplicates == .error { _ = try source.readValue() } else { try source.skipValue() }
    }

    /// Whether a repeated member replaces the value of the current member's slot, which is then unset. Otherwise the member
    /// was skipped.
    @inline(never)
    mutating func replacesDuplicate(_ slot: WritableSlot) throws -> Bool {
        switch duplicates {
        case .lastWins:
            slot.property.clear()
            return true
        case .firstWins:
            try source.skipValue()
            return false
        case .error: try refuseRepeated(frames.top.memberName)
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

    /// Makes the error for a member that no property of the innermost frame's model maps.
    func unknownMember(_ name: String, among known: [String]) -> ModelError {
        let schema = frames.top.schemaName
        return ModelError(
            .unknownMember, expected: "a member that \(schema ?? "the schema") knows", found: ModelError.quote(name),
            schema: schema
        ).suggesting(ModelError.nearest(to: name, among: known))
    }

    /// Skips a member that a cluster reads, and checks what is in it.
    private mutating func checkMember(_ member: DecodingNode.Member) throws {
        guard let node = member.node else { return try source.skipValue() }
        let extras = frames.top.neededExtras
        frames.top.current = DecodingPosition.deferredProperty
        try checkMembers(at: [member.name], in: node, extras)
        frames.top.current = DecodingPosition.none
        extras.innerPath = [member.name]
    }

    @inline(never)
    mutating func decodeUnknownMember() throws {
        if session.partialModels != .none && frames.top.isPartial { try considerClass() }
        if duplicates == .error || duplicates == .firstWins && unknownMembers == .keep {
            let name = frames.top.unknownName
            if !frames.top.neededExtras.visited.insert(.unknown(UTF8Key(name))).inserted {
                return try skipRepeated(name)
            }
        }
        if refusesUnknownMembers, !frames.top.node.object.isIgnored { return try refuseUnknownMember() }
        guard keepsUnknownMembers else { return try source.skipValue() }
        let value = try source.readValue()
        preserve(value, frames.top.unknownName)
    }

    private mutating func refuseUnknownMember() throws {
        let name = frames.top.unknownName
        let node = frames.top.node.object
        _ = try source.peekKind()
        valueOffset = source.offset
        if let member = node.member(name) { return try checkMember(member) }
        let error = unknownMember(name, among: node.names)
        guard session.collectsUnknownMembers else { throw error }
        try report(error)
        try source.skipValue()
    }
}
