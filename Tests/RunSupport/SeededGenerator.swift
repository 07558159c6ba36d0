/// Numbers that look random and are the same for a seed, so that a case that fails can be run again: SplitMix64 (Steele,
/// Lea and Flood 2014).
package struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: some BinaryInteger) { state = UInt64(truncatingIfNeeded: seed) }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}

extension SeededGenerator {
    /// A number below a bound above zero. Unlike `random(in:using:)`, it draws alike in every version of Swift.
    package mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

    /// True once in so many times.
    package mutating func once(in number: Int) -> Bool { below(number) == 0 }

    /// One of several.
    package mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }
}
