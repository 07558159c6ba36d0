import Foundation
import Pallium
import PalliumStore

/// Rows with references to others, which the store finds by its tables of links.
func linkedRowWorkloads(_ context: BenchmarkContext) -> [Workload] {
    let rows = LinkedRows(count: context.issueCount)
    return [
        Workload(name: "store, a link, extra time", unit: .nanoseconds(per: "reference"), goal: .atMostMore(4000)) {
            let (linked, plain) = (try rows.notes(in: rows.linked), try rows.notes(in: rows.plain))
            let units = linked.count * LinkedRows.tagsOfANote
            return .timed(
                ours: .operation(units: units, on: { try rows.store(rows.linked) }) { try $0.store.save(linked) },
                baseline: .operation(units: units, on: { try rows.store(rows.plain) }) { try $0.store.save(plain) },
                configuration: rows.configuration, proof: rows.areEqual)
        },
        Workload(name: "store, any by links, against none", unit: .nanoseconds(per: "query"), goal: .atLeast(100)) {
            let (linked, plain) = (try rows.filled(rows.linked), try rows.filled(rows.plain))
            return .timed(
                ours: .operation(units: 1) { try linked.count() },
                baseline: .operation(units: 1) { try plain.count() },
                configuration: rows.configuration, proof: rows.areEqual)
        },
        Workload(name: "store, cascade, against SQLite alone", unit: .nanoseconds(per: "row"), goal: .atMost(2)) {
            .timed(
                ours: .operation(units: context.issueCount, on: { try rows.filled(rows.linked) }) {
                    try $0.store.delete($0.query("Folder"))
                },
                baseline: .operation(units: context.issueCount, on: { try FolderTable(count: context.issueCount) }) {
                    try $0.delete()
                },
                configuration: rows.configuration
            ) {
                let (store, table) = (try rows.filled(rows.linked), try FolderTable(count: context.issueCount))
                try store.store.delete(store.query("Folder"))
                try table.delete()
                let left = try store.store.count(store.query("Note"))
                return try left == 0 && table.count() == 0
            }
        },
    ]
}

/// Notes in a folder, each with a few tags of many. All have more than an identity, so that they are rows.
private struct LinkedRows {
    /// A store in a file of its own.
    final class Stored {
        let file = TemporaryFile()
        let store: ModelStore
        private let registry: SchemaRegistry

        init(_ registry: SchemaRegistry) throws {
            self.registry = registry
            store = try ModelStore(at: file.url, registry: registry)
        }

        func query(_ schema: String, where condition: Condition? = nil) throws -> ModelQuery<DynamicModel> {
            ModelQuery(schema: try registry.schema(named: schema), where: condition)
        }

        /// How many notes have a tag.
        func count() throws -> Int { try store.count(query("Note", where: Key("tags").any(Key("name") == "tag 7"))) }
    }

    static let tagsOfANote = 3
    static let tags = 500

    let count: Int
    /// The schemas with links and without.
    let linked: Result<SchemaRegistry, any Error>
    let plain: Result<SchemaRegistry, any Error>

    init(count: Int) {
        self.count = count
        linked = Result { try Self.registry(hasLinks: true) }
        plain = Result { try Self.registry(hasLinks: false) }
    }

    private static func registry(hasLinks: Bool) throws -> SchemaRegistry {
        let tags = PropertySchema.array(of: .model("Tag")).required
        let folder = PropertySchema.model("Folder").required
        let registry = SchemaRegistry()
        try registry.register(
            ModelSchema(
                "Note",
                [
                    "id": .integer.required, "tags": hasLinks ? tags.indexed() : tags,
                    "folder": hasLinks ? folder.indexed().deleteRule(.cascade) : folder,
                ], identity: ["id"]),
            ModelSchema("Tag", ["name": .string.required, "size": .integer.required], identity: ["name"]),
            ModelSchema("Folder", ["id": .integer.required, "size": .integer.required], identity: ["id"]))
        return registry
    }

    private func document(_ number: Int) -> DocumentValue {
        let tags = (0..<Self.tagsOfANote).map { (number &* 7919 &+ $0 &* 31) % Self.tags }
        return .object([
            ("id", .integer(number)), ("folder", .object([("id", .integer(1)), ("size", .integer(1))])),
            ("tags", .array(tags.map { .object([("name", .string("tag \($0)")), ("size", .integer($0))]) })),
        ])
    }

    func notes(in registry: Result<SchemaRegistry, any Error>) throws -> [DynamicModel] {
        let adapter = try JSONAdapter(schema: registry.get().schema(named: "Note"), registry: registry.get())
        // One object for each folder and tag.
        return try IdentityMap().import(DocumentValue.array((0..<count).map(document)).data, using: adapter).models
    }

    func store(_ registry: Result<SchemaRegistry, any Error>) throws -> Stored { try Stored(registry.get()) }

    func filled(_ registry: Result<SchemaRegistry, any Error>) throws -> Stored {
        let stored = try store(registry)
        try stored.store.save(notes(in: registry))
        return stored
    }

    var configuration: Configuration {
        Configuration("notes with tags", document: document(1)) { [linked] data in
            let adapter = try JSONAdapter(schema: linked.get().schema(named: "Note"), registry: linked.get())
            blackHole(try adapter.models(from: BenchmarkContext.array(of: data)))
        }
    }

    /// Whether both stores find the same notes, which are some.
    func areEqual() throws -> Bool {
        let found = try [linked, plain].map { try filled($0).count() }
        return found[0] == found[1] && (1..<count).contains(found[0])
    }
}

/// The same tables by hand, where foreign keys delete the notes of a folder, and what tells their tags.
private final class FolderTable {
    private let file = TemporaryFile()
    private let database: SQLiteFile

    init(count: Int) throws {
        database = try SQLiteFile(
            file.url,
            creation: [
                "PRAGMA foreign_keys = ON",
                "CREATE TABLE Folder (id INTEGER PRIMARY KEY, document TEXT NOT NULL) STRICT",
                """
                CREATE TABLE Note (id INTEGER PRIMARY KEY, folder INTEGER NOT NULL REFERENCES Folder ON DELETE CASCADE,
                    document TEXT NOT NULL) STRICT
                """,
                "CREATE INDEX [Note.folder] ON Note (folder)",
                """
                CREATE TABLE NoteTag (tag TEXT NOT NULL, note INTEGER NOT NULL REFERENCES Note ON DELETE CASCADE,
                    PRIMARY KEY (tag, note)) STRICT, WITHOUT ROWID
                """,
                "CREATE INDEX [NoteTag.note] ON NoteTag (note)", "INSERT INTO Folder VALUES (1, '{\"id\":1}')",
                """
                WITH RECURSIVE number(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM number LIMIT \(count))
                    INSERT INTO Note SELECT n, 1, '{"id":' || n || ',"folder":1,"tags":["tag 1","tag 2","tag 3"]}' FROM number
                """,
                """
                WITH RECURSIVE number(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM number LIMIT \(LinkedRows.tagsOfANote * count))
                    INSERT INTO NoteTag SELECT 'tag ' || (n % \(LinkedRows.tags)), n / \(LinkedRows.tagsOfANote) FROM number
                """,
            ])
    }

    func delete() throws { try database.query("DELETE FROM Folder").run() }

    func count() throws -> Int {
        let query = try database.query("SELECT id FROM Note")
        var count = 0
        while try query.step() { count += 1 }
        return count
    }
}
