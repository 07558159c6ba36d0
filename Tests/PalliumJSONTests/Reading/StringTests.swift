import PalliumJSON
import TestSupport
import Testing

struct StringTests {
    static let spellings: [(text: String, value: String)] = [
        (#""""#, ""), (#""a""#, "a"), (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
        (#""\u0041\u00e9\u20AC\u0000""#, "Aé€\u{0}"), (#""\ud83d\ude00""#, "😀"), (#""\uD800\uDC00""#, "\u{10000}"),
        (#""\uDBFF\uDFFF""#, "\u{10FFFF}"), (#""abcdefgh\nijklmnop\tq""#, "abcdefgh\nijklmnop\tq"),
        (#""é\né\n""#, "é\né\n"), (#""\\u0041""#, "\\u0041"), ("\"\u{7F}\u{2028}\"", "\u{7F}\u{2028}"),
        (#""ab\u00e9cdefghijklmnopqrstuvwxyz😀""#, "abécdefghijklmnopqrstuvwxyz😀"),
    ]

    @Test(arguments: spellings)
    func escapesAreTakenApart(text: String, value: String) throws {
        #expect(Array(try JSONValue(parsing: text).stringValue?.utf8 ?? "?".utf8) == Array(value.utf8))
        let isASCII = try withReader(text) { reader throws(JSONSyntaxError) in try reader.readText().isASCII }
        #expect(isASCII == value.utf8.allSatisfy { $0 < 0x80 })
        #expect(verdictOfSkipping(Array(text.utf8)) == nil)
    }

    /// The first and the last character of each length in UTF-8, and those around the surrogates.
    @Test(arguments: [0x20, 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x10FFFF] as [UInt32])
    func aCharacterIsTheSameWrittenOutOrEscaped(_ value: UInt32) throws {
        let scalar = try #require(Unicode.Scalar(value))
        let escape = String(scalar).utf16.map { "\\u" + String(UInt32($0) + 0x10000, radix: 16).dropFirst() }.joined()
        for spelling in [String(scalar), escape, escape.uppercased().replacing("U", with: "u")] {
            for (before, after) in [("", ""), ("é", ""), ("", "x"), ("12345678", "12345678")] {
                let text = Array("{\"\(before)\(spelling)\(after)\":\"\(before)\(spelling)\(after)\"}".utf8)
                let expected = Array((before + String(scalar) + after).utf8)
                let member = try #require(JSONValue(parsing: text).objectValue?.first)
                #expect(Array(member.key.utf8) == expected)
                #expect(Array(member.value.stringValue?.utf8 ?? "".utf8) == expected)
                #expect(verdictOfSkipping(text) == nil && verdictOfWalking(text) == nil)
            }
        }
    }

    @Test func everyByteIsADigitOfAnEscapeOrNone() {
        for byte in UInt8.min...UInt8.max {
            let isDigit = Unicode.Scalar(byte).properties.isASCIIHexDigit
            for position in 0..<4 {
                var text = Array(#""\u00e9""#.utf8)
                text[3 + position] = byte
                // A quotation mark ends the text too early, which is another error.
                let code = byte == UInt8(ascii: "\"") ? nil : verdictOfReading(text)?.code
                #expect((code == .invalidEscape) == (!isDigit && byte != UInt8(ascii: "\"")), "\(byte) at \(position)")
                #expect(verdictOfSkipping(text)?.code == verdictOfReading(text)?.code)
            }
        }
    }

    @Test(
        .threat(.loneSurrogates),
        arguments: [
            (#""\ud800""#, "\u{FFFD}"), (#""\udc00x""#, "\u{FFFD}x"), (#""\ud800\ud800\udc00""#, "\u{FFFD}\u{10000}"),
            (#""\ud800\n""#, "\u{FFFD}\n"), (#""\ud800A""#, "\u{FFFD}A"), (#""\udc00\ud800""#, "\u{FFFD}\u{FFFD}"),
            (#""\ud800\u0041""#, "\u{FFFD}A"),
        ])
    func halfASurrogatePairIsRefusedOrReplaced(text: String, repaired: String) throws {
        #expect(verdictOfReading(Array(text.utf8))?.code == .loneSurrogate)
        #expect(verdictOfSkipping(Array(text.utf8)) == verdictOfReading(Array(text.utf8)))
        var options = JSONReadingOptions()
        options.loneSurrogates = .replace
        #expect(try JSONValue(parsing: text, options: options) == .string(repaired))
        #expect(try JSONValue(parsing: "{\(text):1}", options: options) == .object([repaired: 1]))
        #expect(verdictOfSkipping(Array("{\(text):1}".utf8), options) == nil)
    }

    @Test func everyControlCharacterIsRefusedAtEveryAlignment() {
        for byte in UInt8(0)..<0x20 {
            for padding in 0..<12 {
                let text = quoted(Array(repeating: 0x61, count: padding) + [byte, 0x61, 0x61])
                let isEncoding = byte == 0 && padding == 0
                let code: JSONSyntaxError.Code = isEncoding ? .unsupportedEncoding : .controlCharacter
                #expect(verdictOfReading(text)?.code == code)
                #expect(verdictOfSkipping(text) == verdictOfReading(text))
            }
        }
    }

    @Test func everyEndOfAnEscapedTextIsNoticed() {
        let text = Array(#"{"a\u00e9b":["\ud83d\ude00","x\ny"],"a":1.5e3}"#.utf8)
        for length in 0..<text.count {
            let part = Array(text[..<length])
            #expect(verdictOfReading(part)?.code == .unexpectedEnd || verdictOfReading(part)?.code == .loneSurrogate)
            #expect(verdictOfSkipping(part) == verdictOfReading(part))
            #expect(verdictOfWalking(part) == verdictOfReading(part))
        }
    }

    @Test func longTextsWithManyEscapesAreWhole() throws {
        let text = "\"" + String(repeating: #"\n\u00e9x"#, count: 100_000) + "\""
        let value = try JSONValue(parsing: text).stringValue
        #expect(value?.utf8.count == 400_000)
        #expect(value?.utf8.elementsEqual(String(repeating: "\néx", count: 100_000).utf8) == true)
    }
}
