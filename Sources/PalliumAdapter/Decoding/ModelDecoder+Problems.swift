import PalliumCore
import PalliumJSON

/// Makes and locates errors, and continues decoding when problems are collected.
///
/// Safety: only frames below `frameCount` are read; entries are numbered by the frame's node, and elements by the list
/// that it owns.
extension ModelDecoder {
    // MARK: Making

    @inline(never)
    func error(
        _ code: ModelError.Code, _ value: UnsafePointer<ValueTable>, expected: String? = nil, found: String? = nil
    ) -> ModelError {
        let descriptor = unsafe value.descriptor
        return ModelError(
            code, descriptor, expected: expected ?? descriptor.expectation, found: found ?? currentSummary())
    }

    func mismatch(_ value: UnsafePointer<ValueTable>) -> ModelError {
        let expected: String? =
            switch unsafe value.pointee.operation {
            case .unixSeconds: "a number of seconds since 1970"
            case .unixMilliseconds: "a whole number of milliseconds since 1970"
            case .model: "an object"
            case .array, .set: "an array"
            case .dictionary: "an object"
            default: unsafe value.codec?.jsonExpectation
            }
        return unsafe error(.typeMismatch, value, expected: expected)
    }

    /// A short description of the value that is being decoded.
    func currentSummary() -> String { source.summary(at: valueOffset) ?? "something else" }

    // MARK: Locating

    /// The path to the value that is being decoded.
    func pointerTokens() -> [String] {
        var tokens = session.prefix
        unsafe path.appendTokens(to: &tokens)
        return tokens
    }

    /// The path to a syntax error: to the container if its members or elements are separated wrongly, else to the value
    /// that is being decoded.
    private func pointerTokens(to error: JSONSyntaxError) -> [String] {
        // An error inside of a value that no frame reads lies deeper, or behind the beginning of the value.
        guard source.depth == outerDepth + frameCount, source.offset == error.offset else { return pointerTokens() }
        switch error.expectation {
        case .memberName, .memberNameOrObjectEnd, .commaOrObjectEnd, .commaOrArrayEnd, .valueOrArrayEnd: break
        case .value where [UInt8(ascii: "]"), UInt8(ascii: "/")].contains(error.found):
            let isInArray = unsafe frameCount > 0 ? frames[frameCount - 1].kind == .array : outerDepth > 0
            guard isInArray else { return pointerTokens() }
        default: return pointerTokens()
        }
        if frameCount == 0 { return session.prefix.dropLast() }
        var tokens = session.prefix
        unsafe DecodingPath(frames: frames, count: frameCount - 1).appendTokens(to: &tokens)
        return tokens
    }

    /// The path below the root value.
    var path: DecodingPath { unsafe DecodingPath(frames: frames, count: frameCount) }

    /// Adds path, line and column to an error.
    func locate(_ error: any Error) -> ModelError {
        if let syntax = error as? JSONSyntaxError {
            let location = session.location(origin(of: syntax.offset))
            return session.masked(ModelError(syntax).at(pointerTokens(to: syntax))).at(location)
        }
        guard let problem = error as? ModelError else {
            return ModelError(.hookFailed, expected: "no error", found: "one", underlying: error)
        }
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
        return (0..<frameCount).contains { unsafe frames[$0].kind == .array || frames[$0].kind == .dictionary }
    }

    /// Reports a problem of the root value; throws malformed JSON, behind which nothing can be decoded.
    mutating func fail(with error: any Error) throws {
        guard !session.isStartingOver, let problem = error as? ModelError, problem.category != .malformedInput else {
            throw error
        }
        try report(problem)
        hasFailed = true
    }

