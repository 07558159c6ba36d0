import Pallium
import Testing

/// Models in a module whose declarations belong to the main actor unless they say otherwise: model classes say so, because
/// the library makes models wherever it is called.
nonisolated final class Message: DynamicModel {
    var text: String {
        get { value() }
        set { set(newValue) }
    }
    var sender: Sender? { value() }

    var shoutedText = ""

    override func didDecode() throws { shoutedText = text.uppercased() }

    static let schema = ModelSchema(
        Message.self, ["text": .string.required, "sender": .model(Sender.self)])
}

nonisolated final class Sender: DynamicModel {
    var name: String? { value() }

    static let schema = ModelSchema(Sender.self, ["name": .string])
}

/// What holds a model for the screen; it belongs to the main actor without a word.
final class MessageScreen {
    var message: Message

    init(_ message: Message) { self.message = message }
}

struct MainActorModelTests {
    let adapter: JSONAdapter<Message>

    init() throws {
        let registry = SchemaRegistry()
        try registry.register(Message.schema, Sender.schema)
        adapter = JSONAdapter(Message.self, registry: registry)
    }

    @Test func modelsAreUsedOnTheMainActor() throws {
        let screen = MessageScreen(try adapter.model(from: #"{"text":"hello","sender":{"name":"Ada"}}"#))
        #expect(screen.message.shoutedText == "HELLO")
        #expect(screen.message.sender?.name == "Ada")
        screen.message.text = "bye"
        #expect(String(decoding: try adapter.data(from: screen.message), as: UTF8.self).contains("bye"))
        #expect(screen.message.copy() == screen.message)
    }

    @Test func modelsAreMadeElsewhereAndSentToTheMainActor() async throws {
        let screen = MessageScreen(try await decode(#"{"text":"from afar"}"#, with: adapter))
        #expect(screen.message.text == "from afar")
        #expect(screen.message.shoutedText == "FROM AFAR")
    }

    @concurrent private nonisolated func decode(
        _ text: String, with adapter: JSONAdapter<Message>
    ) async throws -> sending Message {
        try adapter.model(from: text)
    }
}
