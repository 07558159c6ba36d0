import Pallium

/// Counts problems by code, by place and by schema.
///
/// Indices of arrays are `*` in places. Names come from input, so only the first thousand different ones are counted
/// apart.
struct ProblemCounts: Sendable {
    private struct Table: Sendable {
        static let maximumCount = 1000

        var counts: [UTF8Key: Int] = [:]
        /// The problems whose names are beyond the limit.
        var others = 0

        mutating func add(_ name: UTF8Key, _ count: Int) {
            if counts[name] == nil, counts.count == Self.maximumCount {
                others += count
            } else {
                counts[name, default: 0] += count
            }
        }

        mutating func merge(_ other: Table) {
            // In a fixed order, because it decides which names are beyond the limit.
            for (name, count) in ProblemCounts.sorted(other.counts) { add(UTF8Key(name), count) }
            others += other.others
        }
    }

    private(set) var total = 0
    private var codes = Table()
    private var places = Table()
    private var schemas = Table()

    mutating func add(_ problem: ModelError) {
        total += 1
        codes.add(UTF8Key(problem.code.rawValue), 1)
        places.add(UTF8Key(Self.place(of: problem)), 1)
        if let schema = problem.schema { schemas.add(UTF8Key(schema), 1) }
    }

    mutating func merge(_ other: ProblemCounts) {
        if other.total == 0 { return }
        total += other.total
        codes.merge(other.codes)
        places.merge(other.places)
        schemas.merge(other.schemas)
    }

    /// A table for each kind of name, in lines.
    var tables: [String] {
        [("code", codes), ("place", places), ("schema", schemas)].flatMap { title, table -> [String] in
            if table.counts.isEmpty { return [] }
            var rows = [("problems", title)]
            rows += Self.sorted(table.counts).map { ("\($0.count)", PrintableText.escape($0.name, limit: 256)) }
            if table.others > 0 { rows.append(("\(table.others)", "…")) }
            let width = rows.map(\.0.utf8.count).max() ?? 0
            return [""] + rows.map { String(repeating: " ", count: width - $0.0.utf8.count) + "\($0.0)  \($0.1)" }
        }
    }

    /// An object of numbers for each kind of name.
    var object: JSONObject {
        var object = JSONObject()
        for (title, table) in [("code", codes), ("place", places), ("schema", schemas)] {
            object[title] = .object(Self.object(table.counts))
            if table.others > 0 { object["other \(title)s"] = .number(JSONNumber(table.others)) }
        }
        return object
    }

    /// Counts as an object, the highest first.
    static func object(_ counts: [UTF8Key: Int]) -> JSONObject {
        var object = JSONObject()
        for (name, count) in sorted(counts) { object[name] = .number(JSONNumber(count)) }
        return object
    }

    /// Counts with their names, the highest first, then by name.
    static func sorted(_ counts: [UTF8Key: Int]) -> [(name: String, count: Int)] {
        counts.sorted { left, right in
            left.value == right.value
                ? UTF8Text.precedes(left.key.text, right.key.text) : left.value > right.value
        }.map { ($0.key.text, $0.value) }
    }

    private static func place(of problem: ModelError) -> String {
        let tokens = problem.pointer?.tokens ?? []
        let isIndex = { (token: String) in token.utf8.allSatisfy { (48...57).contains($0) } && !token.utf8.isEmpty }
        return tokens.isEmpty ? "/" : JSONPointer(tokens: tokens.map { isIndex($0) ? "*" : $0 }).description
    }
}
