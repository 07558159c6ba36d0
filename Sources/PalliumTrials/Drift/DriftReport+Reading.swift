public import Foundation
public import PalliumCore
import PalliumJSON

// Reads reports from JSON.
//
// Safety: the bytes of a report are copied while they are borrowed.
extension DriftReport {
    /// Reads a report that was written as ``json``.
    ///
    /// - Parameter json: The report in UTF-8.
    /// - Throws: ``ModelError`` if it is malformed or no report, with the path of the first mistake.
    /// - Complexity: O(*n*) in the size of the report.
    public init(json: some ContiguousBytes) throws(ModelError) {
        let bytes = json.withBorrowedBytes { [UInt8]($0) }
        let value: JSONValue
        do throws(JSONSyntaxError) { value = try JSONValue(parsing: bytes) } catch {
            throw bytes.withBorrowedBytes { ModelError(error, in: $0) }
        }
        let report = ReportPart(value)
        let format = try report.text("format")
        guard UTF8Text.equal(format, Self.format) else {
            throw report.mismatch(ModelError.quote(Self.format), at: "format")
        }
        schema = try report.text("schema")
        documents = try report.count("documents")
        findings = try report.list("findings", Finding.init)
        notes = try report.list("notes", Finding.init)
        hasBaseline = report.has("shifts")
        shifts = try report.list("shifts", Shift.init)
        objects =
            try report.optional("objects") { objects throws(ModelError) in
                try objects.names().map { name throws(ModelError) in
                    Objects(schema: name, count: try objects.count(name))
                }
            } ?? []
        figures = try report.list("figures", Figure.init)
        cuts = try report.list("cuts") { part throws(ModelError) in
            guard let text = part.value?.stringValue else { throw part.mismatch("a string") }
            return text
        }
    }
}

/// A value in a report; nil for a missing one. Errors get their paths on the way out.
private struct ReportPart {
    let value: JSONValue?

    init(_ value: JSONValue?) { self.value = value }

    /// Makes the error for the value, or for a member.
    func mismatch(_ expected: String, at name: String? = nil) -> ModelError {
        let found = name.map { value?[$0] } ?? value
        return ModelError(.typeMismatch, expected: expected, found: found?.summary ?? "none")
            .at(name.map { [$0] } ?? [])
    }

    func has(_ name: String) -> Bool { value?[name] != nil }

    func text(_ name: String) throws(ModelError) -> String {
        guard case .string(let text)? = value?[name] else { throw mismatch("a string", at: name) }
        return text
    }

    func number(_ name: String) throws(ModelError) -> JSONNumber {
        guard case .number(let number)? = value?[name] else { throw mismatch("a number", at: name) }
        return number
    }

    func count(_ name: String) throws(ModelError) -> Int {
        guard let count = value?[name]?.intValue, count >= 0 else {
            throw mismatch("an integer from 0 on", at: name)
        }
        return count
    }

    /// Reads a Boolean; false if it is missing.
    func flag(_ name: String) throws(ModelError) -> Bool {
        guard let value = value?[name] else { return false }
        guard case .bool(let flag) = value else { throw mismatch("true or false", at: name) }
        return flag
    }

    func json(_ name: String) throws(ModelError) -> JSONValue {
        guard let value = value?[name] else { throw mismatch("a value", at: name) }
        return value
    }

    func pointer(_ name: String) throws(ModelError) -> JSONPointer {
        guard let pointer = try JSONPointer(text(name)) else { throw mismatch("a JSON Pointer", at: name) }
        return pointer
    }

    /// Reads one of some texts.
    func choice<Value: RawRepresentable<String>>(_ name: String) throws(ModelError) -> Value {
        guard let value = try Value(rawValue: text(name)) else {
            throw mismatch("a kind that this version knows", at: name)
        }
        return value
    }

    /// The names of the members.
    func names() throws(ModelError) -> [String] {
        guard case .object(let members)? = value else { throw mismatch("an object") }
        return members.map(\.key)
    }

