package import Foundation
import Synchronization
package import Testing

/// Documents that stand beside the repository and need not be there.
package enum SharedData {
    /// The repository that holds this file.
    package static let repository = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    package static let folder = repository.deletingLastPathComponent().appendingPathComponent("shared/data")

    package static func has(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: folder.appendingPathComponent(name).path)
    }

    package static func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: folder.appendingPathComponent(name)))
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips a test where something that it needs is missing; the last lines of the run name every such thing.
    package static func needs(_ what: String, if isThere: @autoclosure @escaping @Sendable () -> Bool) -> Self {
        .enabled("needs \(what)") {
            if isThere() { return true }
            MissingNeeds.add(what)
            return false
        }
    }

    /// Skips a test where a document that stands beside the repository is missing.
    package static func needs(shared name: String) -> Self {
        .needs("\(name) in \(SharedData.folder.path)", if: SharedData.has(name))
    }
}

/// Counts what skipped tests needed, and prints it when the process ends, below the verdict of the run.
private enum MissingNeeds {
    private static let counts = Mutex<[String: Int]>([:])

    static func add(_ what: String) {
        let isFirst = counts.withLock { counts in
            counts[what, default: 0] += 1
            return counts.count == 1 && counts[what] == 1
        }
        guard isFirst else { return }
        atexit {
            for (what, count) in MissingNeeds.counts.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
                print("skipped: \(count) tests or suites that need \(what), which is not here")
            }
        }
    }
}
