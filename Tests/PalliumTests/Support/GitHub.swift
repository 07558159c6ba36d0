import Foundation
import Pallium
import TestSupport

@testable import GitHubModels

/// The classes that `pallium generate` made of the schema documents in `Schemas/github`, and their samples.
enum GitHub {
    typealias Event = GitHubModels.Event
    typealias PushEvent = GitHubModels.PushEvent
    typealias Issue = GitHubModels.Issue

    /// Returns a registry with all schemas and classes.
    static func registry() throws -> SchemaRegistry {
        let registry = SchemaRegistry()
        try SchemaDocuments.load(into: registry)
        return registry
    }

    /// Returns the bytes of a document of `Schemas/samples`.
    static func sample(_ name: String) throws -> Data {
        try Data(contentsOf: SharedData.repository.appendingPathComponent("Schemas/samples/\(name).json"))
    }
}
