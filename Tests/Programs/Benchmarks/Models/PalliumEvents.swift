import Foundation
import Pallium

// Events by type: the schema of `Event` chooses the subclass by the member `type`.

final class Actor: DynamicModel {
    var id: Int { value() }
    var login: String { value() }
    var url: URL { value() }
}

final class EventRepository: DynamicModel {
    var id: Int { value() }
    var name: String { value() }
    var url: URL { value() }
}

final class Commit: DynamicModel {
    var sha: String { value() }
    var message: String { value() }
    var url: URL { value() }
}

final class PushPayload: DynamicModel {
    var size: Int { value() }
    var ref: String { value() }
    var commits: [Commit] { value() }
}

final class IssuesPayload: DynamicModel {
    var action: String { value() }
    var number: Int { value() }
    var title: String { value() }
    var url: URL { value() }
}

final class WatchPayload: DynamicModel {
    var action: String { value() }
}

final class CreatePayload: DynamicModel {
    var ref: String { value() }
    var refType: String { value() }
    var summary: String { value("description") }
}

final class IssueCommentPayload: DynamicModel {
    var action: String { value() }
    var id: Int { value() }
    var body: String { value() }
    var url: URL { value() }
}

class Event: DynamicModel {
    var id: String { value() }
    var type: String { value() }
    var actor: Actor { value() }
    var repository: EventRepository { value() }
    var isPublic: Bool { value() }
    var createdAt: Date { value() }

    /// The schemas of events and their payloads.
    static let schemas = [
        ModelSchema(Actor.self, ["id": .integer.required, "login": .string.required, "url": .url.required]),
        ModelSchema(EventRepository.self, ["id": .integer.required, "name": .string.required, "url": .url.required]),
        ModelSchema(Commit.self, ["sha": .string.required, "message": .string.required, "url": .url.required]),
        ModelSchema(
            PushPayload.self,
            [
                "size": .integer.required, "ref": .string.required,
                "commits": .array(of: .model(Commit.self)).required,
            ]),
        ModelSchema(
            IssuesPayload.self,
            [
                "action": .string.required, "number": .integer.required, "title": .string.required,
                "url": .url.required,
            ]),
        ModelSchema(WatchPayload.self, ["action": .string.required]),
        ModelSchema(
            CreatePayload.self,
            ["ref": .string.required, "refType": .string.required, "description": .string.required], keys: .snakeCase),
        ModelSchema(
            IssueCommentPayload.self,
            ["action": .string.required, "id": .integer.required, "body": .string.required, "url": .url.required]),
        ModelSchema(
            Event.self,
            [
                "id": .string.required, "type": .string.required, "actor": .model(Actor.self).required,
                "repository": .model(EventRepository.self).required.json("repo"),
                "isPublic": .bool.required.json("public"), "createdAt": .date.required.json("created_at"),
            ],
            cluster: .discriminator(
                "type",
                [
                    "PushEvent": .modelClass(PushEvent.self), "IssuesEvent": .modelClass(IssuesEvent.self),
                    "WatchEvent": .modelClass(WatchEvent.self), "CreateEvent": .modelClass(CreateEvent.self),
                    "IssueCommentEvent": .modelClass(IssueCommentEvent.self),
                ])),
        child(PushEvent.self, PushPayload.self),
        child(IssuesEvent.self, IssuesPayload.self),
        child(WatchEvent.self, WatchPayload.self),
        child(CreateEvent.self, CreatePayload.self),
        child(IssueCommentEvent.self, IssueCommentPayload.self),
    ]

    private static func child(_ event: Event.Type, _ payload: DynamicModel.Type) -> ModelSchema {
        ModelSchema(event, ["payload": .model(payload).required], extends: .modelClass(Event.self))
    }
}

final class PushEvent: Event {
    var payload: PushPayload { value() }
}

final class IssuesEvent: Event {
    var payload: IssuesPayload { value() }
}

final class WatchEvent: Event {
    var payload: WatchPayload { value() }
}

final class CreateEvent: Event {
    var payload: CreatePayload { value() }
}

final class IssueCommentEvent: Event {
    var payload: IssueCommentPayload { value() }
}
