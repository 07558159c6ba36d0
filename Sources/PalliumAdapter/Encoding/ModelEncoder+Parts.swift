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

/// An encoder that encodes a split value while another encoder waits for it.
private final class SplitEncoder {
    var encoder: ModelEncoder

    init(_ encoder: consuming ModelEncoder) { self.encoder = encoder }
}

/// Encodes values that are split over several members. An encoder of its own encodes each value once for an object;
/// then its parts are written into their members.
///
/// Safety: a frame is used while it is on the stack of frames. Slots are numbered by the plan of the frame's model. The
/// frame of a split value is above one of the model's object, and has the value.
extension ModelEncoder {
    /// Writes one part of a value.
    mutating func writePart(
        _ entry: UnsafePointer<EncodingNode.Entry>, _ member: EncodingNode.Member,
        _ frame: UnsafeMutablePointer<EncodingFrame>
    ) throws(ModelError) {
        let value = unsafe entry.pointee.value!
        let index = unsafe entry.pointee.slot
        if let split = splitValue(of: index) {
            // A part that the value does not have is left out (conformance C159).
            guard let name = member.part, let part = split.parts[name] else { return }
            unsafe writePrefix(entry, frame)
            if !split.marks.isEmpty { marks.add(split.marks, of: name, at: pathNode()) }
            return try write(part)
        }
        let slot = unsafe PropertySlot(
            pointer: frame.pointee.slots + index &* 16, state: frame.pointee.states + index,
            descriptor: value.pointee.descriptor)
        let policy = unsafe entry.pointee.nilPolicy ?? nilPolicy
        guard slot.hasValue, !slot.slotState.isDefaulted || policy != .asParsed else {
            if unsafe value.pointee.isRequired, !slot.hasValue, !allowsIncomplete {
                throw unsafe missing(value, slot.slotState)
            }
            guard slot.slotState.isNull ? policy != .omit : policy == .write && !slot.hasValue else { return }
            unsafe writePrefix(entry, frame)
            return buffer.append(literal: "null")
        }
        // The encoder calls this again when it has the value.
        unsafe push(
            EncodingFrame(
                kind: .split, index: index, count: 0, element: value, slots: slot.pointer, states: slot.state))
    }

    /// The index of the frame whose model owns the object that is being written.
    private var innermostModel: Int {
        var index = frameCount - 1
        while unsafe frames[index].kind != .model { index -= 1 }
        return index
    }

    /// The parts of a value of the innermost model; nil before they are encoded.
    private mutating func splitValue(of slot: Int) -> SplitValue? {
        let model = innermostModel
        // Values of objects that have ended are not needed any more.
        let end = unsafe frames[model].hasParts ? model + 1 : model
        while let last = splitValues.last, last.frame >= end { splitValues.removeLast() }
        for split in splitValues.reversed() {
            if split.frame < model { break }
            if split.slot == slot { return split }
        }
        return nil
    }

    // MARK: Making values

    /// Encodes the value of the innermost frame. Waiting encoders are kept in a list, so nested split values need no
    /// stack.
    mutating func makeSplitValue() throws(ModelError) {
        var makers = [try makeSplitEncoder()]
        do throws(ModelError) {
            try begin(makers[0])
            while let maker = makers.last {
                if maker.encoder.waits {
                    let next = try maker.encoder.makeSplitEncoder()
                    makers.append(next)
                    try maker.encoder.begin(next)
                } else if maker.encoder.frameCount > 0 {
                    try maker.encoder.step()
                } else {
                    let value = try maker.encoder.finishedValue()
                    makers.removeLast()
                    if let waiting = makers.last {
                        try waiting.encoder.take(value, maker.encoder.marks)
                    } else {
                        try take(value, maker.encoder.marks)
                    }
                }
            }
        } catch {
            var problem = error
            while let maker = makers.popLast() {
                if !problem.isLocated { problem = problem.at(maker.encoder.pointerTokens()) }
                problem = makers.last?.encoder.relocated(problem) ?? relocated(problem)
            }
            throw problem
        }
    }

