package import Foundation
package import PalliumJSON

extension ContiguousBytes {
    /// Calls a function with the bytes, as `withUnsafeBytes` does, and keeps the type of its error.
    ///
    /// Safety: the bytes are valid during the call only, as those of `withUnsafeBytes`.
    package func withBytes<Outcome, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Outcome
    ) throws(Failure) -> Outcome {
        try unsafe withUnsafeBytes { bytes -> Result<Outcome, Failure> in
            do throws(Failure) { return unsafe .success(try body(bytes)) } catch { return .failure(error) }
        }.get()
    }

    /// Calls a function with the bytes, which it uses only while it runs.
    package func withBorrowedBytes<Outcome, Failure: Error>(
        _ body: (BorrowedBytes) throws(Failure) -> Outcome
    ) throws(Failure) -> Outcome {
        try unsafe withBytes { bytes throws(Failure) in try unsafe body(BorrowedBytes(bytes)) }
    }
}

extension Data {
    /// Makes data of written bytes, whose memory it owns from then on.
    package init(_ bytes: consuming OwnedBytes) {
        let (memory, count) = unsafe bytes.take()
        // The memory was allocated with malloc, and `.free` releases it.
        unsafe self.init(bytesNoCopy: memory, count: count, deallocator: .free)
    }
}
