import Foundation
import ModelTestSupport
import Pallium
import Testing

/// Archives in files.
@Suite struct FileTests {
    private let folder: URL
    private let registry: SchemaRegistry
    private let schema = ModelSchema("Note", ["text": .string])

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("pallium-files-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        registry = SchemaRegistry()
        try registry.register(schema)
    }

    private func note(_ text: String) throws -> DynamicModel {
        try DynamicModel(schema: schema, values: ["text": text], registry: registry)
    }

    private func text(in file: URL) throws -> String? {
        let notes = try ModelUnarchiver(registry: registry).unarchive(arrayOf: schema, from: file)
        #expect(notes.count == 1)
        return notes[0]["text", as: String.self]
    }

    private var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
    }

    private func remove() { try? FileManager.default.removeItem(at: folder) }

    @Test func aFileHoldsWhatWasWrittenLast() throws {
        defer { remove() }
        let file = folder.appendingPathComponent("note é.pallium")
        for text in ["one", String(repeating: "two ", count: 100_000), ""] {
            try ModelArchiver().write(note(text), to: file)
            #expect(try self.text(in: file) == text)
            #expect(try names == ["note é.pallium"])
        }
    }

    @Test(.threat(.crashWhileSaving)) func permissionsAreKept() throws {
        defer { remove() }
        let file = folder.appendingPathComponent("note")
        try ModelArchiver().write(note("one"), to: file)
        for mode in [0o600, 0o640, 0o444] {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
            try ModelArchiver().write(note("two"), to: file)
            let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
            #expect(attributes[.posixPermissions] as? Int == mode)
        }
    }

    @Test func aNewFileHasThePermissionsOfEveryNewFile() throws {
        defer { remove() }
        let (file, other) = (folder.appendingPathComponent("note"), folder.appendingPathComponent("other"))
        try ModelArchiver().write(note("one"), to: file)
        try Data("x".utf8).write(to: other)
        let permissions = try [file, other].map {
            try FileManager.default.attributesOfItem(atPath: $0.path)[.posixPermissions] as? Int
        }
        #expect(permissions[0] != nil && permissions[0] == permissions[1])
    }

    @Test(.needs("/proc/self/fd", if: FileManager.default.fileExists(atPath: "/proc/self/fd"))) func noFileStaysOpen()
        throws
    {
        defer { remove() }
        let file = folder.appendingPathComponent("note")
        try ModelArchiver().write(note("one"), to: file)
        _ = try text(in: file)
        let missing = folder.appendingPathComponent("missing/note")
        #expect(throws: ModelError.self) { try ModelArchiver().write(note("two"), to: missing) }
        #expect(throws: ModelError.self) { try text(in: folder) }
        let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
        }
        #expect(open.filter { $0.hasPrefix(folder.path) } == [])
    }

    @Test(.threat(.crashWhileSaving)) func aSymbolicLinkStaysAndItsTargetIsReplaced() throws {
        defer { remove() }
        let (file, link) = (folder.appendingPathComponent("file"), folder.appendingPathComponent("link"))
        try ModelArchiver().write(note("one"), to: file)
        try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: "file")
        try ModelArchiver().write(note("two"), to: link)
        #expect(try text(in: file) == "two")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == "file")
    }

    @Test(.threat(.crashWhileSaving)) func temporaryFilesOfDeadWritersAreRemovedAndThoseOfLivingOnesAreNot() throws {
        defer { remove() }
        let dead = folder.appendingPathComponent(".pallium-0123456789abcdef")
        let living = folder.appendingPathComponent(".pallium-fedcba9876543210")
        let other = folder.appendingPathComponent(".pallium-other")
        for file in [dead, living, other] { try Data("x".utf8).write(to: file) }
        let descriptor = open(living.path, O_RDWR)
        #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        try ModelArchiver().write(note("one"), to: folder.appendingPathComponent("note"))
        #expect(try names == [living, other].map(\.lastPathComponent) + ["note"])
        close(descriptor)
        try ModelArchiver().write(note("one"), to: folder.appendingPathComponent("note"))
        #expect(try names == [".pallium-other", "note"])
    }

    /// A program that was killed leaves folders of documents, and a copy of a store its journal.
    @Test(.threat(.crashWhileSaving)) func foldersAndJournalsOfDeadWritersAreRemoved() throws {
        defer { remove() }
        let (dead, living) = (".pallium-0123456789abcdef", ".pallium-fedcba9876543210")
        for name in [dead, living] {
            let path = folder.appendingPathComponent(name)
            try FileManager.default.createDirectory(at: path, withIntermediateDirectories: false)
            try Data("x".utf8).write(to: path.appendingPathComponent("Note.json"))
            try Data("x".utf8).write(to: folder.appendingPathComponent(name + "-journal"))
        }
        let others = [".pallium-00000000000000ag-journal", ".pallium-0123456789abcdef-wal", ".pallium-0-journal"]
        let orphan = ".pallium-00000000000000ab-journal"
        for name in others + [orphan] { try Data("x".utf8).write(to: folder.appendingPathComponent(name)) }
        let descriptor = open(folder.appendingPathComponent(living).path, O_RDONLY)
        #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        try ModelArchiver().write(note("one"), to: folder.appendingPathComponent("note"))
        #expect(try Set(names) == Set(others + [living, living + "-journal", "note"]))
        close(descriptor)
        try ModelArchiver().write(note("one"), to: folder.appendingPathComponent("note"))
        #expect(try Set(names) == Set(others + ["note"]))
    }

    @Test(.threat(.failingDisk)) func whatTheSystemRefusesIsAnErrorWithItsNumber() throws {
        defer { remove() }
        let file = folder.appendingPathComponent("note")
        try ModelArchiver().write(note("one"), to: file)
        let cases: [(URL, POSIXErrorCode)] = [
            (folder.appendingPathComponent("missing/note"), .ENOENT), (file.appendingPathComponent("note"), .ENOTDIR),
            (folder, .EISDIR), (folder.appendingPathComponent(String(repeating: "n", count: 300)), .ENAMETOOLONG),
        ]
        for (place, code) in cases {
            let error = try #require(throws: ModelError.self) { try ModelArchiver().write(note("two"), to: place) }
            #expect(error.code == .unwritableFile)
            #expect(error.category == .systemFailure)
            #expect((error.underlying as? POSIXError)?.code == code, "\(error)")
            let failure = try #require(throws: ModelError.self) { try text(in: place) }
            #expect(failure.code == .unreadableFile)
            #expect((failure.underlying as? POSIXError)?.code == code, "\(failure)")
        }
        #expect(try names == ["note"])
        #expect(try text(in: file) == "one")
    }

    @Test(.threat(.failingDisk)) func theDeviceThatIsAlwaysFullIsNoFile() throws {
        defer { remove() }
        guard FileManager.default.fileExists(atPath: "/dev/full") else { return }
        #expect(throws: ModelError.self) { try ModelArchiver().write(note("x"), to: URL(fileURLWithPath: "/dev/full")) }
    }

    @Test(.threat(.concurrentWriters)) func writersAtOnceLeaveOneOfTheirArchives() async throws {
        defer { remove() }
        let (file, folder) = (folder.appendingPathComponent("note"), folder)
        let (registry, schema) = (registry, schema)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<4 {
                group.addTask {
                    for number in 0..<25 {
                        let text = String(repeating: "\(writer) \(number) ", count: 1000)
                        let model = try DynamicModel(schema: schema, values: ["text": text], registry: registry)
                        try ModelArchiver().write(model, to: file)
                    }
                }
            }
            try await group.waitForAll()
        }
        let last = try #require(try text(in: file))
        #expect((0..<4).contains { last == String(repeating: "\($0) 24 ", count: 1000) })
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["note"])
    }

    // MARK: What is no usual file

    /// What the system says when a file is written, and when it is read.
    private func failures(_ file: URL) throws -> [Int32?] {
        let written = #expect(throws: ModelError.self) { try ModelArchiver().write(note("x"), to: file) }
        let read = #expect(throws: ModelError.self) { try text(in: file) }
        return [written, read].map { ($0?.underlying as? POSIXError)?.code.rawValue }
    }

    /// Opening a pipe for reading would wait until something writes to it.
    @Test func aPipeAndAFolderAreNoFiles() throws {
        defer { remove() }
        let pipe = folder.appendingPathComponent("pipe")
        #expect(mkfifo(pipe.path, 0o600) == 0)
        #expect(try failures(pipe) == [ENOTSUP, ENOTSUP])
        #expect(try failures(folder) == [EISDIR, EISDIR])
    }

    @Test func aNameWithoutAFolderIsOneInTheFolderAtHand() throws {
        defer { remove() }
        let before = try FileManager.default.contentsOfDirectory(atPath: ".").sorted()
        let tooLong = try #require(URL(string: String(repeating: "n", count: 300)))
        #expect(try failures(tooLong) == [ENAMETOOLONG, ENAMETOOLONG])
        #expect(try FileManager.default.contentsOfDirectory(atPath: ".").sorted() == before)
    }

    @Test(.needs("/proc/version", if: FileManager.default.isReadableFile(atPath: "/proc/version")))
    func aFileIsReadToItsEndWhateverItsSizeIsSaidToBe() throws {
        defer { remove() }
        // The system makes this one while it is read, and says that it is empty.
        let file = URL(fileURLWithPath: "/proc/version")
        let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int
        #expect(size == 0)
        #expect(try Data(durableFile: file) == FileManager.default.contents(atPath: file.path))
        #expect(try Data(durableFile: file).count > 20)
    }

    @Test(.needs("/proc/self/mem", if: FileManager.default.isReadableFile(atPath: "/proc/self/mem")))
    func whatCannotBeReadOnceItIsOpenIsAnErrorWithItsNumber() throws {
        defer { remove() }
        // There is no memory at the address 0.
        let error = try #require(throws: ModelError.self) { try text(in: URL(fileURLWithPath: "/proc/self/mem")) }
        #expect(error.code == .unreadableFile && (error.underlying as? POSIXError)?.code == .EIO)
    }

    @Test func whatOnlyLooksLikeATemporaryFileStays() throws {
        defer { remove() }
        let (link, inner) = (folder.appendingPathComponent(".pallium-0123456789abcdef"), ".pallium-fedcba987654321z")
        try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: "nowhere")
        try FileManager.default.createDirectory(
            at: folder.appendingPathComponent(inner), withIntermediateDirectories: false)
        try ModelArchiver().write(note("one"), to: folder.appendingPathComponent("note"))
        #expect(try names == [link.lastPathComponent, inner, "note"])
    }

    @Test(.needs("the rights of the super-user", if: geteuid() == 0)) func theOwnerIsKeptWhereThatIsAllowed() throws {
        defer { remove() }
        let file = folder.appendingPathComponent("note")
        try ModelArchiver().write(note("one"), to: file)
        try #require(chown(file.path, 12345, 54321) == 0 && chmod(file.path, 0o4640) == 0)
        try ModelArchiver().write(note("two"), to: file)
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        #expect(attributes[.ownerAccountID] as? Int == 12345 && attributes[.groupOwnerAccountID] as? Int == 54321)
        #expect(attributes[.posixPermissions] as? Int == 0o4640)
        #expect(try text(in: file) == "two")
    }

    @Test func oneModelOfAClassIsRead() throws {
        defer { remove() }
        try registry.register(Branch.schema)
        let (branch, file) = (Branch(registry: registry), folder.appendingPathComponent("branch"))
        branch.name = "oak"
        try ModelArchiver().write(branch, to: file)
        let unarchiver = ModelUnarchiver(registry: registry)
        let back = try unarchiver.unarchive(Branch.self, from: file)
        #expect(back.name == "oak")
        try ModelArchiver().write([branch, back], to: file)
        #expect(try unarchiver.unarchive(arrayOf: Branch.self, from: file).map(\.name) == ["oak", "oak"])
        let error = #expect(throws: ModelError.self) { try unarchiver.unarchive(Branch.self, from: file) }
        #expect(error?.code == .elementCount)
        #expect(error?.description == "expected an archive of one model but found one of 2")
    }

    @Test func aFileIsOpenedInEveryWayInWhichBytesAre() throws {
        defer { remove() }
        try registry.register(Branch.schema)
        let (file, unarchiver) = (folder.appendingPathComponent("note"), ModelUnarchiver(registry: registry))
        try ModelArchiver().write(note("one"), to: file)
        #expect(try unarchiver.unarchive(schema, from: file)["text", as: String.self] == "one")
        let report = unarchiver.report(schema, from: file)
        #expect(report.model?["text", as: String.self] == "one" && report.problems.isEmpty)
        #expect(unarchiver.report(Branch.self, from: file).problems.map(\.code) == [.unknownModel])
        remove()
        let (plain, typed) = (unarchiver.report(schema, from: file), unarchiver.report(Branch.self, from: file))
        for problems in [plain.problems, typed.problems] { #expect(problems.map(\.code) == [.unreadableFile]) }
        #expect(!plain.isArray && !typed.isArray)
    }

    @Test(arguments: ["https://example.com", "file://server", "ftp://example.com"])
    func aURLThatIsNoLocalFileIsRefused(start: String) throws {
        defer { remove() }
        let file = folder.appendingPathComponent("note")
        try ModelArchiver().write(note("one"), to: file)
        let elsewhere = try #require(URL(string: start + file.path))
        let read = #expect(throws: ModelError.self) {
            try ModelUnarchiver(registry: registry).unarchive(schema, from: elsewhere)
        }
        #expect(read?.code == .unreadableFile)
        #expect(read?.description.hasPrefix(#"expected the URL of a local file but found "\#(start)/"#) == true)
        let written = #expect(throws: ModelError.self) { try ModelArchiver().write(note("two"), to: elsewhere) }
        #expect(written?.code == .unwritableFile)
        #expect(try ModelUnarchiver(registry: registry).unarchive(schema, from: file)["text", as: String.self] == "one")
    }
}
