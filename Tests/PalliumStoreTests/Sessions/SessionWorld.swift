import Foundation
import Pallium
import Testing

@testable import PalliumStore

/// A session, and another program that changes the rows of its objects.
struct SessionWorld {
    let world: StoreWorld
    let session: ModelSession
    /// The other program opens the same file.
    let others: ModelStore
    private let registry: SchemaRegistry

    init(schemas: [ModelSchema] = StoreWorld.schemas) throws {
        world = try StoreWorld(schemas: schemas)
        session = ModelSession(world.store)
        (others, registry) = try world.reopened(schemas)
    }

    private func otherAdapter(_ name: String) throws -> JSONAdapter<DynamicModel> {
        var options = JSONAdapterOptions()
        options.unknownMembers = .keep
        return try JSONAdapter(schema: registry.schema(named: name), registry: registry, options: options)
    }

    /// Lets the other program save a model: its row becomes what the document says.
    func put(_ name: String, _ document: JSONValue) throws {
        try others.save(otherAdapter(name).model(from: document))
    }

    /// Lets the other program save a model as your code sets it, which may leave properties unset.
    func put(_ name: String, _ identity: Int, _ change: (DynamicModel) throws -> Void) throws {
        let model = try #require(try others.first(registry.schema(named: name), identity: identity, including: .all))
        try change(model)
        try others.save(model)
    }

    /// Lets the other program delete a row.
    func remove(_ name: String, _ key: String, _ value: any PropertyValue & Sendable) throws {
        let removed = try others.delete(
            ModelQuery(schema: registry.schema(named: name), where: Key(key) == value)
        ).deleted
        try #require(removed == 1)
    }

    /// What the other program finds for an identity; nil if there is no row.
    func document(_ name: String, _ identity: any PropertyValue) throws -> JSONValue? {
        guard let model = try others.first(registry.schema(named: name), identity: identity) else { return nil }
        return try otherAdapter(model.schema.name).jsonValue(from: model)
    }

    /// All rows of some tables, as they stand in the file.
    func rows(_ names: [String]) throws -> [[SQLiteValue]] {
        try names.flatMap { try world.rows("SELECT * FROM \"\($0)\" ORDER BY rowid") }
    }

    /// The object of the session with an identity, which must have a row.
    func object(_ name: String, _ identity: any PropertyValue) throws -> DynamicModel {
        try #require(try session.first(world.schema(name), identity: identity))
    }

    /// The objects of the session for all rows of a schema.
    func objects(_ name: String, including links: ModelQuery<DynamicModel>.Links = .stubs) throws -> [DynamicModel] {
        try session.fetch(world.query(name, including: links))
    }

    /// An object as a document, with the states that JSON tells apart.
    func json(_ model: DynamicModel) throws -> JSONValue {
        var options = JSONAdapterOptions()
        options.unknownMembers = .keep
        options.writesIncompleteModels = true
        return try JSONAdapter(schema: world.schema(model.schema.name), registry: world.registry, options: options)
            .jsonValue(from: model)
    }
}
