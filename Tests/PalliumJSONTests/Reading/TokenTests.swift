import PalliumJSON
import Testing

struct TokenTests {
    @Test func membersAreMatchedByTheirBytesOrReadByName() throws {
        let text = #" { "id" : 7 , "a longer member name":true,"x":null, "i\u0064":2} "#
        try withReader(text) { reader throws(JSONSyntaxError) in
            try reader.beginDocument()
            #expect(try reader.peekKind() == .object)
            try reader.enterObject()
            #expect(try reader.nextMember(first: true))
            let start = reader.offset
            #expect(try !reader.matchName("i"))
            #expect(try !reader.matchName("ie"))
            #expect(try !reader.matchName("idx"))
            #expect(reader.offset == start)
            #expect(try reader.matchName("id"))
            #expect(try reader.readPlainInteger() == 7)
            #expect(try reader.nextMember(first: false))
            #expect(try !reader.matchName("a longer member namf"))
            #expect(try !reader.matchName("b longer member name"))
            #expect(try reader.matchName("a longer member name"))
            #expect(try reader.peekKind() == .true)
            #expect(try reader.readBool())
            #expect(try reader.nextMember(first: false))
            #expect(try reader.readName().string == "x")
            try reader.readNull()
            #expect(try reader.nextMember(first: false))
            #expect(try !reader.matchName("id"), "an escaped spelling is left to readName")
            #expect(try reader.readName().string == "id")
            #expect(try reader.readPlainInteger() == 2)
            #expect(try !reader.nextMember(first: false))
            try reader.endDocument()
        }
    }

    @Test func namesOfEveryLengthMatchOnlyThemselves() throws {
        for length in 0..<40 {
            let name = String(decoding: (0..<length).map { UInt8(ascii: "a") + UInt8($0 % 26) }, as: UTF8.self)
            // The document ends right behind the name's colon, so that reading too far would leave the text.
            for position in 0...length {
                var other = Array(name.utf8)
                if position < length { other[position] = UInt8(ascii: "_") } else { other.append(UInt8(ascii: "_")) }
                try withReader("{\"\(name)\":") { reader throws(JSONSyntaxError) in
                    try reader.enterObject()
                    _ = try reader.nextMember(first: true)
                    #expect(try !reader.matchName(String(decoding: other, as: UTF8.self)))
                    #expect(try reader.matchName(name))
                    #expect(reader.offset == length + 4)
                }
            }
        }
    }

