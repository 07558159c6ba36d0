import Foundation
import Pallium
import PalliumCore

/// A file that is read from its beginning to its end, or standard input.
struct InputFile: ~Copyable {
    private let descriptor: Descriptor
    /// The name in messages.
    private let name: String
    /// The size of the file in bytes; nil for pipes and devices.
    let size: Int?

    /// Opens a file.
    ///
    /// - Parameter isJSON: Whether a file that is certainly no JSON is refused with advice. Pipes are not looked into.
    /// - Throws: ``Interruption/unreadable(file:_:)`` if it cannot be opened.
    init(path: String, isJSON: Bool = false) throws(Interruption) {
        let name = Self.displayName(of: path)
        let isFile = !Self.isStandardInput(path)
        let descriptor: Descriptor
        do throws(SystemFailure) {
            descriptor = isFile ? try .open(path, O_RDONLY | O_NONBLOCK) : .standardInput
        } catch { throw .unreadable(file: name, error) }
        let number = descriptor.number
        var status = stat()
        let kind = fstat(number, &status) == 0 ? status.st_mode & S_IFMT : 0
        let isKnown = kind == S_IFREG
        if isJSON, isKnown, isFile, let advice = OtherForm.advice(about: Self.start(of: number), called: name) {
            close(number)
            throw .refused(advice)
        }
        self.name = name
        self.descriptor = descriptor
        // A pipe without a writer, which would keep the process from ending if it waited to be opened.
        if isFile, kind == S_IFIFO { while EndRequest.signal == nil, !descriptor.hasNews(within: 100) {} }
        if isFile { _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) & ~O_NONBLOCK) }
        size = isKnown ? Int(status.st_size) : nil
    }

    /// The first bytes of a file, which are read again afterwards.
    private static func start(of number: Int32) -> [UInt8] {
        var start = [UInt8](repeating: 0, count: 512)
        let count = pread(number, &start, start.count, 0)
        return Array(start.prefix(max(0, count)))
    }

    deinit {
        if descriptor.number != Descriptor.standardInput.number { close(descriptor.number) }
    }

    /// Waits for something to read; false if there is nothing in time.
    func hasNews(within milliseconds: Int32) -> Bool { descriptor.hasNews(within: milliseconds) }

    /// Reads the next bytes; none at the end.
    ///
    /// - Throws: ``Interruption/unreadable(file:_:)``, also for folders, which can be opened but not read.
    func read(upTo maximum: Int) throws(Interruption) -> [UInt8] {
        do throws(SystemFailure) { return try descriptor.read(upTo: maximum) } catch {
            throw .unreadable(file: name, error)
        }
    }

    /// Reads the next bytes, as many as requested unless the file ends.
    ///
    /// - Parameter didRead: Called with the number of bytes in each piece.
    /// - Throws: ``Interruption/unreadable(file:_:)``.
    func readAll(upTo maximum: Int, _ didRead: (Int) -> Void = { _ in }) throws(Interruption) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(min(size ?? 0, maximum))
        while bytes.count < maximum {
            let piece = try read(upTo: min(256 << 10, maximum - bytes.count))
            if piece.isEmpty { break }
            bytes += piece
            didRead(piece.count)
        }
        return bytes
    }

    /// Whether an operand means standard input.
    static func isStandardInput(_ path: String) -> Bool { path.utf8.elementsEqual("-".utf8) }

    /// Returns the name of an operand in messages.
    static func displayName(of path: String) -> String {
        isStandardInput(path) ? "<stdin>" : ModelError.shorten(path, to: 4096)
    }
}
