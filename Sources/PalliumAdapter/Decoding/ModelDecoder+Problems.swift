import PalliumCore
import PalliumJSON

/// Makes and locates errors, and continues decoding when problems are collected.
extension ModelDecoder {
    // MARK: Making

    @inline(never)
    func error(
        _ code: ModelError.Code, _ value: ValueHandle, expected: String? = nil, found: String? = nil
    ) -> ModelError {
        let descriptor = value.descriptor.object
        return ModelError(
            code, descriptor, expected: expected ?? descriptor.expectation, found: found ?? currentSummary()
        ).finding(descriptor.isSensitive ? nil : source.kind(at: valueOffset).map { .string($0) })
    }

    func mismatch(_ value: ValueHandle) -> ModelError {
        let expected: String? =
            switch value.operation {
            case .unixSeconds: "a number of seconds since 1970"
            case .unixMilliseconds: "a whole number of milliseconds since 1970"
            case .model: "an object"
            case .modelOrIdentity:
                "an object, or its identity: \(value.identity?.descriptor.expectation ?? "a text or a number")"
            case .array, .set: "an array"
            case .dictionary: "an object"
            default: value.plan.codec?.jsonExpectation
            }
        return error(.typeMismatch, value, expected: expected)
    }

    /// A short description of the value that is being decoded.
    func currentSummary() -> String { source.summary(at: valueOffset) ?? "something else" }

    // MARK: Locating

    /// The path to the value that is being decoded.
    func pointerTokens() -> [String] {
        var tokens = session.prefix
        frames.appendTokens(ofFirst: frames.count, to: &tokens)
        return tokens
    }

    /// The path to a syntax error: to the container if its members or elements are separated wrongly, else to the value
    /// that is being decoded.
    private func pointerTokens(to error: JSONSyntaxError) -> [String] {
        // An error inside of a value that no frame reads lies deeper, or behind the beginning of the value.
        guard source.depth == session.outerDepth + frames.count, source.offset == error.offset else {
            return pointerTokens()
        }
        switch error.expectation {
        case .memberName, .memberNameOrObjectEnd, .commaOrObjectEnd, .commaOrArrayEnd, .valueOrArrayEnd: break
        case .value where [UInt8(ascii: "]"), UInt8(ascii: "/")].contains(error.found):
            let isInArray = frames.isEmpty ? session.outerDepth > 0 : frames.top.kind == .array
            guard isInArray else { return pointerTokens() }
        default: return pointerTokens()
        }
        if frames.isEmpty { return session.prefix.dropLast() }
        var tokens = session.prefix
        frames.appendTokens(ofFirst: frames.count - 1, to: &tokens)
        return tokens
    }

    /// Adds path, line and column to an error.
    func locate(_ error: any Error) -> DecodingFailure {
        switch DecodingFailure(error) {
        case .malformed(let syntax):
            let location = session.location(origin(of: syntax.offset))
            return .problem(session.masked(ModelError(syntax).at(pointerTokens(to: syntax))).at(location))
        case .problem(let problem): return .problem(locate(problem))
        case .startsOver: return .startsOver
        }
    }

    /// Adds path, line and column to a problem that has none.
    func locate(_ problem: ModelError) -> ModelError {
        if problem.location != nil || problem.isLocated { return problem }
        return session.masked(problem.at(pointerTokens()).located()).at(session.location(origin(of: valueOffset)))
    }

    // MARK: Going on

    /// Reports a problem to the session.
    func report(_ problem: ModelError) throws {
        if session.findsFirstProblem {
            // A problem that only skips an element is never the first problem that is thrown.
            if !isInSkippedElement { session.consider(locate(problem), at: origin(of: valueOffset)) }
        } else {
            try session.report(locate(problem))
        }
    }

    /// Whether the value that is being decoded is inside an element that is skipped when it has a problem.
    var isInSkippedElement: Bool {
        guard session.options.elements == .skip else { return false }
        return (0..<frames.count).contains { !frames[$0].hasMembers }
    }

