public import PalliumJSON

// Writes reports as JSON.
extension DriftReport {
    /// The report as JSON, for programs and as a baseline.
    public var json: JSONValue {
        var members: JSONObject = [
            "format": .string(Self.format), "schema": .string(schema), "documents": Self.number(documents),
            "findings": .array(findings.map { .object($0.members(hasBaseline: hasBaseline)) }),
            "notes": .array(notes.map { .object($0.members(hasBaseline: hasBaseline)) }),
        ]
        if hasBaseline {
            members["shifts"] = .array(
                shifts.map { shift in
                    [
                        "kind": .string(shift.kind.rawValue), "schema": .string(shift.schema),
                        "place": .string(shift.place), "before": .string(shift.before), "now": .string(shift.now),
                    ]
                })
        }
        members["objects"] = .object(
            JSONObject(objects.map { (key: $0.schema, value: Self.number($0.count)) }))
        members["figures"] = .array(figures.map { .object($0.members) })
        members["cuts"] = .array(cuts.map { .string($0) })
        return .object(members)
    }

    /// The name and version of the format.
    static let format = "pallium drift report 1"

    fileprivate static func number(_ number: Int) -> JSONValue { .number(JSONNumber(number)) }
}

extension DriftReport.Finding {
    fileprivate func members(hasBaseline: Bool) -> JSONObject {
        var members: JSONObject = [
            "kind": .string(kind.rawValue), "schema": .string(schema), "place": .string(place),
            "expected": .string(expected), "count": DriftReport.number(count),
        ]
        if hasBaseline { members["new"] = .bool(isNew) }
        if !values.isEmpty {
            members["values"] = .array(
                values.map { ["value": $0.value, "count": DriftReport.number($0.count)] })
        }
        if otherValues > 0 { members["otherValues"] = DriftReport.number(otherValues) }
        if !examples.isEmpty { members["examples"] = .array(examples.map { .object($0.members) }) }
        members["edit"] = edit.map { .object($0.members) }
        return members
    }
}

extension DriftReport.Finding.Example {
    fileprivate var members: JSONObject {
        var members: JSONObject = ["source": .string(source)]
        members["line"] = line.map(DriftReport.number)
        members["pointer"] = .string(pointer.description)
        members["found"] = .string(found)
        return members
    }
}

extension DriftReport.Edit {
    /// The edit as JSON: the schema, the pointer, and the value or `"remove": true`.
    var members: JSONObject {
        var members: JSONObject = ["schema": .string(schema), "pointer": .string(pointer.description)]
        if let value { members["value"] = value } else { members["remove"] = true }
        if !newSchemas.isEmpty { members["newSchemas"] = .array(newSchemas) }
        return members
    }
}

extension DriftReport.Figure {
    fileprivate var members: JSONObject {
        var members: JSONObject = [
            "schema": .string(schema), "place": .string(place), "kind": .string(kind),
            "holders": DriftReport.number(holders), "absent": DriftReport.number(absent),
            "nulls": DriftReport.number(nulls),
        ]
        var kinds = JSONObject()
        for (name, count) in zip(Self.kindNames, values.kinds) where count > 0 {
            kinds[name] = DriftReport.number(count)
        }
        members["kinds"] = .object(kinds)
        members["numbers"] = numbers.map { .object($0.members) }
        members["lengths"] = lengths.map { .object($0.members) }
        members["counts"] = counts.map { .object($0.members) }
        members["distinct"] = DriftReport.number(distinct)
        if isDistinctEstimated { members["estimated"] = true }
        if distinct > 0 { members["registers"] = .string(values.distinct.registers) }
        return members
    }
}

extension DriftReport.Figure.Range {
    fileprivate var members: JSONObject {
        [
            "minimum": .number(minimum), "maximum": .number(maximum),
            "bars": .array(
                bars.map { bar in
                    [
                        "start": JSONNumber(bar.start).map { .number($0) } ?? .null,
                        "count": DriftReport.number(bar.count),
                    ]
                }),
        ]
    }
}
