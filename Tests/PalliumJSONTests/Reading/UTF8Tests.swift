import PalliumJSON
import TestSupport
import Testing

@Suite(.threat(.invalidUTF8))
struct UTF8Tests {
    /// Byte classes in which every boundary of RFC 3629 §4 occurs on both sides.
    static let edges: [UInt8] = [
        0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF,
        0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xF8, 0xFC, 0xFE, 0xFF,
    ]

    /// The offset of the first byte that is not part of a well-formed sequence: RFC 3629 by the definition, through
    /// the code point and not through byte ranges.
    static func firstProblem(_ bytes: [UInt8]) -> Int? {
        var position = 0
        while position < bytes.count {
            let lead = bytes[position]
            let length: Int
            var scalar: UInt32
            switch lead {
            case 0..<0x80: (length, scalar) = (1, UInt32(lead))
            case 0xC0..<0xE0: (length, scalar) = (2, UInt32(lead & 0x1F))
            case 0xE0..<0xF0: (length, scalar) = (3, UInt32(lead & 0x0F))
            case 0xF0..<0xF8: (length, scalar) = (4, UInt32(lead & 0x07))
            default: return position
            }
            guard position + length <= bytes.count else { return position }
            for byte in bytes[(position + 1)..<(position + length)] {
                guard byte >= 0x80, byte < 0xC0 else { return position }
                scalar = scalar << 6 | UInt32(byte & 0x3F)
            }
            let smallest: [UInt32] = [0, 0, 0x80, 0x800, 0x10000]
            guard scalar >= smallest[length], Unicode.Scalar(scalar) != nil else { return position }
            position += length
        }
        return nil
    }

    /// Reads and skips `content` as a string behind `padding` bytes and before `tail` bytes.
    private func check(_ content: [UInt8], padding: Int, tail: Int) -> Bool {
        let problem = Self.firstProblem(content)
        let text = quoted(Array(repeating: 0x61, count: padding) + content) + Array(repeating: 0x20, count: tail)
        let reading = verdictOfReading(text)
        guard reading == verdictOfSkipping(text), (reading == nil) == (problem == nil) else { return false }
        guard let problem else { return true }
        return reading?.code == .invalidUTF8 && reading?.offset == 1 + padding + problem
    }

    @Test func allOneAndTwoByteStringsHaveTheVerdictOfTheDefinition() {
        for first in UInt8(0x23)...0xFF where first != UInt8(ascii: "\\") {
            #expect(check([first], padding: 0, tail: 0), "\(first)")
            for second in UInt8(0x23)...0xFF where second != UInt8(ascii: "\\") {
                let isRight = check([first, second], padding: 0, tail: 9)
                if !isRight { Issue.record("\(first) \(second)") }
            }
        }
    }

    @Test func threeByteStringsHaveTheVerdictOfTheDefinition() {
        for first in Self.edges {
            for second in Self.edges {
                for third in Self.edges where !check([first, second, third], padding: 0, tail: 8) {
                    Issue.record("\(first) \(second) \(third)")
                }
            }
        }
    }

    @Test func fourByteStringsHaveTheVerdictOfTheDefinition() {
        for first in Self.edges where first >= 0xE0 {
            for second in Self.edges {
                for third in Self.edges {
                    for fourth in [0x41, 0x7F, 0x80, 0xBF, 0xC0, 0xF4] as [UInt8]
                    where !check([first, second, third, fourth], padding: 0, tail: 8) {
                        Issue.record("\(first) \(second) \(third) \(fourth)")
                    }
                }
            }
        }
    }

    @Test(arguments: 0..<17)
    func theVerdictDoesNotDependOnTheAlignment(padding: Int) {
        let samples: [[UInt8]] = [
            [0xC3, 0xA9], [0xE2, 0x82, 0xAC], [0xF0, 0x9F, 0x98, 0x80], [0xC3], [0xE2, 0x82], [0xF0, 0x9F, 0x98],
            [0xED, 0xA0, 0x80], [0xE0, 0x9F, 0xBF], [0xF4, 0x90, 0x80, 0x80], [0x80], [0xFF],
            Array("aé€😀aé€😀".utf8), Array("日本語のテキスト".utf8) + [0xC0, 0x80],
        ]
        for sample in samples {
            for tail in 0..<10 where !check(sample, padding: padding, tail: tail) {
                Issue.record("\(sample) with \(tail) bytes behind")
            }
        }
    }

    @Test func invalidBytesAreRefusedInNamesAndBehindEscapesToo() {
        for text in [
            [0x7B] + quoted([0x62, 0xFF]) + Array(":1}".utf8), quoted(Array("\\n".utf8) + [0xC3]),
            quoted(Array("\\n12345678".utf8) + [0xE2, 0x82]),
        ] {
            #expect(verdictOfReading(text)?.code == .invalidUTF8)
            #expect(verdictOfSkipping(text) == verdictOfReading(text))
            #expect(verdictOfWalking(text) == verdictOfReading(text))
        }
    }
}
