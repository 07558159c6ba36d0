/// Searches for a text that some patterns match and another one does not.
///
/// The tables of all patterns read the same bytes, beside a table of the well-formed sequences of UTF-8 (RFC 3629). A
/// state of the search is a row of each, so there are finitely many, and each is visited once. The search goes on by code
/// points: the first text that it finds is one of the shortest.
struct PatternDifference {
    /// How many bytes are tried in all states together. A search takes less than a second.
    private static let limit = PatternLimit(count: 2_000_000, unit: "steps to compare")

    private struct State: Hashable {
        /// The row of each table.
        var rows: [UInt32]
        /// The bytes with which the code point that was begun goes on.
        var rest: Rest
        /// The code points so far, up to the smallest number that is asked for.
        var count: Int
    }

    private enum Rest: UInt8 {
        case end, one, two, three
        /// Two or three more bytes, of which the first is limited.
        case afterE0, afterED, afterF0, afterF4
    }

    private let tables: [PatternTable]
    private let excluded: PatternTable?
    private let lengths: ClosedRange<Int>
    /// One byte for each way in which the tables tell bytes apart. Letters come first, as they are easier to read.
    private let bytes: [UInt8]
    private var visited: Set<State> = []
    private var tries = 0
    /// How each state was reached: the position of the one before, and the byte.
    private var steps: [(state: State, before: Int, byte: UInt8)] = []

    /// - Parameters:
    ///   - tables: The tables that accept the text.
    ///   - excluded: The table that does not.
    ///   - lengths: The numbers of code points that the text may have.
    init(_ tables: [PatternTable], butNot excluded: PatternTable?, lengths: ClosedRange<Int>) {
        (self.tables, self.excluded, self.lengths) = (tables, excluded, lengths)
        let all = tables + (excluded.map { [$0] } ?? [])
        var seen: Set<[UInt8]> = []
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        bytes = (Array(letters) + Array(0x20...0x7E) + Array(UInt8.min...UInt8.max)).filter { byte in
            seen.insert(all.map { $0.classes[Int(byte)] } + [Self.form(of: byte)]).inserted
        }
    }

    /// Returns a text; nil if there is none.
    ///
    /// - Throws: ``PatternLimit`` if the search is given up.
    mutating func find() throws(PatternLimit) -> String? {
        let rows = (tables + (excluded.map { [$0] } ?? [])).map { UInt32($0.start) }
        visit(State(rows: rows, rest: .end, count: 0), before: -1, byte: 0)
        var (layer, length) = (Array(steps.indices), 0)
        while !layer.isEmpty, length <= lengths.upperBound {
            var next: [Int] = []
            for position in layer where steps[position].state.count >= lengths.lowerBound && isFound(position) {
                return text(to: position)
            }
            for position in layer {
                var unfinished = [position]
                while let before = unfinished.popLast() {
                    let state = steps[before].state
                    tries += bytes.count
                    guard tries <= Self.limit.count else { throw Self.limit }
                    for byte in bytes {
                        guard let following = self.state(after: state, byte),
                            visit(following, before: before, byte: byte)
                        else { continue }
                        if following.rest == .end {
                            next.append(steps.count - 1)
                        } else {
                            unfinished.append(steps.count - 1)
                        }
                    }
                }
            }
            (layer, length) = (next, length + 1)
        }
        return nil
    }

    @discardableResult
    private mutating func visit(_ state: State, before: Int, byte: UInt8) -> Bool {
        guard visited.insert(state).inserted else { return false }
        steps.append((state, before, byte))
        return true
    }

    private func isFound(_ position: Int) -> Bool {
        let rows = steps[position].state.rows
        func accepts(_ table: PatternTable, _ row: UInt32) -> Bool {
            Int(table.rows[Int(row) + table.columns - 1]) == table.accepted
        }
        return zip(tables, rows).allSatisfy(accepts) && !(excluded.map { accepts($0, rows[tables.count]) } ?? false)
    }

    /// Returns the state after a byte; nil if no text that is searched for goes on with it.
    private func state(after state: State, _ byte: UInt8) -> State? {
        guard let rest = Self.rest(after: state.rest, byte) else { return nil }
        var next = state
        next.rest = rest
        if rest == .end { next.count = min(state.count + 1, lengths.lowerBound) }
        for (index, table) in tables.enumerated() {
            next.rows[index] = table.rows[Int(state.rows[index]) + Int(table.classes[Int(byte)])]
            // From the first row no match is reached.
            if next.rows[index] == 0 { return nil }
        }
        if let excluded {
            let index = tables.count
            next.rows[index] = excluded.rows[Int(state.rows[index]) + Int(excluded.classes[Int(byte)])]
            if Int(next.rows[index]) == excluded.accepted { return nil }
        }
        return next
    }

    private func text(to position: Int) -> String {
        var (bytes, position) = ([UInt8](), position)
        while steps[position].before >= 0 {
            bytes.append(steps[position].byte)
            position = steps[position].before
        }
        return String(decoding: bytes.reversed(), as: UTF8.self)
    }

    /// The bytes that may follow a byte of well-formed UTF-8 (RFC 3629, section 4); nil if the byte may not stand there.
    private static func rest(after rest: Rest, _ byte: UInt8) -> Rest? {
        switch (rest, byte) {
        case (.end, 0x00...0x7F), (.one, 0x80...0xBF): .end
        case (.end, 0xC2...0xDF), (.two, 0x80...0xBF), (.afterE0, 0xA0...0xBF), (.afterED, 0x80...0x9F): .one
        case (.end, 0xE0): .afterE0
        case (.end, 0xED): .afterED
        case (.end, 0xE1...0xEF), (.three, 0x80...0xBF), (.afterF0, 0x90...0xBF), (.afterF4, 0x80...0x8F): .two
        case (.end, 0xF0): .afterF0
        case (.end, 0xF4): .afterF4
        case (.end, 0xF1...0xF3): .three
        default: nil
        }
    }

    /// A number for the bytes that may stand in the same places.
    private static func form(of byte: UInt8) -> UInt8 {
        switch byte {
        case 0x00...0x7F: 0
        case 0x80...0x8F: 1
        case 0x90...0x9F: 2
        case 0xA0...0xBF: 3
        case 0xC2...0xDF: 4
        case 0xE0, 0xED, 0xF0, 0xF4: byte
        case 0xE1...0xEF: 5
        case 0xF1...0xF3: 6
        default: 7
        }
    }
}

extension Pattern {
    /// Returns one of the shortest texts that all of some patterns match and another one does not; nil if there is none.
    ///
    /// - Parameter lengths: The numbers of code points that the text may have.
    /// - Throws: `PatternError` if the search takes too many steps.
    package static func text(
        matching patterns: [Pattern], butNot excluded: Pattern?, lengths: ClosedRange<Int>
    ) throws(PatternError) -> String? {
        var difference = PatternDifference(patterns.map(\.table), butNot: excluded?.table, lengths: lengths)
        do throws(PatternLimit) { return try difference.find() } catch {
            throw PatternError(
                offset: 0, expected: error.expected,
                found: ModelError.quote(excluded?.text ?? patterns.first?.text ?? ""))
        }
    }
}
