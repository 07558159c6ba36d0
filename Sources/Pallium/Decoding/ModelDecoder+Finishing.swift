import PalliumCore
import PalliumJSON

/// What happens once the object of a model has ended: deferred properties, defaults, required properties, hooks.
///
/// Safety: the frame is the innermost one and stays until it is committed or dropped; slots are numbered by the program
/// of the model that the frame owns.
extension ModelDecoder where Source: ~Copyable {
    @inline(never)
    mutating func finishModel(_ frame: UnsafeMutablePointer<DecodingFrame>) throws {
        let object = unsafe frame.pointee.object!
        let program = unsafe frame.pointee.program!.takeUnretainedValue()
        guard try unsafe decodeDeferred(frame, program) else { return }
        unsafe frame.pointee.current = -2
        if duplicates != .lastWins { unsafe clearMentions(frame, program) }
        if unsafe frame.pointee.isPart { return unsafe finishPart(frame) }
        for slot in program.defaulted where unsafe frame.pointee.states[slot] == 0 {
            let place = unsafe self.slot(slot, in: frame)
            place.copyContent(of: program.layout.defaultSlot(slot))
            place.slotState = place.slotState.asDefaulted
        }
        if unsafe frame.pointee.hasFailed { return unsafe dropFailed(frame) }
        for (slot, member) in program.required where unsafe !SlotState(rawValue: frame.pointee.states[slot]).hasValue {
            let descriptor = program.values[slot].descriptor
            let problem = ModelError(
                .missingProperty, expected: "the member \(ModelError.quote(member)) of \(program.layout.schema.name)",
                found: "none", schema: program.layout.schema.name, property: descriptor.key)
            guard isCollecting else { throw problem }
            valueOffset = unsafe frame.pointee.offset
            try session.report(locate(problem))
            unsafe frame.pointee.hasFailed = true
        }
        if unsafe frame.pointee.hasFailed { return unsafe dropFailed(frame) }
        // The object of a model frame is the model that `pushModel` put there.
        let model = unsafe object._withUnsafeGuaranteedRef { unsafe unsafeDowncast($0, to: DynamicModel.self) }
        unsafe keepUnknownMembers(of: frame, in: model, program)
        model.linkChildren()
        if program.runsHooks {
            let problems = model.problemsAfterDecoding(program)
            if !problems.isEmpty {
                var located: [ModelError] = []
                for problem in problems {
                    // Where the value stands that was refused, as far as the document has it.
                    valueOffset = unsafe frame.pointee.offset
                    if baseOffset == nil, let tokens = problem.pointer?.tokens {
                        valueOffset = session.offset(of: tokens, from: valueOffset)
                    }
                    located.append(locate(problem))
                }
                guard isCollecting else { throw ModelError(located).located() }
                for problem in located { try session.report(problem) }
                return unsafe dropFailed(frame)
            }
        }
        unsafe commit(frame)
    }

    /// Forgets which members came without leaving a value.
    private func clearMentions(_ frame: UnsafeMutablePointer<DecodingFrame>, _ program: JSONProgram) {
        for slot in program.values.indices where unsafe SlotState(rawValue: frame.pointee.states[slot]).isUnset {
            unsafe frame.pointee.states[slot] = SlotState.unset.rawValue
        }
    }

    private func keepUnknownMembers(
        of frame: UnsafeMutablePointer<DecodingFrame>, in model: DynamicModel, _ program: JSONProgram
    ) {
        guard unknownMembers == .keep, let extras = unsafe frame.pointee.extras else { return }
        for (name, value) in program.output.leftover(of: extras.captured) {
            extras.preserved.updateValue(value, forKey: name)
        }
        if !extras.preserved.isEmpty { model.preservedMembers = extras.preserved }
    }

