import PalliumCore
import PalliumJSON

/// Chooses the classes of objects: by clusters, and in a partial document by the models that the objects are merged into.
///
/// An object that does not say what it is has the class of its target. To find targets, identities must be known before
/// objects are read. So at the first such object decoding starts over, and then looks up every object as a tree first.
///
/// Safety: a frame is used while it is on the stack of frames; slots are numbered by the plan of the model that a frame
/// owns, whose table its target has, too.
extension ModelDecoder {
    /// How many bytes of any object the decoder looks ahead, for an identity or a discriminator. It looks farther for
    /// discriminators, but in all objects together no farther than the document is long; an object whose discriminator
    /// is not found by then is looked up as a tree. So nested clusters are linear: no byte is read more than a few times.
    static var lookAhead: Int { 512 }

    /// Begins an object whose class is chosen. Returns false when it pushed a frame.
    @inline(never)
    mutating func beginVariant(
        _ model: Unmanaged<JSONPlan>, _ value: UnsafePointer<ValueTable>, _ slot: UnsafeMutableRawPointer,
        _ state: UnsafeMutablePointer<UInt8>
    ) throws -> Bool {
        var plan = unsafe model.takeUnretainedValue()
        let hasTarget = unsafe session.targets != nil && isPartial(value)
        let isRoot = frameCount == 0 && session.targets?.root != nil
        // The adapter chose the plan of the root's target.
        var target = isRoot ? session.targets?.root : nil
        if tracksTargets, hasTarget, !isRoot {
            target = try unsafe findTarget(of: lookUpObject(), plan, slot)
        }
        // Whether the object says its class.
        var isSpecified = false
        // A cluster chooses itself or a descendant, so the loop ends.
        while !isRoot, let cluster = plan.cluster {
            let chosen: JSONPlan
            switch try choose(by: cluster) {
            case .plan(let plan):
                chosen = plan
                isSpecified = true
            case .unspecified:
                isSpecified = false
                if hasTarget { try session.requireTargets() }
                if let target, let own = plan.plan(for: target.layout) {
                    chosen = own
                } else if hasTarget, session.targets?.areKnown == false {
                    chosen = plan
                } else {
                    chosen = try cluster.planWithoutDiscriminator()
                }
            }
            if chosen === plan { break }
            plan = chosen
        }
        if !isSpecified, let target, let own = plan.plan(for: target.layout) { plan = own }
        try source.enterObject()
        try unsafe pushModel(Unmanaged.passUnretained(plan), value, slot, state)
        if isSpecified, hasTarget, plan.varies, let object = unsafe frames[frameCount - 1].object {
            unsafe session.specified.append(SlotOperations.model(object))
        }
        if tracksTargets, let target, unsafe target.rawLayout == plan.rawLayout {
            unsafe extras(of: frames + (frameCount - 1)).target = target
        }
        return false
    }

    /// Considers that a member may belong to a descendant: without a cluster, an object never says its class.
    mutating func considerClass(of frame: UnsafeMutablePointer<DecodingFrame>) throws {
        guard let plan = unsafe frame.pointee.plan?.takeUnretainedValue(), plan.varies, plan.cluster == nil,
            session.targets != nil, frameCount > 1 || session.targets?.root == nil
        else { return }
        try session.requireTargets()
    }

    /// The choice of a cluster for the next object.
    private mutating func choose(by cluster: ClusterPlan) throws -> ClusterPlan.Choice {
        _ = try source.peekKind()
        if let object = objects[source.offset] { return try cluster.choice(for: object) }
        if let choice = try lookAhead(by: cluster) { return choice }
        return try cluster.choice(for: lookUpObject())
    }

    /// Returns the next object as a tree, without consuming it.
    ///
    /// The objects inside are found without being read again. So nested clusters are linear.
    private mutating func lookUpObject() throws(JSONSyntaxError) -> JSONObject {
        _ = try source.peekKind()
        if let object = objects[source.offset] { return object }
        let mark = source.mark()
        objects = try source.readObjects()
        source.rewind(to: mark)
        return objects[source.offset] ?? JSONObject()
    }

