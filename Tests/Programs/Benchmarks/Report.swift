import Foundation

/// A measured row.
struct ReportRow {
    let name: String
    let unit: Workload.Unit
    let goal: Goal
    let ours: Double
    let baseline: Double
    /// Whether both sides did equal work and every wrong document was refused.
    let counts: Bool

    init(_ workload: Workload, ours: Double, baseline: Double, counts: Bool) {
        name = workload.name
        unit = workload.unit
        goal = workload.goal
        self.ours = ours
        self.baseline = baseline
        self.counts = counts
    }

    var figure: Double { goal.figure(ours: ours, baseline: baseline) }
}

/// Prints rows.
enum Report {
    /// A table for people.
    static func table(_ rows: [ReportRow]) -> String {
        let header = ["row", "ours", "baseline", "ratio", "goal", ""]
        let lines = [header] + rows.map(cells)
        let widths = header.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
        return lines.map { cells in
            zip(cells, widths).enumerated().map { column, pair in
                let padding = String(repeating: " ", count: pair.1 - pair.0.count)
                return column == 0 || column == header.count - 1 ? pair.0 + padding : padding + pair.0
            }.joined(separator: "  ")
        }.joined(separator: "\n")
    }

    /// An array for programs. Memory rows carry bytes where the others carry nanoseconds.
    static func json(_ rows: [ReportRow]) throws -> String {
        struct Line: Encodable {
            let name: String
            let ours_ns: Double
            let baseline_ns: Double
            let ratio: Double
            let goal: Double
            let better: String
            let digest_equal: Bool
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .withoutEscapingSlashes]
        let lines = rows.map { row in
            Line(
                name: row.name, ours_ns: row.ours, baseline_ns: row.baseline, ratio: row.figure, goal: row.goal.value,
                better: row.goal.better.rawValue, digest_equal: row.counts)
        }
        return String(decoding: try encoder.encode(lines), as: UTF8.self)
    }

    private static func cells(_ row: ReportRow) -> [String] {
        let relation = row.goal.better == .higher ? "≥" : "≤"
        let reach = row.goal.reach.map { " (reach \(number($0)))" } ?? ""
        let sign = row.goal.figure == .ratio ? "×" : " ns"
        let verdict = !row.counts ? "does not count" : row.goal.isReached(by: row.figure) ? "pass" : "short"
        return [
            row.name, amount(row.ours, row.unit), amount(row.baseline, row.unit), number(row.figure) + sign,
            "\(relation) \(number(row.goal.value))\(sign)\(reach)", verdict,
        ]
    }

    private static func amount(_ value: Double, _ unit: Workload.Unit) -> String {
        switch unit {
        case .nanoseconds(let thing): number(value) + " ns/\(thing)"
        case .bytes: number(value / 1_000_000) + " MB"
        }
    }

    /// Three digits or more, none of them false precision.
    private static func number(_ value: Double) -> String {
        let places = value == value.rounded() && abs(value) < 1000 ? 0 : abs(value) < 10 ? 2 : abs(value) < 100 ? 1 : 0
        return String(format: "%.\(places)f", value)
    }
}
