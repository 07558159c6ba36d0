import Foundation
import Pallium
import TestSupport
import Testing

@testable import PalliumStore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Stores whose file is not theirs any more: it was deleted or replaced, or the process has forked.
struct LostFileTests {
    private let world: StoreWorld

    init() throws {
        world = try StoreWorld()
        try world.store.save((1...3).map { try world.make("Issue", ["number": $0, "title": "old"]) })
    }

    /// Calls that write, and the loop over changes. Others may still read the file that was opened.
    private var calls: [(String, () throws -> Void)] {
        [
            ("save", { try world.store.save(world.make("Issue", ["number": 9])) }),
            ("delete", { try world.store.delete(world.query("Issue")) }),
            ("import", { try world.store.import(#"{"number": 9}"#, using: world.adapter("Issue")) }),
            ("transaction", { try world.store.transaction { _ in } }),
            ("changes", { _ = try world.store.changes(of: world.query("Issue")) }),
            (
                "session",
                {
                    let session = ModelSession(world.store)
                    try session.insert(world.make("Issue", ["number": 9]))
                    try session.save()
                }
            ),
        ]
    }

    private func expectAllToThrow() {
        for (name, call) in calls {
            let error = #expect(throws: ModelError.self, "\(name)", performing: call)
            #expect(error?.code == .unreadableFile, "\(name): \(error?.description ?? "")")
        }
    }

    private func move(_ end: String, to other: String) throws {
        let path = world.url.path + end
        guard FileManager.default.fileExists(atPath: path) else { return }
        try FileManager.default.moveItem(atPath: path, toPath: world.folder.url.path + "/" + other + end)
    }

    @Test func theCallsOfAStoreWhoseFileWasReplacedThrow() throws {
        let other = world.folder.url.appendingPathComponent("other")
        let new = try ModelStore(at: other, registry: world.registry)
        try new.save(world.make("Issue", ["number": 7, "title": "new"]))
        try new.backup(to: world.folder.url.appendingPathComponent("new"))
        for end in ["", "-wal", "-shm"] { try move(end, to: "away") }
        try FileManager.default.moveItem(
            at: world.folder.url.appendingPathComponent("new"), to: world.url)
        let before = try Data(contentsOf: world.url)
        expectAllToThrow()
        #expect(try Data(contentsOf: world.url) == before)
        // The new file is whole.
        let opened = try ModelStore(at: world.url, registry: world.registry)
        #expect(try opened.fetch(world.query("Issue")).map { $0["title", as: String.self] } == ["new"])
    }

    @Test func theCallsOfAStoreWhoseFileWasDeletedThrow() throws {
        for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: world.url.path + end) }
        expectAllToThrow()
        #expect(!FileManager.default.fileExists(atPath: world.url.path))
    }

    @Test func aStoreAtAFileThatWasMovedBackWorks() throws {
        try move("", to: "away")
        let issue = try world.make("Issue", ["number": 9])
        let error = #expect(throws: ModelError.self) { try world.store.save(issue) }
        #expect(error?.code == .unreadableFile)
        try FileManager.default.moveItem(
            at: world.folder.url.appendingPathComponent("away"), to: world.url)
        #expect(try world.store.save(issue) == StoreChanges(inserted: 1))
        #expect(try world.fetch("Issue").count == 4)
    }

    /// The child of a fork must not use the connections of its parent.
    @Test(arguments: ["read", "write"]) func theCallsOfAForkedProcessThrow(call: String) async throws {
        // Beside other tests, another thread could hold a lock of the process when it forks, and the child would wait for it.
        await #expect(processExitsWith: .success) { [call] in try Self.forkAndCheck(call) }
    }

    private static func forkAndCheck(_ call: String) throws {
        let world = try StoreWorld()
        try world.store.save((1...3).map { try world.make("Issue", ["number": $0, "title": "old"]) })
        // Swift does not import `fork`, since most of a process is not there in the child.
        typealias Fork = @convention(c) () -> pid_t
        let symbol = try #require(unsafe dlsym(nil, "fork"))
        let fork = unsafe unsafeBitCast(symbol, to: Fork.self)
        let issue = try world.make("Issue", ["number": 9])
        let query = try world.query("Issue")
        let (store, isReading) = (world.store, call == "read")
        func run() throws(ModelError) -> Int32 {
            guard isReading else { return Int32(try store.save(issue).inserted) }
            return try store.count(query) > 0 ? 1 : 0
        }
        func status() -> Int32 {
            do { return try run() } catch { return error.code == .unreadableFile ? 42 : 2 }
        }
        // Before the fork: nothing that the child needs is made in it for the first time.
        #expect(status() == 1)
        try world.store.delete(world.query("Issue", where: Key("number") == 9))
        let child = fork()
        if child == 0 { _exit(status()) }
        try #require(child > 0)
        var result: Int32 = 0
        let deadline = ContinuousClock.now + Patience.duration
        while unsafe waitpid(child, &result, WNOHANG) == 0 {
            usleep(1000)
            guard ContinuousClock.now < deadline else {
                kill(child, SIGKILL)
                _ = unsafe waitpid(child, &result, 0)
                Issue.record("the child did not end")
                return
            }
        }
        #expect(result == 42 << 8, "exit status \(result >> 8), signal \(result & 0x7F)")
        // The parent goes on.
        #expect(try world.store.save(issue) == StoreChanges(inserted: 1))
        #expect(try world.store.integrityCheck().isEmpty)
    }
}