    /// The choice by the discriminator of the next object; nil if the whole object must be read first.
    private mutating func lookAhead(by cluster: ClusterPlan) throws -> ClusterPlan.Choice? {
        guard let member = cluster.discriminatorMember else { return nil }
        let mark = source.mark()
        let end = source.offset + Self.lookAhead + remainingLookAhead
        defer {
            remainingLookAhead = min(remainingLookAhead, max(0, end - source.offset))
            source.rewind(to: mark)
        }
        try source.enterObject()
        var isFirst = true
        while try source.nextMember(first: isFirst) {
            isFirst = false
            let name = try unsafe source.readName()
            let isDiscriminator = unsafe member.utf8.count == name.count && name.bytes.elementsEqual(member.utf8)
            guard isDiscriminator else {
                try source.skipValue()
                if source.offset > end { return nil }
                continue
            }
            switch try source.peekKind() {
            case .string:
                valueOffset = source.offset
                return .plan(try unsafe cluster.plan(for: try source.readText()))
            case .number, .true, .false:
                valueOffset = source.offset
                // An unlisted number may be the beginning of malformed text.
                return try cluster.listedPlan(for: try source.readValue()).map { .plan($0) }
            case .null: return .unspecified
            default: return nil
            }
        }
        return .unspecified
    }

    // MARK: Targets

    /// The model that the next object is merged into; nil if the object makes a new one.
    private mutating func findTarget(
        of object: JSONObject, _ plan: JSONPlan, _ slot: UnsafeMutableRawPointer
    ) throws -> DynamicModel? {
        guard let targets = session.targets else { return nil }
        let part = try identifyingPart(of: object, plan, plan.layout.identitySlots)
        if let identity = ModelIdentity(part), let instance = targets.instance(identity) { return instance }
        guard frameCount > 0 else { return nil }
        let number = frameCount - 1
        let frame = unsafe frames + number
        switch unsafe frame.pointee.kind {
        case .model, .path:
            return unsafe targetSlots(of: slot, number).lazy.map(\.model).first { part.mayDescribe($0) }
        case .array:
            let slots = unsafe frame.pointee.targetValue.descriptor.identifierSlots
            let part = try identifyingPart(of: object, plan, slots)
            return unsafe targetSlots(of: frame.pointee.target, number - 1).lazy
                .compactMap { targets.element(of: $0.list, like: part, slots: slots) }.first
        case .dictionary:
            let key = unsafe SlotOperations.dictionary(frame.pointee.object!).keys[frame.pointee.current]
            return unsafe targetSlots(of: frame.pointee.target, number - 1).lazy
                .compactMap { slot in slot.dictionary.index(of: key).map { slot.dictionary.slot(at: $0) } }
                .filter(\.hasValue).map(\.model).first { part.mayDescribe($0) }
        }
    }

    /// The slots of the target of a model or path frame that correspond to a slot of its model: its own, and that of its
    /// base, which has what a local edit removed.
    private func targetSlots(of slot: UnsafeMutableRawPointer, _ number: Int) -> [PropertySlot] {
        var number = number
        while number > 0, unsafe frames[number].kind == .path { number -= 1 }
        guard number >= 0, unsafe frames[number].kind == .model, let target = unsafe frames[number].extras?.target
        else { return [] }
        let index = unsafe (slot - frames[number].slots) / 16
        return [target.slot(at: index), target.trackedBase?.slot(at: index)].compactMap { $0 }.filter(\.hasValue)
    }

    /// A model of an object that has nothing but what identifies it.
    mutating func identifyingPart(
        of object: JSONObject, _ plan: JSONPlan, _ slots: [Int]
    ) throws -> DynamicModel {
        let part = plan.makeModel()
        for slot in slots {
            for path in plan.paths(of: slot) {
                guard let value = path.value(in: object), !value.isNull else { continue }
                let table = unsafe UnsafePointer(plan.values[slot].table)
                do throws(ModelError) {
                    let prefix = pointerTokens() + path.tokens
                    try unsafe session.decode(value, table, into: part.slot(at: slot), at: prefix)
                } catch {
                    throw error.at(session.location(origin(of: source.offset(of: path.tokens, from: source.offset))))
                }
                break
            }
        }
        return part
    }
}

extension DynamicModel {
    /// Whether a part of a model may be a part of another one.
    fileprivate final func mayDescribe(_ other: DynamicModel) -> Bool {
        modelIdentifier.map { $0 == other.modelIdentifier } ?? true
    }
}
