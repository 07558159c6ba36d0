import PalliumJSON
import TestSupport
import Testing

struct ValueTests {
    @Test func accessorsGiveOnlyTheirOwnKind() {
        let values: [JSONValue] = [nil, true, 7, 1.5, "x", [1], ["a": 1]]
        #expect(values.map(\.isNull) == [true, false, false, false, false, false, false])
        #expect(values.map(\.boolValue) == [nil, true, nil, nil, nil, nil, nil])
        #expect(values.map(\.intValue) == [nil, nil, 7, nil, nil, nil, nil])
        #expect(values.map(\.doubleValue) == [nil, nil, 7, 1.5, nil, nil, nil])
        #expect(values.map(\.stringValue) == [nil, nil, nil, nil, "x", nil, nil])
        #expect(values.map { $0.arrayValue?.count } == [nil, nil, nil, nil, nil, 1, nil])
        #expect(values.map { $0.objectValue?.count } == [nil, nil, nil, nil, nil, nil, 1])
        #expect(values.map { $0["a"] } == [nil, nil, nil, nil, nil, nil, 1])
        #expect(values.map { $0[0] } == [nil, nil, nil, nil, nil, 1, nil])
        #expect(values[5][1] == nil)
        #expect(values[5][-1] == nil)
    }

    @Test func everySequenceOfBytesIsParsed() throws {
        let text = #"{"a":[1,"x"]}"#
        let value = try JSONValue(parsing: text)
        #expect(try JSONValue(parsing: Array(text.utf8)) == value)
        #expect(try JSONValue(parsing: Array(" \(text)".utf8).dropFirst()) == value)
        #expect(try JSONValue(parsing: text.utf8.lazy.map { $0 }) == value)
        let error = #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: AnySequence("[1".utf8)) }
        #expect(error?.offset == 2)
    }

    @Test func descriptionIsCompactText() throws {
        let text = #"{"a":[1,-0.0,2.5,"x\n"],"b":{},"c":[],"d":null,"e":true,"f":false}"#
        #expect(try JSONValue(parsing: text).description == text)
        #expect(try JSONValue(parsing: text).objectValue?.description == text)
    }

    @Test func aLiteralThatNoNumberCanHoldIsNull() {
        #expect(JSONValue(floatLiteral: .infinity) == .null)
        #expect(JSONValue(floatLiteral: .nan) == .null)
        #expect(JSONValue(floatLiteral: 0.5) == 0.5)
    }

    @Test func aNumberIsDescribedByItsText() {
        for text in ["7", "-0.5", "1e400"] { #expect(JSONNumber(text: text).map { "\($0)" } == text) }
    }

    private static func tower(_ depth: Int, _ leaf: JSONValue) -> JSONValue {
        (0..<depth).reduce(leaf) { value, level in level % 2 == 0 ? .array([value]) : .object(["a": value]) }
    }

    /// Takes a tower apart from the top, because releasing it in a piece needs stack for every level.
    private static func dismantle(_ tower: inout JSONValue) {
        while let child = tower[0] ?? tower["a"] { tower = child }
    }

    @Test(.threat(.deepGraphs)) func treesDeeperThanAnyStackAreComparedHashedAndWritten() {
        onStack(kilobytes: 256) {
            let depth = 20_000
            var left = Self.tower(depth, 1)
            var right = Self.tower(depth, 1)
            var other = Self.tower(depth, 2)
            #expect(left == right)
            #expect(left != other)
            #expect(left.hashValue == right.hashValue)
            #expect(left.hashValue != other.hashValue)
            #expect(left.description.utf8.count == 1 + depth / 2 * 2 + depth / 2 * 6)
            #expect(throws: JSONSyntaxError.self) { try left.bytes() }
            Self.dismantle(&left)
            Self.dismantle(&right)
            Self.dismantle(&other)
        }
    }

    @Test(.threat(.deepNesting, .readerWriterDepth)) func theDeepestReadableTreeIsReadWrittenAndReleasedOnASmallStack()
    {
        let levels = 0..<1024
        let opening = levels.map { $0 % 2 == 0 ? "[" : #"{"a":"# }.joined()
        let closing = levels.reversed().map { $0 % 2 == 0 ? "]" : "}" }.joined()
        let text = Array("\(opening)1\(closing)".utf8)
        onStack {
            var (reading, writing) = (JSONReadingOptions(), JSONWritingOptions())
            (reading.maximumDepth, writing.maximumDepth) = (.max, 1024)
            let value = try? JSONValue(parsing: text, options: reading)
            #expect(value != nil)
            #expect((try? value?.bytes(options: writing)) == text)
        }
    }
}
