import Foundation
import TestSupport
import Testing

/// The article *Architecture* names folders and files, which come and go.
struct ArchitectureTests {
    private static let sources = SharedData.repository.appendingPathComponent("Sources")
    /// The modules of the library, of its products and of the tool; the others have no folders.
    private static let modules: [String] = {
        let folders = (try? FileManager.default.contentsOfDirectory(atPath: sources.path)) ?? []
        let others = ["PalliumGenerator", "PalliumMemory", "PalliumSQLite"]
        return folders.filter { $0.hasPrefix("Pallium") && !others.contains($0) }
    }()

    private func article() throws -> String {
        try String(
            contentsOf: Self.sources.appendingPathComponent("Pallium/Pallium.docc/Architecture.md"), encoding: .utf8)
    }

    @Test(arguments: modules) func everyFolderHasALineInItsModule(module: String) throws {
        let section = try #require(try article().components(separatedBy: "### \(module)\n").dropFirst().first)
        let table = section.components(separatedBy: "\n#")[0].split(separator: "\n").filter { $0.hasPrefix("| `") }
        let named = table.flatMap { $0.split(separator: "|")[0].matches(of: #/`(\w+)`/#).map { String($0.1) } }
        let folder = Self.sources.appendingPathComponent(module)
        let folders = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { !$0.contains(".") }
        #expect(named.sorted() == folders.sorted())
    }

    @Test func everyFileThatIsNamedExists() throws {
        let files = try FileManager.default.subpathsOfDirectory(atPath: Self.sources.path)
        for name in try article().matches(of: #/`([\w/+]+\.swift)`/#).map({ String($0.1) }) {
            #expect(files.contains { "/\($0)".hasSuffix("/\(name)") }, "\(name)")
        }
    }
}
