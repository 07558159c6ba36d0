import PalliumCore

/// Why no classes were generated, in words for people.
package struct GenerationFailure: Error {
    package let message: String
    /// Further lines.
    package var details: [String] = []

    /// Describes a file or folder with which the system refuses to do something.
    static func cannot(_ action: String, _ path: String, _ failure: SystemFailure) -> GenerationFailure {
        GenerationFailure(message: "cannot \(action) \(ModelError.shorten(path, to: 4096)): \(failure.text)")
    }
}
