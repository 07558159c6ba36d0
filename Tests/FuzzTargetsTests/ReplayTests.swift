import Foundation
import FuzzTargets
import Testing

/// Inputs that were found or made for the fuzz targets: the seeds of fuzzing, and everything that broke a promise once.
struct ReplayTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Inputs")

    @Test(arguments: FuzzTarget.allCases)
    func promisesHoldForEverySavedInput(target: FuzzTarget) throws {
        let folder = Self.folder.appendingPathComponent(target.rawValue)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(!names.isEmpty)
        for name in names {
            let bytes = [UInt8](try Data(contentsOf: folder.appendingPathComponent(name)))
            #expect(throws: Never.self, "\(target.rawValue)/\(name)") { try target.check(bytes) }
        }
    }
}
