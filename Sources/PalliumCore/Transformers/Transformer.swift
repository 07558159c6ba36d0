package import PalliumJSON

/// A conversion between two types of values, with an optional reverse conversion.
///
///     let cents = Transformer(from: Double.self, to: Int.self) { amount, _ in
///         Int((amount * 100).rounded())
///     } reverse: { cents, _ in
///         Double(cents) / 100
///     }
///
/// On a property, the input is the value in JSON: `Bool`, `Int`, `Double`, `String`, ``JSONValue`` or any other type
/// that a property can hold, read by that type's rules. The output must fit the property's kind. Null is not converted,
/// unless the transformer was made to handle null.
///
/// Values passed directly, or from one transformer to the next, are converted by the rules of JSON. An `Int` can become
/// `Int64`, `Double` or ``JSONValue``, but 1.5 cannot become an integer, nor 1 a `Bool`.
public final class Transformer: Sendable {
    /// The input type of the forward conversion.
    package let inputType: any PropertyValue.Type
    /// The output type of the forward conversion.
    package let outputType: any PropertyValue.Type
    /// The type as which JSON is read before the forward conversion.
    ///
    /// It is the input type, or `JSONValue` if any value is allowed.
    package let readType: any PropertyValue.Type
    /// Whether null is converted, in both directions.
    package let handlesNull: Bool
    /// Whether there is a reverse conversion.
    package var isReversible: Bool { backward != nil }

    package typealias Conversion = @Sendable ((any PropertyValue)?, Context) throws -> (any PropertyValue)?

    /// Converts the value of one slot and stores the result in another.
    package typealias SlotConversion = @Sendable (PropertySlot, PropertySlot, Context) throws -> Void

    /// The forward conversion. It receives null only if the transformer handles null.
    package let forward: Conversion
    /// The forward conversion from a slot of the input type into a slot that accepts the output type. It erases no
    /// value on the way. Nil for transformers that handle null.
    package let forwardBetweenSlots: SlotConversion?
    package let backward: Conversion?
    /// The codec of the text that is converted; nil for other conversions.
    package let codec: TextCodec?
    /// Some values in JSON that the transformer accepts, where it can name them.
    package let examples: [JSONValue]

    package init(
        inputType: any PropertyValue.Type, outputType: any PropertyValue.Type, handlesNull: Bool,
        readType: (any PropertyValue.Type)? = nil, forwardBetweenSlots: SlotConversion? = nil, codec: TextCodec? = nil,
        examples: [JSONValue] = [], forward: @escaping Conversion, backward: Conversion?
    ) {
        self.inputType = inputType
        self.readType = readType ?? inputType
        self.outputType = outputType
        self.handlesNull = handlesNull
        self.forwardBetweenSlots = forwardBetweenSlots
        self.forward = forward
        self.backward = backward
        self.codec = codec
        self.examples = examples
    }

    /// Makes a transformer of values.
    ///
    /// - Parameters:
    ///   - input: The input type.
    ///   - output: The output type.
    ///   - forward: The conversion. Errors it throws are reported with the property and its path.
    ///   - reverse: The reverse conversion. Without one, properties that use the transformer cannot be written.
    public convenience init<Input: PropertyValue, Output: PropertyValue>(
        from input: Input.Type, to output: Output.Type,
        forward: @escaping @Sendable (Input, Context) throws -> Output,
        reverse: (@Sendable (Output, Context) throws -> Input)? = nil
    ) {
        self.init(
            inputType: input, outputType: output, handlesNull: false,
            forwardBetweenSlots: Self.betweenSlots(forward), forward: Self.erase(forward),
            backward: reverse.map { Self.erase($0) })
    }

    /// Makes a transformer that also converts null, as nil, in both directions, and can return null.
    public convenience init<Input: PropertyValue, Output: PropertyValue>(
        handlingNullFrom input: Input.Type, to output: Output.Type,
        forward: @escaping @Sendable (Input?, Context) throws -> Output?,
        reverse: (@Sendable (Output?, Context) throws -> Input?)? = nil
    ) {
        self.init(
            inputType: input, outputType: output, handlesNull: true,
            forward: Self.eraseOptional(forward), backward: reverse.map { Self.eraseOptional($0) })
    }

