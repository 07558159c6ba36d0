/// Builds the table of an automaton (subset construction).
///
/// A state of the table is a set of states of the automaton. `^` is tested when a set is made. The other assertions ask
/// what comes next: they stay in the set until it is known for which byte, or for the end, the next state is looked up.
///
/// The automaton can have exponentially many sets, and sets can be large. So both their number and the sum of the work
/// for them are limited: see `PatternLimit.tableStates` and `PatternLimit.steps`.
struct PatternTableBuilder {
    private typealias State = PatternAutomaton.State

    /// The text before a position.
    private enum Before {
        case start, wordCharacter, other
    }

    /// The text after a position. Within a code point there is a continuation byte, and no assertion holds.
    private enum After {
        case unknown, end, wordCharacter, other, continuation
    }

    private struct Key: Hashable {
        let before: Before
        let set: [State]

        /// Hashes four states at a time, which is faster than one after the other.
        func hash(into hasher: inout Hasher) {
            hasher.combine(before)
            hasher.combine(set.count)
            var word: UInt64 = 0
            for (index, state) in set.enumerated() {
                word = word << 16 | UInt64(state)
                if index % 4 == 3 { hasher.combine(word) }
            }
            hasher.combine(word)
        }
    }

    /// The states of the table that every table has.
    private static let refused: UInt16 = 0
    private static let accepted: UInt16 = 1

    private let automaton: PatternAutomaton
    /// The column of each byte, and for each column one of its bytes.
    private var columns: [UInt8] = []
    private var samples: [UInt8] = []
    /// The columns by what their bytes are for assertions.
    private var columnsByKind: [(kind: After, columns: [Int])] = []
    /// The states of the table whose rows are to be filled, from number 2 on.
    private var sets: [Key] = []
    private var numbers: [Key: UInt16] = [:]
    /// The states of the table by the states that a byte leads to, before others are reached from them.
    private var numbersByTargets: [Key: UInt16] = [:]
    private var states: [UInt16] = []
    /// For each column the states that its bytes lead to from the set at hand.
    private var targets: [[State]] = []
    private var steps = 0
    /// For `closure`: the number of the call that reached a state last, and the states to go on from.
    private var visits: [Int]
    private var visit = 0
    private var unfinished: [State] = []

    static func table(for automaton: PatternAutomaton) throws(PatternLimit) -> PatternTable {
        var builder = PatternTableBuilder(automaton)
        return try builder.build()
    }

    private init(_ automaton: PatternAutomaton) {
        self.automaton = automaton
        visits = Array(repeating: 0, count: automaton.nodes.count)
        chooseColumns()
    }

    /// Gives one column to neighboring bytes between which no edge and no assertion makes a difference.
    private mutating func chooseColumns() {
        var isFirst = Array(repeating: false, count: 257)
        for edge in automaton.edges {
            isFirst[Int(edge.low)] = true
            isFirst[Int(edge.high) + 1] = true
        }
        if automaton.testsWords {
            for byte in UInt8.min...UInt8.max where byte > 0 && after(byte) != after(byte - 1) {
                isFirst[Int(byte)] = true
            }
        }
        for byte in UInt8.min...UInt8.max {
            if isFirst[Int(byte)] || samples.isEmpty { samples.append(byte) }
            columns.append(UInt8(samples.count - 1))
        }
        let kinds: [After] = automaton.testsWords ? [.wordCharacter, .other, .continuation] : [.other]
        columnsByKind = kinds.map { kind in (kind, samples.indices.filter { after(samples[$0]) == kind }) }
    }

    private func after(_ byte: UInt8) -> After {
        guard automaton.testsWords else { return .other }
        if 0x80...0xBF ~= byte { return .continuation }
        return CodePointSet.wordCharacters.ranges.contains { $0.contains(UInt32(byte)) } ? .wordCharacter : .other
    }

    private mutating func build() throws(PatternLimit) -> PatternTable {
        targets = Array(repeating: [], count: samples.count)
        for number in [Self.refused, Self.accepted] {
            states += Array(repeating: number, count: samples.count + 1)
        }
        let start = try number(of: [automaton.start], before: .start)
        var row = 0
        while row < sets.count {
            try fillRow(of: sets[row])
            row += 1
        }
        return table(start: start)
    }

    /// Returns the table, with one column instead of several equal ones.
    private func table(start: UInt16) -> PatternTable {
        let width = samples.count + 1
        var kept: [Int] = []
        var classes: [[UInt16]: UInt8] = [:]
        let classOfColumn = samples.indices.map { column in
            let contents = stride(from: column, to: states.count, by: width).map { states[$0] }
            if let number = classes[contents] { return number }
            let number = UInt8(kept.count)
            classes[contents] = number
            kept.append(column)
            return number
        }
        // The column for the end of the text.
        kept.append(samples.count)
        var rows: [UInt32] = []
        rows.reserveCapacity(states.count / width * kept.count)
        for first in stride(from: 0, to: states.count, by: width) {
            for column in kept { rows.append(UInt32(states[first + column]) * UInt32(kept.count)) }
        }
        return PatternTable(
            classes: columns.map { classOfColumn[Int($0)] }, columns: kept.count, rows: rows,
            start: Int(start) * kept.count)
    }