    /// Whether a split value must be encoded before anything else is written.
    private var waits: Bool { unsafe frameCount > 0 && frames[frameCount - 1].kind == .split }

    private mutating func makeSplitEncoder() throws(ModelError) -> SplitEncoder {
        // The other encoder does not see the frames of this one.
        holdFrames()
        // Nested split models need not take a level of JSON, so their depth is limited here.
        if splitDepth >= options.writing.maximumDepth { throw unsafe depthError(nil) }
        return SplitEncoder(
            ModelEncoder(
                plans: plans, options: options, filter: filter, redaction: redaction, isPartial: isPartial,
                markedValues: markedValues, splitDepth: splitDepth + 1, capacity: 256))
    }

    private func begin(_ maker: SplitEncoder) throws(ModelError) {
        let frame = unsafe frames[frameCount - 1]
        try unsafe maker.encoder.write(frame.slots, frame.states, frame.element!)
    }

    /// Returns the encoded value when all of it is written.
    mutating func finishedValue() throws(ModelError) -> JSONValue {
        if !records.isEmpty { try finishRecords(from: 0) }
        return try written(from: 0)
    }

    private var splitDescriptor: ValueDescriptor {
        unsafe frames[frameCount - 1].element!.pointee.descriptor.takeUnretainedValue()
    }

    private var splitNames: [String] {
        unsafe frames[innermostModel].node!.takeUnretainedValue().partNames(of: frames[frameCount - 1].index)
    }

    /// Moves an error of the split value to its path in the document; that path begins with the name of a part.
    private func relocated(_ error: ModelError) -> ModelError {
        guard let first = error.pointer?.tokens.first else { return error }
        let part = splitNames.first { UTF8Text.equal($0, first) }.flatMap { try? JSONKeyPath($0) }
        return error.at(pointerTokens(upTo: innermostModel) + (part?.tokens ?? [first]), insteadOfFirst: 1).located()
    }

    /// Takes the encoded value and continues.
    private mutating func take(_ made: JSONValue, _ newMarks: DocumentMarks) throws(ModelError) {
        let frame = unsafe frames[frameCount - 1]
        let value = unsafe frame.element!
        let (model, names, descriptor) = (innermostModel, splitNames, splitDescriptor)
        guard case .object(let parts) = made else {
            throw ModelError(
                .notConvertible, descriptor, expected: "an object of the parts", found: "another value")
        }
        let isModel = unsafe value.pointee.operation == .model
        for (name, part) in parts where !names.contains(where: { UTF8Text.equal($0, name) }) {
            // A null part of a model means that the part is absent.
            if isModel, part.isNull { continue }
            throw ModelError(
                .notConvertible, descriptor,
                expected: "no part of \(descriptor.path) but \(names.joined(separator: ", "))",
                found: ModelError.quote(name))
        }
        let isWhole = unsafe filter == nil && value.pointee.value.takeUnretainedValue().isWhole
        if unsafe value.pointee.isRequired, !allowsIncomplete, isWhole, parts.allSatisfy({ $0.value.isNull }) {
            throw unsafe missing(value, SlotState(rawValue: frame.states.pointee), lacking: "a part")
        }
        splitValues.append(SplitValue(frame: model, slot: unsafe frame.index, parts: parts, marks: newMarks))
        unsafe frames[model].hasParts = true
        end()
        // Now write the part that needed the value.
        unsafe frames[frameCount - 1].index -= 1
    }

    // MARK: Marks

    /// The node of `marks` for the path of the next value. Each frame's path is looked up once.
    mutating func pathNode() -> Int {
        var first = frameCount
        while first > 0, unsafe !frames[first - 1].hasPathNode { first -= 1 }
        pathNodes.removeSubrange(first...)
        var node = DocumentMarks.root
        if first > 0 { node = marks.node(at: tokens(from: first - 1, upTo: first), below: pathNodes[first - 1]) }
        for frame in first..<frameCount {
            unsafe frames[frame].hasPathNode = true
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
