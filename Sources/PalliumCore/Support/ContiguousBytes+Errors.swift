package import Foundation

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
}
