import Foundation
import Pallium
import PalliumStore

/// An upgrade that is killed, of rows or of a whole table: every row is of its old or its new version, reads the same, and the
/// next upgrade goes on.
struct StoreUpgradeKill {
    /// How a program upgrades a store.
    enum Way: String, CaseIterable {
        /// Rows, 256 at a time.
        case rows
        /// All at once, because the table gets another column.
        case table
        /// All at once, because the table gets a column of text without case.
        case folded

        var schema: ModelSchema {
            let title: PropertySchema =
                switch self {
                case .rows: .string
                case .table: .string.indexed()
                case .folded: .string.indexed(.caseInsensitive)
                }
            var schema = ModelSchema("Note", ["id": .integer.required, "title": title], identity: ["id"], version: 2)
            schema.upgrades = [SchemaUpgrade(from: 1, renamed: ["text": "title"])]
            return schema
        }
    }

    private static let rowCount = 3_000
    private static let old = ModelSchema("Note", ["id": .integer.required, "text": .string], identity: ["id"])

    private let folder: StoreFolder

    /// Makes the store of the old version.
    init(_ folder: StoreFolder) throws {
        self.folder = folder
        let (store, registry) = try Self.open(folder.file("old"), Self.old)
        try store.save(
            (0..<Self.rowCount).map {
                try DynamicModel(schema: Self.old, values: ["id": $0, "text": "note \($0)"], registry: registry)
            })
    }

    private static func open(
        _ file: URL, _ schema: ModelSchema
    ) throws -> (store: ModelStore, registry: SchemaRegistry) {
        let registry = SchemaRegistry()
        try registry.register(schema)
        return (try ModelStore(at: file, registry: registry), registry)
    }

    /// What the program does that is killed.
    static func upgrade(_ file: URL, _ way: Way) throws {
        let store = try open(file, way.schema).store
        print("open")
        try store.upgrade { progress in print(progress.completed) }
    }

    func killAndCheck(_ number: Int, _ tally: inout Tally) throws {
        folder.remove("copy")
        try FileManager.default.copyItem(at: folder.file("old"), to: folder.file("copy"))
        let way = Way.allCases[number / 10 % Way.allCases.count]
        let program = try KilledProgram(folder.file("copy"), way.rawValue)
        usleep(UInt32.random(in: 5_000...60_000))
        _ = program.end()
        do {
            let store = try Self.open(folder.file("copy"), way.schema).store
            let rows = try store.fetch(ModelQuery(schema: way.schema, order: [.ascending("id")]))
            let isRight = rows.enumerated().allSatisfy { $1["title", as: String.self] == "note \($0)" }
            tally.check(isRight && rows.count == Self.rowCount, "kill \(number): an upgrade lost a row")
            try store.upgrade()
            tally.check(try store.upgrade().isEmpty, "kill \(number): an upgrade has not ended")
            let found = try store.count(
                ModelQuery(schema: way.schema, where: Key("title").caseInsensitive == "NOTE 7"))
            tally.check(found == 1, "kill \(number): \(found) notes are found by their title")
            let problems = try store.integrityCheck()
            tally.check(problems.isEmpty, "kill \(number): \(problems)")
        } catch { tally.fail("kill \(number): \(error)") }
    }
}
