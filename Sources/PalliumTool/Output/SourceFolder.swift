import Foundation
import Pallium
import PalliumCore

/// A folder of generated source files.
///
/// ```
///   files ──compare──▶ changes ──apply──▶ .pallium-0123…/0, 1, 2, …   all new files, complete
///                                            │ rename each
///                                            ▼
///                                         Issue.swift, User.swift, …
/// ```
/// Only files whose first line is the mark are replaced or removed. If a new file cannot be written, the old ones stay.
struct SourceFolder {
    /// A difference between the folder and the files that it should hold.
    struct Change {
        /// The path of the file.
        let path: String
        /// The new content; nil for a file that is removed.
        let text: String?
        /// The difference, in a few words.
        let reason: String
    }

    private let path: String
    /// The names of the Swift files that are there.
    private let names: Set<UTF8Key>

    /// Looks at a folder, which need not exist.
    init(_ path: String) throws(Interruption) {
        self.path = path
        var status = stat()
        guard stat(path, &status) == 0 else {
            let error = SystemFailure(errno)
            guard error.code == ENOENT else { throw .unreadable(file: InputFile.displayName(of: path), error) }
            names = []
            return
        }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw .unreadable(file: InputFile.displayName(of: path), SystemFailure(ENOTDIR))
        }
        do throws(SystemFailure) {
            let names = try SystemFailure.names(inFolder: path)
            self.names = Set(names.filter { $0.utf8.suffix(6).elementsEqual(".swift".utf8) }.map { UTF8Key($0) })
        } catch { throw .unreadable(file: InputFile.displayName(of: path), error) }
    }

    private static func failure(_ action: String, _ path: String, _ error: SystemFailure) -> Interruption {
        .refused("cannot \(action) \(InputFile.displayName(of: path)): \(error.text)")
    }

    private static func failure(notGenerated path: String) -> Interruption {
        .refused(
            "\(InputFile.displayName(of: path)) was not generated, so it is not replaced; move it, or choose "
                + "another folder")
    }

    /// A folder, which need not exist, with one generated file and others that are never removed.
    init(sharedAt path: String) {
        self.path = path
        names = []
    }

    private func path(of name: String) -> String {
        path.utf8.last == UInt8(ascii: "/") ? path + name : "\(path)/\(name)"
    }

    /// Compares the folder with the files that it should hold.
    ///
    /// - Parameter mark: The first line of generated files.
    /// - Returns: The changes, in the order of the files; then the files to remove, by name.
    /// - Throws: ``Interruption`` if a file cannot be read, or one that was not generated has the name of a generated one.
    func changes(to files: [(name: String, text: String)], mark: String) throws(Interruption) -> [Change] {
        var changes: [Change] = []
        var obsolete = names
        for file in files {
            let path = path(of: file.name)
            obsolete.remove(UTF8Key(file.name))
            // The system decides: it may find a file whose name differs in case.
            var status = stat()
            guard lstat(path, &status) == 0 else {
                changes.append(Change(path: path, text: file.text, reason: "is missing"))
                continue
            }
            guard try Self.isFile(path) else { throw Self.failure(notGenerated: path) }
            let old = try InputFile(path: path).readAll(upTo: file.text.utf8.count + 1)
            guard old != Array(file.text.utf8) else { continue }
            guard Self.hasMark(old, mark) else { throw Self.failure(notGenerated: path) }
            changes.append(Change(path: path, text: file.text, reason: "differs"))
        }
        for name in obsolete.map(\.text).sorted(by: UTF8Text.precedes) {
            let path = path(of: name)
            if try Self.isFile(path), Self.hasMark(try InputFile(path: path).readAll(upTo: mark.utf8.count + 1), mark) {
                changes.append(Change(path: path, text: nil, reason: "has no schema any more"))
            }
        }
        return changes
    }

    private static func isFile(_ path: String) throws(Interruption) -> Bool {
        var status = stat()
        // A link to a file is somebody's own.
        guard lstat(path, &status) == 0 else {
            throw .unreadable(file: InputFile.displayName(of: path), SystemFailure(errno))
        }
        return status.st_mode & S_IFMT == S_IFREG
    }

    private static func hasMark(_ bytes: [UInt8], _ mark: String) -> Bool {
        bytes.starts(with: mark.utf8) && [0x0A, 0x0D].contains(bytes.dropFirst(mark.utf8.count).first)
    }

    /// Writes and removes files.
    ///
    /// All new files are complete before the first old one is removed or replaced.
    ///
    /// - Throws: ``Interruption``. If a new file could not be written, all old ones are as they were. If the system refuses to
    ///   remove or replace one, those before it are removed or replaced; writing again completes the folder.
    func apply(_ changes: [Change]) throws(Interruption) {
        if changes.isEmpty { return DurableFile.removeStaleFiles(in: path) }
        do { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) } catch {
            throw Self.failure("make", path, SystemFailure(error))
        }
        let staging: UnfinishedFolder
        do throws(ModelError) { staging = try UnfinishedFolder(in: path) } catch {
            throw .unwritable(file: InputFile.displayName(of: path), SystemFailure(error))
        }
        let written = changes.filter { $0.text != nil }
        for (index, change) in written.enumerated() {
            do throws(SystemFailure) { try Self.write(change, to: "\(staging.path)/\(index)") } catch {
                throw .unwritable(file: InputFile.displayName(of: change.path), error)
            }
        }
        // First, because an old name may differ from a new one in case only, and then both are one file on some systems.
        for change in changes where change.text == nil && unlink(change.path) != 0 {
            throw Self.failure("remove", change.path, SystemFailure(errno))
        }
        for (index, change) in written.enumerated() where rename("\(staging.path)/\(index)", change.path) != 0 {
            throw Self.unwritable(change.path)
        }
    }

    private static func unwritable(_ path: String) -> Interruption {
        .unwritable(file: InputFile.displayName(of: path), SystemFailure(errno))
    }

    /// Writes the content of a file, with the permissions of the one that it replaces.
    private static func write(_ change: Change, to path: String) throws(SystemFailure) {
        let descriptor = try Descriptor.open(path, O_WRONLY | O_CREAT | O_EXCL)
        defer { close(descriptor.number) }
        var old = stat()
        if stat(change.path, &old) == 0 { fchmod(descriptor.number, old.st_mode & 0o7777) }
        try descriptor.write(Array((change.text ?? "").utf8))
    }
}
