import Foundation
import Pallium
import PalliumTrials
import TestSupport
import Testing

/// The law of samples: valid ones decode strictly, and invalid ones are refused with exactly the announced error.
@Suite struct SampleLawTests {
    private static let seeds: [UInt64] = [0, 1, 2]

    @Test(arguments: SampledSchemas.names) func validSamplesDecode(name: String) throws {
        let registry = try SampledSchemas.registry()
        for seed in Self.seeds {
            var samples = try SampleDocuments(of: registry.schema(named: name), registry: registry, seed: seed)
            let documents = all(&samples)
            #expect(samples.isComplete, "\(name) still lacks choices after \(documents.count) documents")
            try expectAllDecode(documents, name, registry)
        }
    }

    @Test(arguments: SampledSchemas.names) func invalidSamplesAreRefused(name: String) throws {
        let registry = try SampledSchemas.registry()
        for seed in Self.seeds {
            try expectAllRefused(
                SampleDocuments(of: registry.schema(named: name), registry: registry, seed: seed), name, registry)
        }
    }

    @Test(arguments: ["github", "tickets"]) func samplesOfTheExampleSchemasKeepTheLaw(folder: String) throws {
        let registry = SchemaRegistry()
        try registry.load(contentsOf: SharedData.repository.appendingPathComponent("Schemas/\(folder)"))
        var mistaken: Set<String> = []
        // The mistakes in a document of events are those of most other schemas, too.
        for schema in registry.schemas.sorted(by: {
            ($0.name == "Event" ? 0 : 1, $0.name) < ($1.name == "Event" ? 0 : 1, $1.name)
        }) {
            var samples = try SampleDocuments(of: schema, registry: registry)
            #expect(samples.omissions.isEmpty)
            try expectAllDecode((0..<12).map { _ in samples.next() }, schema.name, registry)
            if mistaken.contains(schema.name) { continue }
            for sample in try expectAllRefused(samples, schema.name, registry) {
                let names = sample.mistake.split { !$0.isLetter && !$0.isNumber }.map(String.init)
                mistaken.formUnion(names)
            }
        }
        #expect(mistaken.isSuperset(of: registry.schemas.map(\.name).filter { $0 != "Event" || folder != "github" }))
    }

    private func all(_ samples: inout SampleDocuments) -> [JSONValue] {
        var documents: [JSONValue] = []
        while !samples.isComplete, documents.count < 400 { documents.append(samples.next()) }
        return documents
    }

    private func adapter(_ name: String, _ registry: SchemaRegistry) throws -> JSONAdapter<DynamicModel> {
        var options = JSONAdapterOptions()
        options.unknownMembers = .refuse
        return try JSONAdapter(schema: registry.schema(named: name), registry: registry, options: options)
    }

    private func expectAllDecode(_ documents: [JSONValue], _ name: String, _ registry: SchemaRegistry) throws {
        let adapter = try adapter(name, registry)
        for document in documents {
            // As text, because that is what the tool writes.
            let text = try document.text()
            #expect(throws: Never.self, "\(name): \(text)") { try adapter.model(from: Data(text.utf8)) }
        }
    }

    @discardableResult
    private func expectAllRefused(_ samples: SampleDocuments, _ name: String, _ registry: SchemaRegistry) throws
        -> [InvalidSample]
    {
        let adapter = try adapter(name, registry)
        let invalid = samples.invalid()
        #expect(!invalid.isEmpty)
        for sample in invalid {
            let error = #expect(throws: ModelError.self, "\(sample): \(sample.document)") {
                try adapter.model(from: Data(sample.document.text().utf8))
            }
            guard let error else { continue }
            #expect(error.problems.count == 1, "\(sample): \(error)")
            #expect(error.code == sample.code, "\(sample): \(error)\n\(sample.document)")
            #expect(error.pointer?.description == sample.pointer.description, "\(sample): \(error)\n\(sample.document)")
        }
        return invalid
    }
}
