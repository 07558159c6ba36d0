import Foundation
import ModelTestSupport
import Pallium
import Testing

/// Edits of texts with options, with roots that are arrays, and of texts that cannot be edited.
struct EditingOptionTests {
    private func edited(
        _ text: String, _ options: (inout JSONAdapterOptions) -> Void = { _ in },
        _ change: (DynamicModel) throws -> Void
    ) throws -> String {
        try EditedTextTests.edited(text, EditedTextTests.adapter(options), change)
    }

    @Test func theMemberThatCountsIsChanged() throws {
        let text = #"{"text": "a", "text": "b", "id": 1}"#
        #expect(try edited(text) { $0["text"] = "c" } == #"{"text": "a", "text": "c", "id": 1}"#)
        let first = try edited(text, { $0.reading.duplicateMembers = .firstWins }) { $0["text"] = "c" }
        #expect(first == #"{"text": "c", "text": "b", "id": 1}"#)
    }

    @Test func unknownMembersThatTheModelKeepsFollowTheModel() throws {
        let text = #"{"x": 1.0, "id": 1, "y": 2}"#
        let adapter = try EditedTextTests.adapter { $0.unknownMembers = .keep }
        let other = try adapter.model(from: #"{"id": 2, "y": 3}"#)
        let bytes = try adapter.data(from: other, editing: Data(text.utf8))
        #expect(String(decoding: bytes, as: UTF8.self) == #"{"id": 2, "y": 3}"#)
        let ignoring = try EditedTextTests.adapter()
        let ignored = try ignoring.data(from: ignoring.model(from: #"{"id": 2, "y": 3}"#), editing: Data(text.utf8))
        #expect(String(decoding: ignored, as: UTF8.self) == #"{"x": 1.0, "id": 2, "y": 2}"#)
    }

    @Test func whatIsNewFollowsTheOptions() throws {
        let sorted = try edited(#"{"id": 1}"#, { $0.writing.sortsKeys = true }) {
            $0["text"] = "a"
            $0["size"] = 2.5
            $0["stars"] = 1
        }
        #expect(sorted == #"{"id": 1, "size": 2.5, "stars": 1, "text": "a"}"#)
        let escaped = try edited(#"{"id":1,"x":"/"}"#, { $0.writing.escapesSlashes = true }) { $0["text"] = "/" }
        #expect(escaped == #"{"id":1,"x":"/","text":"\/"}"#)
        let pretty = try edited("{}\n", { $0.writing.isPretty = true }) { $0["labels"] = ["a"] }
        #expect(pretty == "{\n  \"labels\": [\n    \"a\"\n  ]\n}\n")
        let null = try edited(#"{"id":1}"#, { $0.nilPolicy = .write }) { $0["id"] = 2 }
        #expect(null == #"{"id":2}"#)
    }

    @Test func arraysAreEditedAtTheirRoot() throws {
        let adapter = try EditedTextTests.adapter()
        let text = "[\n  {\"id\": 1, \"x\": 1},\n  {\"id\": 2, \"x\": 2}\n]\n"
        var notes = try adapter.models(from: text)
        #expect(try adapter.data(from: notes, editing: Data(text.utf8)) == Data(text.utf8))
        notes[1]["text"] = "b"
        notes.insert(try adapter.model(from: #"{"id": 3}"#), at: 0)
        notes.removeAll { $0["id", as: Int.self] == 1 }
        let edited = try adapter.data(from: notes, editing: Data(text.utf8))
        #expect(
            String(decoding: edited, as: UTF8.self)
                == "[\n  {\"id\": 3},\n  {\"id\": 2, \"x\": 2, \"text\": \"b\"}\n]\n")
        #expect(try adapter.data(from: [], editing: Data(text.utf8)) == Data("[]\n".utf8))
        #expect(try adapter.data(from: notes, editing: Data(" []".utf8)) == Data(" ".utf8) + adapter.data(from: notes))
    }

    /// An object that a transformer reads other members from, and an array that it sorts.
    @Test func aValueThatIsReadOtherwiseIsWrittenWhole() throws {
        let transformers: [TransformerName: Transformer] = [
            "Turned": Transformer(
                from: JSONValue.self, to: JSONValue.self,
                forward: { value, _ in
                    ["right": value["left"] ?? value["right"] ?? .null, "size": value["size"] ?? .null]
                },
                reverse: { value, _ in value }),
            "Sorted": Transformer(
                from: JSONValue.self, to: JSONValue.self,
                forward: { value, _ in
                    .array((value.arrayValue ?? []).sorted { ($0.intValue ?? 0) < ($1.intValue ?? 0) })
                },
                reverse: { value, _ in value }),
        ]
        let adapter = try Plain.adapter(
            ["any": .jsonValue.transformer("Turned"), "list": .jsonValue.transformer("Sorted")],
            transformers: transformers
        ).adapter
        let text = #"{"any": {"left": 1.0, "size": 1}, "x": 1, "list": [3, 1, 2]}"#
        #expect(try EditedTextTests.edited(text, adapter) { _ in } == text)
        let changed = try EditedTextTests.edited(text, adapter) {
            try $0.setValue(JSONValue.object(["right": 2, "size": 1]), forKey: "any")
        }
        #expect(changed == #"{"any": {"size": 1, "right": 2}, "x": 1, "list": [3, 1, 2]}"#)
        let shorter = try EditedTextTests.edited(text, adapter) {
            try $0.setValue(JSONValue.array([1, 2]), forKey: "list")
        }
        #expect(shorter == #"{"any": {"left": 1.0, "size": 1}, "x": 1, "list": [1, 2]}"#)
    }

    @Test func aDocumentThatCannotBeDecodedIsRefusedAsInDecoding() throws {
        let adapter = try EditedTextTests.adapter()
        let model = try adapter.model(from: #"{"text": "a"}"#)
        for text in [#"{"text": 1}"#, #"{"text": "#, "[]", "", "{} {}"] {
            let expected = #expect(throws: ModelError.self) { try adapter.model(from: text) }
            let error = #expect(throws: ModelError.self) { try adapter.data(from: model, editing: Data(text.utf8)) }
            #expect(error?.description == expected?.description)
        }
    }

    @Test func deepAndLargeTextsTakeNoStackAndLinearTime() throws {
        let depth = 500
        let opening = String(repeating: #"{"x": [], "note": "#, count: depth)
        let text = opening + #"{"id": 1}"# + String(repeating: "}", count: depth)
        let deep = try edited(text) { model in
            var note = model
            while let next = note["note"] as? DynamicModel { note = next }
            note["id"] = 2
        }
        #expect(deep == text.replacing(#"{"id": 1}"#, with: #"{"id": 2}"#))
        let count = 20_000
        let names = (0..<count).map { "\"x\($0)\": \($0)" }.joined(separator: ", ")
        let repeated = (0..<count).map { _ in "\"text\": \"a\"" }.joined(separator: ", ")
        let numbers = (0..<count).map { "\($0)" }.joined(separator: ",")
        let large = "{\(names), \(repeated), \"rows\": [[\(numbers)]], \"id\": 1}"
        let wide = try edited(large) {
            try $0.unset("text")
            $0["rows"] = [Array((0..<count).reversed())]
        }
        let turned = (0..<count).reversed().map { "\($0)" }.joined(separator: ",")
        #expect(wide == "{\(names), \"rows\": [[\(turned)]], \"id\": 1}")
    }

    /// Mutations of a text: what is decoded and not changed stays, and an edit is what decoding the result gives.
    @Test(.trials) func whatIsDecodedAndNotChangedStays() throws {
        let adapter = try EditedTextTests.adapter()
        let text = #"{"id":1.0, "text":"\u00e9","user":{"a":1, "login":"x"},"labels":["a","b"],"tags":["c","c"]}"#
        let trials = Trials(60)
        var decoded = 0
        for seed in trials {
            var random = SeededGenerator(seed: seed)
            var bytes = Data(text.utf8)
            for _ in 0...Int.random(in: 0..<3, using: &random) {
                let other = bytes[Int.random(in: bytes.indices, using: &random)]
                bytes[Int.random(in: bytes.indices, using: &random)] = other
            }
            guard let model = try? adapter.model(from: bytes) else { continue }
            decoded += 1
            #expect(try adapter.data(from: model, editing: bytes) == bytes)
            model["text"] = "new"
            let edited = try adapter.data(from: model, editing: bytes)
            #expect(try adapter.model(from: edited) == model, "\(String(decoding: edited, as: UTF8.self))")
        }
        #expect(decoded > trials.count / 30)
    }
}
