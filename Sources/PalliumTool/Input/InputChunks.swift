import Foundation
import PalliumCore
import Synchronization

/// The bytes of a file as they arrive, for threads that ask for them one after the other.
///
/// It ends with the file, with an error, or when the run stops, also while nothing arrives.
final class InputChunks: Sequence, IteratorProtocol {
    /// What the threads and the caller know of the input.
    final class State: Sendable {
        private let error = Lock<Interruption?>(nil)
        private let byteCount = Atomic(0)
        private let isStopped = Atomic(false)

        /// The number of bytes read so far.
        var bytesRead: Int { byteCount.load(ordering: .relaxed) }

        /// The error that ended the input.
        var failure: Interruption? { error.withLock { $0 } }

        /// Ends the input.
        func stop() { isStopped.store(true, ordering: .relaxed) }

        fileprivate var mayGoOn: Bool { !hasStopped && EndRequest.signal == nil }

        fileprivate var hasStopped: Bool { isStopped.load(ordering: .relaxed) }

        fileprivate func didRead(_ count: Int) { byteCount.wrappingAdd(count, ordering: .relaxed) }

        fileprivate func end(_ error: Interruption) { self.error.withLock { $0 = error } }
    }

    private let file: InputFile
    private let state: State
    /// Whether what was read is passed on line by line.
    private let isLineBuffered: Bool
    /// The lines that were read and not passed on.
    private var rest: ArraySlice<UInt8> = []

    init(_ file: consuming InputFile, state: State, isLineBuffered: Bool = false) {
        self.file = file
        self.state = state
        self.isLineBuffered = isLineBuffered
    }

    /// Returns the next bytes, as soon as there are some; nil at the end.
    func next() -> [UInt8]? {
        do throws(Interruption) {
            // Lines that were read whole are passed on also after a request to end.
            while state.mayGoOn || !rest.isEmpty && !state.hasStopped {
                if let line = takeLine() { return line }
                guard file.hasNews(within: 100) else { continue }
                let bytes = try file.read(upTo: 256 << 10)
                state.didRead(bytes.count)
                if bytes.isEmpty { return nil }
                if !isLineBuffered { return bytes }
                rest = bytes[...]
            }
        } catch { state.end(error) }
        return nil
    }

    /// Takes a line, or the beginning of one, from what was read; nil if nothing is left.
    private func takeLine() -> [UInt8]? {
        guard !rest.isEmpty else { return nil }
        let end = rest.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? rest.endIndex
        defer { rest = rest[end...] }
        return Array(rest[..<end])
    }
}
