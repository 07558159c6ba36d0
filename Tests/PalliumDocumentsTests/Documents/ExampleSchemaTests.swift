import Foundation
import Pallium
import TestSupport
import Testing

private let folder = SharedData.repository.appendingPathComponent("Schemas/github")

/// The schemas of the repository itself, if it is complete.
@Suite(.needs("Schemas/github", if: FileManager.default.fileExists(atPath: folder.path)))
struct ExampleSchemaTests {
    @Test func allExampleDocumentsLoadTogether() throws {
        let registry = SchemaRegistry()
        let schemas = try registry.load(contentsOf: folder)
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(schemas.count == files.filter { $0.hasSuffix(".json") }.count)
        #expect(registry.schemas == schemas)
    }

    @Test func allExampleDocumentsComeBack() throws {
        let registry = SchemaRegistry()
        let schemas = try registry.load(contentsOf: folder)
        for schema in schemas {
            let file = folder.appendingPathComponent("\(schema.name).json")
            var original = try JSONValue(parsing: Array(Data(contentsOf: file)))
            // What says no more than silence is not written.
            if case .object(var members) = original {
                if members["version"] == 1 { members["version"] = nil }
                if members["properties"] == [:] { members["properties"] = nil }
                original = .object(members)
            }
            #expect(try registry.document(of: schema) == original, "\(schema.name)")
        }
        let text = try registry.document(of: schemas).text()
        #expect(try SchemaRegistry().load(Array(text.utf8)) == schemas)
    }
}
