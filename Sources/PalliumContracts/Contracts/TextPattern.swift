/// The form of a text in JSON, as a pattern.
///
/// A pattern accepts every text that is read. It also accepts the few that only arithmetic refuses, such as a leap second
/// in the wrong minute or more digits than a number can have. Patterns use no class such as `\d`, which some programs
/// extend beyond ASCII.
struct TextPattern {
    /// The name of the shared definition.
    let name: String
    let description: String
    /// A regular expression for the whole text.
    let pattern: String
    var maximumLength: Int?
    /// The format of JSON Schema that allows the same texts; nil if there is none.
    var exactFormat: String?
    /// The format by which generators choose the type in their language.
    var openAPIFormat: String?

    private static let hexadecimal = "[0-9a-fA-F]"
    private static let leapYear =
        "(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)"
    private static let calendarDay =
        "(?:[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)"
        + "|02-(?:0[1-9]|1[0-9]|2[0-8]))|\(leapYear)-02-29)"
    private static let clock = "[Tt](?:[01][0-9]|2[0-3]):[0-5][0-9]:(?:[0-5][0-9]|60)(?:[.,][0-9]+)?"
    private static let zone = "(?:[Zz]|[+-](?:[01][0-9]|2[0-3])(?::?[0-5][0-9])?)"

    static let date = TextPattern(
        name: "date", description: "A date and time with a zone by RFC 3339, such as 2026-01-31T12:00:00Z.",
        pattern: "^\(calendarDay)\(clock)\(zone)$", maximumLength: 64, openAPIFormat: "date-time")

    static let localDate = TextPattern(
        name: "localDate", description: "A date and time without a zone, such as 2026-01-31T12:00:00.",
        pattern: "^\(calendarDay)\(clock)$", maximumLength: 63)

    static let day = TextPattern(
        name: "day", description: "A day, such as 2026-01-31.", pattern: "^\(calendarDay)$", exactFormat: "date",
        openAPIFormat: "date")

    private static let amount = "[0-9]+(?:[.,][0-9]{1,18})?"

    static let duration = TextPattern(
        name: "duration",
        description: "A duration by ISO 8601 in weeks, days, hours, minutes and seconds, such as PT1H30M.",
        pattern: "^[+-]?[Pp](?=[0-9Tt])(?:\(amount)[Ww])?(?:\(amount)[Dd])?"
            + "(?:[Tt](?=[0-9])(?:\(amount)[Hh])?(?:\(amount)[Mm])?(?:\(amount)[Ss])?)?$",
        openAPIFormat: "duration")

    // RFC 3986, appendix A, with every scheme, and any characters of an address in brackets.
    private static let escape = "%\(hexadecimal){2}"
    private static let scheme = "[A-Za-z][A-Za-z0-9+.-]*:"
    private static let authority =
        "//(?:(?:[!$&-.0-;=A-Z_a-z~]|\(escape))*@)?(?:\\[[!$&-.0-;=A-Z_a-z~%]*\\]|(?:[!$&-.0-9;=A-Z_a-z~]|\(escape))*)"
        + "(?::[0-9]*)?(?=[/?#]|$)"
    private static let query = "(?:[!$&-;=?-Z_a-z~]|\(escape))*"

    static let url = TextPattern(
        name: "url", description: "A URL by RFC 3986, such as https://example.org/a?b=c, or a part of one.",
        pattern: "^(?=.)(?:\(scheme)|(?![^:/?#@]+:))(?:\(authority)|(?!//))(?:[!$&-;=@-Z_a-z~]|\(escape))*"
            + "(?:\\?\(query))?(?:#\(query))?$",
        openAPIFormat: "uri")

    static let uuid = TextPattern(
        name: "uuid", description: "A UUID, such as 4a275fbd-8217-4397-964b-403f4c2b8545.",
        pattern: "^\(hexadecimal){8}(?:-\(hexadecimal){4}){3}-\(hexadecimal){12}$", exactFormat: "uuid",
        openAPIFormat: "uuid")

    static let data = TextPattern(
        name: "data", description: "Bytes in Base64 with padding, without line breaks.",
        pattern: "^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?$")

    static let integer = TextPattern(
        name: "integerText", description: "An integer as text, such as \"42\".", pattern: "^-?(?:0|[1-9][0-9]*)$",
        maximumLength: 20)

    /// A number by the grammar of JSON, as text.
    static let number = TextPattern(
        name: "numberText", description: "A number as text, such as \"12.5\".",
        pattern: "^-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$")

    static let digits = TextPattern(
        name: "digits", description: "A number as text without an exponent, such as \"12.50\".",
        pattern: "^-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?$")
}
