import Foundation
import ModelTestSupport
import Pallium
import Testing

/// Documents that are wrong in one way, and what is said about them.
@Suite(.threat(.schemaDocuments))
struct DocumentProblemTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let document: String
        let problem: String

        init(_ document: String, _ problem: String) {
            self.document = document
            self.problem = problem
        }

        var testDescription: String { document }
    }

    @Test(.row("C141", "C142", "C143"), arguments: schemaRows + structureRows + propertyRows)
    func namesPlaceMistakeAndFix(row: Row) {
        #expect(problems(of: row.document) == [row.problem])
    }

    @Test func everyProblemOfADocumentIsReportedInOrder() {
        let document = """
            {
              "name": "A",
              "vrsion": 1,
              "identity": "nothing",
              "properties": {
                "a": { "kind": "strin", "doc": 1 },
                "b": { "kind": "model", "model": "Nowhere" },
                "a": { "kind": "bool" },
                "c": { "kind": "enumeration", "cases": ["x", "x"] }
              }
            }
            """
        #expect(
            problems(of: document) == [
                #"test.json:3:3: A: unknown member "vrsion"; did you mean "version"?"#,
                "test.json:4:15: A.nothing: the identity names a key that does not exist",
                #"test.json:6:20: A.a: kind: "strin" is no kind; did you mean "string"?"#,
                "test.json:6:36: A.a: doc: expected text but found the number 1",
                "test.json:7:38: A.b: names the model Nowhere, which is not registered; register it in the same call",
                #"test.json:8:5: A: properties: "a" occurs twice; keep one"#,
                #"test.json:9:50: A.c: cases: "x" occurs twice; keep one"#,
            ])
    }

    @Test func everySchemaOfACycleIsNamed() {
        #expect(
            problems(of: #"[{"name": "A", "extends": "B"}, {"name": "B", "extends": "A"}]"#) == [
                "test.json:1:27: A: extends itself through B; break the cycle",
                "test.json:1:58: B: extends itself through A; break the cycle",
            ])
    }

    @Test func whatFollowsFromAnotherProblemIsNotReported() {
        // The child keeps the kind, the inverse is weak, the identity exists: only the misspelt kinds are wrong.
        let document = """
            [
              { "name": "A", "identity": "id", "properties": {
                "id": { "kind": "intger" },
                "children": { "kind": "array", "of": { "kind": "model", "model": "B" }, "inverse": "parent" }
              } },
              { "name": "B", "properties": { "parent": { "kind": "modl", "model": "A", "weak": true } } },
              { "name": "C", "extends": "A", "properties": { "id": { "kind": "integer", "required": true } } }
            ]
            """
        #expect(
            problems(of: document) == [
                #"test.json:3:21: A.id: kind: "intger" is no kind; did you mean "integer"?"#,
                #"test.json:6:54: B.parent: kind: "modl" is no kind; did you mean "model"?"#,
            ])
    }

    @Test func aClassThatIsCalledAlmostLikeASchemaIsTold() throws {
        let error = #expect(throws: SchemaError.self) {
            try SchemaRegistry().load(Array(#"{"name": "TestModle"}"#.utf8), classes: [TestModel.self])
        }
        #expect(
            error?.problems.map(\.description) == [
                "no loaded document describes the class TestModel; did you mean the schema TestModle?"
            ])
    }

    @Test func whatOnlySeemsToBeMissingIsNotReported() throws {
        let document = #"""
            [{"name": "A", "properties": 1}, {"name": "B", "extends": "A", "properties": {}, "identity": ["id"]}]
            """#
        let error = #expect(throws: SchemaError.self) { try SchemaRegistry().load(Array(document.utf8)) }
        #expect(error?.problems.map(\.schema) == ["A"])
        #expect(error?.problems.first?.message.contains("an object of properties") == true)
    }
}
