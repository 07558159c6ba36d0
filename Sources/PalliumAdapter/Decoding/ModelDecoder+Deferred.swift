import PalliumCore
import PalliumJSON

/// Decodes deferred properties: when the object has ended, their values are looked up in captured members.
///
/// Safety: the frame is the innermost one and stays until it is committed or dropped; slots are numbered by the plan of
/// the model that the frame owns.
extension ModelDecoder where Source: ~Copyable {
    /// Decodes the deferred properties from the captured members. Returns false when it pushed a frame; the decoder
    /// calls it again when that frame has ended.
    mutating func decodeDeferred(
        _ frame: UnsafeMutablePointer<DecodingFrame>, _ plan: JSONPlan
    ) throws -> Bool {
        if unsafe frame.pointee.deferred == 0, let extras = unsafe frame.pointee.extras {
            unsafe frame.pointee.current = DecodingPosition.deferredProperty
            for (position, member) in extras.captured.enumerated() {
                guard let node = plan.input.member(member.key)?.node else { continue }
                valueOffset = extras.offsets[position]
                try unsafe checkMembers(of: member.value, at: [member.key], in: node, frame, extras)
            }
        }
        while unsafe frame.pointee.deferred < plan.deferred.count {
            let property = unsafe plan.deferred[frame.pointee.deferred]
            unsafe frame.pointee.deferred += 1
            unsafe frame.pointee.current = DecodingPosition.deferredProperty
            guard let extras = unsafe frame.pointee.extras else { continue }
            valueOffset = unsafe frame.pointee.offset
            for path in property.paths {
                guard let start = offset(path, extras) else { continue }
                valueOffset = start
                break
            }
            do {
                guard let (value, path, offset) = try resolve(property, extras, plan) else { continue }
                valueOffset = offset
                extras.deferredPath = path
                if property.combination == .firstOf { extras.chosenPaths[property.slot] = path }
                let table = unsafe valueTable(property.slot, in: frame)
                let target = unsafe slot(property.slot, in: frame)
                if Source.isTree {
                    source.push(value)
                    guard try unsafe decodeValue(table, target.pointer, target.state) else { return false }
                } else {
                    if try unsafe !decodeTree(value, table, into: target, path: path, offset: offset) {
                        unsafe recordFailure(of: table, target.state)
                    }
                }
            } catch {
                guard isCollecting, let problem = error as? ModelError else { throw error }
                try report(problem)
                unsafe recordFailure(of: valueTable(property.slot, in: frame), frame.pointee.states + property.slot)
            }
        }
        return true
    }

    /// The value of a deferred property, its path and its offset; nil if the property is absent.
    private func resolve(
        _ property: DeferredProperty, _ extras: FrameExtras, _ plan: JSONPlan
    ) throws(ModelError) -> (value: JSONValue, path: [String], offset: Int)? {
        let descriptor = plan.values[property.slot].descriptor
        switch property.combination {
        case .single, .firstOf:
            for path in property.paths {
                if let (value, end) = try follow(path, extras, descriptor) {
                    return (value, end, self.offset(path, extras) ?? valueOffset)
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
            // No part at all is an absent property (conformance C153). Only nulls are null, which is how null is
            // written.
            if parts.isEmpty { return nil }
            return (parts.contains { !$0.value.isNull } ? .object(parts) : .null, [], valueOffset)
        }
    }

    /// The offset of the captured member that a path starts with; nil if the document does not have it.
    private func offset(_ path: JSONKeyPath, _ extras: FrameExtras) -> Int? {
        guard case .member(let name) = path.steps[0], let position = extras.captured.position(of: name) else {
            return nil
        }
        return extras.offsets[position]
    }

    /// Follows a path and returns the value and the path so far. A missing step is absent, a null on the way is null,
    /// and any other value without members or elements is an error.
    private func follow(
        _ path: JSONKeyPath, _ extras: FrameExtras, _ descriptor: ValueDescriptor
    ) throws(ModelError) -> (value: JSONValue, path: [String])? {
        switch path.end(in: extras.captured) {
        case .value(let value): return (value, path.tokens)
        case .missing: return nil
        case .blocked(.null, let position): return (.null, Array(path.tokens[..<position]))
        case .blocked(let value, let position):
            extras.deferredPath = Array(path.tokens[..<position])
            let container =
                switch path.steps[position] {
                case .member: "an object"
                case .element: "an array"
                }
            throw ModelError(
                .typeMismatch, expected: "\(container) on the key path \"\(path)\"", found: value.summary,
                schema: descriptor.schema, property: descriptor.key)
        }
    }

    /// Decodes a tree into a slot. Returns false, with the slot unset, if the value had problems that were collected.
    ///
    /// Each call makes one decoder more when the source is bytes. When it is a tree, only inputs of transformers need
    /// one. So decoders nest only as deep as transformers do.
    mutating func decodeTree(
        _ tree: JSONValue, _ value: UnsafePointer<ValueTable>, into slot: PropertySlot, path: [String],
        offset: Int? = nil
    ) throws -> Bool {
        var decoder = ModelDecoder<TreeSource>(
            TreeSource(tree, maximumDepth: session.options.reading.maximumDepth), session: session,
            prefix: pointerTokens(including: path), baseOffset: Source.isTree ? baseOffset : offset ?? valueOffset)
        decoder.rootIsPartial = unsafe partialModels != .none && isPartial(value)
        decoder.holderIsPartial = isPropertyOfPartialModel
        decoder.holderIsSkippedElement = isInSkippedElement
        try unsafe decoder.decode(value, into: slot)
        return !decoder.rootFailed
    }

    /// Checks the discriminators and unknown members inside a captured member, or one that a cluster reads, as if its
    /// members had been read one by one.
    ///
    /// Recursion is bounded by the length of key paths.
    mutating func checkMembers(
        of value: JSONValue, at path: [String], in node: DecodingNode, _ frame: UnsafeMutablePointer<DecodingFrame>,
        _ extras: FrameExtras
    ) throws {
        guard case .object(let members) = value else { return }
        for (name, value) in members {
            extras.deferredPath = path + [name]
            if let member = node.member(name) {
                if let problem = member.check?.problem(reading: value) {
                    guard isCollecting else { throw problem }
                    unsafe frame.pointee.hasFailed = true
                    try report(problem)
                }
                guard let node = member.node else { continue }
                try unsafe checkMembers(of: value, at: path + [name], in: node, frame, extras)
            } else if unknownMembers == .refuse, !node.isIgnored {
                let problem = unsafe unknownMember(name, among: node.names, in: frame)
                guard isCollecting else { throw problem }
                try report(problem)
            }
        }
    }
}
