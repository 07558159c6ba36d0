import Foundation
import Pallium
import PalliumStore

/// A file that is gone with the object.
final class TemporaryFile {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("issues-\(UUID().uuidString).store")

    deinit {
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: url.path + suffix) }
    }
}

/// Issues in a store. All that they consist of stands in their documents.
final class StoredIssues {
    static let schemas = Issue.schemas.map { schema in
        var schema = schema
        guard schema.name == "Issue" else { return schema }
        schema.identity = ["number"]
        schema.properties = schema.properties.map { property in
            property.key == "state" ? ModelSchema.Property(property.key, property.schema.indexed()) : property
        }
        return schema
    }

    let file = TemporaryFile()
    let store: ModelStore
    let adapter: JSONAdapter<Issue>

    init(registry: SchemaRegistry) throws {
        store = try ModelStore(at: file.url, registry: registry)
        adapter = JSONAdapter(Issue.self, registry: registry)
    }

    static func registry() throws -> SchemaRegistry {
        let registry = SchemaRegistry()
        try registry.register(schemas)
        return registry
    }
}

/// The same table by hand.
final class IssueTable {
    let file = TemporaryFile()
    private let database: SQLiteFile
    private let beginning: SQLiteQuery
    private let end: SQLiteQuery
    private let insertion: SQLiteQuery
    private let update: SQLiteQuery
    private let selection: SQLiteQuery
    private let selectionOfAll: SQLiteQuery

    init() throws {
        database = try SQLiteFile(
            file.url,
            creation: [
                """
                CREATE TABLE Issue (number INTEGER NOT NULL, state TEXT, schema TEXT NOT NULL, versions TEXT NOT NULL,
                    document TEXT NOT NULL, checksum INTEGER NOT NULL, PRIMARY KEY (number)) STRICT
                """,
                "CREATE INDEX state ON Issue (state)",
            ])
        beginning = try database.query("BEGIN IMMEDIATE")
        end = try database.query("COMMIT")
        insertion = try database.query(
            """
            INSERT INTO Issue (number, state, schema, versions, document, checksum) VALUES (?1, ?2, ?3, ?4, ?5, ?1)
                ON CONFLICT (number) DO NOTHING
            """)
        update = try database.query("UPDATE Issue SET document = ?2 WHERE number = ?1")
        selection = try database.query("SELECT document FROM Issue WHERE number = ?1")
        selectionOfAll = try database.query("SELECT document FROM Issue ORDER BY number")
    }

    func transaction<Result>(_ body: () throws -> Result) throws -> Result {
        try beginning.run()
        let result = try body()
        try end.run()
        return result
    }

    func insert(_ number: Int, _ state: IssueState, _ document: UnsafeBufferPointer<UInt8>) throws {
        insertion.bind(number, at: 1)
        insertion.bind(state == .open ? "open" : "closed", at: 2)
        insertion.bind("Issue", at: 3)
        insertion.bind("{}", at: 4)
        insertion.bind(document, at: 5)
        try insertion.run()
    }

    func update(_ number: Int, _ document: UnsafeBufferPointer<UInt8>) throws {
        update.bind(number, at: 1)
        update.bind(document, at: 2)
        try update.run()
    }

    /// Calls a function with the text of an issue.
    func withDocument<Result>(_ number: Int, _ body: (UnsafeBufferPointer<UInt8>) throws -> Result) throws -> Result? {
        selection.bind(number, at: 1)
        guard try selection.step() else { return nil }
        let result = try body(selection.text(0))
        // The statement ends before anything else happens.
        try selection.run()
        return result
    }

    /// Calls a function with the text of each issue.
    func forEachDocument(_ body: (UnsafeBufferPointer<UInt8>) throws -> Void) throws {
        while try selectionOfAll.step() { try body(selectionOfAll.text(0)) }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// The bytes without a copy, for a decoder.
    func withData<Result>(_ body: (Data) throws -> Result) rethrows -> Result {
        guard let baseAddress else { return try body(Data()) }
        return try body(
            Data(bytesNoCopy: UnsafeMutableRawPointer(mutating: baseAddress), count: count, deallocator: .none))
    }
}
