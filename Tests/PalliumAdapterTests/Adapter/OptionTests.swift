import Foundation
import ModelTestSupport
import Pallium
import Testing

/// What the options of an adapter change: nil, leniency, layout of the text.
struct OptionTests {
    // MARK: Nil

    /// For each policy of the adapter: what is written of an unset, a null, a defaulted property and of one given.
    @Test(arguments: [
        (PropertySchema.NilPolicy.asParsed, #"{"null":null,"given":1}"#), (.omit, #"{"defaulted":7,"given":1}"#),
        (.write, #"{"unset":null,"null":null,"defaulted":7,"given":1}"#),
    ]) func theAdaptersPolicy(policy: PropertySchema.NilPolicy, text: String) throws {
        let adapter = try Plain.adapter(
            ["unset": .integer, "null": .integer, "defaulted": .integer.default(7), "given": .integer],
            options: .with { $0.nilPolicy = policy })
        #expect(try adapter.roundTrip(#"{"given":1,"null":null}"#) == text)
    }

    @Test(arguments: PropertySchema.NilPolicy.allCases) func thePropertysPolicyWins(policy: PropertySchema.NilPolicy)
        throws
    {
        let adapter = try Plain.adapter(
            [
                "parsed": .integer.nilPolicy(.asParsed), "omitted": .integer.nilPolicy(.omit),
                "written": .integer.nilPolicy(.write), "deep": .integer.json("x.y").nilPolicy(.write),
            ], options: .with { $0.nilPolicy = policy })
        #expect(try adapter.roundTrip("{}") == #"{"written":null,"x":{"y":null}}"#)
        #expect(
            try adapter.roundTrip(#"{"parsed":null,"omitted":null,"written":null}"#)
                == #"{"parsed":null,"written":null,"x":{"y":null}}"#)
    }

    @Test func elementsAreNotConcerned() throws {
        let adapter = try Plain.adapter(["a": .array(of: .integer.nullable)], options: .with { $0.nilPolicy = .omit })
        #expect(try adapter.roundTrip(#"{"a":[1,null]}"#) == #"{"a":[1,null]}"#)
    }

    // MARK: Leniency

    struct Lenient: Sendable, CustomTestStringConvertible {
        let leniency: JSONAdapterOptions.Leniency
        let property: PropertySchema
        let text: String
        /// What is written, or nil where it is refused with the leniency too.
        let written: String?

        init(_ leniency: JSONAdapterOptions.Leniency, _ property: PropertySchema, _ text: String, _ written: String?) {
            self.leniency = leniency
            self.property = property
            self.text = text
            self.written = written
        }

        var testDescription: String { "\(property.kind.name) \(text)" }
    }

    static let lenient: [Lenient] = [
        Lenient(.numbersAsText, .integer, #""5""#, "5"), Lenient(.numbersAsText, .integer, #""1.5""#, nil),
        Lenient(.numbersAsText, .integer(as: Int8.self), #""127""#, "127"),
        Lenient(.numbersAsText, .integer(as: Int8.self), #""128""#, nil),
        Lenient(.numbersAsText, .unsigned, #""18446744073709551615""#, "18446744073709551615"),
        Lenient(.numbersAsText, .double, #""1.5""#, "1.5"), Lenient(.numbersAsText, .decimal, #""0.1""#, "0.1"),
        Lenient(.numbersAsText, .float, #""0.5""#, "0.5"), Lenient(.numbersAsText, .integer, #""x""#, nil),
        Lenient(.numbersAsText, .integer, #"" 5""#, nil), Lenient(.numbersAsText, .integer, "true", nil),
        Lenient(.numbersAsText, .bool, #""1""#, nil), Lenient(.numbersAsText, .string, "5", nil),
        Lenient(.numbersAsText, .array(of: .integer), #"["1"]"#, "[1]"),
        Lenient(.boolsAsNumbers, .bool, "1", "true"), Lenient(.boolsAsNumbers, .bool, "0", "false"),
        Lenient(.boolsAsNumbers, .bool, "2", nil), Lenient(.boolsAsNumbers, .bool, #""true""#, nil),
        Lenient(.boolsAsNumbers, .integer, "true", nil),
        Lenient(.emptyTextAsNull, .enumeration("a"), #""""#, "null"),
        Lenient(.emptyTextAsNull, .enumeration("a").required, #""""#, nil),
        Lenient(.emptyTextAsNull, .enumeration("a", ""), #""""#, #""""#),
        Lenient(.emptyTextAsNull, .integer, #""""#, "null"), Lenient(.emptyTextAsNull, .url, #""""#, "null"),
        Lenient(.emptyTextAsNull, .date, #""""#, "null"), Lenient(.emptyTextAsNull, .uuid, #""""#, "null"),
        Lenient(.emptyTextAsNull, .double, #""""#, "null"), Lenient(.emptyTextAsNull, .data, #""""#, "null"),
        Lenient(.emptyTextAsNull, .bool, #""""#, "null"), Lenient(.emptyTextAsNull, .model("Plain"), #""""#, "null"),
        Lenient(.emptyTextAsNull, .array(of: .integer), #""""#, "null"),
        Lenient(.emptyTextAsNull, .integer.required, #""""#, nil), Lenient(.emptyTextAsNull, .url, #"" ""#, nil),
        Lenient([.emptyTextAsNull, .numbersAsText], .integer, #""""#, "null"),
        Lenient([.emptyTextAsNull, .numbersAsText], .integer, #""5""#, "5"),
        Lenient([.emptyTextAsNull, .boolsAsNumbers], .bool, #""""#, "null"),
        Lenient([.emptyTextAsNull, .boolsAsNumbers], .bool, "1", "true"),
    ]

    @Test(arguments: lenient) func leniencyIsNamedAndReachesNoFurther(row: Lenient) throws {
        let text = #"{"a":\#(row.text)}"#
        let adapter = try Plain.adapter(["a": row.property], options: .with { $0.leniency = row.leniency })
        if let written = row.written {
            #expect(try adapter.roundTrip(text) == #"{"a":\#(written)}"#)
        } else {
            #expect(adapter.problem(of: text)?.category == .unexpectedData)
        }
        // Some are right without leniency, too.
        if row.property.kind != .data, row.written != row.text {
            #expect(try Plain.adapter(["a": row.property]).problem(of: text) != nil)
        }
    }

    /// What a transformer takes is what it says, whatever the options say about properties.
    @Test func leniencyDoesNotReachTheInputsOfTransformers() throws {
        let sum = Transformer(from: [Int].self, to: Int.self, forward: { numbers, _ in numbers.reduce(0, +) })
        let adapter = try Plain.adapter(
            ["sum": .integer.transformer("Sum"), "list": .array(of: .integer)],
            options: .with { $0.leniency = .numbersAsText }, transformers: ["Sum": sum])
        #expect(adapter.problem(of: #"{"sum":["1"]}"#)?.pointer?.description == "/sum/0")
        #expect(try adapter.model(from: #"{"sum":[1,2],"list":["1"]}"#)["sum", as: Int.self] == 3)
    }

    @Test(arguments: [
        (PropertySchema.integer, "5"), (.double, "1.5"), (.bool, "true"), (.url, #""https://a.b""#),
        (.date, #""2015-09-25T07:00:00Z""#), (.uuid, #""4A275FBD-8217-4397-964B-403F4C2B8545""#), (.string, #""""#),
        (.data, #""aGk=""#), (.decimal, "0.1"), (.jsonValue, #""""#),
    ]) func whatIsRightWithoutLeniencyStaysRight(property: PropertySchema, value: String) throws {
        let adapter = try Plain.adapter(
            ["a": property], options: .with { $0.leniency = [.numbersAsText, .boolsAsNumbers, .emptyTextAsNull] })
        #expect(try adapter.roundTrip(#"{"a":\#(value)}"#) == #"{"a":\#(value)}"#)
        #expect(try adapter.roundTrip(#"{"a":null}"#) == #"{"a":null}"#)
        #expect(try adapter.roundTrip("{}") == "{}")
    }

    @Test func anEmptyTextIsTheDefaultWhereNullIs() throws {
        let adapter = try Plain.adapter(["a": .integer.default(7)], options: .with { $0.leniency = .emptyTextAsNull })
        #expect(try adapter.model(from: #"{"a":""}"#).state(of: "a") == .defaulted)
    }

    // MARK: Layout of the text

    @Test func textCanBePrettyAndSorted() throws {
        let properties: KeyValuePairs<String, PropertySchema> = [
            "b": .integer, "a": .array(of: .integer), "url": .url, "empty": .array(of: .integer),
        ]
        let text = #"{"b":1,"a":[1,2],"url":"https://a.b","empty":[]}"#
        func written(_ change: (inout JSONWritingOptions) -> Void) throws -> String {
            try Plain.adapter(properties, options: .with { change(&$0.writing) }).roundTrip(text)
        }
        #expect(try written { _ in } == text)
        #expect(try written { $0.sortsKeys = true } == #"{"a":[1,2],"b":1,"empty":[],"url":"https://a.b"}"#)
        #expect(try written { $0.escapesSlashes = true } == #"{"b":1,"a":[1,2],"url":"https:\/\/a.b","empty":[]}"#)
        #expect(
            try written { $0.isPretty = true } == """
                {
                  "b": 1,
                  "a": [
                    1,
                    2
                  ],
                  "url": "https://a.b",
                  "empty": []
                }
                """)
    }

    @Test func slashesOfEveryKindAreEscapedWhenAskedFor() throws {
        let adapter = try Plain.adapter(
            [
                "a/b": .string, "url": .url, "e": .enumeration("x/y"),
                "d": .dictionary(of: .string), "data": .data, "json": .jsonValue, "t": .string.transformer("Same"),
            ], options: .with { $0.writing.escapesSlashes = true },
            transformers: [
                "Same": Transformer(from: String.self, to: String.self) {
                    $1.property == nil ? "" : $0
                } reverse: { text, _ in
                    text
                }
            ])
        let text = #"{"a/b":"/","url":"https://a.b/","e":"x/y","d":{"/":"/"},"data":"////","json":{"/":"/"},"t":"/"}"#
        let written = try adapter.roundTrip(text)
        #expect(written == text.replacingOccurrences(of: "/", with: #"\/"#))
    }

    @Test func theSameModelAsTreeDictionaryAndText() throws {
        let adapter = try Plain.adapter([
            "a": .integer, "b": .array(of: .bool), "c": .jsonValue.json("x.y"), "n": .string,
        ])
        let text = #"{"a":9007199254740993,"b":[true],"n":null,"x":{"y":{"z":1.5}}}"#
        let model = try adapter.model(from: text)
        let tree = try adapter.adapter.jsonValue(from: model)
        #expect(tree == (try JSONValue(parsing: text)))
        let object = try adapter.adapter.jsonObject(from: model)
        #expect(
            NSDictionary(dictionary: object)
                == (try JSONSerialization.jsonObject(with: Data(text.utf8)) as? NSDictionary))
        #expect(picture(of: try adapter.adapter.model(from: object)) == picture(of: model))
    }

    @Test func foundationValuesThatJSONDoesNotHaveAreRefusedWithTheirPlace() throws {
        let adapter = try Plain.adapter(["a": .jsonValue]).adapter
        for value in [Date(), URL(string: "https://a.b")!, Double.nan, NSNull.self] as [Any] {
            let problem = #expect(throws: ModelError.self) { try adapter.model(from: ["a": [1, value] as [Any]]) }
            #expect(problem?.pointer?.description == "/a/1")
        }
    }

    @Test func nativeSwiftNumbersAreTakenForWhatTheyAre() throws {
        let adapter = try Plain.adapter(["a": .integer, "b": .bool, "c": .double, "d": .unsigned, "e": .decimal])
            .adapter
        let model = try adapter.model(
            from: ["a": 1 as Int8, "b": true, "c": Float(0.5), "d": UInt64.max, "e": Decimal(string: "0.1")!])
        #expect(model["a", as: Int.self] == 1)
        #expect(model["b", as: Bool.self] == true)
        #expect(model["c", as: Double.self] == 0.5)
        #expect(model["d", as: UInt.self] == .max)
        #expect(model["e", as: Decimal.self] == Decimal(string: "0.1"))
        for (key, value) in [
            ("a", true as Any), ("b", 1), ("b", NSNumber(value: 1)), ("a", NSNumber(value: true)), ("a", 1.5),
        ] {
            #expect(throws: ModelError.self, "\(key) \(value)") { try adapter.model(from: [key: value]) }
        }
    }
}
