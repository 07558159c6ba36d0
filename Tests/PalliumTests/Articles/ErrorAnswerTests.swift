import Foundation
import ModelTestSupport
import Pallium
import Testing

/// The server of the article *Errors* answers a form in two languages.
struct ErrorAnswerTests {
    private static let booking = ModelSchema(
        "Booking",
        [
            "name": .string.required.rules(.minLength(2)), "email": .string.rules(.format("email")),
            "nights": .integer, "from": .date, "to": .date,
        ]
    ).rules(.before("from", "to"))

    private enum Language { case english, german }

    private func answer(_ text: String, _ language: Language) throws -> (status: Int, fields: [String: [String]]) {
        let adapter = try JSONAdapter(schema: Self.booking, registry: SchemaRegistry.of([Self.booking]))
        return FormServer(adapter: adapter, isGerman: language == .german).answer(Data(text.utf8))
    }

    @Test func aFormHasItsErrorsInTwoLanguages() throws {
        let text = #"""
            {"name": "A", "email": "x", "nights": "two", "from": "2026-02-01T00:00:00Z", "to": "2026-01-01T00:00:00Z"}
            """#
        let german = try answer(text, .german)
        #expect(german.status == 422)
        #expect(
            german.fields == [
                "name": ["mindestens 2 Zeichen"], "email": ["eine E-Mail-Adresse"], "nights": ["eine ganze Zahl"],
                "from": ["vor dem Feld to"],
            ])
        let english = try answer(text, .english)
        #expect(
            english.fields == [
                "name": ["at least 2 characters"], "email": ["an email address"], "nights": ["a whole number"],
                "from": ["before to"],
            ])
    }

    @Test func whatTheAppHasNoSentenceForIsSaidByTheLibrary() throws {
        #expect(try answer(#"{"email": 7}"#, .german).fields["name"] == ["fehlt"])
        let sentences = try answer(#"{"name": "Ada", "email": 7}"#, .german).fields["email"]
        #expect(sentences == ["expected a string but found the number 7 at /email"])
    }

    @Test func aSoundFormAndBrokenTextHaveNoFields() throws {
        #expect(try answer(#"{"name": "Ada"}"#, .english).status == 200)
        let broken = try answer(#"{"name": "#, .english)
        #expect(broken.status == 400 && broken.fields.isEmpty)
    }
}
