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
        let report = ReportPart(value, [])
        let format = try report["format"].text
        guard UTF8Text.equal(format, Self.format) else {
            throw ModelError(
                .typeMismatch, expected: "\(ModelError.quote(Self.format))", found: ModelError.quote(format)
            ).at(["format"])
        }
        schema = try report["schema"].text
        documents = try report["documents"].count
        findings = try report["findings"].list { part throws(ModelError) in try Finding(part) }
        notes = try report["notes"].list { part throws(ModelError) in try Finding(part) }
        hasBaseline = report["shifts"].value != nil
        shifts = try report["shifts"].list { part throws(ModelError) in try Shift(part) }
        objects = try report["objects"].members { name, part throws(ModelError) in
            Objects(schema: name, count: try part.count)
        }
        figures = try report["figures"].list { part throws(ModelError) in try Figure(part) }
        cuts = try report["cuts"].list { part throws(ModelError) in try part.text }
    }
}

/// A value in a report, and its path.
private struct ReportPart {
    let value: JSONValue?
    let path: [String]

    init(_ value: JSONValue?, _ path: [String]) {
        self.value = value
        self.path = path
    }

    subscript(name: String) -> ReportPart { ReportPart(value?[name], path + [name]) }

    func mismatch(_ expected: String) -> ModelError {
        ModelError(.typeMismatch, expected: expected, found: value?.summary ?? "none").at(path)
    }

    var text: String {
        get throws(ModelError) {
            guard case .string(let text)? = value else { throw mismatch("a string") }
            return text
        }
    }

    var number: JSONNumber {
        get throws(ModelError) {
            guard case .number(let number)? = value else { throw mismatch("a number") }
            return number
        }
    }

    var count: Int {
        get throws(ModelError) {
            guard let count = value?.intValue, count >= 0 else { throw mismatch("an integer from 0 on") }
            return count
        }
    }

    var pointer: JSONPointer {
        get throws(ModelError) {
            guard let pointer = try JSONPointer(text) else { throw mismatch("a JSON Pointer") }
            return pointer
        }
    }

    var flag: Bool {
        get throws(ModelError) {
            guard let value else { return false }
            guard case .bool(let flag) = value else { throw mismatch("true or false") }
            return flag
        }
    }

    /// Reads one of some texts.
    func choice<Value: RawRepresentable>(_ type: Value.Type) throws(ModelError) -> Value
    where Value.RawValue == String {
        guard let value = Value(rawValue: try text) else { throw mismatch("a kind that this version knows") }
        return value
    }

    /// Reads a list; none if it is missing.
    func list<Element>(_ read: (ReportPart) throws(ModelError) -> Element) throws(ModelError) -> [Element] {
        guard let value else { return [] }
        guard case .array(let elements) = value else { throw mismatch("an array") }
        var result: [Element] = []
        result.reserveCapacity(elements.count)
        for (index, element) in elements.enumerated() {
            result.append(try read(ReportPart(element, path + ["\(index)"])))
        }
        return result
    }

    /// Reads the members of an object; none if it is missing.
    func members<Element>(
        _ read: (String, ReportPart) throws(ModelError) -> Element
    ) throws(ModelError) -> [Element] {
        guard let value else { return [] }
        guard case .object(let members) = value else { throw mismatch("an object") }
        var result: [Element] = []
        for (name, value) in members { result.append(try read(name, ReportPart(value, path + [name]))) }
        return result
    }

    /// Reads a value; nil if it is missing.
    func optional<Value>(_ read: (ReportPart) throws(ModelError) -> Value) throws(ModelError) -> Value? {
        value == nil ? nil : try read(self)
    }
}

extension DriftReport.Finding {
    fileprivate init(_ part: ReportPart) throws(ModelError) {
        kind = try part["kind"].choice(Kind.self)
        schema = try part["schema"].text
        place = try part["place"].text
        expected = try part["expected"].text
        count = try part["count"].count
        isNew = part["new"].value == nil ? true : try part["new"].flag
        values = try part["values"].list { part throws(ModelError) in
            guard let value = part["value"].value else { throw part["value"].mismatch("a value") }
            return Value(value: value, count: try part["count"].count)
        }
        otherValues = try part["otherValues"].optional { part throws(ModelError) in try part.count } ?? 0
        examples = try part["examples"].list { part throws(ModelError) in
            Example(
                source: try part["source"].text,
                line: try part["line"].optional { part throws(ModelError) in try part.count },
                pointer: try part["pointer"].pointer, found: try part["found"].text)
        }
        edit = try part["edit"].optional { part throws(ModelError) in
            let isRemoval = try part["remove"].flag
            guard isRemoval || part["value"].value != nil else { throw part["value"].mismatch("a value") }
            return DriftReport.Edit(
                schema: try part["schema"].text, pointer: try part["pointer"].pointer,
                value: isRemoval ? nil : part["value"].value,
                newSchemas: try part["newSchemas"].list { part throws(ModelError) in
                    guard let value = part.value else { throw part.mismatch("a schema") }
                    return value
                })
        }
    }
}

extension DriftReport.Shift {
    fileprivate init(_ part: ReportPart) throws(ModelError) {
        kind = try part["kind"].choice(Kind.self)
        schema = try part["schema"].text
        place = try part["place"].text
        before = try part["before"].text
        now = try part["now"].text
    }
}

extension DriftReport.Figure {
    fileprivate init(_ part: ReportPart) throws(ModelError) {
        func range(_ part: ReportPart) throws(ModelError) -> Range? {
            try part.optional { part throws(ModelError) in
                Range(
                    minimum: try part["minimum"].number, maximum: try part["maximum"].number,
                    bars: try part["bars"].list { part throws(ModelError) in
                        Bar(start: try part["start"].number.double, count: try part["count"].count)
                    })
            }
        }
        schema = try part["schema"].text
        place = try part["place"].text
        kind = try part["kind"].text
        holders = try part["holders"].count
        absent = try part["absent"].count
        nulls = try part["nulls"].count
        var kinds: [String: Int] = [:]
        for name in Self.kindNames {
            kinds[name] = try part["kinds"][name].optional { part throws(ModelError) in try part.count }
        }
        self.kinds = kinds
        numbers = try range(part["numbers"])
        lengths = try range(part["lengths"])
        counts = try range(part["counts"])
        let text = try part["registers"].optional { part throws(ModelError) in try part.text } ?? ""
        guard let registers = DistinctCount(registers: text, isEstimate: try part["estimated"].flag) else {
            throw part["registers"].mismatch("the registers of \(try part["distinct"].count) distinct values")
        }
        self.registers = registers
        guard absent <= holders, nulls <= holders - absent else {
            throw part["nulls"].mismatch("at most \((holders - min(absent, holders)).counted("null"))")
        }
    }
}
