import PalliumAdapter
import PalliumCore
import PalliumJSON

/// The tables of a store. A write makes those that are missing; for a read, a missing table has no rows.
///
/// ```
///   write ─▶ missing, or other columns ─▶ made, known to its transaction ─ commit ─▶ ready, known to all
///   read  ─▶ missing: nothing to find
///            other columns: made by the writer; while another program writes, documents are read instead of columns
/// ```
final class StoreTables: Sendable {
    /// A table, and the generation of its plans: schemas that are registered later have others.
    private typealias Entry = (table: StoreTable, plans: Int)

    private struct Content: Sendable {
        /// The tables that the database has as their schemas ask for them, by the layouts that declare identities.
        var ready: [ObjectIdentifier: Entry] = [:]
        /// Those that the present transaction has made.
        var made: [ObjectIdentifier: Entry] = [:]
        /// The tables as their schemas ask for them, whether the database has them or not.
        var described: [ObjectIdentifier: Entry] = [:]
        /// The state of the database's own schema when `ready` was filled.
        var generation: Int64?
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

    /// Returns the table of a layout that declares an identity, ready to be used on a connection; nil for a read if there
    /// is none.
    ///
    /// - Parameter isNamed: Whether a statement names the table, so that a read, too, needs it.
    /// - Throws: ``ModelError`` if the table cannot be made, or has the name of a later version of the schema.
    func table(
        _ layout: ModelLayout, on connection: SQLiteConnection, isNamed: Bool = false
    ) throws(ModelError) -> StoreTable? {
        let key = ObjectIdentifier(layout)
        let plans = registry.compiled.generation
        let isWriting = connection.expectsTransaction
        let kept = content.withLock { content in
            (content.ready[key] ?? (isWriting ? content.made[key] : nil)).flatMap { $0.plans == plans ? $0.table : nil }
        }
        if let kept { return kept }
        let schema = StoreSchema(connection)
        let exists = try schema.exists(layout)
        let former = exists ? nil : try schema.formerName(layout)
        if !exists {
            try schema.checkRenaming(of: layout)
            if former == nil, !isWriting, !isNamed || isReadOnly { return nil }
        }
        let table = try described(layout)
        var isPrepared = exists
        if exists { isPrepared = try schema.isPrepared(table) }
        if !isPrepared {
            if isReadOnly {
                if let former { throw Self.needsWriting(layout, former) }
                // What has no column is read from documents.
                return try described(layout, isIndexed: false)
            }
            do throws(ModelError) {
                try connections.transaction { writer throws(ModelError) in try StoreSchema(writer).prepare(table) }
            } catch {
                guard error.code == .busy, exists, !isWriting else { throw error }
                return try described(layout, isIndexed: false)
            }
            try connections.renewSnapshot(connection)
        }
        content.withLock { content in
            if isWriting { content.made[key] = (table, plans) } else { content.ready[key] = (table, plans) }
        }
        return table
    }

    private static func needsWriting(_ layout: ModelLayout, _ former: String) -> ModelError {
        ModelError(
            .olderVersion, expected: "a table that has the new name of its schema",
            found: "\(ModelError.quote(former)): open the store once to be written", schema: layout.schema.name)
    }

    /// Describes the table of a layout, whether the database has it or not.
    ///
    /// - Parameter isIndexed: Whether there are columns for indexed properties.
    /// - Throws: ``ModelError`` if there can be no such table.
    func described(_ layout: ModelLayout, isIndexed: Bool = true) throws(ModelError) -> StoreTable {
        let key = ObjectIdentifier(layout)
        let plans = registry.compiled.generation
        if isIndexed, let kept = content.withLock({ $0.described[key] }), kept.plans == plans { return kept.table }
        let adapter = try JSONAdapter<DynamicModel>(storing: layout, registry: registry)
        let table = try StoreTable(layout, adapter, registry: registry, isIndexed: isIndexed)
        if isIndexed { content.withLock { $0.described[key] = (table, plans) } }
        return table
    }

    /// Forgets which tables are ready, because another program has changed them.
    func forget() { content.withLock { $0.ready = [:] } }

    /// Begins a transaction: forgets which tables are ready if another connection has changed any.
    func begin(on connection: SQLiteConnection) throws(ModelError) {
        let generation = try StoreSchema(connection).generation()
        content.withLock { content in
            if content.generation != generation { content.ready = [:] }
            content.generation = generation
            content.made = [:]
        }
    }

    /// Ends a transaction, or a part of one that was rolled back.
    func end(isCommitted: Bool) {
        content.withLock { content in
            if isCommitted { content.ready.merge(content.made) { _, new in new } }
            content.made = [:]
        }
    }
}
