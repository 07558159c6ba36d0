import Foundation
import Pallium
import PalliumTrials
import TestSupport
import Testing

/// Schema documents, and monitors of documents that they should describe.
struct DriftTrial {
    var schemas: [JSONValue]
    let root: String
    /// Registers what the schemas name.
    var prepare: (SchemaRegistry) throws -> Void = { _ in }

    init(_ schemas: [JSONValue], root: String) {
        self.schemas = schemas
        self.root = root
    }

    /// - Parameter schemas: An array of schema documents; the first one is that of the roots.
    init(_ schemas: String) throws {
        self.schemas = try #require(JSONValue(parsing: schemas).arrayValue)
        root = try #require(self.schemas.first?["name"]?.stringValue)
    }

    func registry() throws -> SchemaRegistry {
        let registry = SchemaRegistry()
        try prepare(registry)
        try registry.load(JSONValue.array(schemas).bytes())
        return registry
    }

    /// Returns a monitor that has seen documents.
    ///
    /// - Parameter areParsed: Whether it gets no models, and so parses each document.
    func monitor(
        _ documents: [JSONValue], from first: Int = 0, areParsed: Bool = false
    ) throws -> DriftMonitor {
        try Decoded(self, documents).monitor(0..<documents.count, from: first, areParsed: areParsed)
    }

    /// Documents that were decoded once, for any number of monitors.
    struct Decoded {
        private let schema: ModelSchema
        private let registry: SchemaRegistry
        private let documents: [(bytes: [UInt8], report: DecodingReport<DynamicModel>)]

        init(_ trial: DriftTrial, _ documents: [JSONValue]) throws {
            registry = try trial.registry()
            schema = try registry.schema(named: trial.root)
            let adapter = try DriftTrial.adapter(schema, registry)
            self.documents = try documents.map { document in
                let bytes = try document.bytes()
                return (bytes, adapter.report(from: bytes))
            }
        }

        /// Returns a monitor that has seen some of the documents, the lines of a file from one on.
        func monitor(_ range: Swift.Range<Int>, from first: Int = 0, areParsed: Bool = false) throws -> DriftMonitor {
            var monitor = try DriftMonitor(schema: schema, registry: registry)
            for index in range {
                let (bytes, report) = documents[index]
                monitor.add(
                    bytes, problems: report.problems, models: areParsed ? nil : report.models, source: "events",
                    line: first + index + 1)
            }
            return monitor
        }
    }

    static func adapter(
        _ schema: ModelSchema, _ registry: SchemaRegistry
    ) throws -> JSONAdapter<DynamicModel> {
        var options = JSONAdapterOptions()
        options.unknownMembers = .refuse
        options.elements = .skip
        return try JSONAdapter(schema: schema, registry: registry, options: options)
    }

    func report(_ documents: [JSONValue]) throws -> DriftReport { try monitor(documents).report() }

    /// Reports documents, one a line.
    func report(_ lines: String) throws -> DriftReport {
        try report(lines.split(separator: "\n").map { try JSONValue(parsing: String($0)) })
    }

    /// Returns the trial with the edit of a finding.
    func applying(_ edit: DriftReport.Edit) throws -> DriftTrial {
        var trial = try setting(edit.value, at: edit.pointer, in: edit.schema)
        trial.schemas += edit.newSchemas
        return trial
    }

    /// Returns the trial with a value in a schema document; nil removes what is there.
    func setting(_ value: JSONValue?, at pointer: JSONPointer, in schema: String) throws -> DriftTrial {
        var trial = self
        let position = try #require(schemas.firstIndex { $0["name"]?.stringValue == schema })
        var document = try #require(schemas[position].objectValue)
        document.set(value, at: pointer.tokens)
        trial.schemas[position] = .object(document)
        return trial
    }
}

extension DriftReport {
    /// The findings in short: `otherKind Order.id`.
    var titles: [String] { findings.map(\.short) }
}

extension DriftReport.Finding {
    var short: String { "\(kind.rawValue) \(schema)\(place.isEmpty ? "" : ".\(place)")" }
}
