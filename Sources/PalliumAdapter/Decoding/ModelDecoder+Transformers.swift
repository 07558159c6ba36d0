import PalliumCore
import PalliumJSON

/// Decodes values that your transformers convert.
///
/// Safety: as for all values, slot, state and table belong together, and the table decides the type in the slot.
extension ModelDecoder {
    /// Reads the input of the first transformer, applies all transformers, and stores the result.
    mutating func decodeTransformed(_ value: UnsafePointer<ValueTable>, _ target: PropertySlot) throws {
        let plan = unsafe value.pointee.value._withUnsafeGuaranteedRef { $0 }
        let input = plan.input!
        if let conversion = plan.conversion {
            return try unsafe decodeDirectly(value, input, target, conversion)
        }
        let first = plan.transformers[0]
        var current: (any PropertyValue)?
        switch input.operation {
        case .string where try source.peekKind() == .string: current = try source.readString()
        case let operation where operation.isScalar:
            let temporary = unsafe TemporarySlot(descriptor: input.descriptor.reference)
            _ = try unsafe decodeValue(input.table, temporary.slot)
            current = temporary.slot.load(as: first.readType)
        default:
            let temporary = unsafe TemporarySlot(descriptor: input.descriptor.reference)
            guard try unsafe decodeWhole(UnsafePointer(input.table), into: temporary.slot) else {
                return unsafe recordFailure(of: value, target.state)
            }
            current = temporary.slot.load(as: first.readType)
        }
        try unsafe storeConverted(current, value, target)
    }

    /// Stores null for a property whose parent object is null; a transformer that handles null converts it first.
    mutating func storeNullOnTheWay(_ value: UnsafePointer<ValueTable>, _ target: PropertySlot) throws {
        if unsafe value.pointee.convertsNull { return try unsafe storeConverted(nil, value, target) }
        try unsafe storeNull(value, target.pointer, target.state)
    }

    /// Applies the transformers to a value and stores the result.
    private mutating func storeConverted(
        _ input: (any PropertyValue)?, _ value: UnsafePointer<ValueTable>, _ target: PropertySlot
    ) throws {
        let plan = unsafe value.pointee.value._withUnsafeGuaranteedRef { $0 }
        do {
            let converted = try unsafe withContext(value) { context in
                var current = input
                for transformer in plan.transformers { current = try transformer.convert(current, context: context) }
                return current
            }
            if let converted {
                try target.storeConverted(converted)
            } else {
                try unsafe storeNull(value, target.pointer, target.state)
            }
        } catch let error as ModelError { throw error.concerning(plan.descriptor) }
    }

    /// Converts directly from the input's slot, which is on the stack, into the property's.
    private mutating func decodeDirectly(
        _ value: UnsafePointer<ValueTable>, _ input: ValuePlan, _ target: PropertySlot,
        _ conversion: Transformer.SlotConversion
    ) throws {
        try unsafe PropertySlot.withTemporary(input.descriptor.reference) { slot in
            _ = try unsafe decodeValue(input.table, slot)
            // Empty text may have been read as null.
            guard slot.hasValue else { return try unsafe storeNull(value, target.pointer, target.state) }
            do { try unsafe withContext(value) { try conversion(slot, target, $0) } } catch let error as ModelError {
                throw unsafe error.concerning(value.descriptor)
            }
        }
    }

    // MARK: Contexts

    /// Runs your code with the context of a value.
    @inline(__always)
    private mutating func withContext<Result>(
        _ value: UnsafePointer<ValueTable>, _ body: (Transformer.Context) throws -> Result
    ) throws -> Result {
        // Nothing but your code holds the context after the call.
        defer { endConversion() }
        return try unsafe body(beginConversion(value))
    }

    private mutating func beginConversion(_ value: UnsafePointer<ValueTable>) -> Transformer.Context {
        let current = unsafe DecodingPlace.Value(descriptor: value.pointee.descriptor, path: path)
        if let place {
            place.move(to: current)
            return Transformer.Context(place)
        }
        let place = DecodingPlace(current, prefix: session.prefix, userInfo: session.options.userInfo)
        self.place = place
        return Transformer.Context(place)
    }

    private mutating func endConversion() {
        if isKnownUniquelyReferenced(&place) { return }
        place?.keep()
        place = nil
    }
}
