import PalliumCore
import PalliumJSON

/// The value of a property as the object of its parts, which stand in several members.
struct SplitValue {
    /// The frame of the model.
    let frame: Int
    let slot: Int
    let parts: JSONObject
    /// Which arrays of the parts stand for sets.
    let sets: SetPlaces
}

/// An encoder that makes such a value for another one, which waits.
private final class SplitEncoder {
    var encoder: ModelEncoder

    init(_ encoder: consuming ModelEncoder) { self.encoder = encoder }
}

/// Values that are split over several members: each is made once for an object, by an encoder of its own, and its parts
/// are written where they belong.
///
/// Safety: a frame is used while it is on the stack of frames. Slots are numbered by the plan of the model that it
/// stands for. A frame of a value that is split stands above one of the model's object, and has the value.
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
            if notesSets, !split.sets.isEmpty { sets.add(split.sets, of: name, at: place()) }
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
        // This comes again when the value is there.
        unsafe push(
            EncodingFrame(
                kind: .split, index: index, count: 0, element: value, slots: slot.pointer, states: slot.state))
    }

    /// The frame of the model of which the innermost object is written.
    private var innermostModel: Int {
        var place = frameCount - 1
        while unsafe frames[place].kind != .model { place -= 1 }
        return place
    }

    /// The parts of a value of that model; nil while they are not made.
    private mutating func splitValue(of slot: Int) -> SplitValue? {
        let model = innermostModel
        // Those of objects that have ended are not needed any more.
        let end = unsafe frames[model].hasParts ? model + 1 : model
        while let last = splitValues.last, last.frame >= end { splitValues.removeLast() }
        for known in splitValues.reversed() {
            if known.frame < model { break }
            if known.slot == slot { return known }
        }
        return nil
    }

    // MARK: Making values

    /// Makes the value for which the innermost frame stands. Encoders that wait for one another stand in a list, so
    /// values in values cost no stack.
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
                    let value = try maker.encoder.madeValue()
                    makers.removeLast()
                    if let waiting = makers.last {
                        try waiting.encoder.take(value, maker.encoder.sets)
                    } else {
                        try take(value, maker.encoder.sets)
                    }
                }
            }
        } catch {
            var problem = error
            while let maker = makers.popLast() {
                if !problem.isLocated { problem = problem.at(maker.encoder.pointerTokens()) }
                problem = makers.last?.encoder.placed(problem) ?? placed(problem)
            }
            throw problem
        }
    }

    /// Whether a value is needed before anything else is written.
    private var waits: Bool { unsafe frameCount > 0 && frames[frameCount - 1].kind == .split }

    private mutating func makeSplitEncoder() throws(ModelError) -> SplitEncoder {
        // The other encoder knows nothing of the frames here.
        holdFrames()
        // Models in parts of one another need not take a level.
        if splitDepth >= options.writing.maximumDepth { throw unsafe depthError(nil) }
        return SplitEncoder(
            ModelEncoder(
                plans: plans, options: options, filter: PropertyFilter(selectionInSplitValue),
                isPartial: isPartial, notesSets: notesSets, splitDepth: splitDepth + 1, capacity: 256))
    }

    private func begin(_ maker: SplitEncoder) throws(ModelError) {
        let frame = unsafe frames[frameCount - 1]
        try unsafe maker.encoder.write(frame.slots, frame.states, frame.element!)
    }

    /// The value by itself, when everything of it is written.
    private mutating func madeValue() throws(ModelError) -> JSONValue {
        if !records.isEmpty { try finishRecords(from: 0) }
        return try written(from: 0)
    }

    /// What the filter says of the value that is needed.
    private var selectionInSplitValue: PropertyFilter.Selection? {
        let selection = unsafe frames[innermostModel].selection
        return selection < 0 ? nil : selections[selection].inside(splitDescriptor.key)
    }

    private var splitDescriptor: ValueDescriptor {
        unsafe frames[frameCount - 1].element!.pointee.descriptor.takeUnretainedValue()
    }

    private var splitNames: [String] {
        unsafe frames[innermostModel].node!.takeUnretainedValue().partNames(of: frames[frameCount - 1].index)
    }

    /// The error about a value, whose path begins with the name of a part.
    private func placed(_ error: ModelError) -> ModelError {
        guard let first = error.pointer?.tokens.first else { return error }
        let part = splitNames.first { UTF8Text.equal($0, first) }.flatMap { try? JSONKeyPath($0) }
        return error.at(pointerTokens(upTo: innermostModel) + (part?.tokens ?? [first]), insteadOfFirst: 1).located()
    }

    /// Goes on with a value that was needed.
    private mutating func take(_ made: JSONValue, _ madeSets: SetPlaces) throws(ModelError) {
        let frame = unsafe frames[frameCount - 1]
        let value = unsafe frame.element!
        let (model, names, descriptor) = (innermostModel, splitNames, splitDescriptor)
        guard case .object(let parts) = made else {
            throw ModelError(
                .notConvertible, descriptor, expected: "an object of the parts", found: "another value")
        }
        let isModel = unsafe value.pointee.operation == .model
        for (name, part) in parts where !names.contains(where: { UTF8Text.equal($0, name) }) {
            // Null in a model is what absence is.
            if isModel, part.isNull { continue }
            throw ModelError(
                .notConvertible, descriptor,
                expected: "no part of \(descriptor.path) but \(names.joined(separator: ", "))",
                found: ModelError.quote(name))
        }
        if unsafe value.pointee.isRequired, !allowsIncomplete, selectionInSplitValue == nil,
            parts.allSatisfy({ $0.value.isNull })
        {
            throw unsafe missing(value, SlotState(rawValue: frame.states.pointee), lacking: "a part")
        }
        splitValues.append(SplitValue(frame: model, slot: unsafe frame.index, parts: parts, sets: madeSets))
        unsafe frames[model].hasParts = true
        end()
        // The part that needed it is written now.
        unsafe frames[frameCount - 1].index -= 1
    }

    // MARK: Sets

    /// The place of the value that is about to be written. What leads there is found once for each frame.
    mutating func place() -> Int {
        var first = frameCount
        while first > 0, unsafe !frames[first - 1].hasPlace { first -= 1 }
        places.removeSubrange(first...)
        var place = SetPlaces.root
        if first > 0 { place = sets.place(of: tokens(from: first - 1, upTo: first), below: places[first - 1]) }
        for frame in first..<frameCount {
            unsafe frames[frame].hasPlace = true
            places.append(place)
            place = sets.place(of: tokens(from: frame, upTo: frame + 1), below: place)
        }
        return place
    }
}

extension EncodingNode {
    /// The names of the parts of a slot, here and below.
    ///
    /// Recursion is bounded by the length of key paths.
    fileprivate func partNames(of slot: Int) -> [String] {
        members.flatMap { member in
            member.node?.partNames(of: slot) ?? (member.slot == slot ? member.part.map { [$0] } ?? [] : [])
        }
    }
}
