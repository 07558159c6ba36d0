import Pallium

/// Counts problems by code, by place and by schema.
///
/// Indices of arrays are `*` in places. Names come from input, so only the first thousand different ones are counted
/// apart, unless the counts are of a part that is merged into others.
struct ProblemCounts: Sendable {
    private struct Table: Sendable {
        /// Counts with their names, in the order in which the names came.
        private(set) var rows: [(name: UTF8Key, count: Int)] = []
        /// The problems whose names are beyond the limit.
        private(set) var others = 0
        private var indices: [UTF8Key: Int] = [:]
        private let maximumCount: Int

        init(maximumCount: Int) { self.maximumCount = maximumCount }

        mutating func add(_ name: UTF8Key, _ count: Int = 1) {
            if let index = indices[name] {
                rows[index].count += count
            } else if rows.count == maximumCount {
                others += count
            } else {
                indices[name] = rows.count
                rows.append((name, count))
            }
        }

        mutating func merge(_ other: Table) {
            for (name, count) in other.rows { add(name, count) }
            others += other.others
        }

        /// The names as text, the highest counts first, then by name; `…` for the names beyond the limit comes last.
        var sorted: [(name: String, count: Int)] {
            ProblemCounts.sorted(rows) + (others > 0 ? [("…", others)] : [])
        }
    }

    private(set) var total = 0
    private var codes: Table
    private var places: Table
    private var schemas: Table

    /// - Parameter isPart: Whether the counts are of a part of a run.
    init(isPart: Bool) {
        let table = Table(maximumCount: isPart ? .max : 1000)
        (codes, places, schemas) = (table, table, table)
    }

    mutating func add(_ problem: ModelError) {
        total += 1
        codes.add(UTF8Key(problem.code.rawValue))
        places.add(UTF8Key(Self.place(of: problem)))
        if let schema = problem.schema { schemas.add(UTF8Key(schema)) }
    }

    mutating func merge(_ other: ProblemCounts) {
        total += other.total
        codes.merge(other.codes)
        places.merge(other.places)
        schemas.merge(other.schemas)
    }

    /// A table for each kind of name, in lines.
    var tables: [String] {
        named.flatMap { title, table -> [String] in
            if table.rows.isEmpty { return [] }
            let rows =
                [("problems", title)]
                + table.sorted.map { ("\($0.count)", ModelError.shorten($0.name, to: 256)) }
            let width = rows.map(\.0.utf8.count).max() ?? 0
            return [""] + rows.map { String(repeating: " ", count: width - $0.0.utf8.count) + "\($0.0)  \($0.1)" }
        }
    }

    /// An object of numbers for each kind of name.
    var object: JSONObject {
        var object = JSONObject()
        for (title, table) in named { object[title] = .object(Self.object(table.sorted)) }
        return object
    }

    private var named: [(title: String, table: Table)] { [("code", codes), ("place", places), ("schema", schemas)] }

    /// Counts as an object.
    static func object(_ counts: [(name: String, count: Int)]) -> JSONObject {
        var object = JSONObject()
        for (name, count) in counts { object[name] = .number(JSONNumber(count)) }
        return object
    }

    /// Counts with their names, the highest first, then by name.
    static func sorted(_ counts: some Sequence<(name: UTF8Key, count: Int)>) -> [(name: String, count: Int)] {
        counts.sorted { left, right in
            left.count == right.count ? UTF8Text.precedes(left.name.text, right.name.text) : left.count > right.count
        }.map { ($0.name.text, $0.count) }
    }

    private static func place(of problem: ModelError) -> String {
        let tokens = problem.pointer?.tokens ?? []
        let isIndex = { (token: String) in token.utf8.allSatisfy { (48...57).contains($0) } && !token.utf8.isEmpty }
        return tokens.isEmpty ? "/" : JSONPointer(tokens: tokens.map { isIndex($0) ? "*" : $0 }).description
    }
}
