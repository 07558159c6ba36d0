import PalliumCore
import PalliumJSON

/// A property's value as an object of parts, which are written into several members.
struct SplitValue {
    /// The index of the model's frame.
    let frame: Int
    let slot: Int
    let parts: JSONObject
    /// What is known about the values in the parts.
    let marks: DocumentMarks
}

/// Encodes values that are split over several members. An encoder of its own encodes each value once for an object;
/// then its parts are written into their members.
extension ModelEncoder {
    /// How many split values may be nested in one another. Their encoders call one another, so the limit bounds the use
    /// of the stack.
    private static var maximumSplitDepth: Int { 64 }

    /// Writes one part of a value.
    mutating func writePart(_ member: EncodingMember, _ slot: ReadableSlot) throws(ModelError) {
        let name = frames.top.member?.part
        let split: SplitValue
        if let encoded = splitValue(of: member.entry.slot) {
            split = encoded
        } else {
            guard absence(of: slot, member) == nil, let filled = slot.filled else {
                return try writeAbsent(member, slot)
            }
            split = try encodeParts(of: filled, member.entry.slot)
        }
        // A part that the value does not have is left out (conformance C159).
        guard let name, let part = split.parts[name] else { return }
        writePrefix(member)
        if !split.marks.isEmpty { marks.add(split.marks, of: name, at: pathNode()) }
        try write(part)
    }

    /// The index of the frame whose model owns the object that is being written.
    private var innermostModel: Int {
        var index = frames.count - 1
        while frames[index].kind != .model { index -= 1 }
        return index
    }

    /// The parts of a value of the innermost model; nil before they are encoded.
    private mutating func splitValue(of slot: Int) -> SplitValue? {
        let model = innermostModel
        // Values of objects that have ended are not needed any more.
        let end = frames[model].hasParts ? model + 1 : model
        while let last = splitValues.last, last.frame >= end { splitValues.removeLast() }
        for split in splitValues.reversed() {
            if split.frame < model { break }
            if split.slot == slot { return split }
        }
        return nil
    }

    // MARK: Encoding the value

    /// Encodes a value of the innermost model. Recursion is bounded by `maximumSplitDepth`.
    @inline(never)
    private mutating func encodeParts(of slot: FilledSlot, _ index: Int) throws(ModelError) -> SplitValue {
        let limit = min(Self.maximumSplitDepth, options.writing.maximumDepth)
        guard splitDepth < limit else {
            throw ModelError(.depthLimit, expected: "at most \(limit.counted("level")) of allOf", found: "more")
        }
        // The other encoder does not see the frames of this one.
        holdFrames()
        var encoder = ModelEncoder(
            plans: plans, options: options, filter: filter, redaction: redaction, isPartial: isPartial,
            markedValues: markedValues, splitDepth: splitDepth + 1, capacity: 256)
        let model = innermostModel
        let names = frames[model].members?.node.object.partNames(of: index) ?? []
        let encoded: JSONValue
        do throws(ModelError) { encoded = try encoder.encodeValue(slot) } catch {
            throw relocated(error.isLocated ? error : error.at(encoder.pointerTokens()), names)
        }
        let parts = try checkedParts(encoded, names, slot)
        let split = SplitValue(frame: model, slot: index, parts: parts, marks: encoder.marks)
        splitValues.append(split)
        frames[model].hasParts = true
        return split
    }

    /// Encodes a value alone, and returns it.
    mutating func encodeValue(_ slot: FilledSlot) throws(ModelError) -> JSONValue {
        try write(slot)
        while !frames.isEmpty { try step() }
        if !records.isEmpty { try finishRecords(from: 0) }
        return try written(from: 0)
    }

    /// Moves the error of a split value to its path in the document. The path begins with the name of a part.
    private func relocated(_ error: ModelError, _ names: [String]) -> ModelError {
        guard let first = error.pointer?.tokens.first else { return error }
        let part = names.first { UTF8Text.equal($0, first) }.flatMap { try? JSONKeyPath($0) }
        return error.at(pointerTokens(upTo: innermostModel) + (part?.tokens ?? [first]), insteadOfFirst: 1).located()
    }

    /// Returns the parts of an encoded value, if it is an object that has no other members.
    private func checkedParts(
        _ encoded: JSONValue, _ names: [String], _ slot: FilledSlot
    ) throws(ModelError) -> JSONObject {
        let descriptor = slot.value.descriptor.object
        guard case .object(let parts) = encoded else {
            throw ModelError(
                .notConvertible, descriptor, expected: "an object of the parts", found: "another value")
        }
        let isModel = slot.value.operation == .model
        for (name, part) in parts where !names.contains(where: { UTF8Text.equal($0, name) }) {
            // A null part of a model means that the part is absent.
            if isModel, part.isNull { continue }
            throw ModelError(
                .notConvertible, descriptor,
                expected: "no part of \(descriptor.path) but \(names.joined(separator: ", "))",
                found: ModelError.quote(name))
        }
        let isUnprojected = filter == nil && slot.value.plan.isUnprojected
        if slot.value.isRequired, !allowsIncomplete, isUnprojected, parts.allSatisfy({ $0.value.isNull }) {
            throw missing(slot.slot, lacking: "a part")
        }
        return parts
    }

    // MARK: Marks

    /// The node of `marks` for the path of the next value. Each frame's path is looked up once.
    mutating func pathNode() -> Int {
        var first = frames.count
        while first > 0, !frames[first - 1].hasPathNode { first -= 1 }
        pathNodes.removeSubrange(first...)
        var node = DocumentMarks.root
        if first > 0 { node = marks.node(at: tokens(from: first - 1, upTo: first), below: pathNodes[first - 1]) }
        for frame in first..<frames.count {
            frames[frame].hasPathNode = true
            pathNodes.append(node)
            node = marks.node(at: tokens(from: frame, upTo: frame + 1), below: node)
        }
        return node
    }
}

extension EncodingNode {
    /// The names of the parts of a slot, in this node and its descendants.
    ///
    /// Recursion is bounded by the length of key paths.
    fileprivate func partNames(of slot: Int) -> [String] {
        members.flatMap { member in
            member.node?.partNames(of: slot) ?? (member.slot == slot ? member.part.map { [$0] } ?? [] : [])
        }
    }
}
