import Pallium
import Testing

/// What values a property `a` was seen with, and the property that follows.
struct InferredProperty: CustomTestStringConvertible, Sendable {
    let samples: String
    let property: String

    /// Samples with these members, each in an object of its own.
    init(_ members: [String], _ property: String) {
        samples = "[" + members.map { "{\($0)}" }.joined(separator: ",") + "]"
        self.property = property
    }

    /// Samples with these values.
    init(values: [String], _ property: String) { self.init(values.map { #""a":\#($0)"# }, property) }

    var testDescription: String { String(samples.prefix(200)) }
}

/// The kinds of inferred properties, by the rules in the article *Inferring schemas*.
struct InferredPropertyTests {
    private static let date = #""2012-01-31T10:20:30Z""#
    private static let page = #""https://example.org/a""#

    /// Twenty texts of three words, each at least twice.
    private static let states = (0..<20).map { $0 < 2 ? #""open""# : $0 < 6 ? #""half-open""# : #""closed""# }

    static let kinds = [
        InferredProperty(values: ["true", "false"], #"{"kind": "bool", "required": true}"#),
        InferredProperty(values: ["1", "2"], #"{"kind": "integer", "required": true}"#),
        InferredProperty(values: ["1", "2.0"], #"{"kind": "integer", "required": true}"#),
        InferredProperty(values: ["1", "0.5"], #"{"kind": "double", "required": true}"#),
        InferredProperty(values: ["9223372036854775807"], #"{"kind": "integer", "required": true}"#),
        InferredProperty(values: ["9223372036854775808"], #"{"kind": "decimal", "required": true}"#),
        InferredProperty(values: ["9007199254740993", "0.5"], #"{"kind": "decimal", "required": true}"#),
        InferredProperty(values: ["0.1234567890123456789"], #"{"kind": "decimal", "required": true}"#),
        InferredProperty(values: ["1e300"], #"{"kind": "double", "required": true}"#),
        InferredProperty(values: ["1e300", "0.1234567890123456789"], #"{"kind": "json", "required": true}"#),
        InferredProperty(values: ["1e400"], #"{"kind": "json", "required": true}"#),
        InferredProperty(values: [#""x""#], #"{"kind": "string", "required": true}"#),
        InferredProperty(values: [date], #"{"kind": "date", "required": true}"#),
        InferredProperty(values: [date, date], #"{"kind": "date", "required": true}"#),
        InferredProperty(values: [date, "null"], #"{"kind": "string"}"#),
        InferredProperty(values: [date, #""soon""#], #"{"kind": "string", "required": true}"#),
        InferredProperty(values: [#""2012-01-31T10:20:30+02:00""#], #"{"kind": "date", "required": true}"#),
        InferredProperty(values: [#""Mon Sep 24 03:35:21 +0000 2012""#], #"{"kind": "string", "required": true}"#),
        InferredProperty(
            values: [#""2012-01-31""#], #"{"kind": "date", "required": true, "transformer": "DateOnly"}"#),
        InferredProperty(
            values: [#""2012-01-31T10:20:30""#],
            #"{"kind": "date", "required": true, "transformer": "LocalISO8601Date"}"#),
        InferredProperty(values: [page, page], #"{"kind": "url", "required": true}"#),
        InferredProperty(values: [page, #""""#], #"{"kind": "string", "required": true}"#),
        InferredProperty(values: [#""a/b""#], #"{"kind": "string", "required": true}"#),
        InferredProperty(
            values: [#""4A275FBD-8217-4397-964B-403F4C2B8545""#], #"{"kind": "uuid", "required": true}"#),
        InferredProperty(
            values: [#""4a275fbd-8217-4397-964b-403f4c2b8545""#],
            #"{"kind": "uuid", "required": true, "transformer": "LowercaseUUID"}"#),
        InferredProperty(
            values: states,
            #"{"kind": "enumeration", "cases": ["open", "half-open", "closed"], "unknown": "keep", "required": true}"#),
        InferredProperty(
            values: Array(repeating: #""open""#, count: 20), #"{"kind": "string", "required": true}"#),
        InferredProperty(values: Array(states.dropLast()), #"{"kind": "string", "required": true}"#),
        InferredProperty(values: states + [#""new""#], #"{"kind": "string", "required": true}"#),
        InferredProperty(values: states + [#""not open""#, #""not open""#], #"{"kind": "string", "required": true}"#),
        InferredProperty(values: ["null", "null"], #"{"kind": "json"}"#),
        InferredProperty(values: ["1", #""x""#], #"{"kind": "json", "required": true}"#),
        InferredProperty(values: ["1", #""x""#, "null"], #"{"kind": "json"}"#),
        InferredProperty(values: ["[1, 2]"], #"{"kind": "array", "of": {"kind": "integer"}, "required": true}"#),
        InferredProperty(
            values: ["[1, null]"], #"{"kind": "array", "of": {"kind": "integer", "nullable": true}, "required": true}"#),
        InferredProperty(
            values: ["[[1.5], []]"],
            #"{"kind": "array", "of": {"kind": "array", "of": {"kind": "double"}}, "required": true}"#),
        InferredProperty(
            values: ["[]"], #"{"kind": "array", "of": {"kind": "json", "nullable": true}, "required": true}"#),
        InferredProperty(
            values: ["{}"], #"{"kind": "dictionary", "of": {"kind": "json", "nullable": true}, "required": true}"#),
        InferredProperty(values: [#"{"b": 1}"#], #"{"kind": "model", "model": "A", "required": true}"#),
        InferredProperty(
            values: [#"{"1": 5, "2": 6}"#], #"{"kind": "dictionary", "of": {"kind": "integer"}, "required": true}"#),
        InferredProperty(values: [#"{"1": 5, "2": "x"}"#], #"{"kind": "model", "model": "A", "required": true}"#),
    ]

    @Test(arguments: kinds) func theValuesDecideTheKind(_ example: InferredProperty) throws {
        let schemas = try expectTheLaw(example.samples)
        let properties = try schemas.document("Root")["properties"]
        #expect(properties?["a"] == (try JSONValue(parsing: example.property)))
    }

    static let presences = [
        InferredProperty([#""a":1"#, #""a":2"#], #"{"kind": "integer", "required": true}"#),
        InferredProperty([#""a":1"#, #""b":2"#], #"{"kind": "integer"}"#),
        InferredProperty([#""a":1"#, #""a":null"#], #"{"kind": "integer"}"#),
        InferredProperty([#""a":1"#, #""a":null"#, ""], #"{"kind": "integer"}"#),
    ]

    @Test(arguments: presences) func aPropertyInEveryObjectIsRequired(_ example: InferredProperty) throws {
        let properties = try expectTheLaw(example.samples).document("Root")["properties"]
        #expect(properties?["a"] == (try JSONValue(parsing: example.property)))
    }

    static let times = [
        ("created_at", "1443164400", "UnixSeconds"), ("createdAt", "1443164400250", "UnixMilliseconds"),
        ("time", "1443164400", "UnixSeconds"), ("number", "1443164400", nil), ("created_at", "14", nil),
        ("format", "1443164400", nil),
    ]

    @Test(arguments: times) func aNumberIsADateIfItsNameSaysSo(name: String, number: String, transformer: String?)
        throws
    {
        let schemas = try expectTheLaw(#"[{"\#(name)":\#(number)},{"\#(name)":\#(number)}]"#)
        let property = schemas[0].properties[0].schema
        #expect(property.kind.name == (transformer == nil ? "integer" : "date"))
        #expect(property.transformers.map(\.description) == [transformer].compactMap(\.self))
    }

    /// Many names, none of which is in most objects, are data; so are those of objects that resemble one another.
    @Test func manyNamesAreADictionary() throws {
        func names(_ range: Range<Int>, _ value: String) -> String {
            "{" + range.map { #""name\#($0)x":\#(value)"# }.joined(separator: ",") + "}"
        }
        func kind(_ values: String...) throws -> String {
            try expectTheLaw("[" + values.map { #"{"a":\#($0)}"# }.joined(separator: ",") + "]")[0]
                .properties[0].schema.kind.name
        }
        #expect(try kind(names(0..<12, "1"), names(10..<21, "2")) == "model")
        #expect(try kind(names(0..<10, "1"), names(10..<20, "2")) == "model")
        #expect(try kind(names(0..<10, "1"), names(10..<21, "2")) == "dictionary")
        #expect(try kind(names(0..<25, "1"), names(0..<25, "2")) == "model")
        #expect(try kind(names(0..<25, "1")) == "model")
        #expect(try kind(names(0..<15, "1"), names(15..<25, #""x""#)) == "model")
        #expect(try kind(names(0..<25, #"{"x":1,"y":2}"#)) == "dictionary")
        #expect(try kind(names(0..<20, #"{"x":1,"y":2}"#)) == "model")
        #expect(try kind(names(0..<25, #"[{"x":1,"y":2},{"x":1}]"#)) == "dictionary")
        #expect(try kind(names(0..<25, "[1]")) == "model")
        #expect(try kind(#"{"/":{"x":1},"/pet":{"y":1},"/pet/{id}":{"x":1}}"#) == "dictionary")
    }

    @Test func keysAreCamelCaseIfAllNamesFollow() throws {
        func keys(_ document: String) throws -> [String] {
            let schema = try expectTheLaw(document)[0]
            return [schema.keys.rawValue] + schema.properties.map(\.key)
        }
        #expect(try keys(#"{"html_url": 1, "id": 2, "user_ids": 3}"#) == ["snakeCase", "htmlURL", "id", "userIDs"])
        #expect(try keys(#"{"_id": 1, "a_b": 2}"#) == ["snakeCase", "_id", "aB"])
        #expect(try keys(#"{"id": 1, "name": 2}"#) == ["identity", "id", "name"])
        #expect(try keys(#"{"html_url": 1, "userName": 2}"#) == ["identity", "html_url", "userName"])
        #expect(try keys(#"{"html_url": 1, "+1": 2, "a.b": 3}"#) == ["snakeCase", "htmlURL", "plus1", "aB"])
        #expect(try keys(#"{"a-b": 1, "a.b": 2, "aB": 3, "1": 4}"#) == ["identity", "aB2", "aB3", "aB", "member1"])
    }

    @Test func namesThatAreNoKeysGetAPath() throws {
        let schema = try expectTheLaw(#"{"a.b": 1, "[c\\": 2, "d": 3}"#)[0]
        #expect(schema.properties.map(\.schema.json) == [.path(#"a\.b"#), .path(#"\[c\\"#), .ownKey])
    }
}
