/// Cuts bytes that arrive in pieces into lines.
///
///     bytes:  [ line 7 ⏎ line 8 ⏎ lin ]
///               ▲ start           ▲ searched: no line end between start and here
///
/// Lines end with LF; a CR in front of it is white space to JSON and stays. Every byte is searched once, so a line that
/// arrives in many pieces costs no more than many lines.
struct LineBuffer {
    /// A line and its place in the whole input.
    struct Line: Equatable {
        /// The bytes without the line end.
        var bytes: [UInt8]
        /// Counted from 1.
        var number: Int
        /// The place of the first byte.
        var offset: Int
    }

    private let maximumBytes: Int
    private var bytes: [UInt8] = []
    private var start = 0
    private var searched = 0
    private var number = 1
    private var offset = 0
    private var isEnded = false
    private var isSkipping = false

    /// Makes an empty buffer.
    ///
    /// - Parameter maximumBytes: How long a line may be. Of a longer one, one byte more than that is handed out, so that
    ///   it is seen to be too long, and the rest is dropped.
    init(maximumBytes: Int) { self.maximumBytes = maximumBytes }

    /// Adds a piece of the input; an empty one is its end.
    mutating func append(_ piece: [UInt8]) {
        if piece.isEmpty { isEnded = true }
        bytes.removeFirst(start)
        searched -= start
        start = 0
        bytes += piece
    }

    /// The next whole line; nil when more input is needed, or everything was handed out.
    mutating func next() -> Line? {
        while true {
            let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n"))
            searched = end ?? bytes.count
            if isSkipping {
                advance(to: end.map { $0 + 1 } ?? bytes.count, isLineEnd: end != nil)
                guard end != nil else { return nil }
                isSkipping = false
                continue
            }
            let count = searched - start
            if count > maximumBytes {
                let line = Line(
                    bytes: Array(bytes[start..<start + maximumBytes + 1]), number: number, offset: offset)
                isSkipping = true
                return line
            }
            guard end != nil || (isEnded && count > 0) else { return nil }
            let line = Line(bytes: Array(bytes[start..<searched]), number: number, offset: offset)
            advance(to: end.map { $0 + 1 } ?? bytes.count, isLineEnd: end != nil)
            return line
        }
    }

    private mutating func advance(to position: Int, isLineEnd: Bool) {
        offset += position - start
        start = position
        searched = position
        if isLineEnd { number += 1 }
    }
}
