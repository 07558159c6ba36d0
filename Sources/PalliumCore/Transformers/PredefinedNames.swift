// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names begin with capitals because Mantle's constants do, which programs that come from it know by heart.

// The names of the predefined transformers. Their texts stand in schema documents and never change.
//
// "In JSON" below is what the transformer takes, "value" what it gives. Null is passed on as null in both directions by
// all of them; only `EmptyTextAsNull` makes null of something else.

/// `"URL"`: text in JSON ⇄ `URL`. Strict: text that RFC 3986 allows as it is.
///
///     "https://example.org/a?b=c"  ⇄  URL
///
/// Text that would have to be repaired, `"not a valid URL"`, and the empty text are refused (conformance rows C258 and
/// C262). Written is the absolute text, also of a URL with a base (row C261).
public let URLTransformerName: TransformerName = "URL"

/// `"URLPercentEncoding"`: text in JSON ⇄ `URL`, for senders that forget to encode.
///
///     "https://example.org/ä b"  ⇒  https://example.org/%C3%A4%20b
///
/// Like `"URL"`, but what RFC 3986 forbids is percent-encoded. A percent sign without two digits is refused, since nobody
/// knows what it means. Written is the encoded text.
public let URLPercentEncodingTransformerName: TransformerName = "URLPercentEncoding"

/// `"EmptyTextAsNull"`: text in JSON ⇄ text or null.
///
///     ""  ⇒  null        "a"  ⇄  "a"        null  ⇄  null
///
/// Made to stand before another transformer: `.transformer(EmptyTextAsNullTransformerName, URLTransformerName)`.
/// Writing changes nothing: null stays null, it does not become the empty text again.
public let EmptyTextAsNullTransformerName: TransformerName = "EmptyTextAsNull"

/// `"UUID"`: text in JSON ⇄ `UUID`.
///
///     "4A275FBD-8217-4397-964B-403F4C2B8545"  ⇄  UUID
///
/// Lower case is read too; upper case is written (conformance row C265).
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
/// Other numbers are refused: where 2 arrives, the field is no Boolean (conformance row C134, where Mantle takes every
/// number by its truth value). Text is refused, `"true"` included (row C268). Written is a Boolean.
public let BooleanTransformerName: TransformerName = "Boolean"

/// `"ISO8601Date"`: text in JSON ⇄ `Date`, by RFC 3339.
///
///     "2015-09-25T05:00:00Z"  ⇄  1,443,157,200 seconds since 1970
///
/// Read are all zones and fractions of a second; written is UTC, with the fraction only where there is one. Beyond RFC
/// 3339, zones as `+0100` and `+01` and a comma before the fraction are read, which ISO 8601 knows and servers send:
/// `2015-09-25T07:00:00,5+0200`.
public let ISO8601DateTransformerName: TransformerName = "ISO8601Date"

/// `"LocalISO8601Date"`: text without a zone in JSON ⇄ `Date`, by RFC 3339 but for the zone, which is UTC.
///
///     "2015-09-25T05:00:00"  ⇄  1,443,157,200 seconds since 1970
///
/// Text with a zone is refused. For senders whose clock shows another zone, register
/// ``Transformer/localISO8601Date(timeZone:)`` under a name of your own.
public let LocalISO8601DateTransformerName: TransformerName = "LocalISO8601Date"

/// `"DateOnly"`: text `YYYY-MM-DD` in JSON ⇄ `Date`, the midnight in UTC with which the day begins.
///
///     "2015-09-25"  ⇄  1,443,139,200 seconds since 1970
///
/// Written is the day in UTC; the time of day is dropped.
public let DateOnlyTransformerName: TransformerName = "DateOnly"

/// `"UnixSeconds"`: a number in JSON ⇄ `Date`, as seconds since 1970-01-01T00:00:00Z without leap seconds.
///
///     1443164400  ⇄  2015-09-25T07:00:00Z        0.5  ⇄  half a second after the beginning of 1970
///
/// The number may have a fraction; a whole one is written without. Written is the shortest fraction, of up to nine
/// digits, that reads back as the same `Date`.
public let UnixSecondsTransformerName: TransformerName = "UnixSeconds"

/// `"UnixMilliseconds"`: an integer in JSON ⇄ `Date`, as milliseconds since 1970-01-01T00:00:00Z.
///
///     1443164400250  ⇄  2015-09-25T07:00:00.25Z
///
/// Integers so far from today that `Date` cannot tell their milliseconds apart are refused. Written is the nearest
/// millisecond.
public let UnixMillisecondsTransformerName: TransformerName = "UnixMilliseconds"

/// `"Base64Data"`: text in JSON ⇄ `Data`, in the standard alphabet with padding (RFC 4648, section 4).
///
///     "aGk="  ⇄  two bytes        ""  ⇄  no bytes
public let Base64DataTransformerName: TransformerName = "Base64Data"

/// `"DecimalText"`: a number as text in JSON ⇄ `Decimal`, exactly.
///
///     "12.50"  ⇒  12.5  ⇒  "12.5"
///
/// The text follows the grammar of JSON numbers; what no `Decimal` is equal to is refused, not rounded.
public let DecimalTextTransformerName: TransformerName = "DecimalText"

/// `"ScaledDecimalText"`: a number as text in JSON ⇄ `Decimal`, with the digits behind the full stop as they are.
///
///     "12.50"  ⇄  12.5, written "12.50"        "0.00"  ⇄  0, written "0.00"
///
/// The text is digits with at most a minus sign and one full stop, 38 digits in all. The `Decimal` carries how many digits
/// stand behind the full stop: it equals one without the zeros, is archived and copied with them, and loses them where
/// a calculation makes a new number. `-0.00` comes back as `0.00`: `Decimal` has no negative zero.
public let ScaledDecimalTextTransformerName: TransformerName = "ScaledDecimalText"

/// `"IntegerText"`: an integer as text in JSON ⇄ `Int64`, for senders that spare JavaScript large numbers.
///
///     "9007199254740993"  ⇄  9007199254740993
///
/// The text is digits with at most a minus sign: no fraction, no exponent, no leading zero.
public let IntegerTextTransformerName: TransformerName = "IntegerText"

/// `"NumberOrText"`: a number, or text that holds one, in JSON ⇄ the number, which is then read by the property's kind.
///
///     7  ⇄  7        "7"  ⇒  7        "1.5"  ⇒  1.5, and refused by an integer property
///
/// The text follows the grammar of JSON numbers (RFC 8259, section 6) and has at most 1000 characters, the limit of
/// numbers in documents. Written is a number.
public let NumberOrTextTransformerName: TransformerName = "NumberOrText"
