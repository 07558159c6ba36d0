import PalliumCore
import PalliumJSON
import TestSupport
import Testing

@Suite("Errors")
struct ErrorTests {
    private let two = ModelError([
        ModelError(.typeMismatch, expected: "a", found: "b"), ModelError(.unknownCase, expected: "c", found: "d"),
    ])

    @Test func oneProblemIsItself() {
        let one = ModelError(.typeMismatch, expected: "a", found: "b")
        #expect(ModelError([one]) == one)
        #expect(one.problems == [one])
        #expect(two.code == .several)
        #expect(two.problems.map(\.code) == [.typeMismatch, .unknownCase])
        #expect(two.description == "2 problems:\n  expected a but found b\n  expected c but found d")
    }

    @Test func errorsThatDifferInOnePartAreDifferent() {
        func make(
            _ code: ModelError.Code = .typeMismatch, _ expected: String = "a", _ found: String = "b",
            schema: String = "S", property: String = "p"
        ) -> ModelError { ModelError(code, expected: expected, found: found, schema: schema, property: property) }
        #expect(make() == make())
        for other in [
            make(.unknownCase), make(.typeMismatch, "c"), make(.typeMismatch, "a", "c"), make(schema: "T"),
            make(property: "q"), make().under(key: "k"),
        ] {
            #expect(make() != other)
        }
    }

    @Test func severalProblemsAreOfTheCategoryOfTheFirst() {
        #expect(two.category == .unexpectedData)
        #expect(ModelError([ModelError(.hookFailed, expected: "", found: ""), two]).category == .refusedByProgram)
        #expect(ModelError(.several, expected: "a", found: "b").category == .unexpectedData)
    }

    @Test func severalProblemsClimbTogether() {
        let climbed = two.under(index: 3).under(key: "a/b").at(["x", "y"])
        #expect(climbed.problems.map { $0.pointer?.description } == ["/x/y/a~1b/3", "/x/y/a~1b/3"])
        #expect(climbed.pointer?.description == "/x/y/a~1b/3")
        #expect(!climbed.isLocated)
        #expect(climbed.located().isLocated)
        #expect(climbed.located().problems.map(\.isLocated) == [true, true])
    }

    @Test func severalProblemsOfASecretAreAllMasked() throws {
        let model = try SchemaRegistry.plainModel(["plain": .string, "secret": .string.secret])
        let (plain, secret) = (model.slot(at: 0).description, model.slot(at: 1).description)
        let masked = two.concerning(secret)
        #expect(masked.problems.map(\.found) == ["a masked value", "a masked value"])
        #expect(masked.problems.map(\.property) == ["secret", "secret"])
        #expect(two.concerning(plain).problems.map(\.found) == ["b", "d"])
    }

    /// The first and last character of each range that is escaped, and those beside them.
    @Test(
        arguments: [
            (0x00, 0x08, false), (0x0B, 0x0C, false), (0x0E, 0x1F, false), (0x20, 0x7E, true), (0x7F, 0x9F, false),
            (0xA0, 0x200A, true), (0x200B, 0x200F, false), (0x2010, 0x2027, true), (0x2028, 0x202E, false),
            (0x202F, 0x2065, true), (0x2066, 0x2069, false), (0x206A, 0xFEFE, true), (0xFEFF, 0xFEFF, false),
            (0xFF00, 0x10FFFF, true),
        ] as [(UInt32, UInt32, Bool)])
    func charactersThatDisturbATerminalAreEscaped(first: UInt32, last: UInt32, isKept: Bool) throws {
        for value in [first, last] {
            let scalar = try #require(Unicode.Scalar(value))
            let escape = "\\u{\(String(value, radix: 16))}"
            #expect(ModelError.quote(String(scalar)) == "\"\(isKept ? String(scalar) : escape)\"")
        }
        #expect(ModelError.quote("\n\r\t") == #""\n\r\t""#)
    }

    @Test func everyCodeHasACategoryThatIsItsOwn() {
        let misuse: Set<ModelError.Code> = [
            .unknownKey, .unknownSchema, .unknownProfile, .unknownTransformer, .notReversible, .notConvertible, .cycle,
            .notObserved, .depthLimit,
        ]
        let malformed: Set<ModelError.Code> = [
            .malformedJSON, .malformedArchive, .malformedStore, .limitExceeded, .unreadableFile,
        ]
        let refused: Set<ModelError.Code> = [.transformerFailed, .validationFailed, .hookFailed, .upgradeFailed]
        for code in ModelError.Code.allCases {
            let category: ModelError.Category =
                if misuse.contains(code) { .misuse } else if malformed.contains(code) {
                    .malformedInput
                } else if refused.contains(code) { .refusedByProgram } else if [.unwritableFile, .busy].contains(code) {
                    .systemFailure
                } else { .unexpectedData }
            #expect(ModelError(code, expected: "", found: "").category == category, "\(code)")
        }
    }
}
