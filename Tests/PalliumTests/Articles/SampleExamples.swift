import Pallium
import PalliumTrials
import Testing

/// The examples of the sections *Samples* and *Laws* of the article *SchemaTools*.
enum SampleExamples {
    final class Badge: DynamicModel {}

    static func decodedSamples(_ schema: ModelSchema, _ registry: SchemaRegistry) throws -> Bool {
        let adapter = try JSONAdapter(schema: schema, registry: registry)
        var samples = try SampleDocuments(of: schema, registry: registry)
        while !samples.isComplete {
            let document = samples.next()
            _ = try adapter.model(from: document)
        }
        return samples.isComplete
    }

    static func keptLaws(_ registry: SchemaRegistry) throws {
        #expect(try SchemaLaws.check(Badge.self, registry: registry).isEmpty)
    }
}
