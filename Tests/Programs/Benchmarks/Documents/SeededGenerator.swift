import Foundation

/// Random numbers that are the same in every run and on every platform.
///
/// The algorithm is SplitMix64 (Steele, Lea and Flood: Fast splittable pseudorandom number generators, 2014). The
/// standard library's `random(in:using:)` is not used, since it may draw differently in another version.
struct SeededGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// The next 64 bits.
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number of the range, all alike likely as far as a benchmark cares.
    mutating func integer(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(next() % UInt64(range.upperBound - range.lowerBound + 1))
    }

    /// A fraction in 0..<1.
    mutating func fraction() -> Double { Double(next() >> 11) / Double(1 << 53) }

    /// Whether something of this probability happens.
    mutating func happens(_ probability: Double) -> Bool { fraction() < probability }

    /// An exponentially distributed number.
    mutating func exponential(mean: Double) -> Double { -log(1 - fraction()) * mean }

    /// One of the elements.
    mutating func choice<Element>(_ elements: [Element]) -> Element { elements[integer(0...elements.count - 1)] }

    /// The elements in a random order (Fisher and Yates).
    mutating func shuffled<Element>(_ elements: [Element]) -> [Element] {
        var result = elements
        for last in result.indices.reversed() where last > 0 { result.swapAt(last, integer(0...last)) }
        return result
    }
}
