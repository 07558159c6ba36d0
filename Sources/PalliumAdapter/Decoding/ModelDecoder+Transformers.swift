import PalliumCore
import PalliumJSON

/// Decodes values that your transformers convert.
///
/// Safety: a temporary slot is made for the plan of the value that is decoded into it. The frames wait while your code runs.
extension ModelDecoder {
    /// Reads the input of the first transformer, applies all transformers, and stores the result.
    mutating func decodeTransformed(_ slot: WritableSlot) throws {
        let plan = slot.value.plan
        // A value with transformers has an input.
        let input = plan.input!
        if let conversion = plan.conversion { return try decodeDirectly(input, slot, conversion) }
        let readType = plan.transformers[0].readType
        var current: (any PropertyValue)?
        if input.operation == .string, try source.peekKind() == .string {
            current = try source.readString()
        } else {
            let temporary = unsafe input.makeTemporary()
            let target = unsafe WritableSlot(temporary.slot, input.handle)
            if input.operation.isScalar {
                _ = try decodeRarely(target)
            } else if try !decodeWhole(target) {
                return recordFailure(of: slot)
            }
            current = temporary.slot.load(as: readType)
        }
        try storeConverted(current, slot)
    }

    /// Stores null for a property whose parent object is null; a transformer that handles null converts it first.
    mutating func storeNullOnTheWay(_ slot: WritableSlot) throws {
        if slot.value.convertsNull { return try storeConverted(nil, slot) }
        try storeNull(slot)
    }

    /// Applies the transformers to a value and stores the result.
    private mutating func storeConverted(_ input: (any PropertyValue)?, _ slot: WritableSlot) throws {
        let plan = slot.value.plan
        let converted = try withContext(slot.value) { context in
            var current = input
            for transformer in plan.transformers { current = try transformer.convert(current, context: context) }
            return current
        }
        if let converted {
            do throws(ModelError) { try slot.property.storeConverted(converted) } catch {
                throw error.concerning(plan.descriptor)
            }
        } else {
            try storeNull(slot)
        }
    }

    /// Converts directly from the input's slot, which is on the stack, into the property's.
    private mutating func decodeDirectly(
        _ input: ValuePlan, _ slot: WritableSlot, _ conversion: Transformer.SlotConversion
    ) throws {
        try unsafe input.handle.withTemporary { temporary throws(any Error) in
            _ = try decodeRarely(temporary)
            // Empty text may have been read as null.
            guard temporary.state.hasValue else { return try storeNull(slot) }
            try withContext(slot.value) { try conversion(temporary.property, slot.property, $0) }
        }
    }

    /// The error for a value that your code refuses.
    private func refusal(_ error: any Error, _ value: ValueHandle) -> ModelError {
        let descriptor = value.descriptor.object
        if let error = error as? ModelError { return error.concerning(descriptor) }
        return ModelError(
            .hookFailed, expected: "no error", found: "one", schema: descriptor.schema, property: descriptor.key,
            underlying: error)
    }

    // MARK: Contexts

    /// Runs your code with the context of a value.
    @inline(__always)
    private mutating func withContext<Result>(
        _ value: ValueHandle, _ body: (Transformer.Context) throws -> Result
    ) throws -> Result {
        // Nothing but your code holds the context after the call.
        defer { endConversion() }
        do { return try body(beginConversion(value)) } catch { throw refusal(error, value) }
    }

    private mutating func beginConversion(_ value: ValueHandle) -> Transformer.Context {
        let current = DecodingContext.Value(descriptor: value.descriptor, frames: unsafe frames.waiting)
        if let context {
            context.move(to: current)
            return Transformer.Context(context)
        }
        let context = DecodingContext(current, prefix: session.prefix, userInfo: session.options.userInfo)
        self.context = context
        return Transformer.Context(context)
    }

    private mutating func endConversion() {
        if isKnownUniquelyReferenced(&context) { return }
        context?.keep()
        context = nil
    }
}
