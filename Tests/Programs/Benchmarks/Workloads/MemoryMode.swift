import Foundation
import Pallium

/// Decodes a file in a process of its own and prints how the resident memory grew.
enum MemoryMode {
    enum Family: String {
        case pallium, codable
    }

    /// The growth in bytes, and the digest of the models that are held.
    struct Growth {
        let held: Double
        let peak: Double
        let digest: String

        /// Three words, as the process prints them.
        var line: String { "\(Int(held)) \(Int(peak)) \(digest)" }

        init(held: Double, peak: Double, digest: String) {
            self.held = held
            self.peak = peak
            self.digest = digest
        }

        init?(line: String) {
            let words = line.split(whereSeparator: \.isWhitespace)
            guard words.count == 3, let held = Double(words[0]), let peak = Double(words[1]) else { return nil }
            self.init(held: held, peak: peak, digest: String(words[2]))
        }
    }

    /// Measures and prints the growth. Only Linux tells both figures.
    static func run(_ family: Family, path: String) throws {
        let document = try Data(contentsOf: URL(fileURLWithPath: path))
        switch family {
        case .pallium:
            let context = try BenchmarkContext(issueCount: 0)
            print(try growth { try context.adapter.models(from: document) }.line)
        case .codable:
            let decoder = FoundationCoders().decoder
            print(try growth { try decoder.decode([CodableIssue].self, from: document) }.line)
        }
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

    /// A figure of the process in KiB.
    private static func kibibytes(_ field: String) -> Double {
        guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix(field) })
        else { return .nan }
        return Double(line.filter(\.isWholeNumber)) ?? .nan
    }
}
