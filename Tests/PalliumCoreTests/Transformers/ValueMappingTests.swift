import Foundation
import PalliumCore
import PalliumJSON
import TestSupport
import Testing

@Suite struct ValueMappingTests {
    private let signs = Transformer.mapping(
        ["negative": -1, ["zero"]: 0, "positive": 1] as KeyValuePairs<JSONValue, Int>)

    @Test(.row("C278", "C279"), arguments: [("negative", -1), (["zero"], 0), ("positive", 1)] as [(JSONValue, Int)])
    func valuesAreReplacedInBothDirections(key: JSONValue, value: Int) throws {
        #expect(signs.isReversible)
        #expect(try signs.transform(key, as: Int.self) == value)
        #expect(try signs.reverse(value, as: JSONValue.self) == key)
    }

    @Test(.row("C280", "C281"))
    func theDefaultsStandForEverythingElse() throws {
        let transformer = Transformer.mapping(["a": 1], default: 42, reverseDefault: "default")
        #expect(try transformer.transform("unknown", as: Int.self) == 42)
        #expect(try transformer.reverse(42, as: String.self) == "default")
        #expect(try transformer.transform("a", as: Int.self) == 1)
        #expect(try transformer.reverse(1, as: String.self) == "a")
    }

    @Test(.row("C282"))
    func withoutADefaultAnUnknownKeyIsRefusedWithTheAllowedOnes() throws {
        let error = try Transformer.mapping(["open": 1, "closed": 2]).refusal(of: "opne")
        #expect(error.code == .unknownCase)
        #expect(error.description == #"expected one of "open", "closed" but found "opne"; did you mean "open"?"#)
        let json = try signs.refusal(of: "unknown")
        #expect(json.expected == #"one of "negative", ["zero"], "positive""#)
        #expect(try Transformer.mapping(["open": 1]).refusal(of: "x").expected == #""open""#)
    }

    @Test(.row("C285"))
    func withoutAReverseDefaultAnUnknownValueIsRefusedWithTheAllowedOnes() throws {
        let error = try signs.reverseRefusal(of: 42)
        #expect(error.code == .unknownCase)
        #expect(error.expected == "one of -1, 0, 1")
        #expect(error.found == "the number 42")
    }

    private enum Level: String, PropertyValue {
        case low, high
    }

    @Test func enumerationsStandInErrorsByTheirTexts() throws {
        let transformer = Transformer.mapping([1: Level.low, 2: Level.low])
        #expect(try transformer.transform(2, as: Level.self) == .low)
        #expect(try transformer.reverse(Level.low, as: Int.self) == 1)
        let error = try transformer.reverseRefusal(of: Level.high)
        #expect(error.description == #"expected "low" but found "high""#)
    }