    /// Appends the row of a set.
    private mutating func fillRow(of key: Key) throws(PatternLimit) {
        let first = states.count
        states += Array(repeating: Self.refused, count: samples.count + 1)
        try step(samples.count)
        let isSettled = isSettled(key.set)
        if !isSettled, try closure(of: key.set, key.before, .end) == nil {
            states[states.count - 1] = Self.accepted
        }
        for (kind, columns) in columnsByKind {
            let set = isSettled ? key.set : try closure(of: key.set, key.before, kind)
            guard let set else {
                for column in columns { states[first + column] = Self.accepted }
                continue
            }
            try findTargets(of: set)
            var previous: Int?
            for column in columns {
                // Neighbors often lead to the same states.
                if let previous, targets[column] == targets[previous] {
                    states[first + column] = states[first + previous]
                } else {
                    states[first + column] = try number(
                        of: targets[column], before: kind == .wordCharacter ? .wordCharacter : .other)
                }
                previous = column
            }
        }
    }

    /// Sets `targets` to the states that each column leads to.
    private mutating func findTargets(of set: [State]) throws(PatternLimit) {
        for column in targets.indices { targets[column].removeAll(keepingCapacity: true) }
        for state in set {
            guard case .bytes(let range) = automaton.nodes[Int(state)] else { continue }
            for edge in automaton.edges[range] {
                let (low, high) = (columns[Int(edge.low)], columns[Int(edge.high)])
                try step(Int(high - low) + 1)
                for column in low...high { targets[Int(column)].append(edge.target) }
            }
        }
    }

    /// Returns the state of the table for states of the automaton, after which another match may begin, too.
    private mutating func number(of targets: [State], before: Before) throws(PatternLimit) -> UInt16 {
        var kernel = targets
        kernel.append(automaton.start)
        let targetKey = Key(before: before, set: sorted(kernel))
        if let number = numbersByTargets[targetKey] { return number }
        let number: UInt16
        if let set = try closure(of: targetKey.set, before, .unknown) {
            number = try self.number(of: Key(before: before, set: set))
        } else {
            number = Self.accepted
        }
        numbersByTargets[targetKey] = number
        return number
    }

    private mutating func number(of key: Key) throws(PatternLimit) -> UInt16 {
        if key.set.isEmpty { return Self.refused }
        // Only an assertion that is still to be tested asks what is before it.
        let key = isSettled(key.set) ? Key(before: .other, set: key.set) : key
        if let number = numbers[key] { return number }
        let number = sets.count + Int(Self.accepted) + 1
        guard number < PatternLimit.tableStates.count else { throw .tableStates }
        sets.append(key)
        numbers[key] = UInt16(number)
        return UInt16(number)
    }

    /// Whether a set has no assertions that are still to be tested.
    private func isSettled(_ set: [State]) -> Bool {
        set.allSatisfy { if case .bytes = automaton.nodes[Int($0)] { true } else { false } }
    }

    /// Returns the states reached without reading a byte, without those that only lead on; nil if a match is reached.
    private mutating func closure(
        of states: [State], _ before: Before, _ after: After
    ) throws(PatternLimit) -> [State]? {
        visit += 1
        unfinished.removeAll(keepingCapacity: true)
        unfinished += states
        var set: [State] = []
        while let state = unfinished.popLast() {
            try step(1)
            guard visits[Int(state)] != visit else { continue }
            visits[Int(state)] = visit
            switch automaton.nodes[Int(state)] {
            case .match: return nil
            case .bytes: set.append(state)
            case .split(let first, let second):
                unfinished.append(second)
                unfinished.append(first)
            case .assertion(let assertion, let next):
                switch holds(assertion, before, after) {
                case true?: unfinished.append(next)
                case false?: break
                case nil: set.append(state)
                }
            }
        }
        return sorted(set)
    }

    /// Returns whether an assertion holds; nil if that depends on what is after the position.
    private func holds(_ assertion: PatternAssertion, _ before: Before, _ after: After) -> Bool? {
        if assertion == .start { return before == .start }
        if after == .unknown { return nil }
        if assertion == .end { return after == .end }
        if after == .continuation { return false }
        let isBoundary = (before == .wordCharacter) != (after == .wordCharacter)
        return isBoundary == (assertion == .wordBoundary)
    }

    private func sorted(_ states: [State]) -> [State] {
        var result: [State] = []
        result.reserveCapacity(states.count)
        for state in states.sorted() where state != result.last { result.append(state) }
        return result
    }

    private mutating func step(_ count: Int) throws(PatternLimit) {
        steps += count
        guard steps <= PatternLimit.steps.count else { throw .steps }
    }
}
