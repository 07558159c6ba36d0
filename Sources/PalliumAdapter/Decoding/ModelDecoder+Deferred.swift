import PalliumCore
import PalliumJSON

/// Decodes deferred properties: when the object has ended, their values are found in captured members and read there.
///
/// Safety: the frame is the innermost one and stays until it is committed or dropped; slots are numbered by the plan of
/// the model that the frame owns.
extension ModelDecoder {
    /// Decodes the deferred properties from the captured members. Returns false when it pushed a frame; the decoder
    /// calls it again when that frame has ended.
    mutating func decodeDeferred(
        _ finished: UnsafeMutablePointer<DecodingFrame>, _ plan: JSONPlan
    ) throws -> Bool {
        var frame = unsafe finished
        guard let extras = unsafe frame.pointee.extras, !extras.captured.isEmpty else { return true }
        unsafe frame.pointee.current = DecodingPosition.deferredProperty
        if extras.end == nil {
            extras.end = source.mark()
            try unsafe findEnds(frame, plan, extras)
        }
        endParts(of: extras)
        while unsafe frame.pointee.deferred < plan.deferred.count {
            let number = unsafe frame.pointee.deferred
            unsafe frame.pointee.deferred += 1
            unsafe frame.pointee.current = DecodingPosition.deferredProperty
            do {
                guard try unsafe decode(plan.deferred[number], extras.ends[number], frame, extras) else {
                    return false
                }
            } catch {
                guard isCollecting, let problem = error as? ModelError else { throw error }
                try report(problem)
                let slot = plan.deferred[number].slot
                unsafe frame = frames + (frameCount - 1)
                unsafe recordFailure(of: valueTable(slot, in: frame), frame.pointee.states + slot)
            }
            endParts(of: extras)
            // A transformer's input may have moved the frames.
            unsafe frame = frames + (frameCount - 1)
        }
        if let end = extras.end { source.rewind(to: end) }
        valueOffset = unsafe frame.pointee.offset
        return true
    }

    /// Decodes a property from the values at its paths. Returns false when it pushed a frame.
    private mutating func decode(
        _ property: DeferredProperty, _ ends: [PathEnd], _ frame: UnsafeMutablePointer<DecodingFrame>,
        _ extras: FrameExtras
    ) throws -> Bool {
        let value = unsafe valueTable(property.slot, in: frame)
        let target = unsafe slot(property.slot, in: frame)
        var parts: [Part] = []
        for (path, end) in zip(property.paths, ends) {
            guard let (mark, tokens) = try unsafe follow(path, to: end, value, extras) else { continue }
            source.rewind(to: mark)
            if property.combination == .allOf {
                parts.append(Part(name: path.description, mark: mark, isNull: try source.peekKind() == .null))
                continue
            }
            extras.deferredPath = tokens
            if property.combination == .firstOf { extras.chosenPaths[property.slot] = tokens }
            return try unsafe decodeValue(value, target)
        }
        extras.deferredPath = []
        // No part at all is an absent property (conformance C153). Only nulls are null, which is how null is written.
        guard let first = parts.first else { return true }
        if parts.allSatisfy(\.isNull) {
            source.rewind(to: first.mark)
            return try unsafe decodeValue(value, target)
        }
        if let end = extras.end { source.rewind(to: end) }
        try beginParts(parts)
        extras.hasParts = true
        return try unsafe decodeValue(value, target)
    }

    /// Returns to the text of a frame if the parts of its current property were read.
    mutating func endParts(of extras: FrameExtras) {
        if extras.hasParts { endParts() }
        extras.hasParts = false
    }

    /// Where a path leads, and the path so far; nil if the property is absent. A null on the way is null, and any other
    /// value without members or elements is an error.
    private mutating func follow(
        _ path: JSONKeyPath, to end: PathEnd, _ value: UnsafePointer<ValueTable>, _ extras: FrameExtras
    ) throws(ModelError) -> (mark: JSONReaderMark, path: [String])? {
        switch end {
        case .missing: return nil
        case .value(let mark): return (mark, path.tokens)
        case .blocked(let mark, let position, let isNull):
            let tokens = Array(path.tokens[..<position])
            if isNull { return (mark, tokens) }
            extras.deferredPath = tokens
            valueOffset = mark.offset
            let container =
                switch path.steps[position] {
                case .member: "an object"
                case .element: "an array"
                }
            let descriptor = unsafe value.descriptor
            throw ModelError(
                .typeMismatch, expected: "\(container) on the key path \"\(path)\"", found: currentSummary(),
                schema: descriptor.schema, property: descriptor.key)
        }
    }

