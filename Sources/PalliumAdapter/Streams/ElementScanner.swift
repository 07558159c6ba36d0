import PalliumJSON

/// Finds the comma or bracket behind an element of an array, even if the element arrives in several pieces.
///
/// It only counts brackets and skips strings. That is enough for valid text, in which the reader sees the same strings
/// and brackets. In malformed text the reader finds the error at or before the position that is found here, and has
/// every byte that its error depends on. Every byte is scanned once.
struct ElementScanner {
    /// The offset of the next byte to scan, counted from the first unread byte.
    private(set) var position: Int
    private var depth = 0
    private var isInString = false

    init(from position: Int) { self.position = position }

    /// Scans the unread bytes. Returns true when `position` is that of the comma or bracket.
    mutating func scan(_ bytes: BorrowedBytes) -> Bool {
        let count = bytes.count
        while let byte = bytes.byte(at: position) {
            if isInString {
                if byte == UInt8(ascii: "\"") {
                    isInString = false
                } else if byte == UInt8(ascii: "\\") {
                    guard count - position >= 2 else { return false }
                    position += 1
                } else if count - position >= 8 {
                    let flags = EightBytes.flagsOfStringEnds(bytes.word(at: position))
                    position += flags == 0 ? 8 : EightBytes.firstFlag(flags)
                    continue
                }
            } else {
                switch byte {
                case UInt8(ascii: "\""): isInString = true
                case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
                case UInt8(ascii: "}"), UInt8(ascii: "]"):
                    if depth == 0 { return true }
                    depth -= 1
                case UInt8(ascii: ","): if depth == 0 { return true }
                default: break
                }
            }
            position += 1
        }
        return false
    }
}
