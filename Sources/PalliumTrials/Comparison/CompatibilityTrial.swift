import PalliumAdapter
import PalliumArchive
import PalliumCore
import PalliumDocuments
import PalliumJSON

/// Reads documents and archives of one version of schemas with another one.
struct CompatibilityTrial {
    /// What goes wrong with a document.
    struct Finding {
        let format: SchemaChange.Format
        let severity: SchemaChange.Severity
        let schema: String
        let property: String?
        /// What the reader expected; empty if it refused nothing.
        let expected: String
        let problem: String

        /// What is the same for all documents that show it.
        var kind: Set<String> {
            ["format \(format)", "severity \(severity)", "place \(schema).\(property ?? "")", "expected \(expected)"]
        }
    }

    /// How often a document is repaired, because one mistake can hide another one.
    private static let maximumRepairs = 4

    /// The side that made the data.
    private let writer: Side
    /// The side that reads it; nil if it has no schema for the model.
    private var reader: Side?

    /// One version of the schemas.
    private struct Side {
        let schema: ModelSchema
        let adapter: JSONAdapter<DynamicModel>
        let unarchiver: ModelUnarchiver

        init(
            _ schema: ModelSchema, _ registry: SchemaRegistry, _ unknownMembers: JSONAdapterOptions.UnknownMembers
        ) throws(ModelError) {
            self.schema = schema
            var options = JSONAdapterOptions()
            options.unknownMembers = unknownMembers
            adapter = try JSONAdapter(schema: schema, registry: registry, options: options)
            // Each archive looks at the whole list, so it has no more than documents reach.
            let layouts = registry.layouts(neededBy: [try registry.layout(named: schema.name)])
            unarchiver = ModelUnarchiver(registry: registry, allowing: layouts.map { .named($0.schema.name) })
        }
    }

    /// Prepares trials with documents of a schema.
    ///
    /// - Parameter counterpart: The reader's version of the schema; nil if there is none.
    /// - Throws: ``ModelError`` if a schema is not registered.
    init(
        of name: String, writer: SchemaRegistry, reader: SchemaRegistry, counterpart: String?
    ) throws(ModelError) {
        // A member that the writer does not know is not its data.
        self.writer = try Side(try writer.schema(named: name), writer, .refuse)
        if let counterpart { self.reader = try Side(try reader.schema(named: counterpart), reader, .ignore) }
    }

    /// Returns a trial of the same documents with another reader.
    func reading(with reader: SchemaRegistry, as counterpart: String) throws(ModelError) -> CompatibilityTrial {
        var trial = self
        trial.reader = try Side(try reader.schema(named: counterpart), reader, .ignore)
        return trial
    }

    /// Returns the names of a schema's versions in a registry: the same name, or those of schemas that had it before, or
    /// its own former name. Several are the parts of a schema that became more than one.
    static func counterparts(of name: String, from writer: SchemaRegistry, in reader: SchemaRegistry) -> [String] {
        func has(_ name: String) -> Bool { (try? reader.schema(named: name)) != nil }
        if has(name) { return [name] }
        let later = reader.schemas.filter { schema in
            schema.upgrades.contains { $0.oldSchemaName.map { UTF8Text.equal($0, name) } ?? false }
        }
        if !later.isEmpty { return later.map(\.name) }
        let schema = try? writer.schema(named: name)
        return Array((schema?.upgrades.compactMap(\.oldSchemaName).filter(has) ?? []).prefix(1))
    }

    /// Returns a document without the parts that the writer refuses; nil if it still refuses it then.
    func accepted(_ document: JSONValue) -> JSONValue? {
        guard case .object(var object) = document else { return nil }
        for _ in 0..<Self.maximumRepairs {
            let problems = writer.adapter.report(from: JSONValue.object(object)).problems
            if problems.isEmpty { return .object(object) }
            // Later elements go first, so that the positions of earlier ones stay.
            for problem in problems.reversed() {
                guard problem.code != .missingProperty, let tokens = problem.wholePointer?.tokens, !tokens.isEmpty
                else {
                    return nil
                }
                object.set(nil, at: tokens)
            }
        }
        return nil
    }

    /// Returns what goes wrong with a document; nothing for one that the writer refuses.
    ///
    /// - Parameter formats: The forms of the data that are read.
    func findings(_ document: JSONValue, as formats: [SchemaChange.Format] = SchemaChange.Format.allCases) -> [Finding]
    {
        guard let written = try? writer.adapter.model(from: document) else { return [] }
        guard let reader else {
            return formats.map { format in
                Finding(
                    format: format, severity: .breaking, schema: writer.schema.name, property: nil,
                    expected: "", problem: "there is no schema \(ModelError.quote(writer.schema.name))")
            }
        }
        var findings: [Finding] = []
        if formats.contains(.document) {
            findings = self.findings(.document, written, reader.adapter.report(from: document))
        }
        // An archive leaves out what the schema says, so it is compared with what its own program reads.
        if formats.contains(.archive), let bytes = try? ModelArchiver().archive(written),
            let archived = try? writer.unarchiver.unarchive(writer.schema, from: bytes)
        {
            findings += self.findings(.archive, archived, reader.unarchiver.report(reader.schema, from: bytes))
        }
        return findings
    }

    /// Returns the problems of the reader, and the values that it took for something else.
    private func findings(
        _ format: SchemaChange.Format, _ written: DynamicModel, _ report: DecodingReport<DynamicModel>
    ) -> [Finding] {
        var findings = report.problems.map { problem in
            Finding(
                format: format, severity: .breaking, schema: problem.schema ?? writer.schema.name,
                property: problem.property, expected: "\(problem.code) \(problem.expected)",
                problem: ModelError.shorten(problem.description, to: 400))
        }
        guard let read = report.model else { return findings }
        // A value with a problem is left out, and not read as something else.
        let refused = Set(findings.compactMap(\.property))
        for difference in ModelMeaning(format: format).differences(written, read)
        where !refused.contains(difference.property ?? "") {
            findings.append(
                Finding(
                    format: format, severity: difference.severity, schema: difference.schema,
                    property: difference.property, expected: "", problem: difference.problem))
        }
        return findings
    }
}
