import Foundation
import PalliumCore
import PalliumJSON
import TestSupport
import Testing

@Suite struct TextTransformerTests {
    @Test(.row("C257"))
    func aURLIsReadAndWritten() throws {
        let transformer = try predefined(URLTransformerName)
        let url = try transformer.transform("http://www.github.com/", as: URL.self)
        #expect(url == URL(string: "http://www.github.com/"))
        #expect(try transformer.reverse(url, as: String.self) == "http://www.github.com/")
        #expect(try transformer.passesNull())
    }

    @Test(
        .row("C258", "C262"),
        arguments: [
            "not a valid URL", "", " ", "http://x/加法", "http://x/{a}", "http://x/%zz", "http://[::1",
        ])
    func textThatIsNoURLIsRefusedAsItStands(text: String) throws {
        let error = try predefined(URLTransformerName).refusal(of: text)
        #expect(error.code == .invalidValue)
        #expect(error.expected == "a URL")
        #expect(error.found == ModelError.quote(text))
    }

    @Test(.row("C259", "C260"))
    func aURLIsNeitherANumberNorNull() throws {
        let transformer = try predefined(URLTransformerName)
        let number = try transformer.refusal(of: 666)
        #expect(number.code == .typeMismatch)
        #expect(number.description == "expected text of a URL but found the number 666")
        #expect(try transformer.refusal(of: nullValue).found == "null")
        #expect(try transformer.reverseRefusal(of: nullValue).code == .typeMismatch)
        #expect(try transformer.reverseRefusal(of: "http://www.github.com/").code == .typeMismatch)
    }

    @Test(.row("C261"))
    func aURLWithABaseIsWrittenAbsolutely() throws {
        let url = try #require(URL(string: "b?c", relativeTo: URL(string: "https://example.org/a/")))
        #expect(try predefined(URLTransformerName).reverse(url, as: String.self) == "https://example.org/a/b?c")
    }

    @Test(arguments: [
        ("https://example.org/ä b", "https://example.org/%C3%A4%20b"),
        ("https://example.org/a%20b", "https://example.org/a%20b"),
        ("https://example.org/{a}", "https://example.org/%7Ba%7D"),
    ])
    func percentEncodingRepairsURLs(text: String, encoded: String) throws {
        let transformer = try predefined(URLPercentEncodingTransformerName)
        let url = try transformer.transform(text, as: URL.self)
        #expect(url.absoluteString == encoded)
        #expect(try transformer.reverse(url, as: String.self) == encoded)
    }

    @Test(arguments: ["", "http://x/%zz", "http://[::1"])
    func percentEncodingDoesNotGuess(text: String) throws {
        #expect(try predefined(URLPercentEncodingTransformerName).refusal(of: text).code == .invalidValue)
    }

    @Test(.row("C263", "C265"))
    func aUUIDIsReadInBothCasesAndWrittenInUpperCase() throws {
        let transformer = try predefined(UUIDTransformerName)
        let text = "4A275FBD-8217-4397-964B-403F4C2B8545"
        let uuid = try transformer.transform(text, as: UUID.self)
        #expect(uuid == UUID(uuidString: text))
        #expect(try transformer.transform(text.lowercased(), as: UUID.self) == uuid)
        #expect(try transformer.reverse(uuid, as: String.self) == text)
        #expect(try transformer.passesNull())
    }

    @Test(.row("C264"))
    func textThatIsNoUUIDIsRefused() throws {
        let transformer = try predefined(UUIDTransformerName)
        let error = try transformer.refusal(of: "not a valid UUID")
        #expect(error.code == .invalidValue)
        #expect(error.description == #"expected a UUID but found "not a valid UUID""#)
        #expect(try transformer.reverseRefusal(of: nullValue).found == "null")
    }

    @Test(arguments: [("", [UInt8]()), ("aGk=", [0x68, 0x69]), ("AAEC", [0, 1, 2])])
    func base64IsReadAndWritten(text: String, bytes: [UInt8]) throws {
        let transformer = try predefined(Base64DataTransformerName)
        #expect(try transformer.transform(text, as: Data.self) == Data(bytes))
        #expect(try transformer.reverse(Data(bytes), as: String.self) == text)
    }

    @Test(arguments: ["aGk", "a", "====", "aGk=\n", "aG_-"])
    func otherBase64IsRefused(text: String) throws {
        let error = try predefined(Base64DataTransformerName).refusal(of: text)
        #expect(error.code == .invalidValue)
        #expect(error.expected == "Base64 text")
    }

    @Test func onlyEmptyTextBecomesNull() throws {
        let transformer = try predefined(EmptyTextAsNullTransformerName)
        #expect(try transformer.convert("", context: Transformer.Context()) == nil)
        for text in [" ", "\0", "null", "a"] {
            #expect(try transformer.transform(text, as: String.self) == text)
            #expect(try transformer.reverse(text, as: String.self) == text)
        }
        #expect(try transformer.reverse("", as: String.self) == "")
        #expect(try transformer.refusal(of: 0).expected == "text")
    }

    @Test func longInputIsCutInErrors() throws {
        let error = try predefined(URLTransformerName).refusal(of: String(repeating: " ", count: 100_000))
        #expect(error.found.utf8.count < 80)
    }
}
