import Foundation

/// A folder that appears with all its files or not at all.
enum NewFolder {
    /// Writes files into a new folder beside the place, and then moves it there.
    ///
    /// - Throws: ``SystemError`` if a file cannot be written, or there is a folder already that is not empty.
    static func write(_ files: [(name: String, bytes: [UInt8])], to path: String) throws(SystemError) {
        var place = path[...]
        while place.utf8.last == UInt8(ascii: "/"), place.utf8.count > 1 { place.removeLast() }
        let temporary = "\(place).new-\(getpid())"
        guard mkdir(temporary, 0o777) == 0 else { throw SystemError(code: errno) }
        do throws(SystemError) {
            for file in files { try write(file.bytes, to: "\(temporary)/\(file.name)") }
            guard rename(temporary, String(place)) == 0 else { throw SystemError(code: errno) }
        } catch {
            for file in files { unlink("\(temporary)/\(file.name)") }
            rmdir(temporary)
            throw error
        }
    }

    private static func write(_ bytes: [UInt8], to path: String) throws(SystemError) {
        let number = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard number >= 0 else { throw SystemError(code: errno) }
        defer { close(number) }
        try Descriptor(number: number).write(bytes)
    }
}
