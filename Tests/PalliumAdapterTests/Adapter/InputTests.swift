import Foundation
import ModelTestSupport
import Pallium
import TestSupport
import Testing

/// Every call takes a document in every form.
struct InputTests {
    private static let schema = ModelSchema("Issue", ["number": .integer, "title": .string], identity: ["number"])
    private static let text = #"{"number": 7, "title": "x"}"#

    private func adapter(_ change: (inout JSONAdapterOptions) -> Void = { _ in }) throws -> JSONAdapter<DynamicModel> {
        try JSONAdapter(schema: Self.schema, registry: .of([Self.schema]), options: .with(change))
    }

    /// The document in each form.
    private static func inputs(_ text: String) throws -> [any JSONInput] {
        let bytes = Array(text.utf8)
        let object = try JSONSerialization.jsonObject(with: Data(bytes))
        let foundation: any JSONInput
        if let array = object as? [Any] {
            foundation = array
        } else {
            foundation = try #require(object as? [String: Any])
        }
        return [
            text, text[...], bytes, bytes[...], ContiguousArray(bytes), Data(bytes), try JSONValue(parsing: bytes),
            foundation,
        ]
    }

    @Test func everyFormIsTheSameDocument() throws {
        let adapter = try adapter()
        for input in try Self.inputs(Self.text) {
            let model = try adapter.model(from: input)
            #expect(model["number", as: Int.self] == 7, "\(type(of: input))")
            #expect(adapter.report(from: input).model == model)
            #expect(try adapter.merge(input, into: model).isEmpty)
            model.trackChanges()
            #expect(try adapter.rebase(model, onto: input).isEmpty)
            #expect(try IdentityMap().import(input, using: adapter).first == model)
            #expect(try adapter.model(from: input, versionMember: "version") == model)
        }
        for input in try Self.inputs("[\(Self.text)]") {
            #expect(try adapter.models(from: input).count == 1, "\(type(of: input))")
            #expect(adapter.report(from: input).isArray)
        }
        let bytes = Array(Self.text.utf8)
        let number = try bytes.withUnsafeBytes { try adapter.model(from: $0)["number", as: Int.self] }
        #expect(number == 7)
    }

    /// A literal is text, not a JSON string, whatever the call.
    @Test func aLiteralIsText() throws {
        let adapter = try adapter()
        let model = try adapter.model(from: #"{"number": 7}"#)
        #expect(adapter.report(from: #"{"number": 7}"#).model == model)
        #expect(try adapter.models(from: #"[{"number": 7}]"#) == [model])
        #expect(try adapter.merge(#"{"title": "y"}"#, into: model).count == 1)
        model.trackChanges()
        #expect(try adapter.rebase(model, onto: #"{"title": "z"}"#).count == 1)
        #expect(try IdentityMap().import(#"{"number": 7}"#, using: adapter).count == 1)
        #expect(adapter.report(from: "5").problems.first?.location?.description == "1:1")
    }

    @Test func dictionariesMayHoldOptionals() throws {
        let adapter = try adapter()
        let model = try adapter.model(from: ["title": nil, "other": "x"])
        #expect(try model.state(of: "title") == .null)
        let numbers: [String: Int?] = ["number": 7]
        #expect(try adapter.model(from: numbers)["number", as: Int.self] == 7)
    }

    @Test func elementsThatCannotBeMergedAreSkippedWhereAskedFor() throws {
        let schema = ModelSchema(
            "Person",
            [
                "id": .integer.required,
                "name": .string.required.validate { (name: inout String, _) in
                    if name.isEmpty { throw FixtureError.nameMissing }
                },
            ], identity: ["id"])
        let registry = try SchemaRegistry.of([schema])
        let adapter = try JSONAdapter(schema: schema, registry: registry, options: .with { $0.elements = .skip })
        let map = IdentityMap()
        let text = #"""
            [{"id":1,"name":"a"},{"id":"x","name":"b"},{"id":2},{"id":3,"name":""},{"id":1,"name":"c"},{"id":4,"name":"d"}]
            """#
        for input in try Self.inputs(text) {
            let imported = try map.import(input, using: adapter)
            #expect(imported.map { $0["id", as: Int.self] } == [1, 1, 4])
            #expect(imported[0] === imported[1])
            #expect(imported[0]["name", as: String.self] == "c")
        }
        #expect(throws: ModelError.self) { try map.import("[{}", using: adapter) }
        let strict = try JSONAdapter(schema: schema, registry: registry)
        #expect(throws: ModelError.self) { try map.import(text, using: strict) }
    }

    /// JSON lines that are read as one document, and the reverse.
    @Test func linesAndDocumentsAreToldApart() throws {
        let adapter = try adapter()
        let lines = "{\"number\":1}\n{\"number\":2}\n"
        func sentence(_ body: () throws -> Void) -> String {
            do { try body() } catch { return "\(error)" }
            return "no error"
        }
        #expect(
            sentence { _ = try adapter.model(from: lines) }
                == "expected the end of the text but found another document in the next line (JSON lines?) at the root (2:1)"
        )
        #expect(
            sentence { _ = try adapter.models(from: lines) }
                == "expected an array but found the first of several documents (JSON lines?) at the root (1:1)")
        #expect(adapter.report(from: lines).problems.last?.found.contains("JSON lines?") == true)
        #expect(!sentence { _ = try adapter.models(from: "{}") }.contains("lines?"))
        #expect(!sentence { _ = try adapter.model(from: "{} {}") }.contains("lines?"))
        let pretty = Array("{\n  \"number\": 1\n}\n".utf8)
        #expect(
            sentence { _ = try adapter.models(fromLines: pretty) }.contains(
                "found the end of the line (a document of several lines?) at the root (1:2)"))
        let reported = adapter.models(fromLines: [pretty]).reports
        #expect(reported.map { $0.problems.first?.found.contains("lines?") } == [true, false, false])
        let array = Array("[{\"number\": 1}]\n\n".utf8)
        #expect(sentence { _ = try adapter.models(fromLines: array) }.contains("an array (a whole document?) at"))
        let wrong = Array("{\"number\":}\n{}\n".utf8)
        #expect(!sentence { _ = try adapter.models(fromLines: wrong) }.contains("lines?"))
        let cut = Array("{\"number\": 1}\n{\"num".utf8)
        #expect(!sentence { _ = try adapter.models(fromLines: cut) }.contains("lines?"))
    }
}
