import Foundation
import Pallium

/// The repository that holds this file.
let repositoryFolder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

/// The problems of loading one document, as people read them; none when it loads.
func problems(of document: String, registry: SchemaRegistry = SchemaRegistry()) -> [String] {
    do throws(SchemaError) {
        try registry.load(Array(document.utf8), name: "test.json")
        return []
    } catch {
        return error.problems.map(\.description)
    }
}

/// A folder of its own for a test, gone when the test ends.
func withTemporaryFolder(_ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("pallium-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder)
}
