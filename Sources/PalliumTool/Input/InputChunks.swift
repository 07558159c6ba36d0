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

        fileprivate var mayGoOn: Bool { !isStopped.load(ordering: .relaxed) && EndRequest.signal == nil }

        fileprivate func didRead(_ count: Int) { byteCount.wrappingAdd(count, ordering: .relaxed) }

        fileprivate func end(_ error: Interruption) { self.error.withLock { $0 = error } }
    }

    private let file: InputFile
    private let state: State

    init(_ file: consuming InputFile, state: State) {
        self.file = file
        self.state = state
    }

    /// Returns the next bytes, as soon as there are some; nil at the end.
    func next() -> [UInt8]? {
        do throws(Interruption) {
            while state.mayGoOn {
                guard file.hasNews(within: 100) else { continue }
                let bytes = try file.read(upTo: 256 << 10)
                state.didRead(bytes.count)
                return bytes.isEmpty ? nil : bytes
            }
        } catch { state.end(error) }
        return nil
    }
}
