import Foundation
import ModelTestSupport
import Pallium
import Testing

/// Your code is called from several threads, and the models belong to the caller alone.
struct ConcurrentCodeTests {
    private static let text = (0..<400).map { #"{"id":\#($0),"text":"},{"}"# }.joined(separator: "\n")

    private func adapter(_ journal: Journal) throws -> JSONAdapter<DynamicModel> {
        let noting = Transformer(from: Int.self, to: Int.self) { number, context in
            journal.add("\(context.pointer?.description ?? "none")=\(number)")
            return number
        }
        return try Plain.adapter(
            ["id": .integer.required.transformer("noting"), "text": .string], transformers: ["noting": noting]
        ).adapter
    }

    @Test func transformersSeeTheLineAsTheirRoot() throws {
        let journal = Journal()
        let models = try adapter(journal).models(fromLines: Array(Self.text.utf8), concurrently: 4, blockBytes: 64)
        #expect(models.map { $0.value("id") } == Array(0..<400))
        #expect(Set(journal.all) == Set((0..<400).map { "/id=\($0)" }))
    }

    @Test func fewLinesAreDecodedInOrder() throws {
        let journal = Journal()
        let models = try adapter(journal).models(fromLines: Self.text, concurrently: 4)
        #expect(journal.all == (0..<400).map { "/id=\($0)" })
        #expect(models.count == 400)
    }

    /// The models can be sent to another task and changed there.
    @Test func modelsCanBeSent() async throws {
        let adapter = try Items.adapter()
        let models = try adapter.models(fromLines: Array(Self.text.utf8), concurrently: 4, blockBytes: 64)
        #expect(Set(models.map(ObjectIdentifier.init)).count == 400)
        let box = Transferred(models)
        let texts = try await Task {
            try (box.take() ?? []).map { model in
                try model.setValue("changed", forKey: "text")
                return model["text", as: String.self]
            }
        }.value
        #expect(texts == Array(repeating: "changed", count: 400))
    }
}
