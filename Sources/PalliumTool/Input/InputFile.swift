import Foundation

/// A file that is read from its beginning to its end, or standard input.
struct InputFile: ~Copyable {
    private let descriptor: Descriptor
    /// The size of the file in bytes; nil for pipes and devices.
    let size: Int?

    /// Opens a file.
    ///
    /// - Throws: ``SystemError`` if it cannot be opened.
    init(path: String) throws(SystemError) {
        if Self.isStandardInput(path) {
            descriptor = .standardInput
        } else {
            let number = open(path, O_RDONLY | O_CLOEXEC)
            guard number >= 0 else { throw SystemError(code: errno) }
            descriptor = Descriptor(number: number)
        }
        var status = stat()
        let isKnown = fstat(descriptor.number, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        size = isKnown ? Int(status.st_size) : nil
    }

    deinit {
        if descriptor.number != Descriptor.standardInput.number { close(descriptor.number) }
    }

    /// Waits for something to read; false if there is nothing in time.
    func hasNews(within milliseconds: Int32) -> Bool { descriptor.hasNews(within: milliseconds) }

    /// Reads the next bytes; none at the end.
    ///
    /// - Throws: ``SystemError`` if reading fails, also for folders, which can be opened but not read.
    func read(upTo maximum: Int) throws(SystemError) -> [UInt8] { try descriptor.read(upTo: maximum) }

    /// Reads all bytes up to the end.
    ///
    /// - Parameter didRead: Called with the number of bytes in each piece.
    /// - Throws: ``SystemError`` when reading fails.
    func readToEnd(_ didRead: (Int) -> Void = { _ in }) throws(SystemError) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size ?? 0)
        while true {
            let piece = try read(upTo: 256 << 10)
            if piece.isEmpty { return bytes }
            bytes += piece
            didRead(piece.count)
        }
    }

    /// Whether an operand means standard input.
    static func isStandardInput(_ path: String) -> Bool { path.utf8.elementsEqual("-".utf8) }

    /// Returns the name of an operand in messages.
    static func displayName(of path: String) -> String {
        isStandardInput(path) ? "<stdin>" : PrintableText.escape(path, limit: 4096)
    }
}
