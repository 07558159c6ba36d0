package import Foundation
package import Pallium
import TestSupport

/// The problems of loading one document, as people read them; none when it loads.
package func problems(of document: String, registry: SchemaRegistry = SchemaRegistry()) -> [String] {
    do throws(SchemaError) {
        try registry.load(Array(document.utf8), name: "test.json")
        return []
    } catch {
        return error.problems.map(\.description)
    }
}

/// A folder of its own for a test, gone when the test ends.
package func withTemporaryFolder(_ body: (URL) throws -> Void) throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    try body(folder.url)
}
