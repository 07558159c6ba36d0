/// A set of code points, as ranges in ascending order that do not touch.
///
/// Surrogates are code points of no text. A set may hold any of them or none: it matches the same texts.
struct CodePointSet: Sendable {
    let ranges: [ClosedRange<UInt32>]

    /// Makes the union of ranges in any order.
    ///
    /// Complexity: O(n log n) in the number of ranges.
    init(_ ranges: [ClosedRange<UInt32>]) {
        var merged: [ClosedRange<UInt32>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            // Only surrogates are between U+D7FF and U+E000; with them, one range needs fewer states than two.
            if let last = merged.last,
                range.lowerBound <= last.upperBound + 1 || last.upperBound == 0xD7FF && range.lowerBound == 0xE000
            {
                merged[merged.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                merged.append(range)
            }
        }
        self.ranges = merged
    }

    init(_ codePoint: UInt32) { ranges = [codePoint...codePoint] }

    /// All other code points.
    var complement: CodePointSet {
        var gaps: [ClosedRange<UInt32>] = []
        var next: UInt32 = 0
        for range in ranges {
            if next < range.lowerBound { gaps.append(next...(range.lowerBound - 1)) }
            next = range.upperBound + 1
        }
        if next <= 0x10FFFF { gaps.append(next...0x10FFFF) }
        return CodePointSet(gaps)
    }
}

// The sets that have names in patterns.
extension CodePointSet {
    /// The digits of `\d` (ECMA 262, section 22.2.2.9, CompileToCharSet).
    static let digits = CodePointSet([0x30...0x39])

    /// The word characters of `\w` (ECMA 262, section 22.2.2.9.3, WordCharacters, without the flag i).
    static let wordCharacters = CodePointSet([0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A])

    /// The line terminators, which `.` does not match (ECMA 262, section 12.3).
    static let lineTerminators = CodePointSet([0x0A...0x0A, 0x0D...0x0D, 0x2028...0x2029])

    /// The white space and line terminators of `\s` (ECMA 262, sections 12.2 and 12.3).
    ///
    /// U+0020, U+00A0, U+1680, U+2000 to U+200A, U+202F, U+205F and U+3000 are Unicode's category Zs.
    static let whiteSpace = CodePointSet([
        0x09...0x0D, 0x20...0x20, 0xA0...0xA0, 0x1680...0x1680, 0x2000...0x200A, 0x2028...0x2029, 0x202F...0x202F,
        0x205F...0x205F, 0x3000...0x3000, 0xFEFF...0xFEFF,
    ])
}
