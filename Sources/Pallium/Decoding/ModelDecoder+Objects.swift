import PalliumCore
import PalliumJSON

/// Objects: beginning a model, ending it.
///
/// Safety: a frame is used while it is on the stack of frames; pushing may move the frames, so nothing is read through
/// an older address afterwards. Entries are numbered by the node of the frame, slots by the program of the model that
/// the frame owns.
extension ModelDecoder where Source: ~Copyable {
    /// How many bytes the decoder looks ahead for a discriminator before it reads the object as a tree. A bound keeps
    /// nested clusters linear: no byte is looked at more than a few times.
    static var lookAhead: Int { 512 }

    /// Begins the object that comes next. False when a frame was pushed.
    @inline(__always)
    mutating func beginModel(
        _ model: Unmanaged<JSONPlan>, _ value: UnsafePointer<ValueTable>, _ slot: UnsafeMutableRawPointer,
        _ state: UnsafeMutablePointer<UInt8>
    ) throws -> Bool {
        let hasCluster = unsafe model._withUnsafeGuaranteedRef { $0.cluster != nil }
        // Part of a model that exists is of that model's schema.
        if hasCluster, !(parts == .root && frameCount == 0 && prefix.isEmpty) {
            return try unsafe beginCluster(model, value, slot, state)
        }
        try source.enterObject()
        unsafe pushModel(model, value, slot, state)
        return false
    }

    @inline(__always)
    private mutating func pushModel(
        _ plan: Unmanaged<JSONPlan>, _ value: UnsafePointer<ValueTable>, _ slot: UnsafeMutableRawPointer,
        _ state: UnsafeMutablePointer<UInt8>
    ) {
        let offset = valueOffset
        let isPart = unsafe parts != .none && isPart(value)
        unsafe plan._withUnsafeGuaranteedRef { owner in
            let model = owner.makeModel()
            let node = owner.input
            unsafe push(
                DecodingFrame(
                    kind: .model, entries: node.entries, entryCount: node.count, node: Unmanaged.passUnretained(node),
                    plan: plan, slots: model.slots, states: model.stateBytes,
                    object: Unmanaged.passRetained(model as AnyObject), element: nil, target: slot, targetState: state,
                    targetValue: value, offset: offset))
        }
        if isPart { noteIsPart() }
    }

    /// Whether the model, or the elements of the list, that is about to begin may lack something.
    @inline(never)
    func isPart(_ value: UnsafePointer<ValueTable>) -> Bool {
        if parts == .all { return true }
        guard frameCount > 0 else { return rootIsPart }
        let holder = unsafe frames + (frameCount - 1)
        guard unsafe holder.pointee.isPart else { return false }
        switch unsafe holder.pointee.kind {
        case .model, .path: return unsafe value.descriptor.property.merge?.mergesInPlace ?? false
        case .array, .dictionary: return true
        }
    }

    /// Notes that the innermost frame is a part.
    @inline(never)
    mutating func noteIsPart() {
        unsafe frames[frameCount - 1].isPart = true
        if reusesKnown { noteKnown() }
    }

    /// Whether the value that is being decoded is a property of a part.
    var isPropertyOfPart: Bool {
        guard frameCount > 0 else { return holderIsPart }
        let holder = unsafe frames + (frameCount - 1)
        return unsafe holder.pointee.isPart && (holder.pointee.kind == .model || holder.pointee.kind == .path)
    }

    /// Chooses the program of an object among those of a cluster, as deep as clusters nest.
    @inline(never)
    private mutating func beginCluster(
        _ model: Unmanaged<JSONPlan>, _ value: UnsafePointer<ValueTable>, _ slot: UnsafeMutableRawPointer,
        _ state: UnsafeMutablePointer<UInt8>
    ) throws -> Bool {
        var plan = unsafe model
        // A cluster chooses itself or a descendant, so this ends.
        while let cluster = unsafe plan._withUnsafeGuaranteedRef({ $0.cluster }) {
            let chosen: JSONPlan
            if let object = source.peekObject() {
                chosen = try cluster.plan(for: object)
            } else if let found = try chooseByLookingAhead(cluster) {
                chosen = found
            } else {
                let offset = source.offset
                let tree = try source.readValue()
                let place = unsafe PropertySlot(pointer: slot, state: state, descriptor: value.pointee.descriptor)
                if try unsafe !decodeTree(tree, value, into: place, path: [], offset: offset) {
                    unsafe noteFailure(of: value, state)
                }
                return true
            }
            if unsafe chosen === plan.takeUnretainedValue() { break }
            unsafe plan = Unmanaged.passUnretained(chosen)
        }
        try source.enterObject()
        unsafe pushModel(plan, value, slot, state)
        return false
    }

    /// Looks for the discriminator near the beginning of the object; nil when the object must be seen as a whole.
    private mutating func chooseByLookingAhead(_ cluster: ClusterPlan) throws -> JSONPlan? {
        guard let member = cluster.discriminatorMember else { return nil }
        let mark = source.mark()
        let start = source.offset
        try source.enterObject()
        var isFirst = true
        while try source.nextMember(first: isFirst) {
            isFirst = false
            let name = try unsafe source.readName()
            let isDiscriminator = unsafe member.utf8.count == name.count && name.bytes.elementsEqual(member.utf8)
            guard isDiscriminator, !session.isReplaced(at: source.offset) else {
                try source.skipValue()
                if source.offset - start > Self.lookAhead {
                    source.rewind(to: mark)
                    return nil
                }
                continue
            }
            valueOffset = source.offset
            guard try source.peekKind() == .string else {
                source.rewind(to: mark)
                return nil
            }
            let chosen = try unsafe cluster.plan(for: try source.readText())
            source.rewind(to: mark)
            return chosen
        }
        source.rewind(to: mark)
        return try cluster.programWithoutDiscriminator()
    }

