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

/// An encoder of a split value, on the heap, where it takes nothing of the stack.
private final class SplitEncoder {
    var encoder: ModelEncoder

    init(_ encoder: consuming ModelEncoder) { self.encoder = encoder }
}

/// Encodes values that are split over several members. An encoder of its own encodes each value once for an object;
/// then its parts are written into their members.
///
/// Encoders of nested values call one another. What is not needed meanwhile is in functions that are not inlined, so that
/// a level takes less than 7 kB of the stack, and all levels less than the 512 kB that a thread may have.
extension ModelEncoder {
    /// How many split values may be nested in one another.
    private static var maximumSplitDepth: Int { 64 }

    /// Writes one part of a value.
    @inline(never)
    mutating func writePart(_ member: EncodingMember, _ slot: ReadableSlot) throws(ModelError) {
        if splitValue(of: member.entry.slot) == nil {
            guard absence(of: slot, member) == nil, let filled = slot.filled else {
                return try writeAbsent(member, slot)
            }
            try encodeParts(of: filled, member.entry.slot)
        }
        try writeEncodedPart(member)
    }

    @inline(never)
    private mutating func writeEncodedPart(_ member: EncodingMember) throws(ModelError) {
        // A part that the value does not have is left out (conformance C159).
        guard let index = splitValue(of: member.entry.slot), let name = frames.top.member?.part,
            let part = splitValues[index].parts[name]
        else { return }
        writePrefix(member)
        let partMarks = splitValues[index].marks
        if !partMarks.isEmpty { marks.add(partMarks, of: name, at: pathNode()) }
        try write(part)
    }

    /// The index of the frame whose model owns the object that is being written.
    private var innermostModel: Int {
        var index = frames.count - 1
        while frames[index].kind != .model { index -= 1 }
        return index
    }

    /// The index of a value of the innermost model among the split values; nil before it is encoded.
    @inline(never)
    private mutating func splitValue(of slot: Int) -> Int? {
        let model = innermostModel
        // Values of objects that have ended are not needed any more.
        let end = frames[model].hasParts ? model + 1 : model
        while let last = splitValues.last, last.frame >= end { splitValues.removeLast() }
        return splitValues.lastIndex { $0.frame == model && $0.slot == slot }
    }

    // MARK: Encoding the value

    /// Encodes a value of the innermost model. Recursion is bounded by `maximumSplitDepth`.
    @inline(never)
    private mutating func encodeParts(of slot: FilledSlot, _ index: Int) throws(ModelError) {
        let inner = try makeSplitEncoder()
        do throws(ModelError) { try inner.encoder.encodeAlone(slot) } catch {
            throw relocated(error, from: inner, index)
        }
        try take(inner, slot, index)
    }

    @inline(never)
    private mutating func makeSplitEncoder() throws(ModelError) -> SplitEncoder {
        let limit = min(Self.maximumSplitDepth, options.writing.maximumDepth)
        guard splitDepth < limit else {
            throw ModelError(.depthLimit, expected: "at most \(limit.counted("level")) of allOf", found: "more")
        }
        // The other encoder does not see the frames of this one.
        holdFrames()
        return SplitEncoder(
            ModelEncoder(
                plans: plans, options: options, filter: filter, redaction: redaction, isPartial: isPartial,
                markedValues: markedValues, splitDepth: splitDepth + 1, capacity: 256))
    }

    /// Takes the parts of an encoded value.
    @inline(never)
    private mutating func take(_ inner: SplitEncoder, _ slot: FilledSlot, _ index: Int) throws(ModelError) {
        let parts = try checkedParts(try inner.encoder.written(from: 0), splitNames(of: index), slot)
        let model = innermostModel
        splitValues.append(SplitValue(frame: model, slot: index, parts: parts, marks: inner.encoder.marks))
        frames[model].hasParts = true
    }

    /// The names of the parts of a value of the innermost model.
    private func splitNames(of slot: Int) -> [String] {
        frames[innermostModel].members?.node.object.partNames(of: slot) ?? []
    }

    /// Encodes a value without its model.
    mutating func encodeAlone(_ slot: FilledSlot) throws(ModelError) {
        try writeAlone(slot)
        while !frames.isEmpty { try step() }
        if !records.isEmpty { try finishRecords(from: 0) }
    }

    @inline(never)
    private mutating func writeAlone(_ slot: FilledSlot) throws(ModelError) { try write(slot) }

    /// Moves the error of a split value to its path in the document. The path begins with the name of a part.
    @inline(never)
    private func relocated(_ problem: ModelError, from inner: SplitEncoder, _ index: Int) -> ModelError {
        let error = problem.isLocated ? problem : problem.at(inner.encoder.pointerTokens())
        guard let first = error.pointer?.tokens.first else { return error }
        let part = splitNames(of: index).first { UTF8Text.equal($0, first) }.flatMap { JSONKeyPath.members(in: $0) }
        return error.at(pointerTokens(upTo: innermostModel) + (part ?? [first]), insteadOfFirst: 1).located()
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
        if slot.value.isRequired, !slot.value.isNullable, !allowsIncomplete, isUnprojected,
            parts.allSatisfy({ $0.value.isNull })
        {
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
