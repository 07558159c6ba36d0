import Foundation
import ModelTestSupport
import Pallium
import Testing

/// Documents made to exhaust stack, time or memory. They run to an end, which is the point, and say what is wrong.
@Suite(.threat(.schemaDocuments))
struct HostileDocumentTests {
    private func text(_ count: Int, _ separator: String = ", ", _ element: (Int) -> String) -> String {
        (0..<count).map(element).joined(separator: separator)
    }

    @Test(.threat(.deepNesting), arguments: ["[", #"{"a":"#, #"{"name":"A","properties":{"p":{"kind":"array","of":"#])
    func endlessNestingIsRefused(opening: String) {
        let found = problems(of: String(repeating: opening, count: 100_000))
        #expect(found.count == 1)
        #expect(found.first?.hasSuffix(": the document is nested deeper than 64 levels") == true)
    }

    /// A schema with so many arrays in one another.
    private func elements(in levels: Int) -> String {
        #"{"name": "A", "properties": {"p": "# + String(repeating: #"{"kind": "array", "of": "#, count: levels)
            + #"{"kind": "bool"}"# + String(repeating: "}", count: levels + 2)
    }

    @Test func endlessElementsOfElementsAreRefused() {
        let found = problems(of: elements(in: 100_000))
        #expect(found.count == 1)
        #expect(found.first?.hasSuffix("the document is nested deeper than 64 levels") == true)
    }

    @Test func asManyLevelsAsAllowedAreRead() {
        #expect(problems(of: elements(in: 59)) == [])
    }

    @Test func documentsOfMoreThan16MiBAreRefused() {
        let size = 16 << 20
        let whole = #"{"name": "A"}"# + String(repeating: " ", count: size - 13)
        #expect(problems(of: whole) == [])
        #expect(problems(of: whole + " ").map { $0.hasSuffix("the document has more than 16 MiB") } == [true])
    }

    @Test func moreThanTwoMillionValuesAreRefused() {
        let found = problems(of: "[" + String(repeating: "0,", count: 4_000_000) + "0]")
        #expect(found.count == 1 && found[0].contains(": the document has more than "), "\(found.first ?? "none")")
    }

    @Test func tenThousandPropertiesAreTheMost() {
        func document(_ count: Int) -> String {
            #"{"name": "A", "properties": {"# + text(count) { #""p\#($0)": {"kind": "bool"}"# } + "}}"
        }
        #expect(problems(of: document(10_000)) == [])
        #expect(
            problems(of: document(10_001))
                == ["test.json:1:29: A: the schema has 10001 properties; 10000 are allowed"])
    }

    @Test func inheritanceDoesNotMultiplyASmallDocumentBeyondMeasure() {
        let parent = #"{"name": "P", "properties": {"# + text(9_000) { #""p\#($0)": {"kind": "bool"}"# } + "}}"
        let document = "[\(parent), " + text(5_000) { #"{"name": "C\#($0)", "extends": "P"}"# } + "]"
        let found = problems(of: document)
        #expect(found.count == 1)
        #expect(
            found.first?.hasSuffix(
                "the documents describe more than 1000000 properties, inherited ones included; "
                    + "load fewer schemas at once") == true)
    }

    @Test func longNamesAreRefusedBeforeTheyStandInEveryMessage() {
        let long = String(repeating: "x", count: 1_000_000)
        let document =
            "[{\"name\": \"\(long)\"}, " + text(1_000) { #"{"name": "C\#($0)", "identity": "none"}"# } + "]"
        #expect(
            problems(of: document) == [
                "test.json:1:11: \(String(repeating: "x", count: 64))…: name: "
                    + "the name \"\(String(repeating: "x", count: 64))…\" has 1000000 characters; 256 are allowed"
            ])
    }

    @Test func manyMistakesAreAllReported() {
        let count = 10_000
        #expect(problems(of: #"{"name": "A", "# + text(count) { #""x\#($0)": 1"# } + "}").count == count)
        #expect(problems(of: #"{"name": "A", "# + text(count) { _ in #""doc": """# } + "}").count == count - 1)
        #expect(problems(of: "[" + text(count) { _ in "1" } + "]").count == count)
        #expect(
            problems(of: "[" + text(count, ",\n") { _ in #"{"name": 1}"# } + "]").last?.hasPrefix(
                "test.json:10000:10: ") == true)
    }

    @Test func longListsAreRead() {
        let count = 50_000
        let cases = #""kind": "enumeration", "cases": ["# + text(count) { #""c\#($0)""# } + "]"
        #expect(problems(of: #"{"name": "A", "properties": {"p": {\#(cases)}}}"#) == [])
        #expect(problems(of: #"{"name": "A", "ignored": [\#(text(count) { #""c\#($0)""# })]}"#) == [])
        let models = text(count) { #""c\#($0)": "A""# }
        #expect(problems(of: #"{"name": "A", "cluster": {"discriminator": "t", "models": {\#(models)}}}"#) == [])
    }

    @Test(.threat(.normalization)) func textIsComparedByBytes() throws {
        // Two spellings of é are two keys and two cases.
        let document = #"""
            {"name": "A", "properties": {"\u00e9": {"kind": "bool", "json": "a"}, "e\u0301": {"kind": "bool", "json": "b"},
             "p": {"kind": "enumeration", "cases": ["\u00e9", "e\u0301"]}}}
            """#
        #expect(problems(of: document) == [])
        // A long run of marks, which canonical ordering would take quadratic time for.
        let marks = String(repeating: "\u{301}\u{323}", count: 100_000)
        let long = "{\"name\": \"A\", \"doc\": \"\(marks)\", \"ignored\": [\"\(marks)\", \"\(marks)x\"]}"
        #expect(problems(of: long) == [])
    }
}
