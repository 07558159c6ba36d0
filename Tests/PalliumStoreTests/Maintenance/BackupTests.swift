import Foundation
import Pallium
import Synchronization
import TestSupport
import Testing

@testable import PalliumStore

/// A backup is one state of the store in one file, and takes the place of another one as a whole.
struct BackupTests {
    private let world: StoreWorld

    init() throws {
        world = try StoreWorld()
        let user = try world.makeAda()
        try world.store.save(
            (1...20).map { try world.make("Issue", ["number": $0, "title": "t\($0)", "assignee": user]) }
                + [world.make("Bug", ["number": 50, "severity": 3])])
    }

    private func copy(_ name: String = "copy") -> URL { world.folder.url.appendingPathComponent(name) }

    private func names() throws -> Set<String> {
        Set(try FileManager.default.contentsOfDirectory(atPath: world.folder.path))
    }

    /// The models of another store, by the schemas of this world.
    private func issues(at url: URL) throws -> [DynamicModel] {
        let store = try ModelStore(at: url, registry: world.registry)
        #expect(try store.integrityCheck().isEmpty)
        return try store.fetch(world.query("Issue", including: .all))
    }

    @Test func aCopyHasTheSameContentInOneFile() throws {
        let before = try names()
        try world.store.backup(to: copy())
        #expect(try names().subtracting(before) == ["copy"])
        for table in ["Issue", "User"] {
            let sql = "SELECT * FROM \"\(table)\" ORDER BY rowid"
            let both = try (world.rows(sql), world.rows(sql, copy()))
            #expect(both.0 == both.1 && !both.0.isEmpty)
        }
        #expect(try issues(at: copy()) == world.store.fetch(world.query("Issue", including: .all)))
    }

    @Test(arguments: [(0o600, nil, 0o600), (0o640, 0o666, 0o640), (0o644, 0o600, 0o600), (0o400, 0o777, 0o400)])
    func aCopyHasNoRightThatTheStoreLacks(store: Int, copy old: Int?, result: Int) throws {
        let manager = FileManager.default
        if let old {
            try Data("old".utf8).write(to: copy())
            try manager.setAttributes([.posixPermissions: old], ofItemAtPath: copy().path)
        }
        try manager.setAttributes([.posixPermissions: store], ofItemAtPath: world.url.path)
        try world.store.backup(to: copy())
        #expect(try manager.attributesOfItem(atPath: copy().path)[.posixPermissions] as? Int == result)
        #expect(try issues(at: copy()).count == 21)
    }

