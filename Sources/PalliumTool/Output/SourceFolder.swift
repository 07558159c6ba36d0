import Foundation
import Pallium

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

    /// The reason why the folder cannot be used.
    struct Failure: Error {
        let text: String

        fileprivate init(_ action: String, _ path: String, _ error: SystemError) {
            text = "cannot \(action) \(PrintableText.escape(path, limit: 4096)): \(error.text)"
        }

        fileprivate init(notGenerated path: String) {
            text =
                "\(PrintableText.escape(path, limit: 4096)) was not generated, so it is not replaced; move it, or choose "
                + "another folder"
        }
    }

    private let path: String
    /// The names of the Swift files that are there.
    private let names: Set<UTF8Key>

    /// Looks at a folder, which need not exist.
    init(_ path: String) throws(Failure) {
        self.path = path
        var status = stat()
        guard stat(path, &status) == 0 else {
            let error = SystemError(code: errno)
            guard error.code == ENOENT else { throw Failure("read", path, error) }
            names = []
            return
        }
        guard status.st_mode & S_IFMT == S_IFDIR, let stream = opendir(path) else {
            throw Failure("read", path, SystemError(code: status.st_mode & S_IFMT == S_IFDIR ? errno : ENOTDIR))
        }
        defer { closedir(stream) }
        var names: Set<UTF8Key> = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
                // The system ends the name with a zero within the array.
                name.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: name.pointee)) {
                    String(cString: $0)
                }
            }
            if name.utf8.suffix(6).elementsEqual(".swift".utf8) { names.insert(UTF8Key(name)) }
        }
        self.names = names
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
    /// - Throws: ``Failure`` if a file cannot be read, or one that was not generated has the name of a generated one.
    func changes(to files: [(name: String, text: String)], mark: String) throws(Failure) -> [Change] {
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
            guard Self.isFile(path) else { throw Failure(notGenerated: path) }
            let old = try read(path)
            guard old != Array(file.text.utf8) else { continue }
            guard Self.hasMark(old, mark) else { throw Failure(notGenerated: path) }
            changes.append(Change(path: path, text: file.text, reason: "differs"))
        }
        for name in obsolete.map(\.text).sorted(by: UTF8Text.precedes) {
            let path = path(of: name)
            if Self.isFile(path), Self.hasMark(try read(path), mark) {
                changes.append(Change(path: path, text: nil, reason: "has no schema any more"))
            }
        }
        return changes
    }

    private static func isFile(_ path: String) -> Bool {
        var status = stat()
        // A link to a file is somebody's own.
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    private static func hasMark(_ bytes: [UInt8], _ mark: String) -> Bool {
        bytes.starts(with: mark.utf8) && [0x0A, 0x0D].contains(bytes.dropFirst(mark.utf8.count).first)
    }

    private func read(_ path: String) throws(Failure) -> [UInt8] {
        do throws(SystemError) { return try InputFile(path: path).readToEnd() } catch {
            throw Failure("read", path, error)
        }
    }

    /// Writes and removes files.
    ///
    /// All new files are complete before the first old one is removed or replaced.
    ///
    /// - Throws: ``Failure``. If a new file could not be written, all old ones are as they were. If the system refuses to
    ///   remove or replace one, those before it are removed or replaced; writing again completes the folder.
    func apply(_ changes: [Change]) throws(Failure) {
        if changes.isEmpty { return }
        do throws(SystemError) { try Self.makeFolders(path) } catch { throw Failure("make", path, error) }
        let staging = path(of: ".pallium-\(String(UInt64.random(in: .min ... .max), radix: 16))")
        guard mkdir(staging, 0o777) == 0 else { throw Failure("write", path, SystemError(code: errno)) }
        let written = changes.filter { $0.text != nil }
        defer {
            for index in written.indices { unlink("\(staging)/\(index)") }
            rmdir(staging)
        }
        for (index, change) in written.enumerated() {
            do throws(SystemError) { try Self.write(change.text ?? "", to: "\(staging)/\(index)") } catch {
                throw Failure("write", change.path, error)
            }
        }
        // First, because an old name may differ from a new one in case only, and then both are one file on some systems.
        for change in changes where change.text == nil && unlink(change.path) != 0 {
            throw Failure("remove", change.path, SystemError(code: errno))
        }
        for (index, change) in written.enumerated() where rename("\(staging)/\(index)", change.path) != 0 {
            throw Failure("write", change.path, SystemError(code: errno))
        }
    }

    /// Makes a folder and those above it, unless they exist.
    private static func makeFolders(_ path: String) throws(SystemError) {
        var end = path.utf8.startIndex
        repeat {
            end = path.utf8[end...].dropFirst().firstIndex(of: UInt8(ascii: "/")) ?? path.utf8.endIndex
            guard mkdir(String(path[..<end]), 0o777) != 0 else { continue }
            let error = SystemError(code: errno)
            // The next one fails if a file has the name.
            if error.code != EEXIST, error.code != EISDIR { throw error }
        } while end < path.utf8.endIndex
    }

    private static func write(_ text: String, to path: String) throws(SystemError) {
        let number = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard number >= 0 else { throw SystemError(code: errno) }
        defer { close(number) }
        try Descriptor(number: number).write(Array(text.utf8))
    }
}
