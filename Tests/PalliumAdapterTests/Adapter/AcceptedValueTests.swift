import Foundation
import ModelTestSupport
import Pallium
import Testing

/// What every kind accepts, what becomes of it, and how it is written.
struct AcceptedValueTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let property: PropertySchema
        let text: String
        let written: String
        let holds: @Sendable (DynamicModel) -> Bool
        let onlyBytes: Bool

        init<Value: PropertyValue & Equatable & Sendable>(
            _ property: PropertySchema, _ text: String, _ value: Value, written: String? = nil, onlyBytes: Bool = false
        ) {
            self.property = property
            self.text = text
            self.written = written ?? text
            holds = { $0["a", as: Value.self] == value }
            self.onlyBytes = onlyBytes
        }

        var testDescription: String { "\(property.kind.name) \(text)" }
    }

    static let numbers: [Row] = [
        Row(.bool, "true", true), Row(.bool, "false", false),
        Row(.integer, "0", 0), Row(.integer, "-1", -1), Row(.integer, "-0", 0, written: "0"),
        Row(.integer, "1.0", 1, written: "1"), Row(.integer, "1e2", 100, written: "100"),
        Row(.integer, "1.5e1", 15, written: "15"), Row(.integer, "100e-2", 1, written: "1"),
        Row(.integer, "9007199254740993", 9_007_199_254_740_993),
        Row(.integer, "9223372036854775807", Int.max), Row(.integer, "-9223372036854775808", Int.min),
        Row(.integer, "9223372036854775807.0", Int.max, written: "9223372036854775807", onlyBytes: true),
        Row(.integer(as: Int8.self), "-128", Int8.min), Row(.integer(as: Int8.self), "127", Int8.max),
        Row(.integer(as: Int16.self), "-32768", Int16.min), Row(.integer(as: Int16.self), "32767", Int16.max),
        Row(.integer(as: Int32.self), "-2147483648", Int32.min), Row(.integer(as: Int32.self), "2147483647", Int32.max),
        Row(.unsigned, "0", UInt(0)), Row(.unsigned, "-0", UInt(0), written: "0"),
        Row(.unsigned, "18446744073709551615", UInt.max), Row(.unsigned, "1E1", UInt(10), written: "10"),
        Row(.integer(as: UInt8.self), "255", UInt8.max), Row(.integer(as: UInt16.self), "65535", UInt16.max),
        Row(.integer(as: UInt32.self), "4294967295", UInt32.max),
        Row(.double, "0", 0.0), Row(.double, "1.5", 1.5), Row(.double, "-2.5e-3", -0.0025, written: "-0.0025"),
        Row(.double, "1e2", 100.0, written: "100"),
        Row(.double, "9007199254740993", 9_007_199_254_740_992.0, written: "9007199254740992"),
        Row(.double, "1.7976931348623157e308", Double.greatestFiniteMagnitude, written: "1.7976931348623157e+308"),
        Row(.double, "5e-324", Double.leastNonzeroMagnitude),
        Row(.double, "1e-400", 0.0, written: "0", onlyBytes: true),
        Row(.double, "0.1", 0.1), Row(.double, "0.30000000000000004", 0.1 + 0.2),
        Row(
            .float, "1.00000005960464477539062500001", Float(bitPattern: 0x3F80_0001), written: "1.0000001",
            onlyBytes: true),
        Row(.float, "0.1", Float(0.1)), Row(.float, "16777217", Float(16_777_216), written: "16777216"),
        Row(.decimal, "0.1", Decimal(string: "0.1")!),
        Row(.decimal, "12345678901234567890.123", Decimal(string: "12345678901234567890.123")!, onlyBytes: true),
        Row(.decimal, "1e2", Decimal(100), written: "100"), Row(.decimal, "-7", Decimal(-7)),
    ]

    static let texts: [Row] = [
        Row(.string, #""""#, ""),
        Row(.string, #""a\nb\u00e9\uD83D\uDE00\/""#, "a\nb\u{E9}\u{1F600}/", written: "\"a\\nb\u{E9}\u{1F600}/\""),
        Row(.string, #""\u0000""#, "\0"),
        Row(.date, #""2015-09-25T07:00:00Z""#, Date(timeIntervalSince1970: 1_443_164_400)),
        Row(
            .date, #""2015-09-25T09:00:00.2500000000000+02:00""#, Date(timeIntervalSince1970: 1_443_164_400.25),
            written: #""2015-09-25T07:00:00.25Z""#),
        Row(
            .date, #""2015-09-25T07:00:00.250Z""#, Date(timeIntervalSince1970: 1_443_164_400.25),
            written: #""2015-09-25T07:00:00.250Z""#),
        Row(.url, #""https://example.org/a?b=c#d""#, URL(string: "https://example.org/a?b=c#d")!),
        Row(.url, #""relative/path""#, URL(string: "relative/path")!),
        Row(.url, #""https://example.org/%C3%A4""#, URL(string: "https://example.org/%C3%A4")!),
        Row(
            .url.transformer(URLPercentEncodingTransformerName), "\"https://example.org/\u{E4} b\"",
            URL(string: "https://example.org/%C3%A4%20b")!, written: #""https://example.org/%C3%A4%20b""#),
        Row(
            .uuid, #""4A275FBD-8217-4397-964B-403F4C2B8545""#, UUID(uuidString: "4A275FBD-8217-4397-964B-403F4C2B8545")!
        ),
        Row(
            .uuid, #""4a275fbd-8217-4397-964b-403f4c2b8545""#,
            UUID(uuidString: "4A275FBD-8217-4397-964B-403F4C2B8545")!,
            written: #""4A275FBD-8217-4397-964B-403F4C2B8545""#),
        Row(.data, #""aGk=""#, Data("hi".utf8)), Row(.data, #""""#, Data()),
        Row(.date.transformer(DateOnlyTransformerName), #""2015-09-25""#, Date(timeIntervalSince1970: 1_443_139_200)),
        Row(.date.transformer(UnixSecondsTransformerName), "0.5", Date(timeIntervalSince1970: 0.5)),
        Row(.date.transformer(UnixMillisecondsTransformerName), "1500", Date(timeIntervalSince1970: 1.5)),
        Row(
            .decimal.transformer(DecimalTextTransformerName), #""12.50""#, Decimal(string: "12.5")!, written: #""12.5""#
        ),
        Row(.integer.transformer(IntegerTextTransformerName), #""9007199254740993""#, 9_007_199_254_740_993),
        Row(.integer.transformer(NumberOrTextTransformerName), #""7""#, 7, written: "7"),
        Row(.double.transformer(NumberOrTextTransformerName), "1.5", 1.5),
        // The same number, however it is spelled.
        Row(
            .double.transformer(NumberOrTextTransformerName), "9223372036854775808", 0x1p63,
            written: "9223372036854776000"),
        Row(.double, "9223372036854775808", 0x1p63, written: "9.223372036854776e+18"),
        Row(.bool.transformer(BooleanTransformerName), "1", true, written: "true"),
        Row(
            .url.transformer(EmptyTextAsNullTransformerName, URLTransformerName), #""https://a.b""#,
            URL(string: "https://a.b")!),
    ]

    static let collections: [Row] = [
        Row(.array(of: .integer), "[]", [Int]()), Row(.array(of: .integer), "[3,1,3]", [3, 1, 3]),
        Row(.array(of: .integer.nullable), "[1,null]", [1, nil] as [Int?]),
        Row(.array(of: .array(of: .bool)), "[[],[true]]", [[], [true]]),
        Row(.set(of: .integer), "[3,1,3,1]", Set([1, 3]), written: "[3,1]"),
        Row(.set(of: .string.nullable), #"["a",null,"a",null]"#, Set(["a", nil]), written: #"["a",null]"#),
        Row(.dictionary(of: .integer), #"{"b":2,"a":1,"":0}"#, ["b": 2, "a": 1, "": 0]),
        Row(.dictionary(of: .string.nullable), #"{"a":null}"#, ["a": nil] as [String: String?]),
        Row(.dictionary(of: .array(of: .double)), #"{"a":[0.5]}"#, ["a": [0.5]]),
        Row(.array(of: .date.transformer(UnixSecondsTransformerName)), "[1]", [Date(timeIntervalSince1970: 1)]),
        Row(.array(of: .url), #"["https://a.b"]"#, [URL(string: "https://a.b")!]),
        Row(.array(of: .uuid), "[]", [UUID]()), Row(.array(of: .decimal), "[0.1]", [Decimal(string: "0.1")!]),
        Row(.array(of: .jsonValue), #"[1,{"a":[null]}]"#, [1, ["a": [.null]]] as [JSONValue]),
        Row(.array(of: .jsonValue.nullable), "[null,false]", [nil, false] as [JSONValue?]),
        Row(.jsonValue, #"{"z":1,"a":[true,null,"x",1.5]}"#, ["z": 1, "a": [true, .null, "x", 1.5]] as JSONValue),
        Row(
            .jsonValue, "123456789012345678901234567890",
            JSONValue.number(JSONNumber(text: "123456789012345678901234567890")!), onlyBytes: true),
    ]

    @Test(.threat(.numberRange), arguments: numbers + texts + collections) func valuesAreReadAndWritten(row: Row) throws
    {
        var adapter = try Plain.adapter(["a": row.property])
        if row.onlyBytes { adapter = adapter.withoutFoundation }
        let model = try adapter.model(from: #"{"a":\#(row.text)}"#)
        #expect(row.holds(model), "\(model)")
        #expect(try model.state(of: "a") == .value)
        let written = try adapter.text(of: model)
        if case .dictionary = row.property.kind, row.onlyBytes { return }
        #expect(written == #"{"a":\#(row.written)}"#)
        #expect(picture(of: try adapter.adapter.model(from: written)) == picture(of: model))
    }

    @Test(.threat(.numberRange)) func minusZeroKeepsItsSignInADouble() throws {
        let adapter = try Plain.adapter(["a": .double]).withoutFoundation
        let model = try adapter.model(from: #"{"a":-0}"#)
        #expect(model["a", as: Double.self]?.sign == .minus)
        #expect(try adapter.model(from: #"{"a":-0.0}"#)["a", as: Double.self]?.sign == .minus)
        let written = try adapter.text(of: model)
        #expect(try adapter.model(from: written)["a", as: Double.self]?.sign == .minus)
    }

    @Test func dictionariesKeepTheOrderOfBytesAndTellNamesByBytes() throws {
        let adapter = try Plain.adapter(["a": .dictionary(of: .integer)]).bytesOnly
        let text = "{\"a\":{\"z\":1,\"\u{E9}\":2,\"e\u{301}\":3,\"b\":4}}"
        #expect(try adapter.roundTrip(text) == text)
    }

    @Test func aCustomKindIsReadAndWrittenByItsTransformer() throws {
        let adapter = try Plain.adapter(
            [
                "a": .custom(Range.self, transformer: "Pair"),
                "all": .array(of: .custom(Range.self, transformer: "Pair")),
            ],
            transformers: [
                "Pair": Transformer(from: [Int].self, to: Range.self) { pair, _ in
                    guard pair.count == 2 else { throw FixtureError.refused }
                    return Range(location: pair[0], length: pair[1])
                } reverse: { range, _ in
                    [range.location, range.length]
                }
            ])
        let text = #"{"a":[1,2],"all":[[3,4],[5,6]]}"#
        let model = try adapter.model(from: text)
        #expect(model["a", as: Range.self] == Range(location: 1, length: 2))
        #expect(model["all", as: [Range].self]?.map(\.length) == [4, 6])
        #expect(try adapter.text(of: model) == text)
        #expect(adapter.problem(of: #"{"all":[[3,4],[5]]}"#)?.pointer?.description == "/all/1")
        #expect(adapter.problem(of: #"{"a":[1,"x"]}"#)?.pointer?.description == "/a/1")
        #expect(adapter.problem(of: #"{"a":"x"}"#)?.code == .typeMismatch)
    }
}
