import Foundation
import RunSupport

/// The distributions of the generated documents.
extension SeededGenerator {
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
    mutating func choice<Element>(_ elements: [Element]) -> Element { pick(elements) }

    /// The elements in a random order (Fisher and Yates).
    mutating func shuffled<Element>(_ elements: [Element]) -> [Element] {
        var result = elements
        for last in result.indices.reversed() where last > 0 { result.swapAt(last, integer(0...last)) }
        return result
    }
}
