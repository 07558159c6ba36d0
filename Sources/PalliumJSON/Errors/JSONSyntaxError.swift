/// The reason why a JSON text was refused, and its position.
///
/// The value is a few plain bytes, so throwing it allocates nothing. The sentence is made by ``description``, line and
/// column by ``location(in:)``.
public struct JSONSyntaxError: Error, Sendable, Hashable {
    /// The kind of rule that was broken. New cases may be added; switch with a default.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Code: UInt8, Sendable, Hashable, CaseIterable {
        /// The text ended inside a value, or before one.
        case unexpectedEnd
        /// A byte that the grammar does not allow at its position.
        case unexpectedByte
        /// A backslash followed by a character that RFC 8259 §7 does not list.
        case invalidEscape
        /// A number that does not follow the grammar of RFC 8259 §6: a leading zero, a missing digit.
        case invalidNumber
        /// Bytes that are not UTF-8 (RFC 3629): overlong forms, surrogates, values above U+10FFFF, cut sequences.
        case invalidUTF8
        /// A `\u` escape that is half of a surrogate pair without the other half.
        case loneSurrogate
        /// A raw byte below 0x20 inside a string.
        case controlCharacter
        /// More open containers than `maximumDepth`.
        case depthLimit
        /// More bytes than `maximumDocumentBytes`.
        case documentTooLarge
        /// A string longer than `maximumStringBytes`.
        case stringTooLong
        /// A member name longer than `maximumNameBytes`.
        case nameTooLong
        /// A number longer than `maximumNumberCharacters`.
        case numberTooLong
        /// More values than `maximumValues`.
        case tooManyValues
        /// A member name that occurred before in the same object, where the options make that an error.
        case duplicateMember
        /// Something other than white space after the value.
        case trailingBytes
        /// UTF-16 or UTF-32, with or without byte order mark.
        case unsupportedEncoding
        /// A UTF-8 byte order mark, where the options make that an error.
        case byteOrderMark
    }

    /// The tokens that the grammar allows at the position of an error.
    @usableFromInline package enum Expectation: UInt8, Sendable, Hashable, CaseIterable {
        /// Nothing in particular; the code says it all.
        case none
        /// Any value.
        case value
        /// The first value of an array, or its end.
        case valueOrArrayEnd
        /// A member name.
        case memberName
        /// The first member name of an object, or its end.
        case memberNameOrObjectEnd
        /// The colon between name and value.
        case colon
        /// A comma or the end of the object.
        case commaOrObjectEnd
        /// A comma or the end of the array.
        case commaOrArrayEnd
        /// A decimal digit.
        case digit
        /// A number without leading zeros.
        case noLeadingZero
        /// A hexadecimal digit.
        case hexadecimalDigit
        /// One of the characters that may follow a backslash.
        case escape
        /// The closing quotation mark.
        case closingQuote
        /// The end of the text.
        case endOfDocument
        /// The literal `null`.
        case null
        /// The literal `true`.
        case `true`
        /// The literal `false`.
        case `false`
        /// The literal `true` or `false`.
        case bool
        /// A number.
        case number
        /// A string.
        case string
        /// An array.
        case array
        /// An object.
        case object
    }

    /// The kind of rule that was broken.
    public let code: Code

    /// The tokens that would have been right.
    package let expectation: Expectation

    @usableFromInline let foundByte: UInt8
    @usableFromInline let hasFoundByte: Bool
    /// The limit that was exceeded, for the codes that are about a limit; the maximum also means everything above it.
    /// 32 bits keep the error as small as two words.
    private let limit: UInt32

    /// The byte offset of the problem from the start of the document, including a byte order mark.
    ///
    /// In an error of the writer it is the number of bytes written so far.
    public let offset: Int

    /// The byte found at `offset`; nil where the text ended or the code is not about one byte.
    package var found: UInt8? { hasFoundByte ? foundByte : nil }

    /// - Parameter limit: The limit, for the codes that are about one.
    package init(_ code: Code, at offset: Int, expected: Expectation = .none, found: UInt8? = nil, limit: Int = 0) {
        self.code = code
        self.limit = UInt32(clamping: limit)
        self.offset = offset
        self.expectation = expected
        self.foundByte = found ?? 0
        self.hasFoundByte = found != nil
    }
}

extension JSONSyntaxError: CustomStringConvertible {
    /// One sentence of the shape "expected ',' or '}' but found 'x' at byte 12".
    public var description: String { "\(problem) at byte \(offset)" }

    /// The sentence of ``description`` without the offset, for callers that name the position themselves.
    package var problem: String {
        "expected \(expected) but \(code == .unexpectedEnd ? "the text ended" : "found \(foundText)")"
    }

    /// The expected tokens, in the words of the sentence.
    package var expected: String {
        switch code {
        case .unexpectedEnd, .unexpectedByte, .invalidEscape, .invalidNumber, .trailingBytes: expectation.text
        case .invalidUTF8: "valid UTF-8"
        case .loneSurrogate: "a surrogate pair"
        case .controlCharacter: "an escape for the control character"
        case .depthLimit: atMost("level")
        case .documentTooLarge: atMost("byte")
        case .stringTooLong: "a string of \(atMost("byte"))"
        case .nameTooLong: "a member name of \(atMost("byte"))"
        case .numberTooLong: "a number of \(atMost("character"))"
        case .tooManyValues: atMost("value")
        case .duplicateMember: "different member names"
        case .unsupportedEncoding: "UTF-8"
        case .byteOrderMark: "no byte order mark"
        }
    }

    /// The found byte, in the words of the sentence.
    package var foundText: String {
        switch code {
        case .unexpectedEnd: "the end of the text"
        case .unexpectedByte, .invalidEscape, .invalidNumber, .trailingBytes, .invalidUTF8, .controlCharacter:
            byteText
        case .loneSurrogate: "half of one"
        case .depthLimit, .documentTooLarge, .tooManyValues: "more"
        case .stringTooLong, .nameTooLong, .numberTooLong: "a longer one"
        case .duplicateMember: "one again"
        case .unsupportedEncoding: "UTF-16 or UTF-32"
        case .byteOrderMark: "one"
        }
    }

    private func atMost(_ unit: String) -> String {
        limit == .max ? "no more \(unit)s than are allowed" : "at most \(Int(limit).counted(unit))"
    }

    private var byteText: String {
        guard let found else { return "nothing" }
        switch found {
        case UInt8(ascii: "'"): return "\"'\""
        case 0x20...0x7E: return "'\(Character(Unicode.Scalar(found)))'"
        default:
            let digits = String(found, radix: 16, uppercase: true)
            return "byte 0x\(digits.utf8.count < 2 ? "0" : "")\(digits)"
        }
    }
}

extension JSONSyntaxError.Expectation {
    fileprivate var text: String {
        switch self {
        case .none: "something else"
        case .value: "a value"
        case .valueOrArrayEnd: "a value or ']'"
        case .memberName: "a member name"
        case .memberNameOrObjectEnd: "a member name or '}'"
        case .colon: "':'"
        case .commaOrObjectEnd: "',' or '}'"
        case .commaOrArrayEnd: "',' or ']'"
        case .digit: "a digit"
        case .noLeadingZero: "a number without leading zeros"
        case .hexadecimalDigit: "a hexadecimal digit"
        case .escape: "an escape character"
        case .closingQuote: "a closing '\"'"
        case .endOfDocument: "the end of the text"
        case .null: "null"
        case .true: "true"
        case .false: "false"
        case .bool: "true or false"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