    @Test func keysOfEveryTypeAreLookedUpAndStandInErrors() throws {
        let lists = Transformer.mapping([[1]: "one", [1, 2]: "two"])
        #expect(try lists.transform([1, 2], as: String.self) == "two")
        #expect(
            try lists.refusal(of: [3]).expected
                == "one of a value of the type Array<Int>, a value of the type Array<Int>")
        let texts = Transformer.mapping([["a", "b"]: 1, ["a"]: 2])
        #expect(try texts.transform(["a"], as: Int.self) == 2)
        #expect(try texts.refusal(of: ["b"]).expected == #"one of ["a", "b"], ["a"]"#)
        let first = try #require(URL(string: "http://a/"))
        let addresses = Transformer.mapping([first: 1])
        #expect(try addresses.transform(first, as: Int.self) == 1)
        #expect(
            try addresses.refusal(of: first.appending(path: "b")).description
                == #"expected "http://a/" but found "http://a/b""#)
    }

    @Test func aLongListOfAllowedValuesIsCut() throws {
        let transformer = Transformer.mapping([
            0: 0, 1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 6, 7: 7, 8: 8, 9: 9, 10: 10, 11: 11, 12: 12, 13: 13, 14: 14, 15: 15,
            16: 16, 17: 17,
        ])
        let expected = try transformer.refusal(of: 99).expected
        #expect(expected.hasSuffix("14, 15 and 2 more"))
        let whole = Transformer.mapping([
            0: 0, 1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 6, 7: 7, 8: 8, 9: 9, 10: 10, 11: 11, 12: 12, 13: 13, 14: 14, 15: 15,
        ])
        #expect(try whole.refusal(of: 99).expected.hasSuffix("14, 15"))
    }

    @Test(.row("C283"))
    func nullIsLookedUpThenTheDefaultThenNull() throws {
        let table: KeyValuePairs<String?, Int> = ["a": 1, nil: 0]
        #expect(try Transformer.mapping(table).transform(nil, as: Int.self) == 0)
        #expect(try Transformer.mapping(table, default: 7).transform(nil, as: Int.self) == 0)
        #expect(try Transformer.mapping(["a": 1], default: 7).transform(nil, as: Int.self) == 7)
        #expect(try Transformer.mapping(["a": 1]).passesNull())
        #expect(try Transformer.mapping(table).convertBack(0, context: Transformer.Context()) == nil)
        let json = Transformer.mapping(["a": 1, nil: 0] as KeyValuePairs<JSONValue, Int>)
        #expect(try json.transform(nil, as: Int.self) == 0)
        #expect(try json.transform(JSONValue.null, as: Int.self) == 0)
    }

    @Test(.row("C284"))
    func nullIsWrittenAsItsKeyThenTheReverseDefaultThenNull() throws {
        let table: KeyValuePairs<String, Int?> = ["a": 1, "none": nil]
        #expect(try Transformer.mapping(table).reverse(nil, as: String.self) == "none")
        #expect(try Transformer.mapping(table).transform("none", as: Int?.self) == nil)
        #expect(try Transformer.mapping(table, default: .some(nil)).transform("x", as: Int?.self) == nil)
        #expect(try Transformer.mapping(table).refusal(of: "x").code == .unknownCase)
        #expect(try Transformer.mapping(["a": 1], reverseDefault: "b").reverse(nil, as: String.self) == "b")
    }

    @Test(.row("C286"))
    func ofSeveralKeysWithOneValueTheFirstIsWritten() throws {
        let transformer = Transformer.mapping(["open": 1, "opened": 1, "closed": 2])
        #expect(try transformer.transform("open", as: Int.self) == 1)
        #expect(try transformer.transform("opened", as: Int.self) == 1)
        #expect(try transformer.reverse(1, as: String.self) == "open")
    }

    @Test func ofEqualKeysTheFirstCounts() throws {
        let transformer = Transformer.mapping(["a": 1, "a": 2])
        #expect(try transformer.transform("a", as: Int.self) == 1)
        #expect(try transformer.reverse(2, as: String.self) == "a")
    }

    @Test(.row("C287"))
    func oneAndTrueAreDifferentKeys() throws {
        let transformer = Transformer.mapping([1: "number", true: "Boolean"] as KeyValuePairs<JSONValue, String>)
        #expect(try transformer.transform(1, as: String.self) == "number")
        #expect(try transformer.transform(true, as: String.self) == "Boolean")
        #expect(try transformer.reverse("Boolean", as: JSONValue.self) == true)
    }

    @Test func textIsComparedByItsBytes() throws {
        let composed = "\u{E9}"
        let decomposed = "e\u{301}"
        let transformer = Transformer.mapping([composed: 1, decomposed: 2])
        #expect(try transformer.transform(composed, as: Int.self) == 1)
        #expect(try transformer.transform(decomposed, as: Int.self) == 2)
        let lists = Transformer.mapping([[composed]: 1, [decomposed]: 2])
        #expect(try lists.transform([decomposed], as: Int.self) == 2)
        // Swift's == would hold the two for equal, so the bytes are looked at.
        #expect(Array(try transformer.reverse(2, as: String.self).utf8) == Array(decomposed.utf8))
    }

    @Test func anEmptyTableRefusesEverything() throws {
        let transformer = Transformer.mapping([:] as KeyValuePairs<String, Int>)
        #expect(try transformer.refusal(of: "a").code == .unknownCase)
        #expect(try transformer.passesNull())
    }

    @Test func keysOfAnotherTypeAreRefusedWithoutADefault() throws {
        let strict = Transformer.mapping(["a": 1])
        #expect(try strict.refusal(of: 7).code == .typeMismatch)
        #expect(try strict.reverseRefusal(of: "a").code == .typeMismatch)
        let transformer = Transformer.mapping(["a": 1], default: 0, reverseDefault: "x")
        #expect(try transformer.transform(7, as: Int.self) == 0)
        #expect(try transformer.reverse("a", as: String.self) == "x")
        #expect(try transformer.transform(JSONValue.string("a"), as: Int.self) == 1)
    }

    @Test func theTypesAreThoseWithoutOptionals() {
        let transformer = Transformer.mapping(["a": 1, nil: nil] as KeyValuePairs<String?, Int?>)
        #expect(transformer.inputType is String.Type)
        #expect(transformer.outputType is Int.Type)
        #expect(transformer.handlesNull)
    }
}
