import Foundation
import Pallium
import PalliumTrials

/// The arguments of the command `infer`.
struct InferArguments {
    /// The name of the schema of the samples.
    let name: String
    /// The largest number of samples to read; nil for all.
    let maximumSamples: Int?
    /// The folder for the schemas; nil for standard output.
    let folder: String?
    let isLines: Bool
    /// Whether the samples are the values of the documents.
    let takesValues: Bool
    /// Whether the run goes on after problems, without what has them.
    let skipsBad: Bool
    /// The number of threads for lines.
    let threadCount: Int
    /// The files to read, `-` for standard input; never empty.
    let inputs: [String]

    /// Reads the arguments of the command.
    ///
    /// - Throws: ``UsageError`` if an argument is missing or a value is not allowed.
    init(_ parsed: ParsedArguments) throws(UsageError) {
        inputs = try parsed.inputs()
        isLines = parsed.has(.lines)
        takesValues = parsed.has(.values)
        skipsBad = parsed.has(.skipBad)
        folder = parsed.folder
        name = parsed.values[.name] ?? Self.name(of: inputs[0])
        maximumSamples = try parsed.number(.rows, from: 1)
        if parsed.has(.jobs), !parsed.has(.lines) { throw parsed.error("--jobs needs --lines") }
        threadCount = try parsed.number(.jobs, from: 1) ?? ProcessInfo.processInfo.activeProcessorCount
        // The name is also the name of a file.
        let isName = name.utf8.first.map { !(48...57).contains($0) } ?? false
        guard isName, name.utf8.count <= 128, name.utf8.allSatisfy(Self.isWordByte) else {
            throw parsed.error(
                "--name cannot be \(ModelError.quote(name)), only letters, digits and underscores, no digit first")
        }
    }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        (48...57).contains(byte) || (97...122).contains(byte | 0x20) || byte == UInt8(ascii: "_")
    }

    private static func name(of path: String) -> String {
        if InputFile.isStandardInput(path) { return "Sample" }
        let file = path.utf8.split(separator: UInt8(ascii: "/")).last ?? path.utf8[...]
        let base = file.split(separator: UInt8(ascii: ".")).first ?? file
        return SchemaInference.schemaName(ofMany: String(Substring(base.prefix(64))))
    }
}
