import PalliumJSON

/// Finds the comma or bracket behind an element of an array, across the borders of what has arrived.
///
/// It counts brackets and passes over strings and asks for nothing else. That is enough: as long as the text is right,
/// the reader sees the same strings and brackets; and where it is not, the reader finds out before the place that is
/// found here, or at it, and with every byte at hand that its verdict depends on. Every byte is scanned once.
///
/// Safety: nothing is read at `count` or behind it; words are loaded where eight bytes are left.
struct ElementScanner {
    /// What comes next; counted from the first waiting byte.
    private(set) var position: Int
    private var depth = 0
    private var isInString = false

    init(from position: Int) { self.position = position }

    /// Goes on with the bytes that are waiting. True when `position` is that of the comma or bracket.
    mutating func scan(_ bytes: UnsafeRawBufferPointer) -> Bool {
        // Nothing is read at `count` or behind it; words are loaded where eight bytes are left.
        let bytes = unsafe bytes.bindMemory(to: UInt8.self)
        guard let base = bytes.baseAddress else { return false }
        let count = bytes.count
        while position < count {
            let byte = unsafe base[position]
            if isInString {
                if byte == UInt8(ascii: "\"") {
                    isInString = false
                } else if byte == UInt8(ascii: "\\") {
                    guard count - position >= 2 else { return false }
                    position += 1
                } else if count - position >= 8 {
                    let flags = unsafe EightBytes.flagsOfStringEnds(EightBytes.load(base + position))
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
