import PalliumJSON

// Compares a report with an earlier one.
extension DriftReport {
    /// The smallest number of objects on both sides for which rates are compared.
    private static let minimumHolders = 20
    /// By how many percentage points a rate moves at least when it shifts.
    private static let minimumPoints = 10.0
    /// By which factor a range grows when it shifts.
    private static let factor = 10.0

    /// Marks what an earlier report lacks, and finds the clear changes of figures.
    ///
    /// A finding or note is new if the baseline has none of its kind at the place, or if it has values that the baseline does not
    /// list.
    ///
    /// - Complexity: O(*n*) in the size of both reports.
    public mutating func compare(with baseline: DriftReport) {
        Self.mark(&findings, since: baseline.findings)
        Self.mark(&notes, since: baseline.notes)
        let earlier = Dictionary(baseline.figures.map { ($0.key, $0) }) { _, last in last }
        shifts = figures.flatMap { figure in earlier[figure.key].map { Self.shifts(from: $0, to: figure) } ?? [] }
        hasBaseline = true
    }

    private static func mark(_ findings: inout [Finding], since baseline: [Finding]) {
        let earlier = Dictionary(baseline.map { ($0.key(isNote: false), $0) }) { _, last in last }
        for (position, finding) in findings.enumerated() {
            let known = earlier[finding.key(isNote: false)]
            findings[position].isNew =
                known.map { known in
                    finding.values.contains { value in !known.values.contains { $0.value == value.value } }
                } ?? true
        }
    }

    private static func shifts(from old: Figure, to new: Figure) -> [Shift] {
        var shifts: [Shift] = []
        func add(_ kind: Shift.Kind, _ before: String, _ now: String) {
            shifts.append(Shift(kind: kind, schema: new.schema, place: new.place, before: before, now: now))
        }
        if old.holders >= minimumHolders, new.holders >= minimumHolders {
            if old.absent < old.holders, new.absent == new.holders {
                add(.disappeared, "present in \(percent(old.holders - old.absent, old.holders))", "absent")
            } else if hasMoved(old.absent, old.holders, new.absent, new.holders) {
                add(
                    .absentRate, "absent in \(percent(old.absent, old.holders))",
                    "absent in \(percent(new.absent, new.holders))")
            }
            if hasMoved(old.nulls, old.holders, new.nulls, new.holders) {
                add(
                    .nullRate, "null in \(percent(old.nulls, old.holders))",
                    "null in \(percent(new.nulls, new.holders))")
            }
        }
        let ranges = [
            ("numbers", old.numbers, new.numbers), ("lengths", old.lengths, new.lengths),
            ("counts", old.counts, new.counts),
        ]
        for (name, before, now) in ranges {
            guard let before, let now, exceeds(now, before, isCount: name != "numbers") else { continue }
            add(.range, "\(name) \(before)", "\(name) \(now)")
        }
        return shifts
    }

    /// A share in percent: `12.5 %`.
    static func percent(_ count: Int, _ whole: Int) -> String {
        let tenths = whole == 0 ? 0 : (Double(count) / Double(whole) * 1000).rounded()
        let number = Int(tenths)
        return number % 10 == 0 ? "\(number / 10) %" : "\(number / 10).\(number % 10) %"
    }

    private static func hasMoved(_ old: Int, _ oldWhole: Int, _ new: Int, _ newWhole: Int) -> Bool {
        abs(Double(old) / Double(oldWhole) - Double(new) / Double(newWhole)) * 100 > minimumPoints
    }

    private static func exceeds(_ new: Figure.Range, _ old: Figure.Range, isCount: Bool) -> Bool {
        let largest = max(old.minimum.double.magnitude, old.maximum.double.magnitude, 1)
        if max(new.minimum.double.magnitude, new.maximum.double.magnitude) > largest * factor { return true }
        return isCount
            ? old.minimum.double > 0 && new.minimum.double == 0 : old.minimum.double >= 0 && new.minimum.double < 0
    }
}

extension DriftReport.Figure.Range: CustomStringConvertible {
    /// The smallest and the largest number: `1 … 250`.
    public var description: String {
        minimum == maximum ? minimum.text : "\(minimum.text) … \(maximum.text)"
    }
}
