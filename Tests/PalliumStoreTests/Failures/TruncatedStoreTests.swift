import Foundation
import Pallium
import TestSupport
import Testing

@testable import PalliumStore

/// Files that were cut, or lost the files beside them: an error or a right answer.
struct TruncatedStoreTests {
    private static let schemas = [
        ModelSchema("Note", ["id": .integer.required, "text": .string.indexed(), "count": .integer], identity: ["id"])
    ]

    private let world: StoreWorld
    private let notes: [DynamicModel]

    init() throws {
        let world = try StoreWorld(schemas: Self.schemas)
        self.world = world
        notes = try (1...60).map { try world.make("Note", ["id": $0, "text": "text \($0)", "count": $0]) }
    }

    /// Opens a copy with these bytes; counts wrong answers, and tells whether all were right.
    private func answers(_ name: String, _ bytes: Data, wal: Data? = nil) throws -> (isRight: Bool, wrong: Int) {
        let file = world.folder.url.appendingPathComponent(name)
        defer { for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file.path + end) } }
        try bytes.write(to: file)
        try wal?.write(to: URL(fileURLWithPath: file.path + "-wal"))
        var wrong = 0
        do {
            let store = try ModelStore(at: file, registry: world.registry)
            let found = try store.fetch(world.query("Note"))
            wrong += found.filter { !notes.contains($0) }.count
            for id in [1, 30, 60] {
                let one = try store.first(world.schema("Note"), identity: id)
                if let one, one != notes[id - 1] { wrong += 1 }
                if one == nil, found.contains(notes[id - 1]) { wrong += 1 }
            }
            let indexed = try store.fetch(world.query("Note", where: Key("text") == "text 30"))
            if indexed.contains(where: { $0 != notes[29] }) { wrong += 1 }
            return (wrong == 0 && found.count == notes.count, wrong)
        } catch is ModelError { return (false, wrong) }
    }

    @Test(.threat(.archiveTruncation)) func aFileThatWasCutIsAnErrorOrRight() throws {
        try world.store.save(notes)
        try world.change("PRAGMA wal_checkpoint(TRUNCATE)")
        let original = try Data(contentsOf: world.url)
        #expect(try answers("whole", original).isRight)
        #expect(original.count > 4 * 4096)
        for length in stride(from: 0, to: original.count, by: 512) {
            let (isRight, wrong) = try answers("cut-\(length)", original.prefix(length))
            #expect(wrong == 0, "\(length)")
            // An empty file is a new store.
            #expect(!isRight, "\(length)")
        }
    }

    /// The file has less than its header says, and the check tells so.
    @Test func theCheckFindsThatAFileWasCut() throws {
        try world.store.save(notes)
        try world.change("PRAGMA wal_checkpoint(TRUNCATE)")
        let original = try Data(contentsOf: world.url)
        let file = world.folder.url.appendingPathComponent("cut")
        try original.prefix(original.count - 4096).write(to: file)
        do {
            let store = try ModelStore(at: file, registry: world.registry)
            #expect(try !store.integrityCheck().isEmpty)
        } catch { #expect(error.code == .malformedStore) }
    }

    /// A log that was cut holds the commits before the cut.
    @Test func aLogThatWasCutHoldsWholeCommits() throws {
        let world = self.world
        try world.store.save(notes[0])
        try world.change("PRAGMA wal_checkpoint(TRUNCATE)")
        for start in stride(from: 1, to: 60, by: 10) {
            try world.store.save(Array(notes[start..<min(start + 10, 60)]))
        }
        let main = try Data(contentsOf: world.url)
        let log = try Data(contentsOf: URL(fileURLWithPath: world.url.path + "-wal"))
        #expect(!log.isEmpty)
        var sizes: Set<Int> = []
        for length in stride(from: 0, through: log.count, by: 512) {
            let file = world.folder.url.appendingPathComponent("log-\(length)")
            defer { for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file.path + end) } }
            try main.write(to: file)
            try log.prefix(length).write(to: URL(fileURLWithPath: file.path + "-wal"))
            let store = try ModelStore(at: file, registry: world.registry)
            let found = try store.fetch(world.query("Note"))
            #expect(found == Array(notes.prefix(found.count)), "\(length)")
            #expect(try store.integrityCheck().isEmpty, "\(length)")
            sizes.insert(found.count)
        }
        #expect(sizes.isSubset(of: [1, 11, 21, 31, 41, 51, 60]) && sizes.count > 2, "\(sizes)")
    }

    @Test func aLogThatWasDeletedWhileTheStoreWasClosedLeavesTheStateBeforeIt() throws {
        try world.store.save(Array(notes.prefix(10)))
        try world.change("PRAGMA wal_checkpoint(TRUNCATE)")
        try world.store.save(Array(notes.dropFirst(10)))
        // The file without its log, as after the end of a process and a deletion.
        let file = world.folder.url.appendingPathComponent("copy")
        try FileManager.default.copyItem(at: world.url, to: file)
        let store = try ModelStore(at: file, registry: world.registry)
        #expect(try store.fetch(world.query("Note")) == Array(notes.prefix(10)))
        #expect(try store.integrityCheck().isEmpty)
        #expect(try store.save(notes) == StoreChanges(inserted: 50))
        #expect(try store.fetch(world.query("Note")) == notes)
    }

    /// The log of another store does not become part of this one.
    @Test func theLogOfAnotherStoreIsNotTaken() throws {
        try world.store.save(notes[0])
        try world.change("PRAGMA wal_checkpoint(TRUNCATE)")
        try world.store.save(notes[1])
        let log = try Data(contentsOf: URL(fileURLWithPath: world.url.path + "-wal"))
        let other = try StoreWorld(schemas: Self.schemas)
        try other.store.save(other.make("Note", ["id": 7, "text": "other"]))
        let copy = world.folder.url.appendingPathComponent("backup")
        try other.store.backup(to: copy)
        let (_, wrong) = try answers("mixed", Data(contentsOf: copy), wal: log)
        // The note of the other store, or those of this one: never a mixture that nobody saved.
        #expect(wrong <= 1)
    }
}
