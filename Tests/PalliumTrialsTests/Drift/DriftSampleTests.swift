import Foundation
import Pallium
import PalliumTrials
import TestSupport
import Testing

/// Samples have no findings, and each sample with one mistake has one, at its place, with an edit that accepts it.
@Suite struct DriftSampleTests {
    private func trial(_ name: String) throws -> DriftTrial {
        let schemas = try #require(JSONValue(parsing: SampledSchemas.documents).arrayValue)
        var trial = DriftTrial(schemas, root: name)
        trial.prepare = SampledSchemas.prepare
        return trial
    }

    @Test(arguments: SampledSchemas.names) func samplesHaveNoFindings(name: String) throws {
        let trial = try trial(name)
        let registry = try trial.registry()
        var samples = try SampleDocuments(of: registry.schema(named: name), registry: registry)
        var documents: [JSONValue] = []
        while !samples.isComplete, documents.count < 200 { documents.append(samples.next()) }
        let report = try trial.report(documents)
        #expect(report.titles == [])
        #expect(report.documents == documents.count)
    }

    @Test(.trials, arguments: SampledSchemas.names) func everyMistakeIsFoundAndCanBeAccepted(name: String) throws {
        let trial = try trial(name)
        let registry = try trial.registry()
        let samples = try SampleDocuments(of: registry.schema(named: name), registry: registry)
        let invalid = samples.invalid()
        var edits = 0
        for seed in Trials(8, atMost: invalid.count) {
            // A prime number goes around all samples, from schema to schema.
            let sample = invalid[seed * 7919 % invalid.count]
            let report = try trial.report([sample.document])
            try #require(!report.findings.isEmpty, "\(sample)")
            let finding = try #require(
                report.findings.first { finding in
                    let pointer = finding.examples.first?.pointer.tokens ?? []
                    return sample.pointer.tokens.starts(with: pointer)
                }, "\(sample): \(report.text)")
            guard let edit = finding.edit else { continue }
            edits += 1
            let left = try trial.applying(edit).report([sample.document])
            #expect(!left.titles.contains(finding.short), "\(sample): \(edit): \(left.text)")
        }
        #expect(edits > 0)
    }
}
