import Foundation

/// A measured row.
struct ReportRow {
    let workload: Workload
    /// By heap; sizes, which do not depend on the heap, are measured on the fresh one only.
    let measurements: [HeapState: Measurement]

    /// The measurement by which the goal is judged.
    var judged: Measurement? { measurements[workload.dependsOnHeap ? .served : .fresh] }

    var counts: Bool { measurements.values.allSatisfy(\.counts) }

    /// Whether the row is as good as it wants to be.
    var reachesGoal: Bool { judged.map { workload.goal.isReached(by: workload.goal.figure($0)) } ?? false }
}

/// Prints rows.
enum Report {
    private static let columns = [
        "row", "unit", "fresh: Pallium", "figure", "served: Pallium", "baseline", "figure", "worst: Pallium", "figure",
        "goal", "",
    ]
    /// The columns of words. All others are figures.
    private static let words = [0, 1, columns.count - 1]

    /// A table for people.
    static func table(_ rows: [ReportRow]) -> String {
        let lines = [columns] + rows.map(cells)
        let widths = columns.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
        return lines.map { cells in
            zip(cells, widths).enumerated().map { column, pair in
                let padding = String(repeating: " ", count: pair.1 - pair.0.count)
                return words.contains(column) ? pair.0 + padding : padding + pair.0
            }.joined(separator: "  ")
        }.joined(separator: "\n")
    }

    /// A table for articles.
    static func markdown(_ rows: [ReportRow]) -> String {
        let rule = columns.indices.map { words.contains($0) ? "---" : "---:" }
        return ([columns, rule] + rows.map(cells)).map { "| " + $0.joined(separator: " | ") + " |" }
            .joined(separator: "\n")
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
            let fresh: Figures?
            let served: Figures?
            let worst: Figures?
            let goal: Double
            let better: String
            let counts: Bool
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let lines = rows.map { row in
            let goal = row.workload.goal
            func figures(_ heap: HeapState) -> Figures? { row.measurements[heap].map { Figures($0, goal) } }
            return Line(
                name: row.workload.name, unit: row.workload.unit.name, fresh: figures(.fresh),
                served: figures(.served), worst: figures(.worst), goal: goal.value, better: goal.better.rawValue,
                counts: row.counts)
        }
        return String(decoding: try encoder.encode(lines), as: UTF8.self)
    }

    private static func cells(_ row: ReportRow) -> [String] {
        let (goal, unit) = (row.workload.goal, row.workload.unit)
        func figure(_ value: Double) -> String {
            goal.figure == .ratio ? number(value) + "×" : number(value / unit.size) + " " + unit.symbol
        }
        func figures(_ measurement: Measurement?, withBaseline: Bool) -> [String] {
            guard let measurement else { return Array(repeating: "", count: withBaseline ? 3 : 2) }
            return [number(measurement.ours / unit.size)]
                + (withBaseline ? [number(measurement.baseline / unit.size)] : [])
                + [figure(goal.figure(measurement))]
        }
        let reach = goal.reach.map { " (reach \(number($0)))" } ?? ""
        let verdict = !row.counts ? "does not count" : row.reachesGoal ? "pass" : "short"
        // A size stands in the columns of the heap that is judged.
        let fresh = row.workload.dependsOnHeap ? row.measurements[.fresh] : nil
        return [row.workload.name, unit.name]
            + figures(fresh, withBaseline: false) + figures(row.judged, withBaseline: true)
            + figures(row.measurements[.worst], withBaseline: false)
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
