/// Says why a text is no pattern.
package struct PatternError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The position in the pattern, counted in bytes of UTF-8.
    package let offset: Int
    package let expected: String
    package let found: String

    /// The error as one sentence.
    package var description: String { "expected \(expected) but found \(found) at \(offset)" }
}

/// A limit of patterns, and the error that one is beyond it.
///
/// The limits bound the time and the memory that a hostile pattern takes.
struct PatternLimit: Error {
    let count: Int
    let unit: String

    static let bytes = PatternLimit(count: 4096, unit: "bytes")
    /// Groups around a part of a pattern. Each takes a few frames of the stack.
    static let groups = PatternLimit(count: 100, unit: "groups in one another")
    /// The counts of quantifiers.
    static let repetitions = PatternLimit(count: 1000, unit: "repetitions")
    /// The states of the automaton that a pattern is compiled to first.
    static let automatonStates = PatternLimit(count: 20_000, unit: "automaton states")
    /// The ranges of bytes that lead from one of these states to another.
    static let automatonEdges = PatternLimit(count: 200_000, unit: "automaton edges")
    static let tableStates = PatternLimit(count: 4096, unit: "table states")
    /// The states and edges that are visited when the table is made. A step takes a few nanoseconds.
    static let steps = PatternLimit(count: 2_000_000, unit: "steps to compile")

    /// The expectation in the error about a pattern beyond the limit.
    var expected: String { "a pattern of at most \(count) \(unit)" }
}
