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

/// Values that are split over several members: each is made once for an object, by an encoder of its own, and its parts
/// are written where they belong.
///
/// Safety: a frame is used while it is on the stack of frames. Slots are numbered by the program of the model that it
/// stands for.
extension ModelEncoder {
    /// Writes one part of a value.
    mutating func writePart(
        _ entry: UnsafePointer<OutputNode.Entry>, _ member: OutputNode.Member,
        _ frame: UnsafeMutablePointer<EncodingFrame>
    ) throws(ModelError) {
        let value = unsafe entry.pointee.value!
        let index = unsafe entry.pointee.slot
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
        let split = try unsafe splitValue(slot, index, value)
        // A part that the value does not have is left out (conformance C159).
        guard let name = member.part, let part = split.parts[name] else { return }
        unsafe writePrefix(entry, frame)
        if notesSets, !split.sets.isEmpty { sets.add(split.sets, of: name, at: place()) }
        try write(part)
    }

    /// The parts of a value of the object that is being written.
    private mutating func splitValue(
        _ slot: PropertySlot, _ index: Int, _ value: UnsafePointer<ValueTable>
    ) throws(ModelError) -> SplitValue {
        var model = frameCount - 1
        while unsafe frames[model].kind == .path { model -= 1 }
        // Those of objects that have ended are not needed any more.
        let end = unsafe frames[model].hasParts ? model + 1 : model
        while let last = splitValues.last, last.frame >= end { splitValues.removeLast() }
        for known in splitValues.reversed() where known.frame == model && known.slot == index { return known }
        let split = try unsafe makeSplitValue(slot, index, value, model)
        unsafe frames[model].hasParts = true
        splitValues.append(split)
        return split
    }

    private mutating func makeSplitValue(
        _ slot: PropertySlot, _ index: Int, _ value: UnsafePointer<ValueTable>, _ model: Int
    ) throws(ModelError) -> SplitValue {
        let frame = unsafe frames[model]
        let inside = unsafe frame.selection < 0 ? nil : selections[frame.selection].inside(slot.description.key)
        // The inner encoder knows nothing of the frames here, and is the only recursion: a cycle through parts ends, too.
        holdFrames()
        if splitDepth >= maximumDepth { throw unsafe depthError(nil) }
        var inner = ModelEncoder(
            programs: programs, options: options, filter: PropertyFilter(inside), isPartial: isPartial,
            notesSets: notesSets, splitDepth: splitDepth + 1, capacity: 256)
        let names = unsafe frame.node!.takeUnretainedValue().partNames(of: index)
        do throws(ModelError) { try unsafe inner.encodeValue(slot, value) } catch {
            guard let first = error.pointer?.tokens.first else { throw error }
            let part = names.first { UTF8Text.equal($0, first) }.flatMap { try? JSONKeyPath($0) }
            throw error.at(pointerTokens(upTo: model) + (part?.tokens ?? [first]), insteadOfFirst: 1).located()
        }
        guard case .object(let parts) = try inner.written(from: 0) else {
            throw ModelError(
                .notConvertible, slot.description, expected: "an object of the parts", found: "another value")
        }
        let isModel = unsafe value.pointee.operation == .model
        for (name, part) in parts where !names.contains(where: { UTF8Text.equal($0, name) }) {
            // Null in a model is what absence is.
            if isModel, part.isNull { continue }
            throw ModelError(
                .notConvertible, slot.description,
                expected: "no part of \(slot.description.path) but \(names.joined(separator: ", "))",
                found: ModelError.quote(name))
        }
        if unsafe value.pointee.isRequired, !allowsIncomplete, inside == nil,
            parts.allSatisfy({ $0.value.isNull })
        {
            throw unsafe missing(value, slot.slotState, lacking: "a part")
        }
        return SplitValue(frame: model, slot: index, parts: parts, sets: inner.sets)
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

extension OutputNode {
    /// The names of the parts of a slot, here and below.
    ///
    /// Recursion is bounded by the length of key paths.
    fileprivate func partNames(of slot: Int) -> [String] {
        members.flatMap { member in
            member.node?.partNames(of: slot) ?? (member.slot == slot ? member.part.map { [$0] } ?? [] : [])
        }
    }
}