    // MARK: Captured members

    /// Checks the captured members, and finds where the paths of deferred properties end in them.
    private mutating func findEnds(
        _ frame: UnsafeMutablePointer<DecodingFrame>, _ plan: JSONPlan, _ extras: FrameExtras
    ) throws {
        extras.ends = plan.deferred.map { Array(repeating: PathEnd.missing, count: $0.paths.count) }
        for (entry, mark) in extras.captured {
            let member = plan.input.members[entry]
            if let node = member.node, node.hasChecks || unknownMembers == .refuse {
                source.rewind(to: mark)
                try unsafe checkMembers(at: [member.name], in: node, frame, extras)
            }
            source.rewind(to: mark)
            try findEnds(of: plan.deferredPaths[entry] ?? [], from: 1, extras)
        }
    }

    /// Finds where paths end whose first steps lead to the next value.
    ///
    /// Recursion is bounded by the length of key paths.
    private mutating func findEnds(
        of paths: [DeferredPath], from position: Int, _ extras: FrameExtras
    ) throws(JSONSyntaxError) {
        let kind = try source.peekKind()
        let mark = source.mark()
        var next: [JSONKeyPath.Step: [DeferredPath]] = [:]
        for path in paths {
            guard position < path.steps.count else {
                extras.ends[path.property][path.number] = .value(mark)
                continue
            }
            switch (path.steps[position], kind) {
            case (.member, .object), (.element, .array): next[path.steps[position], default: []].append(path)
            default:
                extras.ends[path.property][path.number] = .blocked(mark, position: position, isNull: kind == .null)
            }
        }
        for (step, mark) in try next.isEmpty ? [:] : marks(of: next.keys, in: kind) {
            source.rewind(to: mark)
            try findEnds(of: next[step] ?? [], from: position + 1, extras)
        }
    }

    /// Finds the values of the next object or array to which steps lead.
    private mutating func marks(
        of steps: Dictionary<JSONKeyPath.Step, [DeferredPath]>.Keys, in kind: JSONTokenKind
    ) throws(JSONSyntaxError) -> [JSONKeyPath.Step: JSONReaderMark] {
        var marks: [JSONKeyPath.Step: JSONReaderMark] = [:]
        func note(_ step: JSONKeyPath.Step, _ source: inout JSONReader) throws(JSONSyntaxError) {
            if steps.contains(step), duplicates != .firstWins || marks[step] == nil {
                _ = try source.peekKind()
                marks[step] = source.mark()
            }
            try source.skipValue()
        }
        var index = 0
        if kind == .object {
            try source.enterObject()
            while try source.nextMember(first: index == 0) {
                let name = try unsafe source.readName().string
                try note(.member(name), &source)
                index += 1
            }
        } else {
            try source.enterArray()
            while marks.count < steps.count {
                guard try source.nextElement(first: index == 0) else { break }
                try note(.element(index), &source)
                index += 1
            }
        }
        return marks
    }

    /// Checks the discriminators and unknown members in the next value, which is captured or read by a cluster, as if its
    /// members had been decoded one by one.
    ///
    /// Recursion is bounded by the length of key paths.
    mutating func checkMembers(
        at path: [String], in node: DecodingNode, _ frame: UnsafeMutablePointer<DecodingFrame>, _ extras: FrameExtras
    ) throws {
        guard try source.peekKind() == .object else { return try source.skipValue() }
        try source.enterObject()
        var isFirst = true
        while try source.nextMember(first: isFirst) {
            isFirst = false
            let name = try unsafe source.readName().string
            extras.deferredPath = path + [name]
            _ = try source.peekKind()
            valueOffset = source.offset
            let member = node.member(name)
            if let check = member?.check { try unsafe checkDiscriminator(check, frame) }
            if let inner = member?.node {
                try unsafe checkMembers(at: path + [name], in: inner, frame, extras)
                continue
            }
            if member == nil, unknownMembers == .refuse, !node.isIgnored {
                let problem = unsafe unknownMember(name, among: node.names, in: frame)
                guard isCollecting else { throw problem }
                try report(problem)
            }
            try source.skipValue()
        }
    }
}

/// Where the path of a deferred property ends in a document.
enum PathEnd {
    /// At a value.
    case value(JSONReaderMark)
    /// No member or element has the name or index of a step.
    case missing
    /// At a value without members or elements, where the step at a position should go on.
    case blocked(JSONReaderMark, position: Int, isNull: Bool)
}