    private static func erase<Input: PropertyValue, Output: PropertyValue>(
        _ conversion: @escaping @Sendable (Input, Context) throws -> Output
    ) -> Conversion {
        { value, context in
            guard let value, let input = pass(value, as: Input.self) else { throw mismatch(Input.self, value) }
            return try conversion(input, context)
        }
    }

    private static func betweenSlots<Input: PropertyValue, Output: PropertyValue>(
        _ conversion: @escaping @Sendable (Input, Context) throws -> Output
    ) -> SlotConversion {
        { input, output, context in
            let value = Input._load(input)
            let result: Output
            do { result = try conversion(value, context) } catch { throw wrap(error, value, context) }
            try result._store(output)
        }
    }

    private static func eraseOptional<Input: PropertyValue, Output: PropertyValue>(
        _ conversion: @escaping @Sendable (Input?, Context) throws -> Output?
    ) -> Conversion {
        { value, context in
            guard let value else { return try conversion(nil, context) }
            guard let input = pass(value, as: Input.self) else { throw mismatch(Input.self, value) }
            return try conversion(input, context)
        }
    }

    private static func mismatch(_ expected: any PropertyValue.Type, _ found: (any PropertyValue)?) -> ModelError {
        ModelError(
            .typeMismatch, expected: "a value of the type \(expected)", found: ModelError.describe(found))
    }

    /// Converts a value.
    ///
    ///     let url = try registry.transformers.transformer(named: URLTransformerName)
    ///     let home = try url.transform("https://example.org", as: URL.self)
    ///
    /// - Throws: ``ModelError`` when the value is not of the input type, the conversion refuses it, or its result is no
    ///   `Output`.
    public func transform<Output: PropertyValue>(
        _ value: (any PropertyValue)?, as type: Output.Type, context: Context = Context()
    ) throws(ModelError) -> Output {
        try Self.result(of: convert(value, context: context), as: type)
    }

    /// Converts a value back.
    ///
    /// - Throws: ``ModelError`` as ``transform(_:as:context:)``, and with the code `notReversible` when there is no
    ///   reverse conversion.
    public func reverse<Input: PropertyValue>(
        _ value: (any PropertyValue)?, as type: Input.Type,
        context: Context = Context(direction: .reverse)
    ) throws(ModelError) -> Input {
        try Self.result(of: convertBack(value, context: context), as: type)
    }

    private static func result<Value: PropertyValue>(
        of value: (any PropertyValue)?, as type: Value.Type
    ) throws(ModelError) -> Value {
        guard let value else {
            // For an optional type, nil is the result.
            if let none = value as? Value { return none }
            throw ModelError(.nullNotAllowed, expected: "a value of the type \(Value.self)", found: "null")
        }
        if let result = pass(value, as: type) { return result }
        throw mismatch(Value.self, value)
    }

    /// Converts a value. Every error becomes a ``ModelError``.
    package func convert(
        _ value: (any PropertyValue)?, context: Context
    ) throws(ModelError) -> (any PropertyValue)? {
        if value == nil, !handlesNull { return nil }
        do { return try forward(value, context) } catch { throw Self.wrap(error, value, context) }
    }

    package func convertBack(
        _ value: (any PropertyValue)?, context: Context
    ) throws(ModelError) -> (any PropertyValue)? {
        guard let backward else {
            throw ModelError(
                .notReversible, expected: "a transformer with a reverse conversion", found: "one without",
                schema: context.schema, property: context.property)
        }
        if value == nil, !handlesNull { return nil }
        do { return try backward(value, context) } catch { throw Self.wrap(error, value, context) }
    }

    private static func wrap(
        _ error: any Error, _ value: (any PropertyValue)?, _ context: Context
    ) -> ModelError {
        // An error with a path or location is about another document, which the transformer has read.
        if let error = error as? ModelError, !error.isLocated, error.location == nil { return error }
        return ModelError(
            .transformerFailed, expected: "a value that the transformer accepts",
            found: ModelError.describe(value), schema: context.schema,
            property: context.property, underlying: error)
    }
}
