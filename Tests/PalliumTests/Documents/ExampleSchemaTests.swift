import Foundation
import Pallium
import Testing

private let folder = repositoryFolder.appendingPathComponent("Schemas/github")

/// The schemas of the repository itself, if it is complete.
@Suite(.enabled(if: FileManager.default.fileExists(atPath: folder.path)))
struct ExampleSchemaTests {
    @Test func allExampleDocumentsLoadTogether() throws {
        let registry = SchemaRegistry()
        let schemas = try registry.load(contentsOf: folder)
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(schemas.count == files.filter { $0.hasSuffix(".json") }.count)
        #expect(registry.schemas == schemas)
    }
}
