import PalliumJSON
import TestSupport
import Testing

struct SyntaxErrorTests {
    static let messages: [(text: String, message: String)] = [
        ("", "expected a value but the text ended at byte 0"),
        ("  ", "expected a value but the text ended at byte 2"),
        ("x", "expected a value but found 'x' at byte 0"),
        ("]", "expected a value but found ']' at byte 0"),
        ("nul", "expected null but the text ended at byte 3"),
        ("nulL", "expected null but found 'L' at byte 3"),
        ("tru ", "expected true but found ' ' at byte 3"),
        ("fals]", "expected false but found ']' at byte 4"),
        ("nullx", "expected the end of the text but found 'x' at byte 4"),
        ("1 2", "expected the end of the text but found '2' at byte 2"),
        ("{}\u{0}", "expected the end of the text but found byte 0x00 at byte 2"),
        ("[", "expected a value or ']' but the text ended at byte 1"),
        ("[1", "expected ',' or ']' but the text ended at byte 2"),
        ("[1,", "expected a value but the text ended at byte 3"),
        ("[1,]", "expected a value but found ']' at byte 3"),
        ("[,1]", "expected a value but found ',' at byte 1"),
        ("[1 2]", "expected ',' or ']' but found '2' at byte 3"),
        ("[1}", "expected ',' or ']' but found '}' at byte 2"),
        ("{", "expected a member name or '}' but the text ended at byte 1"),
        ("{x", "expected a member name or '}' but found 'x' at byte 1"),
        ("{'a':1}", "expected a member name or '}' but found \"'\" at byte 1"),
        ("{\"a\"", "expected ':' but the text ended at byte 4"),
        ("{\"a\" 1}", "expected ':' but found '1' at byte 5"),
        ("{\"b\",1}", "expected ':' but found ',' at byte 4"),
        ("{\"a\":", "expected a value but the text ended at byte 5"),
        ("{\"a\":}", "expected a value but found '}' at byte 5"),
        ("{\"a\":1", "expected ',' or '}' but the text ended at byte 6"),
        ("{\"a\":1]", "expected ',' or '}' but found ']' at byte 6"),
        ("{\"a\":1,}", "expected a member name but found '}' at byte 7"),
        ("{\"a\":1,", "expected a member name but the text ended at byte 7"),
        ("\"a", "expected a closing '\"' but the text ended at byte 2"),
        ("\"abcdefghijkl", "expected a closing '\"' but the text ended at byte 13"),
        ("\"a\\", "expected an escape character but the text ended at byte 3"),
        ("\"a\\x\"", "expected an escape character but found 'x' at byte 3"),
        ("\"\\u12", "expected a hexadecimal digit but the text ended at byte 5"),
        ("\"\\u12G4\"", "expected a hexadecimal digit but found 'G' at byte 5"),
        ("\"\\ud800\"", "expected a surrogate pair but found half of one at byte 1"),
        ("\"\\ud800", "expected a surrogate pair but found half of one at byte 1"),
        ("\"\\ud800\\", "expected a surrogate pair but found half of one at byte 1"),
        ("\"\\ud800\\u", "expected a hexadecimal digit but the text ended at byte 9"),
        ("\"\\ud800\\udc0", "expected a hexadecimal digit but the text ended at byte 12"),
        ("\"\\ud800\\udc00", "expected a closing '\"' but the text ended at byte 13"),
        ("\"ab\\udc00\"", "expected a surrogate pair but found half of one at byte 3"),
        ("\"a\u{1}\"", "expected an escape for the control character but found byte 0x01 at byte 2"),
        ("\"a\\n", "expected a closing '\"' but the text ended at byte 4"),
        ("\"abcdefgh\n\"", "expected an escape for the control character but found byte 0x0A at byte 9"),
        ("-", "expected a digit but the text ended at byte 1"),
        ("-x", "expected a digit but found 'x' at byte 1"),
        ("01", "expected a number without leading zeros but found '0' at byte 0"),
        ("-012", "expected a number without leading zeros but found '0' at byte 1"),
        ("1.", "expected a digit but the text ended at byte 2"),
        ("1.x", "expected a digit but found 'x' at byte 2"),
        ("1e", "expected a digit but the text ended at byte 2"),
        ("[1e+]", "expected a digit but found ']' at byte 4"),
        ("+1", "expected a value but found '+' at byte 0"),
        (".5", "expected a value but found '.' at byte 0"),
        ("NaN", "expected a value but found 'N' at byte 0"),
        ("[1\u{A0}]", "expected ',' or ']' but found byte 0xC2 at byte 2"),
        ("\u{0}", "expected UTF-8 but found UTF-16 or UTF-32 at byte 0"),
    ]

    @Test(.threat(.trailingText), arguments: messages)
    func everyWayThroughATextGivesTheSameSentence(text: String, message: String) {
        let bytes = Array(text.utf8)
        #expect(verdictOfReading(bytes)?.description == message)
        #expect(verdictOfSkipping(bytes)?.description == message)
        #expect(verdictOfWalking(bytes)?.description == message)
    }

