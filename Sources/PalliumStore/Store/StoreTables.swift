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
            ((isWriting ? content.made[key] : nil) ?? content.ready[key]).flatMap { $0.plans == plans ? $0.table : nil }
        }
        if let kept { return kept }
        let schema = StoreSchema(connection)
        let exists = try schema.exists(layout)
        let former = exists ? nil : try schema.formerName(layout)
        if !exists {
            try schema.checkRenaming(of: layout)
            if former == nil, !isWriting, !isNamed || isReadOnly { return nil }
        }
        // Columns that other programs ask for are kept, and filled.
        func present(_ schema: StoreSchema) throws(ModelError) -> StoreTable {
            try described(
                layout, besides: schema.indexedColumns(of: layout), schema.links(of: layout.schema.name),
                isShared: schema.isShared(layout))
        }
        var table = try present(schema)
        if isReadOnly {
            if let former { throw Self.needsWriting(layout, former) }
            // What has no column is read from documents.
            guard try schema.isReadable(table) else { return try withoutColumns(layout, schema) }
        } else if try !schema.isPrepared(table) {
            do throws(ModelError) {
                table = try connections.transaction { writer throws(ModelError) in
                    let table = try present(StoreSchema(writer))
                    try StoreSchema(writer).prepare(table)
                    // Links of other programs are gone if the rows have other identities now.
                    return try present(StoreSchema(writer))
                }
            } catch {
                guard error.code == .busy, exists, !isWriting, let table = try? withoutColumns(layout, schema) else {
                    throw error
                }
                return table
            }
            try connections.renewSnapshot(connection)
        }
        content.withLock { [table] content in
            if isWriting { content.made[key] = (table, plans) } else { content.ready[key] = (table, plans) }
        }
        return table
    }

    /// Describes a table of which only the identity is in columns.
    private func withoutColumns(_ layout: ModelLayout, _ schema: StoreSchema) throws(ModelError) -> StoreTable {
        let table = try described(layout, isIndexed: false, isShared: schema.isShared(layout))
        try schema.checkIdentity(of: table)
        return table
    }

    private static func needsWriting(_ layout: ModelLayout, _ former: String) -> ModelError {
        ModelError(
            .olderVersion, expected: "a table that has the new name of its schema",
            found: "\(ModelError.quote(former)): open the store once to be written", schema: layout.schema.name)
    }

    /// Describes the table of a layout, whether the database has it or not.
    ///
    /// - Parameters:
    ///   - isIndexed: Whether there are columns for indexed properties.
    ///   - found: The columns that the database has.
    ///   - links: The tables of links that the database has.
    ///   - isShared: Whether programs of other versions use the table.
    /// - Throws: ``ModelError`` if there can be no such table.
    func described(
        _ layout: ModelLayout, isIndexed: Bool = true, besides found: [StoreTable.Column.Found] = [],
        _ links: [UTF8Key: String] = [:], isShared: Bool = false
    ) throws(ModelError) -> StoreTable {
        let key = ObjectIdentifier(layout)
        let plans = registry.compiled.generation
        let isPlain = isIndexed && found.isEmpty && links.isEmpty && !isShared
        if isPlain, let kept = content.withLock({ $0.described[key] }), kept.plans == plans { return kept.table }
        let adapter = try JSONAdapter<DynamicModel>(storing: layout, registry: registry)
        let table = try StoreTable(
            layout, adapter, registry: registry, isIndexed: isIndexed, besides: found, links, isShared: isShared)
        if isPlain { content.withLock { $0.described[key] = (table, plans) } }
        return table
    }

    /// Drops the columns and indexes of the table of a layout that its schemas do not ask for.
    func dropOthers(_ layout: ModelLayout, on connection: SQLiteConnection) throws(ModelError) {
        let schema = StoreSchema(connection)
        let plain = try described(layout)
        // Those that are kept keep their names.
        let wanted = try schema.indexedColumns(of: layout).filter { found in
            plain.indexed.contains { $0.isSame(as: found) }
        }
        let links = try schema.links(of: layout.schema.name)
        if try schema.isPrepared(described(layout, besides: wanted, links), isExact: true) { return }
        try schema.prepare(described(layout, besides: wanted, links), isExact: true)
        let table = try described(layout, besides: wanted, schema.links(of: layout.schema.name))
        content.withLock { $0.made[ObjectIdentifier(layout)] = (table, registry.compiled.generation) }
    }

    /// Forgets which tables are ready, because another program has changed them.
    func forget() { content.withLock { $0.ready = [:] } }

    /// Forgets which tables are ready if another connection has changed any: a column of the name may have another type.
    func renew(on connection: SQLiteConnection) throws(ModelError) {
        let generation = try StoreSchema(connection).generation()
        content.withLock { content in
            if content.generation != generation { content.ready = [:] }
            content.generation = generation
        }
    }

    /// Begins a transaction.
    func begin(on connection: SQLiteConnection) throws(ModelError) {
        try renew(on: connection)
        content.withLock { $0.made = [:] }
    }

    /// Ends a transaction, or a part of one that was rolled back.
    func end(isCommitted: Bool) {
        content.withLock { content in
            if isCommitted { content.ready.merge(content.made) { _, new in new } }
            content.made = [:]
        }
    }
}
