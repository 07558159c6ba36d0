import PalliumCore
import PalliumJSON

/// Deferred properties: their values are looked for in members that were captured, once the object has ended.
///
/// Safety: the frame is the innermost one and stays until it is committed or dropped; slots are numbered by the program
/// of the model that the frame owns.
extension ModelDecoder where Source: ~Copyable {
    /// Decodes the deferred properties from the captured members. False when a frame was pushed; the decoder comes back
    /// here when it is done.
    mutating func decodeDeferred(
        _ frame: UnsafeMutablePointer<DecodingFrame>, _ plan: JSONPlan
    ) throws -> Bool {
        if unsafe frame.pointee.deferred == 0, let extras = unsafe frame.pointee.extras {
            unsafe frame.pointee.current = DecodingPlace.deferredProperty
            for (position, member) in extras.captured.enumerated() {
                valueOffset = extras.offsets[position]
                try unsafe checkMembers(of: member.value, at: [member.key], in: plan.input, frame, extras)
            }
        }
        while unsafe frame.pointee.deferred < plan.deferred.count {
            let property = unsafe plan.deferred[frame.pointee.deferred]
            unsafe frame.pointee.deferred += 1
            unsafe frame.pointee.current = DecodingPlace.deferredProperty
            guard let extras = unsafe frame.pointee.extras else { continue }
            valueOffset = unsafe frame.pointee.offset
            for path in property.paths {
                guard let met = offset(path, extras) else { continue }
                valueOffset = met
                break
            }
            do {
                guard let (value, path, offset) = try resolve(property, extras, plan) else { continue }
                valueOffset = offset
                extras.deferredPath = path
                if property.combination == .firstOf { extras.chosenPaths[property.slot] = path }
                let table = unsafe valueTable(property.slot, in: frame)
                let place = unsafe slot(property.slot, in: frame)
                if Source.isTree {
                    source.push(value)
                    guard try unsafe decodeValue(table, place.pointer, place.state) else { return false }
                } else {
                    if try unsafe !decodeTree(value, table, into: place, path: path, offset: offset) {
                        unsafe noteFailure(of: table, place.state)
                    }
                }
            } catch {
                guard isCollecting, let problem = error as? ModelError else { throw error }
                try report(problem)
                unsafe noteFailure(of: valueTable(property.slot, in: frame), frame.pointee.states + property.slot)
            }
        }
        return true
    }

    /// The value of a deferred property, the path to it, and where it begins; nil when the property is absent.
    private func resolve(
        _ property: DeferredProperty, _ extras: FrameExtras, _ plan: JSONPlan
    ) throws(ModelError) -> (value: JSONValue, path: [String], offset: Int)? {
        let descriptor = plan.values[property.slot].descriptor
        switch property.combination {
        case .single, .firstOf:
            for path in property.paths {
                if let (value, place) = try follow(path, extras, descriptor) {
                    return (value, place, self.offset(path, extras) ?? valueOffset)
                }
            }
            return nil
        case .allOf:
            var parts = JSONObject()
            for path in property.paths {
                if let (value, _) = try follow(path, extras, descriptor) {
                    parts.updateValue(value, forKey: path.description)
                }
            }
            // No part at all is an absent property (conformance C153). Nothing but nulls is null, which is how null is
            // written.
            if parts.isEmpty { return nil }
            return (parts.contains { !$0.value.isNull } ? .object(parts) : .null, [], valueOffset)
        }
    }

    /// Where the captured member begins that a path starts with; nil when it was not met.
    private func offset(_ path: JSONKeyPath, _ extras: FrameExtras) -> Int? {
        guard case .member(let name) = path.steps[0], let position = extras.captured.position(of: name) else {
            return nil
        }
        return extras.offsets[position]
    }

    /// Walks a path: missing on the way is absent, null on the way is null, anything else without parts an error. The
    /// answer says where the walk ended.
    private func follow(
        _ path: JSONKeyPath, _ extras: FrameExtras, _ descriptor: ValueDescriptor
    ) throws(ModelError) -> (value: JSONValue, place: [String])? {
        var current = JSONValue.object(extras.captured)
        for (index, step) in path.steps.enumerated() {
            switch (current, step) {
            case (.object(let object), .member(let name)):
                guard let next = object[name] else { return nil }
                current = next
            case (.array(let elements), .element(let number)):
                guard number < elements.count else { return nil }
                current = elements[number]
            case (.null, _): return (.null, Array(path.tokens[..<index]))
            default:
                extras.deferredPath = Array(path.tokens[..<index])
                let expected =
                    switch step {
                    case .member: "an object on the way of the key path \"\(path)\""
                    case .element: "an array on the way of the key path \"\(path)\""
                    }
                throw ModelError(
                    .typeMismatch, expected: expected, found: current.summary, schema: descriptor.schema,
                    property: descriptor.key)
            }
        }
        return (current, path.tokens)
    }

    /// Decodes a value of a tree into a slot. Within bytes this makes one decoder more, within a tree none is needed but
    /// for the inputs of transformers, so decoders nest as deep as transformers call each other. False, with the slot
    /// unset, when the value had problems that were collected.
    mutating func decodeTree(
        _ tree: JSONValue, _ value: UnsafePointer<ValueTable>, into slot: PropertySlot, path: [String],
        offset: Int? = nil
    ) throws -> Bool {
        var decoder = ModelDecoder<TreeSource>(
            TreeSource(tree, maximumDepth: session.options.reading.maximumDepth), session: session,
            prefix: pointerTokens(including: path), baseOffset: Source.isTree ? baseOffset : offset ?? valueOffset)
        decoder.rootIsPart = unsafe parts != .none && isPart(value)
        decoder.holderIsPart = isPropertyOfPart
        decoder.holderIsSkippedElement = isInSkippedElement
        try unsafe decoder.decode(value, into: slot)
        return !decoder.rootFailed
    }

    /// Checks what a captured member says besides the values of properties, as if its members had been read one by one:
    /// discriminators, and members that nothing maps.
    ///
    /// Recursion is bounded by the length of key paths.
    private mutating func checkMembers(
        of value: JSONValue, at path: [String], in node: DecodingNode, _ frame: UnsafeMutablePointer<DecodingFrame>,
        _ extras: FrameExtras
    ) throws {
        guard let node = node.member(path[path.count - 1])?.node, case .object(let members) = value else { return }
        for (name, value) in members {
            extras.deferredPath = path + [name]
            if let member = node.member(name) {
                if let problem = member.check?.problem(reading: value) {
                    guard isCollecting else { throw problem }
                    unsafe frame.pointee.hasFailed = true
                    try report(problem)
                }
                try unsafe checkMembers(of: value, at: path + [name], in: node, frame, extras)
            } else if unknownMembers == .refuse, !node.isIgnored {
                let problem = unsafe unknownMember(name, among: node.names, in: frame)
                guard isCollecting else { throw problem }
                try report(problem)
            }
        }
    }
}

extension JSONKeyPath {
    /// The steps as tokens of a JSON Pointer.
    var tokens: [String] {
        steps.map { step in
            switch step {
            case .member(let name): name
            case .element(let index): "\(index)"
            }
        }
    }
}
