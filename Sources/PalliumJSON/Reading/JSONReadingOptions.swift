/// What a reader accepts, and how much of it.
///
/// Every limit holds for skipped values as well as for read ones. A limit that is exceeded throws
/// ``JSONSyntaxError`` with the code of that limit.
public struct JSONReadingOptions: Sendable, Hashable {
    /// What happens when a member name occurs twice in one object. Names are compared after unescaping, by UTF-8
    /// bytes: `"a"` and `"\u0061"` are the same name, composed and decomposed forms of a letter are not.
    public enum DuplicateMembers: Sendable, Hashable {
        /// The last value counts; the member keeps its first place. The others must be JSON and are not checked
        /// otherwise, but transformers, validators and hooks of the program may see them.
        case lastWins
        /// The first value counts.
        case firstWins
        /// The text is refused, as I-JSON (RFC 7493 §2.3) demands.
        case error
    }

    /// What happens to a `\u` escape that is half of a surrogate pair.
    public enum LoneSurrogates: Sendable, Hashable {
        /// The text is refused.
        case error
        /// Each half becomes U+FFFD, in names and values alike.
        case replace
    }

    /// What happens to a UTF-8 byte order mark at the start. UTF-16 and UTF-32 are refused in any case.
    public enum ByteOrderMark: Sendable, Hashable {
        /// It is skipped.
        case accept
        /// The text is refused, as RFC 8259 §8.1 demands of writers.
        case error
    }

    /// How many containers may be open at once. A top-level array has depth 1.
    public var maximumDepth = 512

    /// How many bytes a document may have.
    public var maximumDocumentBytes = 1 << 30

    /// How many UTF-8 bytes a string may have after unescaping.
    public var maximumStringBytes = 64 << 20

    /// How many UTF-8 bytes a member name may have after unescaping.
    public var maximumNameBytes = 64 << 10

    /// How many characters a number may have.
    public var maximumNumberCharacters = 1000

    /// How many values a document may have, containers included, member names not.
    public var maximumValues = 50_000_000

    /// What happens when a member name occurs twice in one object.
    public var duplicateMembers = DuplicateMembers.lastWins

    /// What happens to half a surrogate pair.
    public var loneSurrogates = LoneSurrogates.error

    /// What happens to a UTF-8 byte order mark.
    public var byteOrderMark = ByteOrderMark.accept

    /// The defaults: strict RFC 8259, with the limits given at each property.
    public init() {}

    /// The defaults without limits but that of depth, for text that the library wrote itself: what a program holds may be
    /// larger than what it takes from others.
    package static func unlimited(maximumDepth: Int) -> JSONReadingOptions {
        var options = JSONReadingOptions()
        options.maximumDepth = maximumDepth
        options.maximumDocumentBytes = .max
        options.maximumStringBytes = .max
        options.maximumNameBytes = .max
        options.maximumNumberCharacters = .max
        options.maximumValues = .max
        return options
    }
}
