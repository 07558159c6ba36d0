// The names begin with capitals because Mantle's constants do.

// The names of the predefined transformers. Schema documents contain their texts, which never change.
//
// Below, "in JSON" is the input and "value" the output. All of them keep null as null in both directions; only
// `EmptyTextAsNull` converts other values to null.

/// `"URL"`: text in JSON ⇄ `URL`, for text that RFC 3986 allows.
///
///     "https://example.org/a?b=c"  ⇄  URL
///
/// Text that needs repair, such as `"not a valid URL"`, and empty text are refused (conformance rows C258 and C262).
/// The absolute text is written, also for a URL with a base (row C261).
public let URLTransformerName: TransformerName = "URL"

/// `"URLPercentEncoding"`: text in JSON ⇄ `URL`, for senders that forget to encode.
///
///     "https://example.org/ä b"  ⇒  https://example.org/%C3%A4%20b
///
/// Like `"URL"`, but characters that RFC 3986 forbids are percent-encoded. A percent sign without two digits is
/// refused, since its meaning is ambiguous. The encoded text is written.
public let URLPercentEncodingTransformerName: TransformerName = "URLPercentEncoding"

/// `"EmptyTextAsNull"`: text in JSON ⇄ text or null.
///
///     ""  ⇒  null        "a"  ⇄  "a"        null  ⇄  null
///
/// Put it before another transformer: `.transformer(EmptyTextAsNullTransformerName, URLTransformerName)`. Writing
/// changes nothing: null stays null, it does not become empty text again.
public let EmptyTextAsNullTransformerName: TransformerName = "EmptyTextAsNull"

/// `"UUID"`: text in JSON ⇄ `UUID`.
///
///     "4A275FBD-8217-4397-964B-403F4C2B8545"  ⇄  UUID
///
/// Lower case is read, too; upper case is written (conformance row C265).
public let UUIDTransformerName: TransformerName = "UUID"

/// `"LowercaseUUID"`: text in JSON ⇄ `UUID`, for receivers that compare the text.
///
///     "4a275fbd-8217-4397-964b-403f4c2b8545"  ⇄  UUID
///
/// Like `"UUID"`, but lower case is written.
public let LowercaseUUIDTransformerName: TransformerName = "LowercaseUUID"

/// `"Boolean"`: a Boolean or one of the numbers 0 and 1 in JSON ⇄ `Bool`.
///
///     0  ⇒  false        1  ⇒  true        true  ⇄  true        false  ⇄  false
///
/// Other numbers are refused, since a field with the number 2 is no Boolean (conformance row C134, where Mantle accepts
/// every number). Text is refused, including `"true"` (row C268). A Boolean is written.
public let BooleanTransformerName: TransformerName = "Boolean"

/// `"ISO8601Date"`: text in JSON ⇄ `Date`, by RFC 3339.
///
///     "2015-09-25T05:00:00Z"  ⇄  1,443,157,200 seconds since 1970
///
/// All zones and fractions of a second are read. UTC is written, with a fraction only if there is one. Beyond RFC 3339,
/// zones as `+0100` and `+01` and a comma before the fraction are read, as in `2015-09-25T07:00:00,5+0200`: ISO 8601
/// allows them and servers send them.
public let ISO8601DateTransformerName: TransformerName = "ISO8601Date"

/// `"LocalISO8601Date"`: text without a zone in JSON ⇄ `Date`, by RFC 3339 in UTC.
///
///     "2015-09-25T05:00:00"  ⇄  1,443,157,200 seconds since 1970
///
/// Text with a zone is refused. For local times of another zone, register ``Transformer/localISO8601Date(timeZone:)``
/// under a name of your own.
public let LocalISO8601DateTransformerName: TransformerName = "LocalISO8601Date"

/// `"DateOnly"`: text `YYYY-MM-DD` in JSON ⇄ `Date`, the midnight in UTC at the start of the day.
///
///     "2015-09-25"  ⇄  1,443,139,200 seconds since 1970
///
/// The day in UTC is written, without the time of day.
public let DateOnlyTransformerName: TransformerName = "DateOnly"

/// `"UnixSeconds"`: a number in JSON ⇄ `Date`, as seconds since 1970-01-01T00:00:00Z without leap seconds.
///
///     1443164400  ⇄  2015-09-25T07:00:00Z        0.5  ⇄  half a second after the beginning of 1970
///
/// The number may have a fraction. The shortest fraction of up to nine digits that reads back as the same `Date` is
/// written, and none for a whole number.
public let UnixSecondsTransformerName: TransformerName = "UnixSeconds"

/// `"UnixMilliseconds"`: an integer in JSON ⇄ `Date`, as milliseconds since 1970-01-01T00:00:00Z.
///
///     1443164400250  ⇄  2015-09-25T07:00:00.25Z
///
/// Integers so large that `Date` cannot distinguish their milliseconds are refused. The nearest millisecond is written.
public let UnixMillisecondsTransformerName: TransformerName = "UnixMilliseconds"

/// `"DurationSeconds"`: a number in JSON ⇄ `Duration`, as seconds.
///
///     90.5  ⇄  1 minute and 30.5 seconds        -1e-3  ⇒  one millisecond backwards, written -0.001
///
/// The number is kept exactly. One with more than 18 digits after the full stop, zeros at the end not counted, is
/// refused, and so is one that 64 bits of seconds do not hold.
public let DurationSecondsTransformerName: TransformerName = "DurationSeconds"

/// `"Base64Data"`: text in JSON ⇄ `Data`, in the standard alphabet with padding (RFC 4648, section 4).
///
///     "aGk="  ⇄  two bytes        ""  ⇄  no bytes
public let Base64DataTransformerName: TransformerName = "Base64Data"

/// `"DecimalText"`: a number as text in JSON ⇄ `Decimal`, exactly.
///
///     "12.50"  ⇒  12.5  ⇒  "12.5"
///
/// The text follows the grammar of JSON numbers. A number that no `Decimal` equals is refused, not rounded.
public let DecimalTextTransformerName: TransformerName = "DecimalText"

/// `"ScaledDecimalText"`: a number as text in JSON ⇄ `Decimal` that keeps zeros after the full stop.
///
///     "12.50"  ⇄  12.5, written "12.50"        "0.00"  ⇄  0, written "0.00"
///
/// The text is digits with an optional minus sign and full stop, 38 digits in all. The `Decimal` keeps the number of
/// digits after the full stop. It equals one without the zeros, is archived and copied with them, and a calculation
/// drops them. `-0.00` is written as `0.00`, since `Decimal` has no negative zero.
public let ScaledDecimalTextTransformerName: TransformerName = "ScaledDecimalText"

/// `"IntegerText"`: an integer as text in JSON ⇄ `Int64`, for numbers that are too large for JavaScript.
///
///     "9007199254740993"  ⇄  9007199254740993
///
/// The text is digits with an optional minus sign: no fraction, no exponent, no leading zero.
public let IntegerTextTransformerName: TransformerName = "IntegerText"

/// `"NumberOrText"`: a number, or text that holds one, in JSON ⇄ the number, which is then read by the property's kind.
///
///     7  ⇄  7        "7"  ⇒  7        "1.5"  ⇒  1.5, and refused by an integer property
///
/// The text follows the grammar of JSON numbers (RFC 8259, section 6) and has at most 1000 characters, the limit of
/// numbers in documents. A number is written.
public let NumberOrTextTransformerName: TransformerName = "NumberOrText"