    @Test func aScalarOfAnotherKindIsRefused() throws {
        func refusal(_ text: String, _ body: (inout JSONReader) throws(JSONSyntaxError) -> Void) -> String? {
            do throws(JSONSyntaxError) {
                try withReader(text, body)
                return nil
            } catch { return error.description }
        }
        #expect(
            refusal("1") { r throws(JSONSyntaxError) in try r.readNull() } == "expected null but found '1' at byte 0")
        #expect(
            refusal("1") { r throws(JSONSyntaxError) in _ = try r.readBool() }
                == "expected true or false but found '1' at byte 0")
        #expect(
            refusal("1") { r throws(JSONSyntaxError) in _ = try r.readText() }
                == "expected a string but found '1' at byte 0")
        #expect(
            refusal("\"") { r throws(JSONSyntaxError) in _ = try r.readNumber() }
                == "expected a number but found '\"' at byte 0")
        #expect(
            refusal("1") { r throws(JSONSyntaxError) in try r.enterArray() }
                == "expected an array but found '1' at byte 0")
        #expect(
            refusal("") { r throws(JSONSyntaxError) in try r.enterObject() }
                == "expected an object but the text ended at byte 0")
        #expect(
            refusal(" ") { r throws(JSONSyntaxError) in _ = try r.readBool() }
                == "expected true or false but the text ended at byte 1")
    }

    @Test func containersAreEnteredBehindWhiteSpaceAndNoDeeperThanAllowed() throws {
        var options = JSONReadingOptions()
        options.maximumDepth = 2
        let text = Array(" { \"a\" : [ [ ] ] }".utf8)
        for isSpaced in [true, false] {
            let bytes = isSpaced ? text : text.filter { $0 != UInt8(ascii: " ") }
            let error = #expect(throws: JSONSyntaxError.self) {
                try withReader(bytes, options) { reader throws(JSONSyntaxError) in
                    try reader.enterObject()
                    #expect(try reader.nextMember(first: true))
                    #expect(try reader.readName().string == "a")
                    try reader.enterArray()
                    #expect(try reader.nextElement(first: true))
                    try reader.enterArray()
                }
            }
            #expect(error?.code == .depthLimit)
            #expect(error?.offset == (isSpaced ? 11 : 6))
        }
    }

    @Test(arguments: ["a", "é", "€", "😀"], ["", "a", "seven..", "eight...", "nine....."])
    func textMayEndWithACharacterOfAnyLength(last: String, before: String) throws {
        try Array((before + last).utf8).withUnsafeBufferPointer { bytes in
            let text = try #require(JSONText(checking: bytes))
            #expect(text.string == before + last)
            #expect(text.isASCII == (last == "a"))
            #expect(last == "a" || JSONText(checking: UnsafeBufferPointer(rebasing: bytes.dropLast())) == nil)
        }
    }

    @Test func bytesThatAreNotThereAreEmptyText() throws {
        let nowhere = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
        let text = try #require(JSONText(checking: nowhere))
        #expect(text.string.isEmpty)
        #expect(text.isASCII)
    }

    @Test(
        arguments: [
            ("7", 7), ("-7", -7), ("0", 0), ("999999999999999999", 999_999_999_999_999_999),
            ("-999999999999999999", -999_999_999_999_999_999), ("12,", 12), ("12 ]", 12), ("-0", nil), ("01", nil),
            ("1.0", nil), ("1e2", nil), ("1E2", nil), ("1000000000000000000", nil), ("-", nil), ("\"1\"", nil),
        ] as [(String, Int64?)])
    func plainIntegersAreReadAndOthersLeftAlone(text: String, expected: Int64?) throws {
        try withReader(text) { reader throws(JSONSyntaxError) in
            #expect(try reader.readPlainInteger() == expected)
            if expected == nil { #expect(reader.offset == 0) }
        }
    }

    @Test func aMarkLeadsBackToItsPlace() throws {
        try withReader(#"{"a":[1,{"b":"\n"}],"kind":"x"}"#) { reader throws(JSONSyntaxError) in
            try reader.enterObject()
            _ = try reader.nextMember(first: true)
            let mark = reader.mark()
            #expect(try reader.readName().string == "a")
            try reader.skipValue()
            #expect(try reader.nextMember(first: false))
            #expect(try reader.matchName("kind"))
            #expect(try reader.readString() == "x")
            reader.rewind(to: mark)
            #expect(try reader.matchName("a"))
            #expect(try reader.readValue() == [1, ["b": "\n"]])
            #expect(try reader.nextMember(first: false))
            #expect(try reader.readName().string == "kind")
        }
    }

    @Test func anEmptyBufferWithoutAddressIsAnEmptyText() {
        var reader = JSONReader(BorrowedBytes(UnsafeBufferPointer(start: nil, count: 0)), options: JSONReadingOptions())
        #expect(throws: JSONSyntaxError(.unexpectedEnd, at: 0, expected: .value)) { try reader.skipValue() }
    }

    @Test func prettyTextIsTheSameAsCompactText() throws {
        let compact = try JSONValue(parsing: #"{"a":[1,2,{"b":[]}],"c":{"d":"e"},"f":[[[[[[[[1]]]]]]]]}"#)
        var options = JSONWritingOptions()
        options.isPretty = true
        let pretty = try compact.bytes(options: options)
        #expect(try JSONValue(parsing: pretty) == compact)
        #expect(verdictOfSkipping(pretty) == nil)
        #expect(verdictOfWalking(pretty) == nil)
    }
}