    /// Its rollback journal is still to be applied, which a connection that only reads may not do.
    @Test(.threat(.crashWhileSaving), arguments: [0, 21])
    func aStoreWhoseWriterDiedIsRead(count: Int) throws {
        if count > 0 { try world.store.backup(to: copy()) }
        let writer = try SQLiteConnection(copy().path, .writing, busyTimeout: .zero)
        for sql in ["PRAGMA cache_size = 1", "BEGIN", "CREATE TABLE Other (x)"] { try writer.execute(sql) }
        for _ in 0..<100 { try writer.execute("INSERT INTO Other VALUES (randomblob(5000))") }
        for suffix in ["", "-journal"] {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: copy().path + suffix))
            #expect(bytes.count > 1000)
            try bytes.write(to: copy("dead" + suffix))
        }
        try writer.execute("ROLLBACK")
        var options = ModelStoreOptions()
        options.isReadOnly = true
        let store = try ModelStore(at: copy("dead"), registry: world.registry, options: options)
        #expect(try store.count(world.query("Issue")) == count)
        #expect(try !names().contains("dead-journal"))
    }

    @Test func aCopyIsAStoreOfItsOwn() throws {
        try world.store.backup(to: copy())
        let store = try ModelStore(at: copy(), registry: world.registry)
        try store.delete(world.query("Issue"))
        try store.save(world.make("Issue", ["number": 99]))
        #expect(try world.store.count(world.query("Issue")) == 21)
        #expect(try store.count(world.query("Issue")) == 1)
    }

    @Test func aCopyReplacesAnotherFileAsAWhole() throws {
        let text = Data(String(repeating: "something else, and longer than a store ", count: 20_000).utf8)
        try text.write(to: copy())
        try world.store.backup(to: copy())
        #expect(try issues(at: copy()).count == 21)
        #expect(try Data(contentsOf: copy()).count < text.count)
        try world.store.save(world.make("Issue", ["number": 60]))
        try world.store.backup(to: copy())
        #expect(try issues(at: copy()).count == 22)
        #expect(try !names().contains { $0.hasPrefix(".pallium-") })
    }

    @Test func aFileThatCannotBeWrittenStaysAsItWas() throws {
        let folder = copy("folder")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data("inside".utf8).write(to: folder.appendingPathComponent("file"))
        let before = try names()
        for file in [folder, copy("no/folder"), copy("a.store/inside")] {
            let error = #expect(throws: ModelError.self) { try world.store.backup(to: file) }
            #expect(error?.code == .unwritableFile, "\(file.lastPathComponent): \(error?.description ?? "")")
        }
        #expect(try names() == before)
        #expect(try Data(contentsOf: folder.appendingPathComponent("file")) == Data("inside".utf8))
    }

    @Test(.needs("a user who is not root", if: getuid() != 0)) func aFolderThatIsOnlyReadIsRefused() throws {
        let folder = copy("locked")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data("old".utf8).write(to: folder.appendingPathComponent("copy"))
        try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: folder.path)
        defer { try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path) }
        let error = #expect(throws: ModelError.self) {
            try world.store.backup(to: folder.appendingPathComponent("copy"))
        }
        #expect(error?.code == .unwritableFile)
        #expect(try Data(contentsOf: folder.appendingPathComponent("copy")) == Data("old".utf8))
    }

    @Test func aDamagedStoreDoesNotReplaceAGoodCopy() throws {
        try world.store.backup(to: copy())
        let good = try Data(contentsOf: copy())
        try world.change("PRAGMA wal_checkpoint(TRUNCATE)")
        let broken = copy("broken")
        var bytes = try Data(contentsOf: world.url)
        // Every page but the first is noise.
        for index in 4096..<bytes.count { bytes[index] = 0xA5 }
        try bytes.write(to: broken)
        let store = try? ModelStore(at: broken, registry: world.registry)
        if let store {
            let error = #expect(throws: ModelError.self) { try store.backup(to: copy()) }
            #expect(error?.code == .malformedStore)
        }
        #expect(try Data(contentsOf: copy()) == good)
    }

    @Test func aStoreInMemoryCanBeWrittenToAFile() throws {
        let memory = try StoreWorld(file: nil)
        try memory.store.save(memory.make("Issue", ["number": 1, "title": "kept"]))
        let file = memory.folder.url.appendingPathComponent("copy")
        try memory.store.backup(to: file)
        let store = try ModelStore(at: file, registry: memory.registry)
        #expect(try store.fetch(memory.query("Issue")) == memory.fetch("Issue"))
        #expect(try store.save(memory.make("Issue", ["number": 2])) == StoreChanges(inserted: 1))
        #expect(try memory.store.count(memory.query("Issue")) == 1)
    }

    @Test func aStoreThatIsReadOnlyCanBeCopied() throws {
        var options = ModelStoreOptions()
        options.isReadOnly = true
        try world.reopened(options: options).store.backup(to: copy())
        #expect(try issues(at: copy()).count == 21)
    }

    /// Two numbers are always equal in the store, so they are in each copy.
    @Test func aCopyIsOneStateWhileOthersWrite() async throws {
        let isDone = Mutex(false)
        let (store, registry) = (world.store, world.registry)
        let schema = try world.schema("Vote")
        let writer = Task.detached {
            var turn = 0
            while !isDone.withLock({ $0 }) {
                turn += 1
                let votes = ["left", "right"].map { name in
                    let vote = DynamicModel(schema: schema, registry: registry)
                    (vote["issue"], vote["user"], vote["value"]) = (1, name, turn)
                    return vote
                }
                try store.save(votes)
                await Task.yield()
            }
            return turn
        }
        while try world.store.count(world.query("Vote")) == 0, !Task.isCancelled { await Task.yield() }
        var seen: Set<Int> = []
        for _ in 0..<12 {
            try world.store.backup(to: copy())
            let reader = try ModelStore(at: copy(), registry: registry)
            let values = try reader.fetch(world.query("Vote")).compactMap { $0["value", as: Int.self] }
            #expect(values.count == 2 && values[0] == values[1], "\(values)")
            seen.formUnion(values)
            #expect(try reader.integrityCheck().isEmpty)
        }
        isDone.withLock { $0 = true }
        #expect(try await writer.value >= seen.count)
    }

    /// The journal of another program that died would be played into the copy.
    @Test(arguments: ["-wal", "-journal"]) func aFileWithALogIsNotReplaced(suffix: String) throws {
        try Data("old".utf8).write(to: copy())
        try Data("log".utf8).write(to: copy("copy" + suffix))
        let error = #expect(throws: ModelError.self) { try world.store.backup(to: copy()) }
        #expect(error?.code == .unwritableFile)
        #expect(try Data(contentsOf: copy()) == Data("old".utf8))
        try FileManager.default.removeItem(at: copy("copy" + suffix))
        try world.store.backup(to: copy())
        #expect(try issues(at: copy()).count == 21)
    }

    @Test func aStoreInMemoryIsNotCopiedInsideOfATransaction() throws {
        let memory = try StoreWorld(file: nil)
        try memory.store.save(memory.make("Issue", ["number": 1]))
        let error = #expect(throws: ModelError.self) {
            try memory.store.transaction { _ in try memory.store.backup(to: copy()) }
        }
        #expect(error?.code == .conflict)
        #expect(try !names().contains("copy"))
        try memory.store.backup(to: copy())
        #expect(try issues(at: copy()).count == 1)
    }
}
