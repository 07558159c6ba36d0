import Foundation
import PalliumCore
import PalliumJSON
import TestSupport
import Testing

@Suite struct ComposedTransformerTests {
    private let words = Transformer(handlingNullFrom: String.self, to: String.self) { _, _ in
        "forward"
    } reverse: { _, _ in
        "reverse"
    }

    @Test(.row("C306"))
    func invertedForwardIsReverse() throws {
        let inverted = try words.inverted()
        #expect(inverted.isReversible)
        for value in ["x", nil] {
            #expect(try inverted.transform(value, as: String.self) == "reverse")
            #expect(try inverted.reverse(value, as: String.self) == "forward")
        }
    }

    @Test(.row("C307"))
    func invertedTwiceIsTheOriginal() throws {
        let twice = try words.inverted().inverted()
        #expect(try twice.transform("x", as: String.self) == "forward")
        #expect(try twice.reverse("x", as: String.self) == "reverse")
    }

    @Test(.row("C308"))
    func whatHasNoReverseCannotBeInverted() throws {
        let forwardOnly = Transformer(from: String.self, to: String.self) { text, _ in text }
        let error = try #require(throws: ModelError.self) { try forwardOnly.inverted() }
        #expect(error.code == .notReversible)
    }

    @Test(.row("C309"))
    func anInvertedTransformerReportsErrors() throws {
        let inverted = try predefined(URLTransformerName).inverted()
        #expect(inverted.inputType is URL.Type)
        #expect(inverted.outputType is String.Type)
        #expect(try inverted.reverseRefusal(of: "not a valid URL").code == .invalidValue)
        #expect(try inverted.refusal(of: "text").code == .typeMismatch)
    }

    @Test func thenConvertsOneAfterTheOther() throws {
        let url = try predefined(EmptyTextAsNullTransformerName).then(predefined(URLTransformerName))
        #expect(url.inputType is String.Type)
        #expect(url.outputType is URL.Type)
        #expect(try url.transform("https://example.org", as: URL.self) == URL(string: "https://example.org"))
        #expect(try url.transform("", as: URL?.self) == nil)
        #expect(try url.reverse(URL(string: "https://example.org"), as: String.self) == "https://example.org")
        #expect(try url.passesNull())
        #expect(try url.refusal(of: "not a valid URL").code == .invalidValue)
    }

    @Test(.threat(.wrongTransformerType)) func thenNeedsTypesThatFit() throws {
        let url = try predefined(URLTransformerName)
        let error = try #require(throws: ModelError.self) { try url.then(url) }
        #expect(error.code == .notConvertible)
        #expect(error.description == "expected a transformer that takes URL but found one that takes String")
    }

    @Test func thenReadsJSONByTheNextType() throws {
        let date = try predefined(NumberOrTextTransformerName).then(predefined(UnixMillisecondsTransformerName))
        #expect(try date.transform("2000", as: Date.self) == Date(timeIntervalSince1970: 2))
        #expect(try date.transform(2000, as: Date.self) == Date(timeIntervalSince1970: 2))
        #expect(try date.reverse(Date(timeIntervalSince1970: 2), as: JSONValue.self) == 2000)
        #expect(try date.refusal(of: "2.5").code == .typeMismatch)
    }

    @Test func thenIsReversibleIfBothAre() throws {
        let forwardOnly = Transformer(from: String.self, to: String.self) { text, _ in text }
        let url = try predefined(URLTransformerName)
        #expect(try !forwardOnly.then(url).isReversible)
        #expect(try !url.inverted().then(forwardOnly).isReversible)
        #expect(try url.inverted().then(url).isReversible)
    }

    @Test func thenHandlesNullIfOneDoes() throws {
        let mapping = Transformer.mapping(["a": "https://example.org"], default: "https://example.org/default")
        let url = try mapping.then(predefined(URLTransformerName))
        #expect(url.handlesNull)
        #expect(try url.transform(nil, as: URL.self).path == "/default")
        let late = try predefined(EmptyTextAsNullTransformerName).then(Transformer.mapping(["a": 1], default: 7))
        #expect(try late.transform("", as: Int.self) == 7)
        #expect(try late.transform(nil, as: Int.self) == 7)
    }

    @Test func optionalLetsEmptyTextAndNullPass() throws {
        let url = try predefined(URLTransformerName).optional()
        #expect(try url.transform("", as: URL?.self) == nil)
        #expect(try url.transform(JSONValue.null, as: URL?.self) == nil)
        #expect(try url.transform("https://example.org", as: URL.self).absoluteString == "https://example.org")
        #expect(try url.reverse(URL(string: "https://example.org"), as: String.self) == "https://example.org")
        #expect(try url.passesNull())
        #expect(try url.refusal(of: "not a valid URL").code == .invalidValue)
        #expect(try url.refusal(of: 7).code == .typeMismatch)
    }

    @Test func optionalKeepsNullFromTransformersThatHandleIt() throws {
        #expect(try words.optional().passesNull())
        #expect(try words.optional().transform("x", as: String.self) == "forward")
        let forwardOnly = Transformer(from: String.self, to: String.self) { text, _ in text }
        #expect(!forwardOnly.optional().isReversible)
    }
}
