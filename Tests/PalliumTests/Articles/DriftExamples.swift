import Foundation
import Pallium
import PalliumTrials

/// The example of the article *Drift*.
enum DriftExamples {
    static func watch(
        _ documents: [Data], _ schema: ModelSchema, _ registry: SchemaRegistry, log: (String) -> Void
    ) throws -> DriftReport {
        var options = JSONAdapterOptions()
        options.unknownMembers = .refuse
        options.elements = .skip
        let adapter = try JSONAdapter(
            schema: schema, registry: registry, options: options)
        var monitor = try DriftMonitor(schema: schema, registry: registry)
        for (line, document) in documents.enumerated() {
            let report = adapter.report(from: document)
            monitor.add(
                document, problems: report.problems, models: report.models,
                source: "orders.jsonl", line: line + 1)
        }
        let report = monitor.report()
        for finding in report.findings { log("\(finding)") }
        return report
    }
}
