import PalliumCore
import PalliumJSON

/// Chooses the classes of objects: by clusters, and in a partial document by the models that the objects are merged into.
///
/// An object that does not say what it is has the class of its target. To find targets, identities must be known before
/// objects are read. So at the first such object decoding starts over, and then looks up every object as a tree first.
///
/// Safety: a discriminator is compared before the reader goes on. The session holds the plans. A part of a model is of the
/// plan whose values it is decoded by.
extension ModelDecoder {
    /// How many bytes of any object the decoder looks ahead, for an identity or a discriminator. It looks farther for
    /// discriminators, but in all objects together no farther than the document is long; an object whose discriminator
    /// is not found by then is looked up as a tree. So nested clusters are linear: no byte is read more than a few times.
    static var lookAhead: Int { 512 }

    /// Begins an object whose class is chosen. Returns false when it pushed a frame.
    @inline(never)
    mutating func beginVariant(_ model: Unowned<JSONPlan>, _ slot: WritableSlot) throws -> Bool {
        var plan = model.object
        let hasTarget = session.targets != nil && isPartial(slot.value)
        let isRoot = frames.isEmpty && session.targets?.root != nil
        // The adapter chose the plan of the root's target.
        var target = isRoot ? session.targets?.root : nil
        if session.tracksTargets, hasTarget, !isRoot {
            target = try findTarget(of: lookUpObject(), plan, slot)
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
        // Plans hold those of descendants.
        try pushModel(unsafe Unowned(plan), slot)
        if isSpecified, hasTarget, plan.varies, let model = frames.top.model { session.specified.append(model.object) }
        if session.tracksTargets, let target, plan.isLayout(of: target) { frames.top.neededExtras.target = target }
        return false
    }

    /// Considers that a member may belong to a descendant: without a cluster, an object never says its class.
    func considerClass() throws {
        let plan = frames.top.plan.object
        guard plan.varies, plan.cluster == nil, session.targets != nil,
            frames.count > 1 || session.targets?.root == nil
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
            guard try unsafe TokenText(source.readName()) == member else {
                try source.skipValue()
                if source.offset > end { return nil }
                continue
            }
            switch try source.peekKind() {
            case .string:
                valueOffset = source.offset
                return .plan(try cluster.plan(for: try unsafe TokenText(source.readText())))
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

    /// The model that the next object, of a slot, is merged into; nil if the object makes a new one.
    private mutating func findTarget(
        of object: JSONObject, _ plan: JSONPlan, _ slot: WritableSlot
    ) throws -> DynamicModel? {
        guard let targets = session.targets else { return nil }
        let part = try identifyingPart(of: object, plan, plan.layout.identitySlots)
        if let identity = ModelIdentity(part), let instance = targets.instance(identity) { return instance }
        guard !frames.isEmpty else { return nil }
        let (number, target) = (frames.count - 1, frames.top.target)
        switch frames.top.kind {
        case .model, .path: return targetSlots(of: slot, number).lazy.map(\.model).first { part.mayDescribe($0) }
        case .array:
            let slots = target.value.descriptor.object.identifierSlots
            let part = try identifyingPart(of: object, plan, slots)
            return targetSlots(of: target, number - 1).lazy
                .compactMap { targets.element(of: $0.list, like: part, slots: slots) }.first
        case .dictionary:
            let key = frames.top.dictionary.keys[frames.top.current]
            return targetSlots(of: target, number - 1).lazy
                .compactMap { slot in slot.dictionary.index(of: key).map { slot.dictionary.slot(at: $0) } }
                .filter(\.hasValue).map(\.model).first { part.mayDescribe($0) }
        }
    }

    /// The slots of the target of a model or path frame that correspond to a slot of its model: its own, and that of its
    /// base, which has what a local edit removed.
    private func targetSlots(of slot: WritableSlot, _ number: Int) -> [PropertySlot] {
        var number = number
        while number > 0, frames[number].kind == .path { number -= 1 }
        guard number >= 0, frames[number].kind == .model, let target = frames[number].extras?.target else { return [] }
        let index = frames[number].slots.number(of: slot)
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
                do throws(ModelError) {
                    let target = unsafe WritableSlot(part.slot(at: slot), plan.values[slot].handle)
                    try session.decode(value, into: target, at: pointerTokens() + path.tokens)
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
