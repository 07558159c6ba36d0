import Foundation

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
    package static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) throws(SystemFailure) {
        var rest = unsafe bytes
        while unsafe !rest.isEmpty {
            // Darwin refuses larger writes, and Linux shortens them.
            let piece = min(rest.count, 1 << 30)
            let written = try check { unsafe Foundation.write(descriptor, rest.baseAddress, piece) }
            unsafe rest = UnsafeRawBufferPointer(rebasing: rest[written...])
        }
    }

    /// Reads a file from its beginning, at most a number of bytes.
    package static func bytes(of path: String, upTo maximum: Int) throws(SystemFailure) -> [UInt8] {
        let descriptor = try check { unsafe open(path, O_RDONLY | O_CLOEXEC) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 256 << 10)
        while bytes.count < maximum {
            let wanted = min(piece.count, maximum - bytes.count)
            let count = try check { unsafe read(descriptor, &piece, wanted) }
            if count == 0 { break }
            bytes += piece[..<count]
        }
        return bytes
    }
}