    /// Continues behind a value that could not be decoded.
    ///
    /// If problems are collected, the decoder skips the member or element. If only bad elements are skipped, it skips
    /// the nearest element of a list.
    mutating func recover(from error: any Error, base: Int) throws {
        guard !session.isStartingOver, let problem = error as? ModelError, problem.category != .malformedInput else {
            throw error
        }
        if isCollecting { try report(problem) }
        // A model that is refused after its object has ended is dropped whole.
        if let top = unsafe frameCount > base ? frames + (frameCount - 1) : nil, unsafe top.pointee.isFinishing {
            if isCollecting { return unsafe dropFailed(top) }
        }
        if !isCollecting {
            // If bad elements are skipped, leave everything inside the nearest element.
            guard
                let list = (base..<frameCount).last(where: {
                    unsafe frames[$0].kind == .array || frames[$0].kind == .dictionary
                })
            else { throw error }
            releaseFrames(downTo: list + 1)
        }
        let frame = unsafe frames + (frameCount - 1)
        guard let mark = unsafe frame.pointee.extras?.mark else { throw error }
        source.rewind(to: mark)
        if partialModels != .none, unsafe frame.pointee.kind == .array || frame.pointee.kind == .dictionary {
            try unsafe noteSkippedElement(frame)
        } else {
            try source.skipValue()
        }
        switch unsafe frame.pointee.kind {
        case .model, .path:
            if unsafe frame.pointee.current >= 0 {
                let entry = unsafe frame.pointee.entries + frame.pointee.current
                if let value = unsafe entry.pointee.value {
                    let slot = unsafe slot(entry.pointee.slot, in: frame)
                    slot.clear()
                    unsafe recordFailure(of: value, slot.state)
                } else if unsafe entry.pointee.action == .path {
                    for number in unsafe entry.pointee.node!._withUnsafeGuaranteedRef({ $0.slots }) {
                        unsafe recordFailure(of: valueTable(number, in: frame), frame.pointee.states + number)
                    }
                } else if unsafe entry.pointee.action != .skip {
                    unsafe frame.pointee.hasFailed = true
                }
            }
        case .array, .dictionary: unsafe dropElement(frame)
        }
    }

    /// Notes what identifies an element that could not be decoded: a merge leaves that of the target as it is.
    private mutating func noteSkippedElement(_ frame: UnsafeMutablePointer<DecodingFrame>) throws {
        let value = try source.readValue()
        let list = unsafe SlotOperations.list(frame.pointee.object!)
        var skipped = session.skippedElements[ObjectIdentifier(list)] ?? SkippedElements(list: list)
        if let dictionary = list as? SlotDictionary {
            skipped.keys.insert(UTF8Key(unsafe dictionary.keys[frame.pointee.current]))
        } else if let object = value.objectValue, let plan = unsafe frame.pointee.element?.pointee.model {
            let slots = unsafe frame.pointee.targetValue.descriptor.identifierSlots
            let part = unsafe try? identifyingPart(of: object, plan.takeUnretainedValue(), slots)
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

    /// Removes the element that could not be decoded from its list.
    private mutating func dropElement(_ frame: UnsafeMutablePointer<DecodingFrame>) {
        let object = unsafe frame.pointee.object!
        if unsafe frame == frames {
            // The elements of the root array are independent of each other.
            unsafe session.droppedRoots.append(frame.pointee.current)
        } else if session.options.elements == .fail {
            unsafe frame.pointee.hasFailed = true
        }
        if unsafe frame.pointee.kind == .array { return unsafe SlotOperations.list(object).removeLast() }
        let (list, extras) = unsafe (SlotOperations.dictionary(object), extras(of: frame))
        if extras.keepsElement {
            extras.keepsElement = false
        } else if duplicates == .lastWins, unsafe frame.pointee.current == list.count - 1 {
            list.removeLastElement()
        } else {
            // The document has the key, so its gap is closed when the dictionary ends, unless a later value for the key
            // fills it.
            unsafe list.slot(at: frame.pointee.current).clear()
            extras.hasGaps = true
        }
    }

    /// Records that a value of the innermost frame is missing because of a problem. The frame can be finished only if
    /// the value is optional.
    mutating func recordFailure(of value: UnsafePointer<ValueTable>, _ state: UnsafeMutablePointer<UInt8>) {
        guard frameCount > base else {
            hasFailed = true
            return
        }
        let frame = unsafe frames + (frameCount - 1)
        switch unsafe frame.pointee.kind {
        case .model, .path:
            // The document mentions it, so it is not reported as missing.
            unsafe state.pointee = SlotState.mentioned.rawValue
            if unsafe value.descriptor.property.isRequired { unsafe frame.pointee.hasFailed = true }
        case .array, .dictionary: unsafe dropElement(frame)
        }
    }
}

extension UnsafePointer<ValueTable> {
    var descriptor: ValueDescriptor { unsafe pointee.descriptor.takeUnretainedValue() }

    /// The codec of a value that JSON spells as text.
    var codec: TextCodec? { unsafe pointee.value.takeUnretainedValue().codec }

    /// Whether merging handles null for a property that is not nullable.
    var isNullResolvedByMerging: Bool {
        guard let policy = unsafe descriptor.property.merge else { return unsafe pointee.hasDefault }
        return unsafe pointee.hasDefault || policy.ignoresNull || policy.name == "newest"
    }
}
