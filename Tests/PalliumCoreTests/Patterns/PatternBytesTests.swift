import PalliumCore
import PalliumJSON
import Testing

/// How the ranges of classes are matched as bytes.
@Suite("Patterns and UTF-8")
struct PatternBytesTests {
    /// The ends of the forms of UTF-8, of leading bytes and of continuation bytes, and their neighbors.
    static let boundaries: [UInt32] = {
        let starts: [UInt32] = [
            0x41, 0x80, 0xC0, 0x800, 0x840, 0x1000, 0x2028, 0xD000, 0xE000, 0xFFC0, 0x10000, 0x10040, 0x11000, 0x40000,
            0x100000,
        ]
        return [0, 0x7F, 0x7FF, 0xD7FF, 0xFFFF, 0x10FFFF] + starts.flatMap { $0 == 0xE000 ? [$0] : [$0 - 1, $0] }
    }()

    private func text(_ codePoint: UInt32) throws -> String { String(try #require(Unicode.Scalar(codePoint))) }

    private func escape(_ codePoint: UInt32) -> String { "\\u{\(String(codePoint, radix: 16))}" }

    @Test("A range matches its code points and no others", arguments: Set(boundaries).sorted())
    func range(low: UInt32) throws {
        for high in Self.boundaries where low <= high {
            let range = try Pattern("^[\(escape(low))-\(escape(high))]$")
            let others = try Pattern("^[^\(escape(low))-\(escape(high))]$")
            for codePoint in Self.boundaries {
                let isMember = low <= codePoint && codePoint <= high
                #expect(try range.matches(text(codePoint)) == isMember, "\(range) \(codePoint)")
                #expect(try others.matches(text(codePoint)) != isMember, "\(others) \(codePoint)")
            }
        }
    }

    @Test("Each code point is one, whatever its bytes are")
    func lengths() throws {
        let three = try Pattern("^[^]{3}$")
        let dots = try Pattern("^...$")
        for first in Self.boundaries {
            for second in Self.boundaries {
                let pair = try text(first) + text(second)
                #expect(!three.matches(pair))
                #expect(try three.matches(pair + text(first)))
                #expect(!dots.matches(pair))
                let hasLineTerminator = [first, second].contains(0x2028)
                #expect(try dots.matches(pair + text(first)) != hasLineTerminator)
                #expect(try !three.matches(pair + text(first) + text(second)))
            }
        }
    }

    @Test("Members that have bytes in common are told apart")
    func commonBytes() throws {
        // U+00E9 is C3 A9, U+0129 is C4 A9, U+20AC is E2 82 AC, U+10AC is E1 82 AC.
        let pattern = try Pattern("^[\\xE9\\u20AC\\u{1F600}-\\u{1F64F}]$")
        for text in ["\u{E9}", "\u{20AC}", "\u{1F600}", "\u{1F64F}"] { #expect(pattern.matches(text)) }
        for text in ["\u{129}", "\u{10AC}", "\u{E8}", "\u{20AB}", "\u{1F5FF}", "\u{1F650}", "\u{2F600}"] {
            #expect(!pattern.matches(text))
        }
    }

    @Test("Borrowed bytes are matched as their text is; an empty buffer is the empty text")
    func buffers() throws {
        let pattern = try Pattern("^(é|$)")
        #expect(Array("éa".utf8).withBorrowedBytes { pattern.matches($0) })
        #expect(!Array("aé".utf8).withBorrowedBytes { pattern.matches($0) })
        #expect(pattern.matches(BorrowedBytes(UnsafeBufferPointer<UInt8>(start: nil, count: 0))))
        #expect(try !Pattern("a").matches(BorrowedBytes(UnsafeBufferPointer<UInt8>(start: nil, count: 0))))
    }

    @Test("Bytes that are no UTF-8 are read safely")
    func invalidBytes() throws {
        let patterns = try ["^.*$", "[^a]$", "\\B", "é", "\\S+\\b$"].map { try Pattern($0) }
        for first in UInt8.min...UInt8.max {
            for second: UInt8 in [0x00, 0x41, 0x80, 0xBF, 0xC0, 0xED, 0xF4, 0xFF] {
                for pattern in patterns {
                    // Only that it returns, and the same each time, is promised.
                    let results = [0, 1].map { _ in [first, second].withBorrowedBytes { pattern.matches($0) } }
                    #expect(results[0] == results[1])
                }
            }
        }
    }
}
