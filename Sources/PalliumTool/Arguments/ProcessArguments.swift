import Foundation
import Pallium

/// The arguments of the process behind the name of the tool.
///
/// Safety: the system keeps the arguments as long as the process lives, each with a zero at its end.
enum ProcessArguments {
    /// Returns the arguments as texts.
    ///
    /// - Throws: ``UsageError`` for one that is not UTF-8: as a text it would name another file.
    static func texts() throws(UsageError) -> [String] {
        var texts: [String] = []
        for index in 1..<max(1, Int(CommandLine.argc)) {
            guard let argument = CommandLine.unsafeArgv[index] else { break }
            guard let text = String(validatingCString: argument) else {
                let bytes = UnsafeBufferPointer(start: argument, count: strlen(argument)).map { UInt8(bitPattern: $0) }
                throw UsageError(message: "the argument \(ModelError.shorten(escaped(bytes), to: 4096)) is not UTF-8")
            }
            texts.append(text)
        }
        return texts
    }

    /// Returns bytes with those that are not printable ASCII as numbers: `a\xFF.json`.
    private static func escaped(_ bytes: [UInt8]) -> String {
        bytes.map { byte in
            if byte == UInt8(ascii: "\\") { return "\\\\" }
            if (0x20..<0x7F).contains(byte) { return String(UnicodeScalar(byte)) }
            return "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }.joined()
    }
}
