import Foundation
import Pallium
import TestSupport
import Testing

@testable import PalliumStore

/// A store that ends closes its file; SQLite keeps the files beside it only while it is open.
struct ClosedStoreTests {
    private let world: StoreWorld

    init() throws { world = try StoreWorld() }

    private var file: URL { world.folder.url.appendingPathComponent("closed") }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: world.folder.path).filter { $0.hasPrefix("closed") }
            .sorted()
    }

    /// Opens a store, uses it, and lets it end.
    private func useOnce() throws {
        let store = try ModelStore(at: file, registry: world.registry)
        try store.save((1...60).map { try world.make("Issue", ["number": $0, "title": "a"]) })
        #expect(try store.fetch(world.query("Issue")).count == 60)
        #expect(try names() == ["closed", "closed-shm", "closed-wal"])
    }

    @Test func aStoreThatWasClosedIsOneFile() throws {
        try useOnce()
        let left = try names()
        #expect(left == ["closed"])
    }

    @Test func aConnectionEndsWithItsLastReference() throws {
        weak var connection: SQLiteConnection?
        do {
            let opened = try SQLiteConnection(file.path, .writing, busyTimeout: .zero)
            connection = opened
            try opened.execute("CREATE TABLE t(a)")
        }
        #expect(connection == nil)
    }

    /// The models of a store that has ended are ordinary models.
    @Test func modelsOutliveTheirStore() throws {
        var found: [DynamicModel] = []
        do {
            let store = try ModelStore(at: file, registry: world.registry)
            try store.save(world.make("Issue", ["number": 1, "title": "a"]))
            found = try store.fetch(world.query("Issue"))
        }
        found[0]["title"] = "b"
        let again = try ModelStore(at: file, registry: world.registry)
        #expect(try again.save(found) == StoreChanges(updated: 1))
    }
}
