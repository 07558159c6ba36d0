import Foundation
import Pallium
import TestSupport

/// Classes over three of the schema documents in `Schemas/github`; models of the other schemas have no class of their own.
enum GitHub {
    class Event: DynamicModel {}

    final class PushEvent: Event {
        var payload: PushPayload { value() }
    }

    final class PushPayload: DynamicModel {
        var commits: [DynamicModel]? { value() }
    }

    final class Issue: DynamicModel {
        var number: Int { value() }
    }

    /// Returns a registry with all schemas of the folder.
    static func registry() throws -> SchemaRegistry {
        let registry = SchemaRegistry()
        try registry.load(
            contentsOf: SharedData.repository.appendingPathComponent("Schemas/github"),
            classes: [Event.self, PushEvent.self, PushPayload.self, Issue.self])
        return registry
    }

    /// Returns the bytes of a document of `Schemas/samples`.
    static func sample(_ name: String) throws -> Data {
        try Data(contentsOf: SharedData.repository.appendingPathComponent("Schemas/samples/\(name).json"))
    }
}
