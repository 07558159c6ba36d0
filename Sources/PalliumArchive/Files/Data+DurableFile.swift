package import Foundation
package import PalliumCore

// Reads and replaces whole files.
//
// Safety: the bytes are borrowed from their owner for the call that writes them.
extension Data {
    /// Reads a file; see `DurableFile`.
    package init(durableFile file: URL) throws(ModelError) { self = try DurableFile.read(file.path) }

    /// Replaces the content of a file as a whole or not at all; see `DurableFile`.
    package func write(durablyTo file: URL) throws(ModelError) {
        let result = unsafe withUnsafeBytes { bytes -> Result<Void, ModelError> in
            do throws(ModelError) { return unsafe .success(try DurableFile.write(bytes, to: file.path)) } catch {
                return .failure(error)
            }
        }
        try result.get()
    }
}
