import Foundation
import Pallium
import PalliumCore

/// The file for lines with problems.
final class RejectFile {
    private let path: String
    private let descriptor: Descriptor

    /// Makes the file, or empties it.
    ///
    /// - Throws: ``Interruption`` if it cannot be written, or is one of the inputs or the output.
    init(_ path: String, inputs: [String], output: String?) throws(Interruption) {
        self.path = path
        do throws(SystemFailure) { descriptor = try .open(path, O_WRONLY | O_CREAT) } catch {
            throw Self.failure(path, error)
        }
        let number = descriptor.number
        for input in inputs where Self.isSame(number, Self.status(of: input, orDescriptor: 0)) {
            close(number)
            throw .refused("--rejects cannot be \(InputFile.displayName(of: path)): it is one of the files to read")
        }
        let outputStatus = Self.status(of: output ?? "-", orDescriptor: 1)
        // Both may be thrown away, or go to a terminal.
        if outputStatus.map({ $0.st_mode & S_IFMT == S_IFREG }) ?? false, Self.isSame(number, outputStatus) {
            close(number)
            throw .refused("--rejects and the output cannot be one file")
        }
        // Pipes and devices have no length to change.
        _ = ftruncate(number, 0)
    }

    deinit { close(descriptor.number) }

    /// Adds lines.
    func append(_ lines: [String]) throws(Interruption) {
        if lines.isEmpty { return }
        do throws(SystemFailure) {
            try descriptor.write(Data(lines.map { $0 + "\n" }.joined().utf8))
        } catch { throw Self.failure(path, error) }
    }

    private static func failure(_ path: String, _ error: SystemFailure) -> Interruption {
        .unwritable(file: InputFile.displayName(of: path), error)
    }

    /// The system's description of the file at a path, or of a descriptor for `-`; nil if there is none.
    private static func status(of path: String, orDescriptor number: Int32) -> stat? {
        var status = stat()
        let isKnown = InputFile.isStandardInput(path) ? fstat(number, &status) == 0 : stat(path, &status) == 0
        return isKnown ? status : nil
    }

    /// Whether a descriptor is of a file.
    private static func isSame(_ number: Int32, _ other: stat?) -> Bool {
        var status = stat()
        guard let other, fstat(number, &status) == 0 else { return false }
        return status.st_dev == other.st_dev && status.st_ino == other.st_ino
    }
}
