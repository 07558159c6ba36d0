/// UTF-8 by the table of RFC 3629 §4, one byte at a time.
enum SlowUTF8 {
    static func isValid(_ bytes: ArraySlice<UInt8>) -> Bool {
        var rest = bytes
        while let first = rest.popFirst() {
            let following: [ClosedRange<UInt8>]
            switch first {
            case 0x00...0x7F: following = []
            case 0xC2...0xDF: following = [0x80...0xBF]
            case 0xE0: following = [0xA0...0xBF, 0x80...0xBF]
            case 0xE1...0xEC, 0xEE...0xEF: following = [0x80...0xBF, 0x80...0xBF]
            case 0xED: following = [0x80...0x9F, 0x80...0xBF]
            case 0xF0: following = [0x90...0xBF, 0x80...0xBF, 0x80...0xBF]
            case 0xF1...0xF3: following = [0x80...0xBF, 0x80...0xBF, 0x80...0xBF]
            case 0xF4: following = [0x80...0x8F, 0x80...0xBF, 0x80...0xBF]
            default: return false
            }
            for range in following {
                guard let next = rest.popFirst(), range.contains(next) else { return false }
            }
        }
        return true
    }
}
