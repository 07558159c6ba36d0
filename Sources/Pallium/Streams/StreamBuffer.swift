import PalliumJSON

/// The bytes of a stream that have arrived and are not yet used up.
///
///     bytes    [ used up │ waiting          ]
///                        ▲ start, at `location` in the stream
///
/// What is waiting is moved to the front when bytes are added, at most once for every element that was used up, so a
/// long element that arrives in many pieces is not moved again and again.
///
/// Safety: pieces are copied when they come; what is lent begins at `start`, which never exceeds the count.
struct StreamBuffer {
    private var bytes: [UInt8] = []
    private var start = 0
    /// Where the first waiting byte stands.
    private(set) var location = JSONLocation.start

    /// How many bytes are waiting.
    var count: Int { bytes.count - start }

    mutating func append(_ piece: UnsafeRawBufferPointer) {
        if start > 0 {
            bytes.removeFirst(start)
            start = 0
        }
        unsafe bytes.append(contentsOf: piece)
    }

    /// Lends the waiting bytes.
    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        unsafe bytes.withUnsafeBytes { unsafe body(UnsafeRawBufferPointer(rebasing: $0[start...])) }
    }

    /// Drops the first waiting bytes. A CR must not be the last of them: whether it ends a line is not known before the
    /// byte behind it has come.
    mutating func discard(_ count: Int) {
        location = unsafe withBytes { unsafe location.advanced(by: count, in: $0) }
        start += count
    }

    /// Drops a line and its LF. Within a line a CR ends none, as for all that splits texts into lines.
    mutating func discardLine(_ count: Int) {
        discardPart(count)
        location = JSONLocation(line: location.line + 1, column: 1, byteOffset: location.byteOffset)
    }

    /// Drops a part of a line.
    mutating func discardPart(_ count: Int) {
        location = JSONLocation(
            line: location.line, column: location.column + count, byteOffset: location.byteOffset + count)
        start += count
    }
}