    /// Reports a problem of the root value; throws malformed JSON, behind which nothing can be decoded.
    mutating func fail(with error: any Error) throws {
        guard let problem = DecodingFailure(error).collectable else { throw error }
        try report(problem)
        hasFailed = true
    }

    /// Continues behind a value that could not be decoded.
    ///
    /// If problems are collected, the decoder skips the member or element. If only bad elements are skipped, it skips
    /// the nearest element of a list.
    mutating func recover(from error: any Error, base: Int) throws {
        guard let problem = DecodingFailure(error).collectable else { throw error }
        if session.isCollecting {
            try report(problem)
            // A model that is refused after its object has ended is dropped whole.
            if frames.count > base, frames.top.isFinishing { return dropFailed() }
        } else {
            // If bad elements are skipped, leave everything inside the nearest element.
            guard let list = (base..<frames.count).last(where: { !frames[$0].hasMembers }) else { throw error }
            releaseFrames(downTo: list + 1)
        }
        guard let mark = frames.top.extras?.mark else { throw error }
        source.rewind(to: mark)
        if session.partialModels != .none, !frames.top.hasMembers {
            try noteSkippedElement()
        } else {
            try source.skipValue()
        }
        guard frames.top.hasMembers else { return dropElement() }
        guard frames.top.current >= 0 else { return }
        let entry = frames.top.entries[frames.top.current]
        if entry.value != nil {
            recordFailure(of: frames.top.slot(entry.slot))
        } else if entry.action == .path {
            for number in entry.node!.object.slots { recordFailure(of: frames.top.slot(number)) }
        } else if entry.action != .skip {
            frames.top.hasFailed = true
        }
    }

    /// Notes what identifies an element that could not be decoded: a merge leaves that of the target as it is.
    private mutating func noteSkippedElement() throws {
        let value = try source.readValue()
        let list = frames.top.list.object
        let target = frames.top.target.value
        var skipped = session.skippedElements[ObjectIdentifier(list)] ?? SkippedElements(list: list)
        if let dictionary = list as? SlotDictionary {
            skipped.keys.insert(UTF8Key(dictionary.keys[frames.top.current]))
        } else if let object = value.objectValue, let plan = target.element?.model {
            let slots = target.descriptor.object.identifierSlots
            let part = try? identifyingPart(of: object, plan.object, slots)
            if let part, ModelIdentifier(part, slots: slots) != nil {
                skipped.parts.append(part)
            } else {
                skipped.areUnknown = true
            }
        } else {
            skipped.areUnknown = true
        }
        session.skippedElements[ObjectIdentifier(list)] = skipped
    }

    /// Removes the element that could not be decoded from the list of the innermost frame.
    private mutating func dropElement() {
        if frames.count == 1 {
            // The elements of the root array are independent of each other.
            session.droppedRoots.append(frames.top.current)
        } else if session.options.elements == .fail {
            frames.top.hasFailed = true
        }
        if frames.top.kind == .array { return frames.top.list.object.removeLast() }
        let (list, extras) = (frames.top.dictionary, frames.top.neededExtras)
        if extras.keepsElement {
            extras.keepsElement = false
        } else if duplicates == .lastWins, frames.top.current == list.count - 1 {
            list.removeLastElement()
        } else {
            // The document has the key, so its gap is closed when the dictionary ends, unless a later value for the key
            // fills it.
            list.slot(at: frames.top.current).clear()
        }
    }

    /// Records that a value of the innermost frame is missing because of a problem. The frame can be finished only if
    /// the value is optional.
    mutating func recordFailure(of slot: WritableSlot) {
        guard frames.count > base else {
            hasFailed = true
            return
        }
        guard frames.top.hasMembers else { return dropElement() }
        // The document mentions it, so it is not reported as missing. A repeated object on a key path has values already.
        slot.property.clear()
        slot.mention()
        if slot.value.isRequired { frames.top.hasFailed = true }
    }
}
