/// A nondeterministic automaton that reads the bytes of UTF-8 (Thompson's construction).
///
/// It is built from its end: a tree is compiled with the state that follows it, so that no state has to be changed but
/// the one that closes a loop. A match of the pattern ends in the state `match`.
struct PatternAutomaton {
    typealias State = UInt16

    enum Node {
        /// Reads one byte. Which edges there are is in `edges`.
        case bytes(Range<Int>)
        /// Continues in two states without reading.
        case split(State, State)
        /// Continues if an assertion holds.
        case assertion(PatternAssertion, State)
        case match
    }

    /// Leads to a state for each byte of a range.
    struct Edge: Hashable {
        let low: UInt8
        let high: UInt8
        let target: State
    }

    static let match: State = 0

    private(set) var nodes: [Node] = [.match]
    private(set) var edges: [Edge] = []
    private(set) var start = match
    /// Whether `\b` or `\B` is anywhere.
    private(set) var testsWords = false
    /// The states that read bytes, by their edges. Equal states are made only once.
    private var byteStates: [[Edge]: State] = [:]
    /// The states that skip the rest of a code point, by the states that follow.
    private var restStates: [State: State] = [:]
    /// The number of states and edges made so far, those of states that turned out to be equal as well.
    private var edgesMade = 0

    init(_ syntax: PatternSyntax) throws(PatternLimit) {
        start = try state(for: syntax, before: PatternAutomaton.match)
        (byteStates, restStates) = ([:], [:])
    }

    /// Returns the state in which a tree begins that is followed by another state.
    private mutating func state(for syntax: PatternSyntax, before next: State) throws(PatternLimit) -> State {
        switch syntax {
        case .codePoint(let set): return try byteState(leads(of: set, before: next))
        case .assertion(let assertion):
            if assertion == .wordBoundary || assertion == .noWordBoundary { testsWords = true }
            return try add(.assertion(assertion, next))
        case .sequence(let parts):
            var entry = next
            for part in parts.reversed() { entry = try state(for: part, before: entry) }
            return entry
        case .alternatives(let alternatives):
            var entry: State?
            for alternative in alternatives.reversed() {
                let first = try state(for: alternative, before: next)
                entry = try entry.map { (entry) throws(PatternLimit) in try add(.split(first, entry)) } ?? first
            }
            return entry ?? next
        case .repetition(let part, let minimum, let maximum):
            return try state(forRepetitionOf: part, minimum, maximum, before: next)
        }
    }

    private mutating func state(
        forRepetitionOf part: PatternSyntax, _ minimum: Int, _ maximum: Int?, before next: State
    ) throws(PatternLimit) -> State {
        var entry = next
        var copies = minimum
        if let maximum {
            // x{0,3} is (x(x(x)?)?)?.
            for _ in minimum..<maximum { entry = try add(.split(state(for: part, before: entry), next)) }
        } else {
            let loop = try add(.split(next, next))
            let first = try state(for: part, before: loop)
            nodes[Int(loop)] = .split(first, next)
            entry = minimum == 0 ? loop : first
            copies = max(minimum - 1, 0)
        }
        for _ in 0..<copies { entry = try state(for: part, before: entry) }
        return entry
    }

    private mutating func add(_ node: Node) throws(PatternLimit) -> State {
        guard nodes.count < PatternLimit.automatonStates.count else { throw .automatonStates }
        nodes.append(node)
        return State(nodes.count - 1)
    }

    private mutating func byteState(_ edges: [Edge]) throws(PatternLimit) -> State {
        edgesMade += edges.count + 1
        guard edgesMade <= PatternLimit.automatonEdges.count else { throw .automatonEdges }
        if let state = byteStates[edges] { return state }
        let state = try add(.bytes(self.edges.count..<(self.edges.count + edges.count)))
        self.edges += edges
        byteStates[edges] = state
        return state
    }
}

