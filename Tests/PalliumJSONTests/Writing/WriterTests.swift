import Foundation
import PalliumJSON
import TestSupport
import Testing

struct WriterTests {
    private func quotedText(_ text: String, escapingSlashes: Bool = false) -> String {
        var buffer = JSONByteBuffer(capacity: 1)
        buffer.append(quoted: text, escapingSlashes: escapingSlashes)
        return buffer.text
    }

    @Test(arguments: [
        ("", #""""#), ("abc", #""abc""#), ("a\"b\\c/d", #""a\"b\\c/d""#), ("\u{8}\t\n\u{C}\r", #""\b\t\n\f\r""#),
        ("\u{0}\u{1}\u{1f}\u{7f}", "\"\\u0000\\u0001\\u001f\u{7f}\""), ("é€😀\u{2028}", "\"é€😀\u{2028}\""),
        ("12345678", #""12345678""#), ("12345678\n", #""12345678\n""#), ("1234567\n9", #""1234567\n9""#),
    ])
    func stringsAreEscapedWhereTheyMustBe(text: String, expected: String) { #expect(quotedText(text) == expected) }

    @Test func slashesAreEscapedOnRequest() {
        #expect(quotedText("</script>/12345678/", escapingSlashes: true) == #""<\/script>\/12345678\/""#)
        #expect(quotedText("é/é/", escapingSlashes: true) == #""é\/é\/""#)
    }

    @Test func everyCharacterSurvivesAtEveryAlignment() throws {
        let characters = (0..<0x80).map { String(Unicode.Scalar(UInt8($0))) } + ["é", "€", "😀", "\u{FFFF}", "\u{80}"]
        for character in characters {
            for padding in 0..<10 {
                let text = String(repeating: "x", count: padding) + character + "yz"
                let written = try JSONValue.string(text).bytes()
                #expect(try JSONValue(parsing: written) == .string(text))
            }
        }
    }

    @Test(
        .threat(.nonFiniteNumbers),
        arguments: [
            (0, "0"), (-0.0, "-0.0"), (1, "1"), (-1, "-1"), (100, "100"), (0.1, "0.1"), (1.5, "1.5"),
            (1e15, "1000000000000000"),
            (9007199254740991, "9007199254740991"), (1e300, "1e+300"), (.leastNonzeroMagnitude, "5e-324"),
            (1e-7, "1e-07"),
            (.infinity, "null"), (-.infinity, "null"), (.nan, "null"), (0.1 + 0.2, "0.30000000000000004"),
            (123456.789, "123456.789"), (9007199254740992, "9007199254740992"),
        ] as [(Double, String)])
    func doublesAreWrittenInTheirShortestForm(double: Double, expected: String) {
        var buffer = JSONByteBuffer(capacity: 1)
        buffer.append(double: double)
        #expect(buffer.text == expected)
    }

    /// The last ones may be the last of what the process can read.
    @Test(arguments: [16, 32, 48]) func noByteBehindPaddedOnesIsRead(count: Int) throws {
        let size = Int(getpagesize())
        let memory = try #require(
            mmap(nil, size * 2, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0), "a mapping")
        defer { munmap(memory, size * 2) }
        try #require(mprotect(memory + size, size, PROT_NONE) == 0)
        let text = (memory + size - count).bindMemory(to: UInt8.self, capacity: count)
        for index in 0..<count { text[index] = UInt8(ascii: "x") }
        var buffer = JSONByteBuffer(capacity: 1)
        buffer.append(padded: text, count: count)
        #expect(buffer.text == String(repeating: "x", count: count))
    }

    @Test func prettyTextHasOneMemberALine() throws {
        let value: JSONValue = ["b": [1, [], [:], ["x": nil]], "a": "y"]
        var options = JSONWritingOptions()
        options.isPretty = true
        #expect(
            try value.text(options: options) == """
                {
                  "b": [
                    1,
                    [],
                    {},
                    {
                      "x": null
                    }
                  ],
                  "a": "y"
                }
                """)
        options.isPretty = false
        options.sortsKeys = true
        #expect(try value.text(options: options) == #"{"a":"y","b":[1,[],{},{"x":null}]}"#)
        #expect(try value.text() == #"{"b":[1,[],{},{"x":null}],"a":"y"}"#)
    }

    @Test func namesAreSortedByTheirBytes() throws {
        let value: JSONValue = ["b": 1, "é": 2, "a": 3, "aa": 4, "Z": 5, "": 6, "😀": 7, "\u{FFFF}": 8]
        var options = JSONWritingOptions()
        options.sortsKeys = true
        #expect(
            try value.text(options: options)
                == "{\"\":6,\"Z\":5,\"a\":3,\"aa\":4,\"b\":1,\"é\":2,\"\u{FFFF}\":8,\"😀\":7}")
    }

    @Test(.threat(.deepNesting, .readerWriterDepth)) func depthIsLimitedAsInReading() throws {
        let allowed = (0..<512).reduce(JSONValue.null) { value, _ in [value] }
        #expect(try allowed.bytes().count == 1028)
        let error = #expect(throws: JSONSyntaxError.self) { try JSONValue.array([allowed]).bytes() }
        #expect(error?.code == .depthLimit)
        #expect(error?.offset == 512)
    }

    @Test(.threat(.numberRange)) func numbersKeepTheirExactText() throws {
        for text in [
            "1e400", "123456789012345678901234567890", "0.1000000000000000000001", "-0.0", "18446744073709551615",
        ] {
            #expect(try JSONValue(parsing: text).text() == text)
        }
    }

    @Test func theBufferGrowsAndHandsItsMemoryOver() throws {
        var buffer = JSONByteBuffer(capacity: 0)
        for number in 0..<10_000 {
            buffer.append(integer: Int64(number))
            buffer.append(byte: UInt8(ascii: ","))
            buffer.append(literal: "ab")
        }
        let expected = Array((0..<10_000).map { "\($0),ab" }.joined().utf8)
        #expect(buffer.bytes == expected)
        #expect(buffer.withBorrowedBytes { Array($0) } == expected)
        buffer.truncate(to: 4)
        #expect(buffer.text == "0,ab")
        buffer.truncate(to: 10)
        #expect(buffer.count == 4)
        let (memory, count) = buffer.takeMemory()
        #expect(Array(UnsafeRawBufferPointer(start: memory, count: count)) == Array("0,ab".utf8))
        memory.deallocate()
    }
}
