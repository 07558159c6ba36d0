import ModelTestSupport
import Pallium
import Testing

/// Enumerations: of Swift types and of schemas alone, by text and by number.
struct EnumerationTests {
    enum State: String, PropertyEnumeration { case open, closed, halfOpen = "half-open" }
    enum Level: Int, PropertyEnumeration { case low = 1, high = 10, below = -5 }

    @Test(arguments: State.allCases) func casesAreReadAndWritten(state: State) throws {
        let adapter = try Plain.adapter(["a": .enumeration(State.self)])
        let text = #"{"a":"\#(state.rawValue)"}"#
        let model = try adapter.model(from: text)
        #expect(model["a", as: State.self] == state)
        #expect(try adapter.text(of: model) == text)
    }

    @Test func aCaseNamedWithoutItsTypeIsTheDefault() throws {
        let adapter = try Plain.adapter(["a": .enumeration(State.self, unknown: .keep, default: .halfOpen)])
        let model = try adapter.model(from: "{}")
        #expect(model["a", as: State.self] == .halfOpen)
        #expect(try model.state(of: "a") == .defaulted)
        #expect(try adapter.model(from: #"{"a":"merged"}"#)["a", as: String.self] == "merged")
    }

    @Test func anUnknownCaseOfATreeIsTheTextItWas() throws {
        let schema = ModelSchema("Model", ["a": .enumeration(State.self, unknown: .keep)])
        let adapter = try JSONAdapter(schema: schema, registry: .of(schema))
        let text = try adapter.model(from: JSONValue.object(["a": "é"]))["a", as: String.self]
        #expect(text?.count == 1)
        #expect(text == "e\u{301}")
    }

    @Test(arguments: [(1, "1"), (10, "10"), (-5, "-5"), (10, "1e1"), (1, "1.0")])
    func casesWithNumbersAreReadAndWritten(raw: Int, text: String) throws {
        let adapter = try Plain.adapter(["a": .enumeration(Level.self)])
        let model = try adapter.model(from: #"{"a":\#(text)}"#)
        #expect(model["a", as: Level.self]?.rawValue == raw)
        #expect(try adapter.text(of: model) == #"{"a":\#(raw)}"#)
    }

    @Test(arguments: [
        (#""Open""#, ModelError.Code.unknownCase, #""Open""#), (#""""#, .unknownCase, #""""#),
        (#""ope\u006e ""#, .unknownCase, #""open ""#), ("1", .unknownCase, "the number 1"),
        ("true", .typeMismatch, "true"),
    ]) func anUnknownTextIsRefusedWithTheAllowedOnes(text: String, code: ModelError.Code, found: String) throws {
        let problem = try Plain.adapter(["a": .enumeration(State.self)]).problem(of: #"{"a":\#(text)}"#)
        #expect(problem?.code == code)
        #expect(
            problem?.description.hasPrefix(
                #"expected one of "open", "closed", "half-open" but found \#(found) at /a (1:6)"#) == true)
    }

    @Test(arguments: ["2", "1.5", "99999999999999999999"]) func anUnknownNumberIsRefused(text: String) throws {
        let adapter = try Plain.adapter(["a": .enumeration(Level.self)])
        let problem = adapter.problem(of: #"{"a":\#(text)}"#)
        #expect(problem?.category == .unexpectedData)
        #expect(problem?.expected == "one of 1, 10, -5")
    }

    @Test func theRawValueCanBeKept() throws {
        let adapter = try Plain.adapter([
            "a": .enumeration(State.self, unknown: .keep), "b": .enumeration(Level.self, unknown: .keep),
        ])
        let text = #"{"a":"merged","b":77}"#
        let model = try adapter.model(from: text)
        #expect(model["a", as: State.self] == nil)
        #expect(model["a", as: String.self] == "merged")
        #expect(model["b", as: Int.self] == 77)
        #expect(try model.state(of: "a") == .value)
        #expect(try adapter.text(of: model) == text)
        #expect(adapter.problem(of: #"{"a":true}"#)?.code == .typeMismatch)
    }

    @Test func aKeptRawValueOfTheOtherSortIsRefusedSoThatAccessorsAlwaysFit() throws {
        let adapter = try Plain.adapter([
            "a": .enumeration(State.self, unknown: .keep), "b": .enumeration(Level.self, unknown: .keep),
        ])
        #expect(adapter.problem(of: #"{"a":5}"#)?.code == .unknownCase)
        #expect(adapter.problem(of: #"{"b":"x"}"#)?.code == .unknownCase)
    }

    @Test func aFallbackStandsForWhatIsUnknown() throws {
        let adapter = try Plain.adapter(["a": .enumeration(State.self, unknown: .fallback(.closed))])
        let model = try adapter.model(from: #"{"a":"merged"}"#)
        #expect(model["a", as: State.self] == .closed)
        #expect(try adapter.text(of: model) == #"{"a":"closed"}"#)
    }

    @Test func aliasesAreReadAndTheFirstTextIsWritten() throws {
        let schema = EnumerationSchema(cases: [
            .init(.text("closed"), aliases: [.text("done"), .number(2)]), .init(.text("open")),
        ])
        let adapter = try Plain.adapter(["a": .enumeration(schema)])
        for text in [#""closed""#, #""done""#, "2"] {
            #expect(try adapter.roundTrip(#"{"a":\#(text)}"#) == #"{"a":"closed"}"#, "\(text)")
        }
    }

    @Test func casesAreComparedAsBytes() throws {
        let schema = EnumerationSchema(cases: [.init(.text("\u{E9}")), .init(.text("e\u{301}"))])
        let adapter = try Plain.adapter(["a": .enumeration(schema)])
        for text in ["{\"a\":\"\u{E9}\"}", "{\"a\":\"e\u{301}\"}"] {
            #expect(try Array(adapter.roundTrip(text).utf8) == Array(text.utf8))
        }
    }

    @Test func listsOfCases() throws {
        let adapter = try Plain.adapter([
            "a": .array(of: .enumeration(State.self)), "b": .set(of: .enumeration(Level.self)),
        ])
        let model = try adapter.model(from: #"{"a":["open","closed"],"b":[10,1,10]}"#)
        #expect(model["a", as: [State].self] == [.open, .closed])
        #expect(model["b", as: Set<Level>.self] == [.high, .low])
        #expect(adapter.problem(of: #"{"a":["open","x"]}"#)?.pointer?.description == "/a/1")
    }

    @Test func aCaseTextThatNeedsEscapesIsWrittenWithThem() throws {
        let schema = EnumerationSchema(cases: [.init(.text("a\"b\n"))])
        let adapter = try Plain.adapter(["a": .enumeration(schema)])
        #expect(try adapter.roundTrip(#"{"a":"a\"b\n"}"#) == #"{"a":"a\"b\n"}"#)
    }
}
