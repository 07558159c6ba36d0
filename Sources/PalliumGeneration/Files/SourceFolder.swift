import Foundation
import PalliumArchive
import PalliumCore
import PalliumJSON

/// A folder of generated source files.
///
/// ```
///   files ──compare──▶ changes ──apply──▶ .pallium-0123…/0, 1, 2, …   all new files, complete
///                                            │ rename each
///                                            ▼
///                                         Issue.swift, User.swift, …
/// ```
/// Only files whose first line is that of generated files are replaced or removed. If a new file cannot be written, the old
/// ones stay.
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
    init(_ path: String) throws(GenerationFailure) {
        self.path = path
        do throws(SystemFailure) {
            // A name that is no folder is one that exists.
            let names = try SystemFailure.names(inFolder: path)
            self.names = Set(names.filter { $0.utf8.suffix(6).elementsEqual(".swift".utf8) }.map { UTF8Key($0) })
        } catch {
            guard error.code == ENOENT else { throw .cannot("read", path, error) }
            names = []
        }
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
    /// - Returns: The changes, in the order of the files; then the files to remove, by name.
    /// - Throws: ``GenerationFailure`` if a file cannot be read, or one that was not generated has the name of a generated
    ///   one.
    func changes(to files: [SwiftGenerator.File]) throws(GenerationFailure) -> [Change] {
        var changes: [Change] = []
        var obsolete = names
        for file in files {
            let path = path(of: file.name)
            obsolete.remove(UTF8Key(file.name))
            // The system decides: it may find a file whose name differs in case.
            guard SystemFailure.status(of: path, followsLink: false) != nil else {
                changes.append(Change(path: path, text: file.text, reason: "is missing"))
                continue
            }
            let old = try Self.isFile(path) ? Self.bytes(of: path, upTo: file.text.utf8.count + 1) : []
            guard !old.elementsEqual(file.text.utf8) else { continue }
            guard Self.isGenerated(old) else {
                throw GenerationFailure(
                    message:
                        "\(ModelError.shorten(path, to: 4096)) was not generated, so it is not replaced; move it, or "
                        + "choose another folder")
            }
            changes.append(Change(path: path, text: file.text, reason: "differs"))
        }
        for name in obsolete.map(\.text).sorted(by: UTF8Text.precedes) {
            let path = path(of: name)
            let head = SwiftGenerator.header.utf8.count + 1
            if try Self.isFile(path), Self.isGenerated(try Self.bytes(of: path, upTo: head)) {
                changes.append(Change(path: path, text: nil, reason: "has no schema any more"))
            }
        }
        return changes
    }

    private static func isFile(_ path: String) throws(GenerationFailure) -> Bool {
        // A link to a file is somebody's own.
        guard let status = SystemFailure.status(of: path, followsLink: false) else {
            throw .cannot("read", path, SystemFailure(errno))
        }
        return status.st_mode & S_IFMT == S_IFREG
    }

    private static func bytes(of path: String, upTo maximum: Int) throws(GenerationFailure) -> [UInt8] {
        do throws(SystemFailure) { return try SystemFailure.bytes(of: path, upTo: maximum) } catch {
            throw .cannot("read", path, error)
        }
    }

    private static func isGenerated(_ bytes: [UInt8]) -> Bool {
        let header = SwiftGenerator.header.utf8
        return bytes.starts(with: header) && [0x0A, 0x0D].contains(bytes.dropFirst(header.count).first)
    }

    /// Writes and removes files.
    ///
    /// All new files are complete before the first old one is removed or replaced.
    ///
    /// - Throws: ``GenerationFailure``. If a new file could not be written, all old ones are as they were. If the system
    ///   refuses to remove or replace one, those before it are removed or replaced; writing again completes the folder.
    func apply(_ changes: [Change]) throws(GenerationFailure) {
        if changes.isEmpty { return DurableFile.removeStaleFiles(in: path) }
        do { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) } catch {
            throw .cannot("make", path, SystemFailure(error))
        }
        let staging: UnfinishedFolder
        do throws(ModelError) { staging = try UnfinishedFolder(in: path) } catch {
            throw .cannot("write", path, SystemFailure(error))
        }
        let written = changes.filter { $0.text != nil }
        for (index, change) in written.enumerated() {
            do throws(SystemFailure) { try Self.write(change, to: "\(staging.path)/\(index)") } catch {
                throw .cannot("write", change.path, error)
            }
        }
        // First, because an old name may differ from a new one in case only, and then both are one file on some systems.
        for change in changes where change.text == nil {
            do throws(SystemFailure) { try SystemFailure.remove(change.path) } catch {
                throw .cannot("remove", change.path, error)
            }
        }
        for (index, change) in written.enumerated() {
            do throws(SystemFailure) {
                try SystemFailure.rename("\(staging.path)/\(index)", to: change.path)
            } catch { throw .cannot("write", change.path, error) }
        }
    }

    /// Writes the content of a file, with the permissions of the one that it replaces.
    private static func write(_ change: Change, to path: String) throws(SystemFailure) {
        let descriptor = try SystemFailure.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        defer { close(descriptor) }
        if let old = SystemFailure.status(of: change.path) { fchmod(descriptor, old.st_mode & 0o7777) }
        try Array((change.text ?? "").utf8).withBorrowedBytes { bytes throws(SystemFailure) in
            try SystemFailure.write(bytes, to: descriptor)
        }
    }
}
