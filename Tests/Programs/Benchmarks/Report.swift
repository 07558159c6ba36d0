import Foundation

/// A measured row. Its goal is judged on the used heap, where the heap matters.
struct ReportRow {
    let workload: Workload
    let fresh: Measurement
    /// Nil for sizes, which do not depend on the heap.
    let used: Measurement?

    var counts: Bool { fresh.counts && used?.counts ?? true }

    /// Whether the row is as good as it wants to be.
    var reachesGoal: Bool { workload.goal.isReached(by: workload.goal.figure(used ?? fresh)) }
}

/// Prints rows.
enum Report {
    /// A table for people.
    static func table(_ rows: [ReportRow]) -> String {
        let header = [
            "row", "unit", "fresh heap: ours", "baseline", "figure", "used heap: ours", "baseline", "figure", "goal",
            "",
        ]
        let lines = [header] + rows.map(cells)
        let widths = header.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
        return lines.map { cells in
            zip(cells, widths).enumerated().map { column, pair in
                let padding = String(repeating: " ", count: pair.1 - pair.0.count)
                return [0, 1, header.count - 1].contains(column) ? pair.0 + padding : padding + pair.0
            }.joined(separator: "  ")
        }.joined(separator: "\n")
    }

    /// An array for programs.
    static func json(_ rows: [ReportRow]) throws -> String {
        struct Figures: Encodable {
            let ours: Double
            let baseline: Double
            let figure: Double

            init(_ measurement: Measurement, _ goal: Goal) {
                ours = measurement.ours
                baseline = measurement.baseline
                figure = goal.figure(measurement)
            }
        }
        struct Line: Encodable {
            let name: String
            let unit: String
            let fresh: Figures
            let used: Figures?
            let goal: Double
            let better: String
            let counts: Bool
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let lines = rows.map { row in
            let goal = row.workload.goal
            return Line(
                name: row.workload.name, unit: row.workload.unit.name, fresh: Figures(row.fresh, goal),
                used: row.used.map { Figures($0, goal) }, goal: goal.value, better: goal.better.rawValue,
                counts: row.counts)
        }
        return String(decoding: try encoder.encode(lines), as: UTF8.self)
    }

    private static func cells(_ row: ReportRow) -> [String] {
        let (goal, unit) = (row.workload.goal, row.workload.unit)
        func figure(_ value: Double) -> String {
            goal.figure == .ratio ? number(value) + "×" : number(value / unit.size) + " " + unit.symbol
        }
        func figures(_ measurement: Measurement?) -> [String] {
            guard let measurement else { return ["", "", ""] }
            return [
                number(measurement.ours / unit.size), number(measurement.baseline / unit.size),
                figure(goal.figure(measurement)),
            ]
        }
        let reach = goal.reach.map { " (reach \(number($0)))" } ?? ""
        let verdict = !row.counts ? "does not count" : row.reachesGoal ? "pass" : "short"
        return [row.workload.name, unit.name] + figures(row.fresh) + figures(row.used)
            + [(goal.better == .higher ? "≥ " : "≤ ") + figure(goal.value) + reach, verdict]
    }

    /// Three digits or more, none of them false precision.
    private static func number(_ value: Double) -> String {
        let places = value == value.rounded() && abs(value) < 1000 ? 0 : abs(value) < 10 ? 2 : abs(value) < 100 ? 1 : 0
        return String(format: "%.\(places)f", value)
    }
}

extension Workload.Unit {
    fileprivate var name: String {
        switch self {
        case .nanoseconds(let thing): "ns/\(thing)"
        case .bytes: symbol
        }
    }

    fileprivate var symbol: String {
        switch self {
        case .nanoseconds: "ns"
        case .bytes: "MB"
        }
    }

    /// How much of what is measured makes one of what is printed.
    fileprivate var size: Double {
        switch self {
        case .nanoseconds: 1
        case .bytes: 1_000_000
        }
    }
}
