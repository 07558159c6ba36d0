import PalliumCore
import PalliumJSON
import TestSupport
import Testing

/// Transformers made of closures.
@Suite struct BlockTransformerTests {
    @Test(.row("C245", "C253"))
    func withoutAReverseItOnlyGoesForward() throws {
        let transformer = Transformer(from: String.self, to: String.self) { text, _ in text + "bar" }
        #expect(!transformer.isReversible)
        #expect(try transformer.transform("foo", as: String.self) == "foobar")
        #expect(try transformer.transform("bar", as: String.self) == "barbar")
        #expect(try transformer.reverseRefusal(of: "foobar").code == .notReversible)
    }

    @Test(.row("C246"))
    func oneClosureCanServeBothDirections() throws {
        let append: @Sendable (String, Transformer.Context) throws -> String = { text, _ in text + "bar" }
        let transformer = Transformer(from: String.self, to: String.self, forward: append, reverse: append)
        #expect(transformer.isReversible)
        #expect(try transformer.transform("foo", as: String.self) == "foobar")
        #expect(try transformer.reverse("foo", as: String.self) == "foobar")
    }

    @Test(.row("C247", "C248"))
    func theReverseClosureIsTheReverse() throws {
        let transformer = Transformer(from: String.self, to: String.self) { text, _ in
            text + "bar"
        } reverse: { text, _ in
            String(text.dropLast(3))
        }
        #expect(transformer.isReversible)
        #expect(try transformer.transform("foo", as: String.self) == "foobar")
        #expect(try transformer.reverse("foobar", as: String.self) == "foo")
    }

    @Test(.threat(.throwingUserCode), .row("C249", "C250"))
    func whatAClosureThrowsIsReportedWithTheValue() throws {
        let transformer = Transformer(from: String.self, to: String.self) { _, _ in throw FixtureError.refused }
        let error = try transformer.refusal(
            of: "foo\n", context: Transformer.Context(schema: "Test", property: "name"))
        #expect(error.code == .transformerFailed)
        #expect(error.found == #""foo\n""#)
        #expect(error.underlying as? FixtureError == .refused)
        #expect(error.schema == "Test")
        #expect(error.property == "name")
    }

    @Test(.row("C251"))
    func nullReachesAClosureOnlyIfItHandlesNull() throws {
        let never = Transformer(from: String.self, to: String.self) { _, _ in
            throw FixtureError.refused
        } reverse: { _, _ in
            throw FixtureError.refused
        }
        #expect(try never.passesNull())
        let always = Transformer(handlingNullFrom: String.self, to: Int.self) { text, _ in
            text?.utf8.count ?? 0
        } reverse: { count, _ in
            count.map { String(repeating: "x", count: $0) } ?? "none"
        }
        #expect(try always.transform(nil, as: Int.self) == 0)
        #expect(try always.reverse(nil, as: String.self) == "none")
    }

    @Test func aNullResultIsAnErrorOnlyWhereNoneIsAskedFor() throws {
        let transformer = try predefined(EmptyTextAsNullTransformerName)
        let error = try #require(throws: ModelError.self) { try transformer.transform("", as: String.self) }
        #expect(error.code == .nullNotAllowed)
        #expect(try transformer.transform("", as: String?.self) == nil)
        #expect(try transformer.transform("a", as: String?.self) == "a")
    }

    @Test func theContextArrives() throws {
        let transformer = Transformer(from: String.self, to: String.self) { text, context in
            "\(text) \(context.direction) \(context.property ?? "") \(context.userInfo["unit"] as? String ?? "")"
        }
        let context = Transformer.Context(property: "size", userInfo: ["unit": "cm"])
        #expect(try transformer.transform("7", as: String.self, context: context) == "7 forward size cm")
    }
}
