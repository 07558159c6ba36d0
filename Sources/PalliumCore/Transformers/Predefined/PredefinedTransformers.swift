import Foundation

/// The table of the predefined transformers.
extension Transformer {
    /// The transformers in every new registry.
    package static let predefinedByName: [TransformerName: Transformer] = [
        URLTransformerName: url,
        URLPercentEncodingTransformerName: urlPercentEncoding,
        EmptyTextAsNullTransformerName: emptyTextAsNull,
        UUIDTransformerName: uuid,
        LowercaseUUIDTransformerName: lowercaseUUID,
        BooleanTransformerName: boolean,
        ISO8601DateTransformerName: iso8601Date,
        LocalISO8601DateTransformerName: localISO8601Date(timeZone: .gmt),
        DateOnlyTransformerName: dateOnly,
        UnixSecondsTransformerName: unixSeconds,
        UnixMillisecondsTransformerName: unixMilliseconds,
        DurationSecondsTransformerName: durationSeconds,
        Base64DataTransformerName: base64Data,
        DecimalTextTransformerName: decimalText,
        ScaledDecimalTextTransformerName: scaledDecimalText,
        IntegerTextTransformerName: integerText,
        NumberOrTextTransformerName: numberOrText,
    ]

    /// Makes a predefined transformer from two conversions that return nil to refuse a value.
    ///
    /// - Parameters:
    ///   - readable: The values that the forward conversion accepts, as in "a URL".
    ///   - writable: The values that the reverse conversion accepts.
    convenience init<Input: PropertyValue, Output: PropertyValue>(
        readable: String, writable: String,
        forward: @escaping @Sendable (Input) throws -> Output?, reverse: @escaping @Sendable (Output) throws -> Input?
    ) {
        self.init(
            inputType: Input.self, outputType: Output.self, handlesNull: false,
            forward: Self.refusing(forward, expected: readable), backward: Self.refusing(reverse, expected: writable))
    }

    private static func refusing<Input: PropertyValue, Output: PropertyValue>(
        _ conversion: @escaping @Sendable (Input) throws -> Output?, expected: String
    ) -> Conversion {
        { value, _ in
            guard let value, let input = pass(value, as: Input.self) else {
                let form = if Input.self == String.self { " as text" } else { "" }
                throw ModelError.refused(value, expected: expected + form, code: .typeMismatch)
            }
            guard let output = try conversion(input) else { throw ModelError.refused(value, expected: expected) }
            return output
        }
    }
}