// The bytes of code points.
extension PatternAutomaton {
    /// The code points with as many continuation bytes, and the largest number that such bytes could encode.
    ///
    /// A set that holds the first or the last code points of a form is widened over overlong encodings and over numbers
    /// above U+10FFFF. Valid UTF-8 has neither, so it makes no difference where their bytes lead.
    private static let forms: [(lead: UInt8, codePoints: ClosedRange<UInt32>, last: UInt32)] = [
        (0x00, 0...0x7F, 0x7F), (0xC0, 0x80...0x7FF, 0x7FF), (0xE0, 0x800...0xFFFF, 0xFFFF),
        (0xF0, 0x10000...0x10FFFF, 0x1F_FFFF),
    ]

    /// Returns the edges for the first bytes of all code points of a set (RFC 3629, section 3).
    private mutating func leads(of set: CodePointSet, before next: State) throws(PatternLimit) -> [Edge] {
        // Any range of this size has a byte that any continuation bytes may follow.
        let isWide = set.ranges.contains { $0.upperBound >= 0x80 && $0.count >= 128 }
        let next = isWide ? try restState(before: next) : next
        var edges: [Edge] = []
        for (continuations, form) in Self.forms.enumerated() {
            let ranges = set.ranges.filter { $0.overlaps(form.codePoints) }.map { range in
                let range = range.clamped(to: form.codePoints)
                let low = range.lowerBound == form.codePoints.lowerBound ? 0 : range.lowerBound
                return low...(range.upperBound == form.codePoints.upperBound ? form.last : range.upperBound)
            }
            edges += try self.edges(
                of: ranges, lead: form.lead, continuations: continuations, before: next, skipsRest: isWide)
        }
        return edges
    }

    /// Returns a state that skips continuation bytes before another state.
    ///
    /// In valid UTF-8 it skips the rest of one code point, for the next one begins with another byte. So there is one
    /// state for a code point instead of one for each of its bytes.
    private mutating func restState(before next: State) throws(PatternLimit) -> State {
        if let state = restStates[next] { return state }
        let state = try add(.split(next, next))
        nodes[Int(state)] = .split(try byteState([Edge(low: 0x80, high: 0xBF, target: state)]), next)
        restStates[next] = state
        return state
    }

    /// Returns the edges for numbers whose digits to the base 64 are bytes. The first is added to `lead`.
    ///
    /// A range is cut where the first digit changes. Digits with which any rest may follow become one edge; for each
    /// other digit there is a state of its own for the rest. With `skipsRest`, the state `next` skips any rest.
    private mutating func edges(
        of ranges: [ClosedRange<UInt32>], lead: UInt8, continuations: Int, before next: State, skipsRest: Bool
    ) throws(PatternLimit) -> [Edge] {
        let shift = 6 * UInt32(continuations)
        let rest: UInt32 = 1 << shift - 1
        var edges: [Edge] = []
        // The parts of ranges whose numbers begin with the same digit, without that digit.
        var parts: [ClosedRange<UInt32>] = []
        var digit: UInt32 = 0
        func edge(_ first: UInt32, _ last: UInt32, _ parts: [ClosedRange<UInt32>]) throws(PatternLimit) {
            let target =
                parts.isEmpty
                ? next
                : try byteState(
                    self.edges(
                        of: parts, lead: 0x80, continuations: continuations - 1, before: next, skipsRest: skipsRest))
            edges.append(Edge(low: lead + UInt8(first), high: lead + UInt8(last), target: target))
        }
        for range in ranges {
            var low = range.lowerBound
            while low <= range.upperBound {
                let first = low >> shift
                if digit != first, !parts.isEmpty {
                    try edge(digit, digit, parts)
                    parts = []
                }
                digit = first
                let end = (range.upperBound + 1) >> shift
                if low & rest == 0, end > first {
                    try edge(first, end - 1, continuations == 0 || skipsRest ? [] : [0...rest])
                    low = end << shift
                } else {
                    let high = min(range.upperBound, low | rest)
                    parts.append((low & rest)...(high & rest))
                    low = high + 1
                }
            }
        }
        if !parts.isEmpty { try edge(digit, digit, parts) }
        return edges
    }
}
