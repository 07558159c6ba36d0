import Foundation
import Pallium

/// Decodes a file in a process of its own and prints how the resident memory grew.
enum MemoryMode {
    enum Family: String, CaseIterable {
        case pallium, codable
    }

    /// The growth in bytes, and the digest of the models that are held.
    struct Growth: Codable {
        let held: Double
        let peak: Double
        let digest: String
    }

    /// Starts a process for each family, with the same file of so many issues.
    static func growths(count: Int) throws -> (pallium: Growth, codable: Growth) {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("issues-\(UUID().uuidString).json")
        try IssueGenerator.document(count).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        func growth(_ family: Family) throws -> Growth {
            let output = try runThisProgram(["--memory", family.rawValue, file.path])
            return try JSONDecoder().decode(Growth.self, from: output)
        }
        return (try growth(.pallium), try growth(.codable))
    }

    /// Measures and prints the growth.
    static func run(_ family: Family, path: String) throws {
        let document = try Data(contentsOf: URL(fileURLWithPath: path))
        let growth: Growth
        switch family {
        case .pallium:
            let adapter = try BenchmarkContext(issueCount: 0).adapter
            growth = try Self.growth { try adapter.models(from: document) }
        case .codable:
            let decoder = FoundationCoders().decoder
            growth = try Self.growth { try decoder.decode([CodableIssue].self, from: document) }
        }
        print(String(decoding: try JSONEncoder().encode(growth), as: UTF8.self))
    }

    private static func growth<Model: IssueFields>(_ decode: () throws -> [Model]) throws -> Growth {
        releaseFreeMemory()
        let before = kibibytes("VmRSS:")
        let issues = try decode()
        releaseFreeMemory()
        let held = kibibytes("VmRSS:") - before
        let peak = kibibytes("VmHWM:") - before
        // The digest comes last: reading URLs makes them, which takes memory.
        return Growth(held: held * 1024, peak: peak * 1024, digest: Digest.of(issues).text)
    }

    /// How many bytes the process holds that it allocated, to some pages.
    static func heldBytes() -> Double {
        releaseFreeMemory()
        // Pages of the program itself, which come when its code first runs, are not among these.
        return kibibytes("RssAnon:") * 1024
    }

    /// A figure of the process in KiB.
    static func kibibytes(_ field: String) -> Double {
        guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix(field) })
        else { return .nan }
        return Double(line.filter(\.isWholeNumber)) ?? .nan
    }
}