    @Test(arguments: messages.map(\.text) + ["1e", "1e+", "1.", "-", "[1.5e", "0", "[-", "\"\\u00"])
    func whatStandsBehindTheTextIsNotLookedAt(text: String) {
        let expected = verdictOfReading(Array(text.utf8))?.description
        for next in "-+0e.\",:]}\\ul\u{20}" {
            let bytes = Array("\(text)\(next)\(next)".utf8)
            let verdict = bytes.withBorrowedBytes { bytes -> String? in
                do throws(JSONSyntaxError) {
                    _ = try JSONValue(parsing: bytes.part(0..<text.utf8.count))
                    return nil
                } catch { return error.description }
            }
            #expect(verdict == expected, "before \(next)")
        }
    }

    @Test func lineAndColumnAreCountedFromOneInBytes() throws {
        let text = Array("[1,\n \"é\",\r\n\r  x]".utf8)
        let error = try #require(verdictOfReading(text))
        let location = text.withUnsafeBytes { error.location(in: $0) }
        #expect(location.byteOffset == 15)
        #expect(location.line == 4)
        #expect(location.column == 3)
        #expect(location.description == "4:3")
        #expect(error.found == UInt8(ascii: "x"))
        let second = text.withBorrowedBytes { JSONLocation(ofByteAt: 8, in: $0) }
        #expect(second.description == "2:5")
    }

    @Test(.threat(.numericTraps), arguments: [(-5, "1:1"), (0, "1:1"), (2, "1:3"), (99, "1:3")])
    func anOffsetOutsideTheTextIsMovedToItsEnd(offset: Int, expected: String) {
        let text = Array("[]".utf8)
        #expect(text.withBorrowedBytes { JSONLocation(ofByteAt: offset, in: $0) }.description == expected)
    }

    @Test(
        .threat(.otherEncodings),
        arguments: [
            ([0xFE, 0xFF, 0x00, 0x31], "UTF-16 BE with mark"), ([0xFF, 0xFE, 0x31, 0x00], "UTF-16 LE with mark"),
            ([0x00, 0x31], "UTF-16 BE"), ([0x31, 0x00], "UTF-16 LE"), ([0x00, 0x00, 0x00, 0x31], "UTF-32 BE"),
            ([0xFF, 0xFE, 0x00, 0x00, 0x31, 0x00, 0x00, 0x00], "UTF-32 LE with mark"),
            ([0x00, 0x00, 0xFE, 0xFF, 0x00, 0x00, 0x00, 0x31], "UTF-32 BE with mark"),
        ] as [([UInt8], String)])
    func otherEncodingsAreRefusedByName(bytes: [UInt8], name: String) {
        #expect(verdictOfReading(bytes)?.code == .unsupportedEncoding, "\(name)")
    }

    @Test(.threat(.otherEncodings)) func aByteOrderMarkIsAcceptedOrRefusedByOption() {
        let bytes: [UInt8] = [0xEF, 0xBB, 0xBF, 0x31]
        #expect(verdictOfReading(bytes) == nil)
        var options = JSONReadingOptions()
        options.byteOrderMark = .error
        #expect(verdictOfReading(bytes, options)?.code == .byteOrderMark)
        #expect(verdictOfReading([0xEF, 0xBB, 0xBF])?.description == "expected a value but the text ended at byte 3")
        #expect(verdictOfReading([0xEF, 0xBB, 0xBF] + bytes)?.code == .unexpectedByte)
        #expect(verdictOfReading([0xEF, 0xBB, 0x31, 0x31]) != nil)
    }

    @Test func everyCodeAndExpectationHasASentence() {
        var sentences: Set<String> = []
        for code in JSONSyntaxError.Code.allCases {
            let sentence = JSONSyntaxError(code, at: 7, expected: .digit, found: 0x41).description
            #expect(sentence.hasPrefix("expected ") && sentence.hasSuffix(" at byte 7"))
            sentences.insert(sentence)
        }
        // The four codes that say the same of a wrong byte.
        #expect(sentences.count == JSONSyntaxError.Code.allCases.count - 3)
    }

    @Test(
        .threat(.numericTraps),
        arguments: [
            (7, "at most 7 bytes"), (Int(UInt32.max) - 1, "at most 4294967294 bytes"),
            (6 << 30, "no more bytes than are allowed"), (.max, "no more bytes than are allowed"),
        ]) func aLimitIsToldAsFarAsItsNumberIsKnown(limit: Int, expected: String)
    {
        let error = JSONSyntaxError(.documentTooLarge, at: 7, limit: limit)
        #expect(error.description == "expected \(expected) but found more at byte 7")
    }

    @Test(arguments: ["\n", "\r", "\r\n"], 0..<20)
    func everyLineEndCountsAtEveryPlace(_ lineEnd: String, _ spaces: Int) throws {
        let text = Array((String(repeating: " ", count: spaces) + lineEnd + "   x").utf8)
        let error = try #require(throws: JSONSyntaxError.self) { try JSONValue(parsing: text) }
        #expect(text.withUnsafeBytes { error.location(in: $0) }.description == "2:4")
    }
}
