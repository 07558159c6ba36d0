import Foundation
import PalliumCore
import PalliumJSON
import TestSupport
import Testing

@Suite struct ArrayTransformerTests {
    private static let texts = ["https://github.com", "https://github.com/1", "https://github.com/2"]
    private let urls: Transformer

    init() throws { urls = try predefined(URLTransformerName).each() }

    @Test(.row("C269"))
    func everyElementIsConvertedInBothDirections() throws {
        let expected = Self.texts.compactMap { URL(string: $0) }
        #expect(urls.isReversible)
        #expect(try urls.transform(Self.texts, as: [URL].self) == expected)
        #expect(try urls.reverse(expected, as: [String].self) == Self.texts)
        #expect(try urls.transform([String](), as: [URL].self) == [])
    }

    @Test func anArrayMayComeAsJSON() throws {
        let array = JSONValue.array(Self.texts.map { .string($0) } + [.null])
        #expect(try urls.transform(array, as: [URL?].self) == Self.texts.map { URL(string: $0) } + [nil])
    }

    @Test(.row("C270"))
    func withoutAReverseItOnlyGoesForward() throws {
        let transformer = Transformer(from: String.self, to: String.self) { text, _ in text + "bar" }.each()
        #expect(!transformer.isReversible)
        #expect(try transformer.transform(["foo"], as: [String].self) == ["foobar"])
        #expect(try transformer.reverseRefusal(of: ["foobar"]).code == .notReversible)
    }

    @Test(.row("C271"))
    func nullValuesAndScalarsAreNoArrays() throws {
        for value in [nullValue, "https://github.com", 7] {
            for error in [try urls.refusal(of: value), try urls.reverseRefusal(of: value)] {
                #expect(error.code == .typeMismatch)
                #expect(error.expected == "an array")
            }
        }
        #expect(try urls.refusal(of: nullValue).found == "null")
    }

    @Test(.row("C272"))
    func nullElementsStayNullWithoutBeingConverted() throws {
        #expect(
            try urls.transform([nil, Self.texts[0], nil], as: [URL?].self) == [nil, URL(string: Self.texts[0]), nil])
        #expect(try urls.reverse([nil, URL(string: Self.texts[0])], as: [String?].self) == [nil, Self.texts[0]])
        let handlesNull = Transformer.mapping(["a": 1], default: 0, reverseDefault: "none").each()
        #expect(try handlesNull.transform([nil, "b"], as: [Int?].self) == [nil, 0])
        #expect(try handlesNull.reverse([nil, 7], as: [String?].self) == [nil, "none"])
    }

    @Test(.row("C276"))
    func whatCannotFailForAnElementCannotFailForAnArray() throws {
        let transformer = Transformer.mapping(["a": Int?.some(1), "b": nil], default: 7).each()
        #expect(try transformer.transform(["a", "b", "zzz"], as: [Int?].self) == [1, nil, 7])
        // An element that becomes null is not dropped: those behind it keep their index.
        #expect(try transformer.transform(["b", "b", "a"], as: [Int?].self).count == 3)
    }

    @Test(.row("C273"))
    func anElementThatBecomesNullKeepsItsPlace() throws {
        let transformer = try predefined(EmptyTextAsNullTransformerName).each()
        #expect(try transformer.transform(["a", "", "b"], as: [String?].self) == ["a", nil, "b"])
    }

    @Test(.row("C274"))
    func anErrorNamesTheIndexOfTheElement() throws {
        let error = try urls.refusal(of: [Self.texts[0], "not a valid URL", "neither is this"])
        #expect(error.code == .invalidValue)
        #expect(error.pointer?.description == "/1")
        #expect(error.description == #"expected a URL but found "not a valid URL" at /1"#)
        let number = try urls.refusal(of: JSONValue.array([.string(Self.texts[0]), 7]))
        #expect(number.code == .typeMismatch)
        #expect(number.pointer?.description == "/1")
        #expect(try urls.reverseRefusal(of: [7]).pointer?.description == "/0")
    }

    @Test(.row("C275"))
    func aRefusalWithoutReasonNamesTheIndexToo() throws {
        let transformer = Transformer.validating(Int.self) { $0 > 0 }.each()
        #expect(try transformer.refusal(of: [1, 2, -3]).pointer?.description == "/2")
    }

    @Test(.row("C277"))
    func nullIsNull() throws {
        #expect(try urls.passesNull())
    }

    @Test func arraysOfArraysNameBothIndices() throws {
        let nested = urls.each()
        #expect(try nested.transform([Self.texts, []], as: [[URL]].self).map(\.count) == [3, 0])
        #expect(try nested.refusal(of: [[], Self.texts + [""]]).pointer?.description == "/1/3")
    }
}
