import ModelTestSupport
import Pallium
import Testing

/// Where a syntax error between members and elements is: in their container, at every entrance.
@Suite struct SyntaxPointerTests {
    private static let holder = ModelSchema(
        "Holder",
        [
            "id": .integer, "b": .integer, "a": .jsonValue, "model": .model("Holder"), "list": .array(of: .integer),
            "table": .dictionary(of: .integer),
            "deep": .integer.json("path.deep"), "models": .array(of: .model("Holder")),
        ])

    @Test(arguments: [
        (#"{"id":1,}"#, ""), (#"{"id":1, /* x */ "b":2}"#, ""), (#"{"id":1 // x"#, ""), (#"{"id":1 "b":2}"#, ""),
        (#"{"model":{"id":1,}}"#, "/model"), (#"{"model":{"id":1 // x"#, "/model"),
        (#"{"list":[1,]}"#, "/list"), (#"{"list":[1, // x"#, "/list"), (#"{"list":[1 2]}"#, "/list"),
        (#"{"table":{"k":1,}}"#, "/table"), (#"{"path":{"deep":1,}}"#, "/path"),
        (#"{"models":[{"id":1},]}"#, "/models"), (#"{"models":[{"id":1},{"id":1,}]}"#, "/models/1"),
        // The value is wrong, and no container that the decoder reads.
        (#"{"id":}"#, "/id"), (#"{"id":]"#, "/id"), (#"{"list":[1,x]}"#, "/list/1"), (#"{"a":{"x":1,}}"#, "/a"),
        (#"{"a":[1,]}"#, "/a"), (#"{"unknown":{"x":1,}}"#, ""),
    ]) func aSyntaxErrorIsInItsContainer(text: String, pointer: String) throws {
        let problem = try #require(try Plain.adapter([Self.holder]).problem(of: text))
        #expect(problem.code == .malformedJSON)
        #expect(problem.pointer?.description == pointer)
    }

    @Test(arguments: [
        (#"[{"id":1},]"#, ""), (#"[{"id":1} // x"#, ""), (#"[{"id":1}, /* x */ {"id":2}]"#, ""),
        (#"[{"id":1},{"id":2,}]"#, "/1"), (#"[{"id":1},{"list":[1,]}]"#, "/1/list"),
    ]) func aSyntaxErrorOfAnArrayIsTheSameInStreams(text: String, pointer: String) throws {
        let adapter = try Plain.adapter([Self.holder]).adapter
        var stream = adapter.models(fromArray: [Array(text.utf8)])
        let streamed = #expect(throws: ModelError.self) { while try stream.next() != nil {} }
        let whole = #expect(throws: ModelError.self) { try adapter.models(from: text) }
        let reported = adapter.report(from: text).problems.first
        #expect(streamed?.pointer?.description == pointer)
        #expect(whole?.pointer?.description == pointer)
        #expect(reported?.pointer?.description == pointer)
    }

    @Test func aSyntaxErrorOfALineIsInItsContainer() throws {
        let adapter = try Plain.adapter([Self.holder]).adapter
        var stream = adapter.models(fromLines: [Array("{\"id\":1}\n{\"model\":{\"id\":1,}}\n".utf8)])
        let error = #expect(throws: ModelError.self) { while try stream.next() != nil {} }
        #expect(error?.pointer?.description == "/model")
        #expect(error?.location?.line == 2)
    }
}
