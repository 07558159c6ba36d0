package import Foundation
package import PalliumJSON

/// The failure of a system call.
///
/// Safety: paths and entries are lent to the system, or by it, for one call each.
package struct SystemFailure: Error, Equatable {
    /// The value of `errno`.
    package let code: Int32
    /// Whether a file was written, and only its folder could not be synchronised.
    package var isAfterReplacement = false

    package init(_ code: Int32) { self.code = code }

    /// The system's message for the code.
    package var text: String { unsafe String(cString: strerror(code)) }

    /// Makes a system call, repeats it after an interrupting signal, and throws if it returns a negative number.
    ///
    /// - Parameter harmless: An error that is ignored.
    @discardableResult
    package static func check<Number: SignedInteger>(
        ignoring harmless: Int32? = nil, _ call: () -> Number
    ) throws(SystemFailure) -> Number {
        var result: Number
        var code: Int32
        repeat {
            result = call()
            code = errno
        } while result < 0 && code == EINTR
        if result < 0 && code != harmless { throw SystemFailure(code) }
        return result
    }

    /// Returns the names in a folder.
    ///
    /// - Throws: ``SystemFailure``, also if the system returns only a part of the names. Foundation takes that for the end.
    package static func names(inFolder path: String) throws(SystemFailure) -> [String] {
        guard let stream = unsafe opendir(path) else { throw SystemFailure(errno) }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        errno = 0
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
                // The system ends the name with a zero within the array.
                unsafe name.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: name.pointee)) {
                    unsafe String(cString: $0)
                }
            }
            if ![".", ".."].contains(name) { names.append(name) }
            errno = 0
        }
        guard errno == 0 else { throw SystemFailure(errno) }
        return names
    }

    /// Writes all bytes.
    package static func write(_ bytes: BorrowedBytes, to descriptor: Int32) throws(SystemFailure) {
        var position = 0
        while position < bytes.count {
            // Darwin refuses larger writes, and Linux shortens them.
            let piece = bytes.part(position..<min(position + (1 << 30), bytes.count))
            position += try check { unsafe Foundation.write(descriptor, piece.rawBuffer.baseAddress, piece.count) }
        }
    }

    /// Reads bytes into the room behind the first ones of some data; returns their number, 0 at the end of the file.
    package static func read(
        _ descriptor: Int32, into data: inout Data, behind count: Int
    ) throws(SystemFailure) -> Int {
        try unsafe data.withUnsafeMutableBytes { room -> Result<Int, SystemFailure> in
            let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: room[count...])
            do throws(SystemFailure) {
                return .success(try check { unsafe Foundation.read(descriptor, rest.baseAddress, rest.count) })
            } catch { return .failure(error) }
        }.get()
    }

    /// Reads a file from its beginning, at most a number of bytes.
    package static func bytes(of path: String, upTo maximum: Int) throws(SystemFailure) -> [UInt8] {
        let descriptor = try open(path, O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 256 << 10)
        while bytes.count < maximum {
            let wanted = min(piece.count, maximum - bytes.count)
            let count = try check { unsafe Foundation.read(descriptor, &piece, wanted) }
            if count == 0 { break }
            bytes += piece[..<count]
        }
        return bytes
    }
}

/// The calls of the system that are given names of files.
///
/// Safety: names and structures are lent to the system for one call each.
extension SystemFailure {
    /// Opens a file.
    package static func open(
        _ path: String, _ flags: Int32, _ mode: mode_t = 0
    ) throws(SystemFailure) -> Int32 {
        try check { unsafe Foundation.open(path, flags, mode) }
    }

    /// The system's description of a file; nil if there is none, for the reason that `errno` has then.
    ///
    /// - Parameter followsLink: Whether a symbolic link stands for the file that it leads to.
    package static func status(of path: String, followsLink: Bool = true) -> stat? {
        var status = stat()
        return unsafe (followsLink ? stat(path, &status) : lstat(path, &status)) == 0 ? status : nil
    }

    /// The system's description of an open file.
    package static func status(of descriptor: Int32) throws(SystemFailure) -> stat {
        var status = stat()
        try check { unsafe fstat(descriptor, &status) }
        return status
    }

    /// Whether a file is missing, and not only impossible to look at.
    package static func isMissing(_ path: String) -> Bool { unsafe access(path, F_OK) != 0 && errno == ENOENT }

    package static func makeFolder(_ path: String) throws(SystemFailure) { try check { unsafe mkdir(path, 0o777) } }

    package static func removeFolder(_ path: String) throws(SystemFailure) { try check { unsafe rmdir(path) } }

    package static func remove(_ path: String) throws(SystemFailure) { try check { unsafe unlink(path) } }

    package static func rename(_ path: String, to target: String) throws(SystemFailure) {
        try check { unsafe Foundation.rename(path, target) }
    }

    /// Returns the path without symbolic links; nil if there is no file.
    package static func realPath(of path: String) -> String? {
        guard let real = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(real) }
        return unsafe String(cString: real)
    }
}

/// Blocks the signal for files beyond the size limit (`RLIMIT_FSIZE`) while the thread writes. It ends the process by
/// default; when it is blocked, the write fails with `EFBIG` instead.
///
/// Safety: sets of signals are lent to the system for one call each.
package enum FileSizeSignal {
    package static func held<Result>(_ body: () throws(SystemFailure) -> Result) throws(SystemFailure) -> Result {
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, SIGXFSZ)
        var before = sigset_t()
        let wasPending = isPending
        unsafe pthread_sigmask(SIG_BLOCK, &signals, &before)
        defer {
            // The signal is sent to the thread that writes, so it is pending here if it was sent.
            if !wasPending, isPending {
                var number: Int32 = 0
                unsafe sigwait(&signals, &number)
            }
            unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
        }
        return try body()
    }

    private static var isPending: Bool {
        var pending = sigset_t()
        return unsafe sigpending(&pending) == 0 && sigismember(&pending, SIGXFSZ) == 1
    }
}
