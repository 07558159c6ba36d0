import Foundation
import Pallium

/// The file for lines with problems.
final class RejectFile {
    private let path: String
    private let descriptor: Descriptor

    /// Makes the file, or empties it.
    ///
    /// - Throws: ``Interruption`` if it cannot be written, or is one of the inputs or the output.
    init(_ path: String, inputs: [String], output: String?) throws(Interruption) {
        self.path = path
        let number = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o666)
        guard number >= 0 else { throw Self.failure(path, SystemError(code: errno)) }
        descriptor = Descriptor(number: number)
        for input in inputs where Self.isSame(number, input) {
            close(number)
            throw .refusedFile(
                "--rejects cannot be \(InputFile.displayName(of: path)): it is one of the files to read")
        }
        if let output, Self.isSame(number, output) {
            close(number)
            throw .refusedFile("--rejects and --output cannot be one file")
        }
        // Pipes and devices have no length to change.
        _ = ftruncate(number, 0)
    }

    deinit { close(descriptor.number) }

    /// Adds lines.
    func append(_ lines: [String]) throws(Interruption) {
        if lines.isEmpty { return }
        do throws(SystemError) {
            try descriptor.write(Data(lines.map { $0 + "\n" }.joined().utf8))
        } catch { throw Self.failure(path, error) }
    }

    private static func failure(_ path: String, _ error: SystemError) -> Interruption {
        .unwritable(file: InputFile.displayName(of: path), error)
    }

    /// Whether a descriptor and an operand are one file.
    private static func isSame(_ number: Int32, _ input: String) -> Bool {
        var (left, right) = (stat(), stat())
        let isKnown = InputFile.isStandardInput(input) ? fstat(0, &right) == 0 : stat(input, &right) == 0
        return isKnown && fstat(number, &left) == 0 && left.st_dev == right.st_dev && left.st_ino == right.st_ino
    }
}
