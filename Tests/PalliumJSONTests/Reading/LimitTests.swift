import PalliumJSON
import TestSupport
import Testing

struct LimitTests {
    private func expectLimit(
        _ code: JSONSyntaxError.Code, at offset: Int, allowed: String, refused: String,
        _ change: (inout JSONReadingOptions) -> Void, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        var options = JSONReadingOptions()
        change(&options)
        for verdict in [verdictOfReading, verdictOfSkipping, verdictOfWalking] {
            #expect(verdict(Array(allowed.utf8), options) == nil, sourceLocation: sourceLocation)
            let error = verdict(Array(refused.utf8), options)
            #expect(error?.code == code, sourceLocation: sourceLocation)
            #expect(error?.offset == offset, sourceLocation: sourceLocation)
        }
    }

    private func nested(_ depth: Int, _ open: (Int) -> String, _ close: (Int) -> String) -> String {
        (0..<depth).map(open).joined() + "1" + (0..<depth).reversed().map(close).joined()
    }

    @Test(.threat(.deepNesting)) func depthIsLimitedForArraysObjectsAndMixtures() {
        expectLimit(
            .depthLimit, at: 512, allowed: nested(512, { _ in "[" }, { _ in "]" }),
            refused: nested(513, { _ in "[" }, { _ in "]" }), { _ in })
        expectLimit(
            .depthLimit, at: 512 * 5, allowed: nested(512, { _ in #"{"a":"# }, { _ in "}" }),
            refused: nested(513, { _ in #"{"a":"# }, { _ in "}" }), { _ in })
        expectLimit(
            .depthLimit, at: 256 * 6,
            allowed: nested(512, { $0 % 2 == 0 ? "[" : #"{"a":"# }, { $0 % 2 == 0 ? "]" : "}" }),
            refused: nested(513, { $0 % 2 == 0 ? "[" : #"{"a":"# }, { $0 % 2 == 0 ? "]" : "}" }), { _ in })
        expectLimit(.depthLimit, at: 1, allowed: "[]", refused: "[[]]") { $0.maximumDepth = 1 }
        expectLimit(.depthLimit, at: 0, allowed: "1", refused: "{}") { $0.maximumDepth = 0 }
    }

    @Test func depthIsGivenBackWhenAContainerEnds() {
        let siblings = "[" + Array(repeating: "[{\"a\":[]}]", count: 1000).joined(separator: ",") + "]"
        var options = JSONReadingOptions()
        options.maximumDepth = 4
        #expect(verdictOfReading(Array(siblings.utf8), options) == nil)
        #expect(verdictOfSkipping(Array(siblings.utf8), options) == nil)
        #expect(verdictOfWalking(Array(siblings.utf8), options) == nil)
    }

    @Test(.threat(.deepNesting), arguments: [100_000, 10_000_000])
    func manyBracketsAreRefusedAtTheLimit(count: Int) {
        for bracket in ["[", #"{"a":"#] {
            var text = Array(bracket.utf8)
            while text.count < count { text += text }
            #expect(verdictOfReading(text)?.code == .depthLimit)
            #expect(verdictOfReading(text)?.offset == 512 * bracket.utf8.count)
            #expect(verdictOfSkipping(text) == verdictOfReading(text))
        }
    }

    @Test(.threat(.deepNesting), arguments: [1025, 300_000, Int.max]) func noDepthLimitExceeds1024Levels(depth: Int) {
        func text(_ count: Int) -> [UInt8] {
            Array(nested(count, { $0 % 3 == 0 ? "[" : #"{"a":"# }, { $0 % 3 == 0 ? "]" : "}" }).utf8)
        }
        var options = JSONReadingOptions()
        options.maximumDepth = depth
        #expect(options.maximumDepth == 1024)
        #expect(verdictOfSkipping(text(1024), options) == nil)
        #expect(verdictOfWalking(text(1024), options) == nil)
        for count in [1025, 100_000] {
            #expect(verdictOfSkipping(text(count), options)?.code == .depthLimit)
            #expect(verdictOfReading(text(count), options)?.code == .depthLimit)
        }
    }

    @Test(.threat(.hugeInput)) func documentsAreLimited() {
        expectLimit(.documentTooLarge, at: 4, allowed: "[1] ", refused: "[1]  ") { $0.maximumDocumentBytes = 4 }
    }

    @Test(.threat(.hugeInput)) func stringsAreLimitedByTheirUnescapedLength() {
        expectLimit(.stringTooLong, at: 1, allowed: #""abcd""#, refused: #""abcde""#) { $0.maximumStringBytes = 4 }
        expectLimit(.stringTooLong, at: 1, allowed: #""\u0061bc\n""#, refused: #""\u0061bc\nd""#) {
            $0.maximumStringBytes = 4
        }
        expectLimit(.stringTooLong, at: 1, allowed: #""\ud83d\ude00""#, refused: #""a\ud83d\ude00""#) {
            $0.maximumStringBytes = 4
        }
        expectLimit(.stringTooLong, at: 1, allowed: #""\ud800\udc00""#, refused: #""a\ud800\udc00""#) {
            $0.maximumStringBytes = 4
        }
        expectLimit(.stringTooLong, at: 1, allowed: #""""#, refused: #""\n""#) { $0.maximumStringBytes = 0 }
    }

    /// Characters that are escaped, with their length in UTF-8.
    @Test(
        .threat(.hugeInput),
        arguments: [(#"\u07ff"#, 2), (#"\u0800"#, 3), (#"\uffff"#, 3), (#"\ud83d\ude00"#, 4)])
    func anEscapedCharacterIsAsLongAsItsBytes(character: String, length: Int) {
        expectLimit(.stringTooLong, at: 1, allowed: "\"\(character)\"", refused: "\"\(character)a\"") {
            $0.maximumStringBytes = length
        }
        expectLimit(.stringTooLong, at: 1, allowed: "\"a\"", refused: "\"\(character)\"") {
            $0.maximumStringBytes = length - 1
        }
    }

    @Test(.threat(.hugeInput)) func namesAreLimitedByTheirUnescapedLength() {
        expectLimit(.nameTooLong, at: 2, allowed: #"{"abcd":"efghij"}"#, refused: #"{"abcde":1}"#) {
            $0.maximumNameBytes = 4
        }
        expectLimit(.nameTooLong, at: 2, allowed: #"{"\u00e9ab":1}"#, refused: #"{"\u00e9abc":1}"#) {
            $0.maximumNameBytes = 4
        }
        expectLimit(.nameTooLong, at: 2, allowed: #"{"":1}"#, refused: #"{"a":1}"#) { $0.maximumNameBytes = 0 }
    }

    @Test(.threat(.hugeInput), arguments: ["12345", "-1234", "1.234", "12e34", "0.000"])
    func numbersAreLimited(number: String) {
        expectLimit(.numberTooLong, at: 1, allowed: "[\(number)]", refused: "[\(number)0]") {
            $0.maximumNumberCharacters = 5
        }
    }

    @Test(.threat(.hugeInput)) func valuesAreCountedWithContainersAndWithoutNames() {
        expectLimit(.tooManyValues, at: 17, allowed: #"[1,{"a":2,"b":3}]"#, refused: #"[1,{"a":2,"b":3},4]"#) {
            $0.maximumValues = 5
        }
        expectLimit(.tooManyValues, at: 1, allowed: "[]", refused: "[1]") { $0.maximumValues = 1 }
    }

    @Test func lookingAheadCostsNothingOfTheLimits() throws {
        var options = JSONReadingOptions()
        options.maximumValues = 4
        options.maximumDepth = 2
        try withReader(Array("[[1,2]]".utf8), options) { reader throws(JSONSyntaxError) in
            try reader.beginDocument()
            let mark = reader.mark()
            for _ in 0..<10 {
                try reader.skipValue()
                reader.rewind(to: mark)
                try reader.enterArray()
                _ = try reader.nextElement(first: true)
                try reader.enterArray()
                reader.rewind(to: mark)
            }
            _ = try reader.readValue()
            try reader.endDocument()
        }
    }
}
