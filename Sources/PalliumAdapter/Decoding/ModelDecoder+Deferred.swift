import PalliumCore
import PalliumJSON

/// Decodes deferred properties: when the object has ended, their values are found in captured members and read there.
extension ModelDecoder {
    /// Decodes the deferred properties of the innermost frame from the captured members. Returns false when it pushed a
    /// frame; the decoder calls it again when that frame has ended.
    mutating func decodeDeferred(_ plan: JSONPlan) throws -> Bool {
        guard let extras = frames.top.extras, !extras.captured.isEmpty else { return true }
        frames.top.current = DecodingPosition.deferredProperty
        extras.innerPath = []
        let ends = try extras.ends ?? findEnds(plan, extras)
        endParts(of: extras)
        while frames.top.deferred < plan.deferred.count {
            let number = frames.top.deferred
            frames.top.deferred += 1
            frames.top.current = DecodingPosition.deferredProperty
            do {
                guard try decode(plan.deferred[number], ends.paths[number], extras) else { return false }
            } catch {
                guard session.isCollecting, case .problem(let problem) = DecodingFailure(error) else { throw error }
                try report(problem)
                recordFailure(of: frames.top.slot(plan.deferred[number].slot))
            }
            endParts(of: extras)
        }
        source.rewind(to: ends.object)
        valueOffset = frames.top.offset
        return true
    }

    /// Decodes a property from the values at its paths. Returns false when it pushed a frame.
    private mutating func decode(
        _ property: DeferredProperty, _ ends: [PathEnd], _ extras: FrameExtras
    ) throws -> Bool {
        let slot = frames.top.slot(property.slot)
        var parts: [Part] = []
        for (path, end) in zip(property.paths, ends) {
            guard let (mark, tokens) = try follow(path, to: end, slot.value, extras) else { continue }
            source.rewind(to: mark)
            if property.combination == .allOf {
                parts.append(Part(name: path.description, mark: mark, isNull: try source.peekKind() == .null))
                continue
            }
            extras.innerPath = tokens
            if property.combination == .firstOf { extras.chosenPaths[property.slot] = tokens }
            return try decodeRarely(slot)
        }
        extras.innerPath = []
        // No part at all is an absent property (conformance C153). Only nulls are null, which is how null is written.
        guard let first = parts.first else { return true }
        if parts.allSatisfy(\.isNull) {
            source.rewind(to: first.mark)
            return try decodeRarely(slot)
        }
        if let end = extras.ends?.object { source.rewind(to: end) }
        try beginParts(parts)
        extras.hasParts = true
        return try decodeRarely(slot)
    }

    /// Returns to the text of a frame if the parts of its current property were read.
    mutating func endParts(of extras: FrameExtras) {
        if extras.hasParts { endParts() }
        extras.hasParts = false
    }

    /// Where a path leads, and the path so far; nil if the property is absent. A null on the way is null, and any other
    /// value without members or elements is an error.
    private mutating func follow(
        _ path: JSONKeyPath, to end: PathEnd, _ value: ValueHandle, _ extras: FrameExtras
    ) throws(ModelError) -> (mark: JSONReaderMark, path: [String])? {
        switch end {
        case .missing: return nil
        case .value(let mark): return (mark, path.tokens)
        case .blocked(let mark, let position, let isNull):
            let tokens = Array(path.tokens[..<position])
            if isNull { return (mark, tokens) }
            extras.innerPath = tokens
            valueOffset = mark.offset
            let container =
                switch path.steps[position] {
                case .member: "an object"
                case .element: "an array"
                }
            let descriptor = value.descriptor.object
            throw ModelError(
                .typeMismatch, expected: "\(container) on the key path \"\(path)\"", found: currentSummary(),
                schema: descriptor.schema, property: descriptor.key)
        }
    }

    // MARK: Captured members

    /// Checks the captured members, and finds where the paths of deferred properties end in them.
    private mutating func findEnds(
        _ plan: JSONPlan, _ extras: FrameExtras
    ) throws -> (object: JSONReaderMark, paths: [[PathEnd]]) {
        let object = source.mark()
        var ends = plan.deferred.map { Array(repeating: PathEnd.missing, count: $0.paths.count) }
        for (entry, mark) in extras.captured {
            let member = plan.input.members[entry]
            if let node = member.node, node.hasChecks || refusesUnknownMembers {
                source.rewind(to: mark)
                try checkMembers(at: [member.name], in: node, extras)
            }
            source.rewind(to: mark)
            try findEnds(of: plan.deferredPaths[entry] ?? [], from: 1, &ends)
        }
        extras.ends = (object, ends)
        return (object, ends)
    }

    /// Finds where paths end whose first steps lead to the next value.
    ///
    /// Recursion is bounded by the length of key paths.
    private mutating func findEnds(
        of paths: [DeferredPath], from position: Int, _ ends: inout [[PathEnd]]
    ) throws(JSONSyntaxError) {
        let kind = try source.peekKind()
        let mark = source.mark()
        var next: [JSONKeyPath.Step: [DeferredPath]] = [:]
        for path in paths {
            guard position < path.steps.count else {
                ends[path.property][path.number] = .value(mark)
                continue
            }
            switch (path.steps[position], kind) {
            case (.member, .object), (.element, .array): next[path.steps[position], default: []].append(path)
            default:
                ends[path.property][path.number] = .blocked(mark, position: position, isNull: kind == .null)
            }
        }
        for (step, mark) in try next.isEmpty ? [:] : marks(of: next.keys, in: kind) {
            source.rewind(to: mark)
            try findEnds(of: next[step] ?? [], from: position + 1, &ends)
        }
    }

    /// Finds the values of the next object or array to which steps lead.
    private mutating func marks(
        of steps: Dictionary<JSONKeyPath.Step, [DeferredPath]>.Keys, in kind: JSONTokenKind
    ) throws(JSONSyntaxError) -> [JSONKeyPath.Step: JSONReaderMark] {
        var marks: [JSONKeyPath.Step: JSONReaderMark] = [:]
        let keepsFirst = duplicates == .firstWins
        func note(_ step: JSONKeyPath.Step, _ source: inout JSONReader) throws(JSONSyntaxError) {
            if steps.contains(step), !keepsFirst || marks[step] == nil {
                _ = try source.peekKind()
                marks[step] = source.mark()
            }
            try source.skipValue()
        }
        var index = 0
        if kind == .object {
            try source.enterObject()
            while try source.nextMember(first: index == 0) {
                let name = try source.readNameString()
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
        at path: [String], in node: DecodingNode, _ extras: FrameExtras
    ) throws {
        guard try source.peekKind() == .object else { return try source.skipValue() }
        try source.enterObject()
        var isFirst = true
        while try source.nextMember(first: isFirst) {
            isFirst = false
            let name = try source.readNameString()
            extras.innerPath = path + [name]
            _ = try source.peekKind()
            valueOffset = source.offset
            let member = node.member(name)
            if let check = member?.check { try checkDiscriminator(check) }
            if let inner = member?.node {
                try checkMembers(at: path + [name], in: inner, extras)
                continue
            }
            if member == nil, refusesUnknownMembers, !node.isIgnored {
                let problem = unknownMember(name, among: node.names)
                guard session.collectsUnknownMembers else { throw problem }
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
