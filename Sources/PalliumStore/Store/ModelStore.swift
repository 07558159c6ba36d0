public import Foundation
public import PalliumCore

/// Models of schemas with an identity, in one SQLite file.
///
///     let store = try ModelStore(at: url)
///     try store.save(issues)  // and all models that they refer to
///     let open = try store.fetch(ModelQuery<Issue>(where: Key("state") == "open", limit: 50))
///
/// A store may be used from any thread, and several programs may use one file at once. Models are copies: those that a
/// store returns belong to the caller, and change nothing in the store until they are saved.
public final class ModelStore: StoreAccess, Sendable {
    let registry: SchemaRegistry
    let connections: StoreConnections
    let tables: StoreTables

    /// Opens a store, and makes it if there is none.
    ///
    /// - Parameters:
    ///   - file: The file; nil for a store in memory, which ends with the object. SQLite keeps two more files beside it,
    ///     `-wal` and `-shm`, while it is open.
    ///   - registry: The schemas of the models. They may be registered later.
    /// - Throws: ``ModelError`` with the codes `malformedStore` for a file that is no store, `newerVersion` for one of a
    ///   later version of this library, `unreadableFile`, `unwritableFile` and `busy`. The ``SQLiteError`` is underlying.
    public init(
        at file: URL?, registry: SchemaRegistry = .shared, options: ModelStoreOptions = ModelStoreOptions()
    ) throws(ModelError) {
        let version = SQLiteConnection.libraryVersion
        guard version >= 3_037_000 else {
            let found = version == 0 ? "no libsqlite3.so.0: install the package libsqlite3-0" : "\(version)"
            throw ModelError(.unreadableFile, expected: "SQLite 3.37 or later", found: found)
        }
        if let file, !file.isFileURL {
            throw ModelError(
                .unreadableFile, expected: "the URL of a file", found: ModelError.quote(file.absoluteString))
        }
        self.registry = registry
        connections = try StoreConnections(file?.path, options)
        tables = StoreTables(registry, connections, isReadOnly: options.isReadOnly)
    }

    // MARK: How

    /// Calls a function that reads. If the tables are not those that it expects, it is called again.
    public func _read<Result>(_ body: (_ConnectedStore) throws(ModelError) -> Result) throws(ModelError) -> Result {
        func attempt() throws(ModelError) -> Result {
            try connections.read { connection throws(ModelError) in
                // The store in memory may be in a transaction, whose tables are known.
                if !connection.isInTransaction { try tables.renew(on: connection) }
                return try body(_ConnectedStore(registry: registry, tables: tables, connection: connection))
            }
        }
        do throws(ModelError) { return try attempt() } catch {
            // Another program has changed a table: a column is missing.
            guard (error.underlying as? SQLiteError)?.primaryCode == SQLiteError.Code.error else { throw error }
            tables.forget()
            return try attempt()
        }
    }

    /// Calls a function in a transaction.
    public func _write<Result>(_ body: (_ConnectedStore) throws(ModelError) -> Result) throws(ModelError) -> Result {
        try connections.transaction(
            { connection, isInner throws(ModelError) in
                if !isInner { try tables.begin(on: connection) }
                return try body(_ConnectedStore(registry: registry, tables: tables, connection: connection))
            }, ended: { tables.end(isCommitted: $0) })
    }
}