    /// Ends a model of which part is enough. Whoever asks for parts wants the first problem, so none were collected.
    private mutating func finishPart(_ frame: UnsafeMutablePointer<DecodingFrame>) {
        popKnown()
        if let program = unsafe frame.pointee.program, let object = unsafe frame.pointee.object {
            unsafe keepUnknownMembers(
                of: frame, in: object._withUnsafeGuaranteedRef { unsafe unsafeDowncast($0, to: DynamicModel.self) },
                program.takeUnretainedValue())
        }
        unsafe commit(frame)
    }

    /// Decodes the deferred properties from the captured members. False when a frame was pushed; the decoder comes back
    /// here when it is done.
    private mutating func decodeDeferred(
        _ frame: UnsafeMutablePointer<DecodingFrame>, _ program: JSONProgram
    ) throws -> Bool {
        while unsafe frame.pointee.deferred < program.deferred.count {
            let property = unsafe program.deferred[frame.pointee.deferred]
            unsafe frame.pointee.deferred += 1
            unsafe frame.pointee.current = -3
            guard let extras = unsafe frame.pointee.extras else { continue }
            valueOffset = unsafe frame.pointee.offset
            for path in property.paths {
                guard let met = offset(path, extras) else { continue }
                valueOffset = met
                break
            }
            do {
                guard let (value, path, offset) = try resolve(property, extras, program) else { continue }
                valueOffset = offset
                extras.deferredPath = path
                let table = unsafe valueTable(property.slot, in: frame)
                let place = unsafe slot(property.slot, in: frame)
                if Source.isTree {
                    source.push(value)
                    guard try unsafe decodeValue(table, place.pointer, place.state) else { return false }
                } else {
                    if try unsafe !decodeTree(value, table, into: place, path: path, offset: offset) {
                        unsafe noteFailure(of: table)
                    }
                }
            } catch {
                guard isCollecting, let problem = error as? ModelError else { throw error }
                try session.report(locate(problem))
                unsafe noteFailure(of: valueTable(property.slot, in: frame))
            }
        }
        return true
    }

    /// The value of a deferred property, the path to it, and where it begins; nil when the property is absent.
    private func resolve(
        _ property: DeferredProperty, _ extras: FrameExtras, _ program: JSONProgram
    ) throws(ModelError) -> (value: JSONValue, path: [String], offset: Int)? {
        let descriptor = program.values[property.slot].descriptor
        switch property.combination {
        case .single, .firstOf:
            for path in property.paths {
                if let value = try follow(path, extras, descriptor) {
                    return (value, path.tokens, self.offset(path, extras) ?? valueOffset)
                }
            }
            return nil
        case .allOf:
            var parts = JSONObject()
            for path in property.paths {
                if let value = try follow(path, extras, descriptor) {
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

    /// Walks a path: missing on the way is absent, null on the way is null, anything else without parts an error.
    private func follow(
        _ path: JSONKeyPath, _ extras: FrameExtras, _ descriptor: ValueDescriptor
    ) throws(ModelError) -> JSONValue? {
        var current = JSONValue.object(extras.captured)
        for (index, step) in path.steps.enumerated() {
            switch (current, step) {
            case (.object(let object), .member(let name)):
                guard let next = object[name] else { return nil }
                current = next
            case (.array(let elements), .element(let number)):
                guard number < elements.count else { return nil }
                current = elements[number]
            case (.null, _): return .null
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
        return current
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
        try unsafe decoder.decode(value, into: slot)
        return !decoder.rootFailed
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

extension DynamicModel {
    /// Runs the validators of every property, the rules over the model and the decoding hooks; answers what they refuse.
    func problemsAfterDecoding(_ program: JSONProgram) -> [ModelError] {
        let problems = layout.hasRules ? collectProblems { program.path(of: $0) } : []
        if !problems.isEmpty { return problems }
        do throws(ModelError) {
            if !layout.hasRules { try runModelRules() }
            try runDecodingHooks()
            return []
        } catch { return error.problems }
    }
}
