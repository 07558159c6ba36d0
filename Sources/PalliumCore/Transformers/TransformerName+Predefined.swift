/// The names of the predefined transformers, for `.transformer(.unixMilliseconds)`. They equal the global constants.
extension TransformerName {
    /// ``URLTransformerName``: text ⇄ `URL`, for text that RFC 3986 allows.
    public static let url = URLTransformerName
    /// ``URLPercentEncodingTransformerName``: text ⇄ `URL`, for senders that forget to encode.
    public static let urlPercentEncoding = URLPercentEncodingTransformerName
    /// ``EmptyTextAsNullTransformerName``: empty text ⇒ null.
    public static let emptyTextAsNull = EmptyTextAsNullTransformerName
    /// ``UUIDTransformerName``: text ⇄ `UUID`, written in upper case.
    public static let uuid = UUIDTransformerName
    /// ``LowercaseUUIDTransformerName``: text ⇄ `UUID`, written in lower case.
    public static let lowercaseUUID = LowercaseUUIDTransformerName
    /// ``BooleanTransformerName``: a Boolean, 0 or 1 ⇄ `Bool`.
    public static let boolean = BooleanTransformerName
    /// ``ISO8601DateTransformerName``: text ⇄ `Date`, by RFC 3339.
    public static let iso8601Date = ISO8601DateTransformerName
    /// ``LocalISO8601DateTransformerName``: text without a zone ⇄ `Date`, in UTC.
    public static let localISO8601Date = LocalISO8601DateTransformerName
    /// ``DateOnlyTransformerName``: text `YYYY-MM-DD` ⇄ `Date`.
    public static let dateOnly = DateOnlyTransformerName
    /// ``UnixSecondsTransformerName``: seconds since 1970 ⇄ `Date`.
    public static let unixSeconds = UnixSecondsTransformerName
    /// ``UnixMillisecondsTransformerName``: milliseconds since 1970 ⇄ `Date`.
    public static let unixMilliseconds = UnixMillisecondsTransformerName
    /// ``DurationSecondsTransformerName``: seconds as a number ⇄ `Duration`.
    public static let durationSeconds = DurationSecondsTransformerName
    /// ``Base64DataTransformerName``: Base64 text ⇄ `Data`.
    public static let base64Data = Base64DataTransformerName
    /// ``DecimalTextTransformerName``: text of a number ⇄ `Decimal`.
    public static let decimalText = DecimalTextTransformerName
    /// ``ScaledDecimalTextTransformerName``: text of a number ⇄ `Decimal` that keeps zeros.
    public static let scaledDecimalText = ScaledDecimalTextTransformerName
    /// ``IntegerTextTransformerName``: text of an integer ⇄ `Int64`.
    public static let integerText = IntegerTextTransformerName
    /// ``NumberOrTextTransformerName``: a number, or text that holds one ⇄ the number.
    public static let numberOrText = NumberOrTextTransformerName
}
