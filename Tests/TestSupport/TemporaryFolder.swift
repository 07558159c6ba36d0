package import Foundation

/// A folder of its own for a test, gone with the last reference.
package final class TemporaryFolder: Sendable {
    package let url: URL

    package var path: String { url.path }

    package init() throws {
        // Letters only: errors name files, and some tests look for numbers that must not be in errors.
        let name = UUID().uuidString.unicodeScalars.compactMap { digit in
            UInt8(String(digit), radix: 16).map { String(UnicodeScalar(UInt8(ascii: "a") + $0)) }
        }
        url = FileManager.default.temporaryDirectory.appendingPathComponent("pallium-\(name.joined())")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// Writes a file and answers its path.
    @discardableResult
    package func write(_ name: String, _ bytes: [UInt8]) throws -> String {
        let file = url.appendingPathComponent(name)
        try Data(bytes).write(to: file)
        return file.path
    }

    /// Writes a file and answers its path.
    @discardableResult
    package func write(_ name: String, _ text: String) throws -> String { try write(name, Array(text.utf8)) }

    /// The text of a file.
    package func read(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: url.appendingPathComponent(name)), as: UTF8.self)
    }
}
