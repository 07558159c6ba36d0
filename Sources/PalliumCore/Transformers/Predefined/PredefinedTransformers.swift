import Foundation

/// The table of the predefined transformers.
extension Transformer {
    /// The transformers in every new registry.
    package static let predefinedByName: [TransformerName: Transformer] = [
        URLTransformerName: Transformer(.url),
        URLPercentEncodingTransformerName: Transformer(.urlPercentEncoding),
        EmptyTextAsNullTransformerName: emptyTextAsNull,
        UUIDTransformerName: Transformer(.uuid),
        LowercaseUUIDTransformerName: Transformer(.lowercaseUUID),
        BooleanTransformerName: boolean,
        ISO8601DateTransformerName: Transformer(.iso8601Date),
        LocalISO8601DateTransformerName: localISO8601Date(timeZone: .gmt),
        DateOnlyTransformerName: Transformer(.dateOnly),
        UnixSecondsTransformerName: unixSeconds,
        UnixMillisecondsTransformerName: unixMilliseconds,
        DurationSecondsTransformerName: durationSeconds,
        Base64DataTransformerName: Transformer(.base64),
        DecimalTextTransformerName: Transformer(.decimal),
        ScaledDecimalTextTransformerName: Transformer(.scaledDecimal),
        IntegerTextTransformerName: Transformer(.integer),
        NumberOrTextTransformerName: numberOrText,
    ]

    /// Makes a predefined transformer from two conversions that return nil to refuse a value.
    ///
    /// - Parameters:
    ///   - readable: The values that the forward conversion accepts.
    ///   - writable: The values that the reverse conversion accepts, as in "a finite date".
    convenience init<Input: PropertyValue, Output: PropertyValue>(
        readable: String, writable: String,
        forward: @escaping @Sendable (Input) throws -> Output?, reverse: @escaping @Sendable (Output) throws -> Input?
    ) {
        self.init(
            inputType: Input.self, outputType: Output.self, handlesNull: false,
            forward: Self.refusing({ try forward($0) }, expected: readable),
            backward: Self.refusing({ try reverse($0) }, expected: writable))
    }

    static func refusing<Input: PropertyValue>(
        _ conversion: @escaping @Sendable (Input) throws -> (any PropertyValue)?, expected: String
    ) -> Conversion {
        { value, _ in
            guard let value, let input = pass(value, as: Input.self) else {
                throw ModelError.refused(value, expected: expected, code: .typeMismatch)
            }
            guard let output = try conversion(input) else { throw ModelError.refused(value, expected: expected) }
            return output
        }
    }
}