    /// Reads a member; nil if it is missing.
    func optional<Value>(
        _ name: String, _ read: (ReportPart) throws(ModelError) -> Value
    ) throws(ModelError) -> Value? {
        guard let value = value?[name] else { return nil }
        do throws(ModelError) { return try read(ReportPart(value)) } catch { throw error.under(key: name) }
    }

    /// Reads a list; none if it is missing.
    func list<Element>(
        _ name: String, _ read: (ReportPart) throws(ModelError) -> Element
    ) throws(ModelError) -> [Element] {
        try optional(name) { part throws(ModelError) in
            guard case .array(let elements)? = part.value else { throw part.mismatch("an array") }
            var result: [Element] = []
            result.reserveCapacity(elements.count)
            for (index, element) in elements.enumerated() {
                do throws(ModelError) { result.append(try read(ReportPart(element))) } catch {
                    throw error.under(index: index)
                }
            }
            return result
        } ?? []
    }
}

extension DriftReport.Finding {
    fileprivate init(_ part: ReportPart) throws(ModelError) {
        kind = try part.choice("kind")
        schema = try part.text("schema")
        place = try part.text("place")
        expected = try part.text("expected")
        count = try part.count("count")
        isNew = part.has("new") ? try part.flag("new") : true
        values = try part.list("values") { part throws(ModelError) in
            Value(value: try part.json("value"), count: try part.count("count"))
        }
        otherValues = part.has("otherValues") ? try part.count("otherValues") : 0
        examples = try part.list("examples") { part throws(ModelError) in
            Example(
                source: try part.text("source"), line: part.has("line") ? try part.count("line") : nil,
                pointer: try part.pointer("pointer"), found: try part.text("found"))
        }
        edit = try part.optional("edit") { part throws(ModelError) in
            DriftReport.Edit(
                schema: try part.text("schema"), pointer: try part.pointer("pointer"),
                value: try part.flag("remove") ? Optional.none : part.json("value"),
                newSchemas: try part.list("newSchemas") { $0.value ?? .null })
        }
    }
}

extension DriftReport.Shift {
    fileprivate init(_ part: ReportPart) throws(ModelError) {
        kind = try part.choice("kind")
        schema = try part.text("schema")
        place = try part.text("place")
        before = try part.text("before")
        now = try part.text("now")
    }
}

extension DriftReport.Figure {
    fileprivate init(_ part: ReportPart) throws(ModelError) {
        func range(_ part: ReportPart) throws(ModelError) -> ValueRange {
            ValueRange(
                minimum: try part.number("minimum"), maximum: try part.number("maximum"),
                bars: try part.list("bars") { part throws(ModelError) in
                    (number: try part.number("start").double, count: try part.count("count"))
                })
        }
        schema = try part.text("schema")
        place = try part.text("place")
        kind = try part.text("kind")
        holders = try part.count("holders")
        absent = try part.count("absent")
        let nulls = try part.count("nulls")
        guard absent <= holders, nulls <= holders - absent else {
            throw part.mismatch("at most \((holders - min(absent, holders)).counted("null"))", at: "nulls")
        }
        let text = part.has("registers") ? try part.text("registers") : ""
        guard let distinct = DistinctCount(registers: text, isEstimate: try part.flag("estimated")) else {
            throw part.mismatch("the registers of \(try part.count("distinct")) distinct values", at: "registers")
        }
        let kinds = try part.optional("kinds") { kinds throws(ModelError) in
            try Self.kindNames.map { name throws(ModelError) in kinds.has(name) ? try kinds.count(name) : 0 }
        }
        values = ValueFigures(
            nulls: nulls, kinds: kinds ?? [], present: holders - absent - nulls, distinct: distinct,
            numbers: try part.optional("numbers", range), lengths: try part.optional("lengths", range),
            counts: try part.optional("counts", range))
    }
}
