import PalliumCore
import PalliumJSON

// Writes reports as text.
extension DriftReport {
    /// The report in lines for people: findings with their edits, shifts, notes, and a line for each figure.
    ///
    /// Text from documents is escaped. With a baseline, findings that it has are only counted.
    public var text: String {
        var lines: [String] = []
        for finding in findings where finding.isNew { lines += Self.lines(for: finding) }
        for shift in shifts {
            let title = Self.title(shift.schema, shift.place)
            lines.append(
                ModelError.visible("\(title): \(shift.kind.rawValue), \(shift.before) before, \(shift.now) now"))
        }
        for (heading, notes) in noteLists { lines += ["\(heading):"] + notes.map { "  \($0)" } }
        let shown = figures.filter { $0.present > 0 || $0.nulls > 0 }
        if !shown.isEmpty { lines.append("figures:") }
        lines += shown.map { "  \($0.summary)" }
        if !cuts.isEmpty { lines.append("left out:") }
        lines += cuts.map { "  \(ModelError.visible($0))" }
        return lines.map { "\($0)\n" }.joined()
    }

    /// The notes in lines; with a baseline, those that it lacks come first.
    private var noteLists: [(heading: String, lines: [String])] {
        let lists = [
            (hasBaseline ? "new notes" : "notes", notes.filter(\.isNew)), ("notes", notes.filter { !$0.isNew }),
        ]
        return lists.filter { !$1.isEmpty }.map { ($0, Self.lines(of: $1)) }
    }

    /// Returns notes in lines, with one line for all properties of a schema that were never seen.
    private static func lines(of notes: [Finding]) -> [String] {
        var lines: [String] = []
        var rest = notes[...]
        while let note = rest.popFirst() {
            guard note.kind == .neverSeen, !note.place.utf8.isEmpty else {
                lines.append(note.kind == .neverSeen ? "\(note.title): neverSeen" : summary(of: note))
                continue
            }
            let others = rest.prefix { $0.kind == .neverSeen && UTF8Text.equal($0.schema, note.schema) }
            rest = rest.dropFirst(others.count)
            let keys = ([note] + others).map(\.place).joined(separator: ", ")
            lines.append("\(title(note.schema, "")): neverSeen \(ModelError.visible(keys))")
        }
        return lines
    }

    /// A finding or note with its values: `Order.state: unlistedCase, 2 times ("shipped")`.
    private static func summary(of finding: Finding) -> String {
        if finding.values.isEmpty { return finding.description }
        let values = finding.values.prefix(8).map { $0.value.stringValue.map(ModelError.quote) ?? $0.value.summary }
        return "\(finding) (\(values.joined(separator: ", "))\(finding.values.count > 8 ? ", …" : ""))"
    }

    private static func lines(for finding: Finding) -> [String] {
        var lines = [summary(of: finding)]
        for example in finding.examples {
            let line = example.line.map { ":\($0)" } ?? ""
            let pointer = example.pointer.tokens.isEmpty ? "the root" : example.pointer.description
            let source = ModelError.shorten(example.source, to: 200)
            let place = source.utf8.isEmpty ? "" : "\(source)\(line): "
            lines.append(ModelError.visible("  \(place)\(example.found) at \(pointer)"))
        }
        lines.append(ModelError.visible("  expected \(finding.expected)"))
        if let edit = finding.edit {
            lines.append(ModelError.visible("  edit \(edit.description)"))
            lines += edit.newSchemas.map { ModelError.visible("  new schema \($0)") }
        }
        return lines
    }
}

extension DriftReport.Edit: CustomStringConvertible {
    /// The schema, the path and the value: `Order /properties/total/minimum: -2`.
    public var description: String {
        "\(schema) \(pointer): \(value.map { (try? $0.text()) ?? "" } ?? "remove it")"
    }
}

extension DriftReport.Figure {
    /// The rates and ranges in one line.
    var summary: String {
        var parts = [kind]
        parts.append(DriftReport.percent(present, holders) + " of \(holders)")
        if nulls > 0 { parts.append("\(DriftReport.percent(nulls, holders)) null") }
        if let numbers { parts.append("numbers \(numbers)") }
        if let lengths { parts.append("lengths \(lengths)") }
        if let counts { parts.append("counts \(counts)") }
        if distinct > 0 { parts.append("\(isDistinctEstimated ? "about " : "")\(distinct) distinct") }
        return ModelError.visible("\(DriftReport.title(schema, place)): \(parts.joined(separator: ", "))")
    }
}
