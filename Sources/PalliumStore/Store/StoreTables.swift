import PalliumAdapter
import PalliumCore
import PalliumJSON

/// The tables of a store, made when they are used first.
final class StoreTables: Sendable {
    private struct Content: Sendable {
        /// The tables that the database has as their schemas ask for them, by the layouts that declare identities, and the
        /// generations of their plans.
        var ready: [ObjectIdentifier: (table: StoreTable, plans: Int)] = [:]
        /// The state of the database's own schema when `ready` was filled.
        var generation: Int64 = -1
    }

    private let registry: SchemaRegistry
    private let connections: StoreConnections
    private let isReadOnly: Bool
    private let content = Lock(Content())

    init(_ registry: SchemaRegistry, _ connections: StoreConnections, isReadOnly: Bool) {
        self.registry = registry
        self.connections = connections
        self.isReadOnly = isReadOnly
    }

    /// Returns the table of a layout that declares an identity, ready to be used on a connection; nil if there is none
    /// and the store is only read.
    ///
    /// - Throws: ``ModelError`` if the table cannot be made.
    func table(_ layout: ModelLayout, on connection: SQLiteConnection) throws(ModelError) -> StoreTable? {
        let key = ObjectIdentifier(layout)
        // Schemas that are registered later have other plans.
        let plans = registry.compiled.generation
        let kept = content.withLock { $0.ready[key].flatMap { $0.plans == plans ? $0.table : nil } }
        if let kept { return kept }
        var table = try described(layout)
        if isReadOnly {
            let schema = StoreSchema(connection)
            guard try schema.exists(layout) else {
                guard let former = try schema.formerName(layout) else { return nil }
                throw ModelError(
                    .olderVersion, expected: "a table that has the new name of its schema",
                    found: "\(ModelError.quote(former)): open the store once to be written",
                    schema: layout.schema.name)
            }
            // What has no column is read from documents.
            if try !schema.isPrepared(table) {
                table = try described(layout, isIndexed: false)
            }
        } else if try !StoreSchema(connection).isPrepared(table) {
            let prepared = table
            try connections.transaction { writer throws(ModelError) in try StoreSchema(writer).prepare(prepared) }
            try connections.renewSnapshot(connection)
        }
        let made = table
        content.withLock { $0.ready[key] = (made, plans) }
        return made
    }

    /// Describes the table of a layout, whether the database has it or not.
    ///
    /// - Parameter isIndexed: Whether there are columns for indexed properties.
    /// - Throws: ``ModelError`` if there can be no such table.
    func described(_ layout: ModelLayout, isIndexed: Bool = true) throws(ModelError) -> StoreTable {
        let adapter = try JSONAdapter<DynamicModel>(storing: layout, registry: registry)
        return try StoreTable(layout, adapter, registry: registry, isIndexed: isIndexed)
    }

    /// Forgets which tables are ready, because another program may have changed them, or because a transaction in which
    /// they were made was rolled back.
    func forget() { content.withLock { $0.ready = [:] } }

    /// Forgets which tables are ready if another connection has changed any. Called when a transaction begins.
    func compare(with connection: SQLiteConnection) throws(ModelError) {
        let generation = try StoreSchema(connection).generation()
        content.withLock { content in
            if content.generation != generation { content.ready = [:] }
            content.generation = generation
        }
    }
}