    /// The object of the frame has ended.
    @inline(__always)
    mutating func endObject(_ frame: UnsafeMutablePointer<DecodingFrame>) throws {
        if unsafe frame.pointee.kind == .path { return unsafe endPath(frame) }
        if try unsafe finishSimply(frame) { return unsafe commit(frame) }
        unsafe frame.pointee.deferred = 0
        try unsafe finishModel(frame)
    }

    /// Finishes the models of most schemas, those without defaults, deferred properties and rules. False, with nothing
    /// done, when there is more to do or something is missing.
    @inline(__always)
    private mutating func finishSimply(_ frame: UnsafeMutablePointer<DecodingFrame>) throws -> Bool {
        guard let plan = unsafe frame.pointee.plan, unsafe frame.pointee.extras == nil,
            unsafe !frame.pointee.hasFailed,
            unsafe !frame.pointee.isPart
        else {
            return false
        }
        let states = unsafe frame.pointee.states
        let (isComplete, hasClass) = unsafe plan._withUnsafeGuaranteedRef { plan -> (Bool, Bool) in
            guard plan.finishesSimply else { return (false, false) }
            guard unsafe plan.requiredSlots.allSatisfy({ unsafe states[$0] & 2 != 0 }) else { return (false, false) }
            return (true, plan.hasClass)
        }
        guard isComplete else { return false }
        if hasClass, let object = unsafe frame.pointee.object {
            do {
                try unsafe object._withUnsafeGuaranteedRef {
                    // The object of a model frame is the model that `pushModel` put there.
                    try unsafe unsafeDowncast($0, to: DynamicModel.self).runOverriddenHooks()
                }
            } catch {
                // As for every problem found after the members: it concerns the object as a whole.
                unsafe frame.pointee.deferred = 0
                unsafe frame.pointee.current = DecodingPlace.wholeObject
                valueOffset = unsafe frame.pointee.offset
                throw error
            }
        }
        return true
    }

    private mutating func endPath(_ frame: UnsafeMutablePointer<DecodingFrame>) {
        let hasFailed = unsafe frame.pointee.hasFailed
        let extras = unsafe frame.pointee.extras
        popKnown()
        frameCount -= 1
        unsafe frame.deinitialize(count: 1)
        let below = unsafe frames + (frameCount - 1)
        if hasFailed { unsafe below.pointee.hasFailed = true }
        guard unknownMembers == .keep else { return }
        // What is left of the object, even nothing, is kept, so that an object without mapped members comes back.
        unsafe self.extras(of: below).preserved.updateValue(
            .object(extras?.preserved ?? JSONObject()), forKey: memberName(in: below))
    }

    /// Stores the finished model or list where it belongs and takes the frame away.
    @inline(__always)
    mutating func commit(_ frame: UnsafeMutablePointer<DecodingFrame>) {
        let target = unsafe frame.pointee.target
        let state = unsafe frame.pointee.targetState
        if let object = unsafe frame.pointee.object {
            unsafe target.storeBytes(of: UnsafeRawPointer(object.toOpaque()), as: UnsafeRawPointer.self)
            unsafe state.pointee = SlotState.value.rawValue
        }
        frameCount &-= 1
        unsafe frame.deinitialize(count: 1)
    }

    mutating func endList(_ frame: UnsafeMutablePointer<DecodingFrame>) {
        popKnown()
        if unsafe frame.pointee.hasFailed { return unsafe dropFailed(frame) }
        if unsafe frame.pointee.extras?.hasGaps ?? false, let object = unsafe frame.pointee.object {
            unsafe SlotOperations.dictionary(object).removeUnsetElements()
        }
        if let value = unsafe frame.pointee.targetValue, unsafe value.pointee.operation == .set,
            let object = unsafe frame.pointee.object
        {
            let list = unsafe SlotOperations.list(object)
            let unique = list.removingDuplicates()
            unsafe frame.pointee.target.storeBytes(
                of: UnsafeRawPointer(Unmanaged.passRetained(unique as AnyObject).toOpaque()), as: UnsafeRawPointer.self)
            unsafe frame.pointee.targetState.pointee = SlotState.value.rawValue
            frameCount &-= 1
            unsafe frame.deinitialize(count: 1)
            unsafe object.release()
            return
        }
        unsafe commit(frame)
    }

    /// Takes a frame away whose content had problems; the target stays unset and the frame below learns of it.
    mutating func dropFailed(_ frame: UnsafeMutablePointer<DecodingFrame>) {
        let (value, state) = unsafe (frame.pointee.targetValue, frame.pointee.targetState)
        let object = unsafe frame.pointee.object
        frameCount -= 1
        unsafe frame.deinitialize(count: 1)
        unsafe object?.release()
        unsafe noteFailure(of: value, state)
    }
}
