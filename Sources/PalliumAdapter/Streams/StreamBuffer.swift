import PalliumJSON

/// The bytes of a stream that have arrived and are not read yet.
///
///     bytes    [ read │ unread              ]
///                     ▲ start, at `location` in the stream
///
/// The unread bytes are moved to the front when bytes are added, at most once after each element that was read. So a
/// long element that arrives in many pieces is moved once.
struct StreamBuffer {
    private var bytes: [UInt8]
    private var start = 0
    /// The location of the first unread byte.
    private(set) var location: JSONLocation

    init(_ bytes: [UInt8] = [], at location: JSONLocation = .start) {
        self.bytes = bytes
        self.location = location
    }

    /// The number of unread bytes.
    var count: Int { bytes.count - start }

    mutating func append(_ piece: BorrowedBytes) {
        if start > 0 {
            bytes.removeFirst(start)
            start = 0
        }
        bytes.append(contentsOf: piece)
    }

    /// Calls a function with the unread bytes.
    func withBytes<Result>(_ body: (BorrowedBytes) -> Result) -> Result {
        bytes.withBorrowedBytes { body($0.part(from: start)) }
    }

    /// Drops the first unread bytes. They must not end in CR: the next byte decides whether the CR ends a line.
    mutating func discard(_ count: Int) {
        location = withBytes { location.advanced(by: count, in: $0) }
        start += count
    }

    /// Drops a line and its LF. Within a line a CR ends nothing, as in all tools that split text into lines.
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
