import Foundation

/// A file descriptor: whole reads and writes, whatever interrupts them.
///
/// Used by one thread; the descriptor must stay open as long as it is used.
struct Descriptor {
    let number: Int32

    static let standardInput = Descriptor(number: 0)
    static let standardOutput = Descriptor(number: 1)
    static let standardError = Descriptor(number: 2)

    /// Whether a person sees what is written.
    var isTerminal: Bool { isatty(number) == 1 }

    /// The next bytes, as soon as there are some; none at the end.
    ///
    /// - Throws: ``SystemError`` when reading fails.
    func read(upTo maximum: Int) throws(SystemError) -> [UInt8] {
        var code: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: maximum) { room, count in
            while true {
                let result = Foundation.read(number, room.baseAddress, maximum)
                if result >= 0 {
                    count = result
                    return
                }
                code = errno
                guard waits(code, for: Int16(POLLIN)) else { return }
            }
        }
        if code != 0, bytes.isEmpty, !isRetried(code) { throw SystemError(code: code) }
        return bytes
    }

    /// Writes all bytes.
    ///
    /// - Throws: ``SystemError`` when writing fails; some bytes may have been written then.
    func write(_ bytes: [UInt8]) throws(SystemError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let result = rest.withUnsafeBytes { Foundation.write(number, $0.baseAddress, $0.count) }
            if result >= 0 {
                rest = rest.dropFirst(result)
            } else {
                let code = errno
                guard waits(code, for: Int16(POLLOUT)) else { throw SystemError(code: code) }
            }
        }
    }

    /// Whether a call that failed can be repeated. A descriptor shared with another process may be in non-blocking mode;
    /// then this waits until it is ready.
    private func waits(_ code: Int32, for event: Int16) -> Bool {
        if code == EAGAIN || code == EWOULDBLOCK {
            var request = pollfd(fd: number, events: event, revents: 0)
            _ = poll(&request, 1, -1)
        }
        return isRetried(code)
    }

    private func isRetried(_ code: Int32) -> Bool { code == EINTR || code == EAGAIN || code == EWOULDBLOCK }
}

/// Why the system refused something.
struct SystemError: Error, Equatable {
    /// The value of `errno`.
    let code: Int32

    /// The system's sentence for it.
    var text: String { String(cString: strerror(code)) }
}

extension SystemError {
    /// Whether the other end of a pipe was closed.
    var isBrokenPipe: Bool { code == EPIPE }
}
