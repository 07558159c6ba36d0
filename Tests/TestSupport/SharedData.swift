package import Foundation

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
