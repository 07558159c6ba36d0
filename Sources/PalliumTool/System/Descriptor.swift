import Foundation
import Pallium
import PalliumCore

/// A file descriptor whose reads and writes are complete, in spite of interruptions.
///
/// Used by one thread; the descriptor must stay open as long as it is used. The pointers below are lent to the system
/// for one call each, with the count of the bytes they point at.
package struct Descriptor {
    let number: Int32

    static let standardInput = Descriptor(number: 0)
    static let standardOutput = Descriptor(number: 1)
    package static let standardError = Descriptor(number: 2)

    /// Opens the standard descriptors that are closed, so that no file gets the number of one. Reading from them and writing
    /// results to them still fail; messages go nowhere.
    static func openStandardDescriptors() {
        let closed: [(Int32, Int32)] = [(0, O_WRONLY), (1, O_RDONLY), (2, O_WRONLY)]
        for (number, flags) in closed where fcntl(number, F_GETFD) == -1 {
            // The system gives the lowest number that is free.
            _ = Foundation.open("/dev/null", flags)
        }
    }

    /// Opens a file.
    static func open(_ path: String, _ flags: Int32) throws(SystemFailure) -> Descriptor {
        Descriptor(number: try SystemFailure.check { Foundation.open(path, flags | O_CLOEXEC, 0o666) })
    }

    /// Whether the descriptor is a terminal.
    var isTerminal: Bool { isatty(number) == 1 }

    /// Reads the next bytes, as soon as there are some; none at the end.
    ///
    /// - Throws: ``SystemFailure`` if reading fails.
    func read(upTo maximum: Int) throws(SystemFailure) -> [UInt8] {
        var failure: SystemFailure?
        let bytes = [UInt8](unsafeUninitializedCapacity: maximum) { room, count in
            while true {
                let result = Foundation.read(number, room.baseAddress, maximum)
                if result >= 0 {
                    count = result
                    return
                }
                let code = errno
                if !isWorthRepeating(code, POLLIN) {
                    failure = SystemFailure(code)
                    return
                }
            }
        }
        if let failure { throw failure }
        return bytes
    }

    /// Waits until there is something to read, also an end or an error; false if there is nothing in time.
    func hasNews(within milliseconds: Int32) -> Bool {
        var request = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
        return poll(&request, 1, milliseconds) > 0
    }

    /// Writes all bytes.
    ///
    /// - Throws: ``SystemFailure`` if writing fails; some bytes may have been written then.
    func write(_ bytes: some ContiguousBytes) throws(SystemFailure) {
        let code = bytes.withUnsafeBytes { bytes -> Int32 in
            var rest = bytes
            while !rest.isEmpty {
                let result = Foundation.write(number, rest.baseAddress, rest.count)
                if result >= 0 {
                    rest = UnsafeRawBufferPointer(rebasing: rest[result...])
                } else {
                    let code = errno
                    if !isWorthRepeating(code, POLLOUT) { return code }
                }
            }
            return 0
        }
        if code != 0 { throw SystemFailure(code) }
    }

    /// Whether a call that failed can be repeated. A descriptor shared with another process may be in non-blocking
    /// mode; then this waits until it is ready.
    private func isWorthRepeating(_ code: Int32, _ event: Int32) -> Bool {
        if code == EINTR { return true }
        guard code == EAGAIN || code == EWOULDBLOCK else { return false }
        var request = pollfd(fd: number, events: Int16(event), revents: 0)
        return poll(&request, 1, -1) >= 0 || errno == EINTR
    }
}
