package import Foundation
package import GitHubModels
package import Pallium
import TestSupport

/// The schema documents in `Schemas/github`, their samples, and the classes that `pallium generate` made of some.
package enum GitHub {
    package typealias Account = GitHubModels.Account
    package typealias Milestone = GitHubModels.Milestone
    package typealias User = GitHubModels.User

    package static let folder = SharedData.repository.appendingPathComponent("Schemas/github")

    /// Returns a registry with all schemas, and the classes.
    package static func registry() throws -> SchemaRegistry {
        let registry = SchemaRegistry()
        try registry.load(contentsOf: folder, classes: [Account.self, Milestone.self, User.self])
        return registry
    }

    /// Returns an adapter for a schema.
    package static func adapter(
        _ name: String, unknownMembers: JSONAdapterOptions.UnknownMembers = .ignore
    ) throws -> JSONAdapter<DynamicModel> {
        var options = JSONAdapterOptions()
        options.unknownMembers = unknownMembers
        let registry = try registry()
        return try JSONAdapter(schema: registry.schema(named: name), registry: registry, options: options)
    }

    /// Returns the bytes of a document of `Schemas/samples`.
    package static func sample(_ name: String) throws -> Data {
        try Data(contentsOf: SharedData.repository.appendingPathComponent("Schemas/samples/\(name).json"))
    }
}
