/// The rules and limits of reading JSON.
///
/// Every limit holds for skipped values as well as for read ones. A reader that exceeds a limit throws
/// ``JSONSyntaxError`` with the code of that limit.
public struct JSONReadingOptions: Sendable, Hashable {
    /// The treatment of a member name that occurs twice in one object. Names are compared after unescaping, by UTF-8
    /// bytes: `"a"` and `"\u0061"` are the same name, composed and decomposed forms of a letter are not.
    public enum DuplicateMembers: Sendable, Hashable {
        /// The last value counts; the member keeps its first position. Earlier values are decoded as well: a document with a
        /// wrong one is refused.
        case lastWins
        /// The first value counts.
        case firstWins
        /// The text is refused, as I-JSON (RFC 7493 §2.3) demands.
        case error
    }

    /// The treatment of a `\u` escape that is half of a surrogate pair.
    public enum LoneSurrogates: Sendable, Hashable {
        /// The text is refused.
        case error
        /// Each half becomes U+FFFD, in names and values alike.
        case replace
    }

    /// The treatment of a UTF-8 byte order mark at the start. UTF-16 and UTF-32 are always refused.
    public enum ByteOrderMark: Sendable, Hashable {
        /// It is skipped.
        case accept
        /// The text is refused, as RFC 8259 §8.1 demands of writers.
        case error
    }

    /// The treatment of comments, and of a comma behind the last member or element.
    ///
    /// A comment reaches from `//` to the end of its line, or from `/*` to `*/`.
    public enum Comments: Sendable, Hashable {
        /// They are refused, as RFC 8259 has none.
        case error
        /// They are read as white space, so lines and columns stay right; their bytes are not checked. Lines and elements of
        /// streams are refused with them nevertheless. O(*n*) time and memory in the size of the text.
        case accept
    }

    /// The largest number of containers that may be open at once. A top-level array has depth 1.
    ///
    /// A number above 1,024 counts as 1,024. Releasing a tree takes stack for each level, about 300 bytes, and the smallest
    /// stacks of threads have 512 KiB.
    public var maximumDepth = Self.defaultDepth { didSet { maximumDepth = min(maximumDepth, Self.highestDepth) } }

    /// The limit where nobody names one, in reading and in writing.
    package static let defaultDepth = 512
    /// The highest number that `maximumDepth` can have.
    package static let highestDepth = 1024

    /// The largest number of bytes of a document.
    public var maximumDocumentBytes = 1 << 30

    /// The largest number of UTF-8 bytes of a string after unescaping.
    public var maximumStringBytes = 64 << 20

    /// The largest number of UTF-8 bytes of a member name after unescaping.
    public var maximumNameBytes = 64 << 10

    /// The largest number of characters of a number.
    public var maximumNumberCharacters = 1000

    /// The largest number of values in a document. Containers count, member names do not.
    ///
    /// The properties of the models that a document makes are counted, too, up to the same number: a model takes 17 bytes for
    /// each property of its schema, however few its object has.
    public var maximumValues = 50_000_000

    /// The treatment of a member name that occurs twice in one object.
    public var duplicateMembers = DuplicateMembers.lastWins

    /// The treatment of half a surrogate pair.
    public var loneSurrogates = LoneSurrogates.error

    /// The treatment of a UTF-8 byte order mark.
    public var byteOrderMark = ByteOrderMark.accept

    /// The treatment of comments, and of a comma behind the last member or element.
    public var comments = Comments.error

    /// Creates the defaults: strict RFC 8259, with the limits given at each property.
    public init() {}

    /// The options for reading one value at the beginning of bytes: those after it do not count for the limit.
    package var forPart: JSONReadingOptions {
        var options = self
        options.maximumDocumentBytes = .max
        return options
    }

    /// The defaults with no limit except the depth, for text that the library wrote itself. Your models may be larger
    /// than the documents you accept.
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
