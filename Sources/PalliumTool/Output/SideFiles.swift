import Foundation
import Pallium
import PalliumCore

/// Opens the files that a run writes beside its output, each of which is a file of its own.
struct SideFiles {
    private let inputs: [FileIdentity]
    /// The files that are written, with their names in messages.
    private var written: [(name: String, file: FileIdentity)]
    private let output: ByteOutput

    init(inputs: [String], output path: String?, _ output: ByteOutput) {
        self.inputs = inputs.compactMap { FileIdentity($0, orDescriptor: 0) }
        written = FileIdentity(path ?? "-", orDescriptor: 1).map { [("the output", $0)] } ?? []
        self.output = output
    }

    /// Opens the file of an option, which takes its place when the run ends.
    ///
    /// - Parameters:
    ///   - option: The name of the option.
    ///   - isWrittenInPlace: Whether it is emptied now instead, and written as the run goes on. Open such a file last, when
    ///     nothing else can be refused.
    /// - Returns: Nil without a path.
    /// - Throws: ``Interruption`` if it cannot be written, or has another purpose, too.
    mutating func open(
        _ option: String, _ path: String?, isWrittenInPlace: Bool = false
    ) throws(Interruption) -> ByteOutput? {
        guard let path else { return nil }
        if let file = FileIdentity(path, orDescriptor: 0) {
            if inputs.contains(file) {
                let name = InputFile.displayName(of: path)
                throw .refused("\(option) cannot be \(name): it is one of the files to read")
            }
            if let other = written.first(where: { $0.file == file })?.name {
                throw .refused("\(option) and \(other) cannot be one file")
            }
            written.append((option, file))
        }
        let output = try ByteOutput(path: path, isWrittenInPlace: isWrittenInPlace)
        // A file that exists by now has another identity.
        if let file = FileIdentity(path, orDescriptor: 0) { written.append((option, file)) }
        self.output.sideFiles.append(output)
        return output
    }
}

/// The file that a path means, whatever links lead there.
private struct FileIdentity: Equatable {
    private let device: UInt64
    private let number: UInt64
    /// The name in the folder with the number, of a file that does not exist yet.
    private let name: String?

    /// - Parameter number: The descriptor that `-` means.
    /// - Returns: Nil for devices, which may have many purposes, and for what nobody can open.
    init?(_ path: String, orDescriptor number: Int32) {
        var status = stat()
        var name: String?
        if InputFile.isStandardInput(path) {
            guard fstat(number, &status) == 0 else { return nil }
        } else if stat(path, &status) != 0 {
            let url = URL(fileURLWithPath: path)
            guard stat(url.deletingLastPathComponent().path, &status) == 0 else { return nil }
            name = url.lastPathComponent
        }
        if [S_IFCHR, S_IFBLK].contains(status.st_mode & S_IFMT) { return nil }
        device = UInt64(truncatingIfNeeded: status.st_dev)
        self.number = UInt64(truncatingIfNeeded: status.st_ino)
        self.name = name
    }
}
