import Pallium
import PalliumGeneration

/// The arguments of the program: those of `pallium generate`.
struct GeneratorArguments {
    /// A mistake in the arguments.
    struct Mistake: Error { let message: String }

    static let help = """
        usage: swift package generate-models DIR… --output FOLDER|FILE.swift
               [--access internal|package|public] [--check] [--opaque-transformers]

        Writes Swift classes for the schema documents of folders and files; --check lists what would change.
        'pallium help generate' explains the options.
        """

    /// The requested generation; nil to print the help.
    private(set) var generation: ClassGeneration?

    /// - Throws: ``Mistake`` with the first one.
    init(_ arguments: some Sequence<String>) throws(Mistake) {
        var (schemas, values, flags): ([String], [String: String], Set<String>) = ([], [:], [])
        var rest = Array(arguments)[...]
        while let argument = rest.popFirst() {
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            switch parts[0] {
            case "--":
                schemas += rest
                rest = []
            case "-h", "--help": return
            case "-o", "--output", "--access":
                let name = parts[0] == "-o" ? "--output" : parts[0]
                let value = parts.count > 1 ? parts[1] : rest.popFirst()
                guard let value, !value.isEmpty else { throw Mistake(message: "\(name) needs a value") }
                guard values.updateValue(value, forKey: name) == nil else {
                    throw Mistake(message: "\(name) is given twice")
                }
            case _ where ["--check", "--opaque-transformers"].contains(argument): flags.insert(argument)
            case _ where argument.count > 1 && argument.first == "-":
                throw Mistake(message: "generate has no option \(ModelError.shorten(argument, to: 64))")
            default: schemas.append(argument)
            }
        }
        if schemas.isEmpty { throw Mistake(message: "generate needs a folder or file with schema documents") }
        guard let output = values["--output"] else { throw Mistake(message: "generate needs --output FOLDER") }
        if output == "-" { throw Mistake(message: "generate writes a folder or a file, not standard output") }
        guard let access = SwiftGenerator.Access(rawValue: values["--access"] ?? "internal") else {
            let allowed = SwiftGenerator.Access.allCases.map(\.rawValue).joined(separator: ", ")
            throw Mistake(message: "--access cannot be \(ModelError.quote(values["--access"] ?? "")), only \(allowed)")
        }
        generation = ClassGeneration(
            schemas: SchemaPaths(schemas), output: output, access: access, onlyCompares: flags.contains("--check"),
            acceptsUnknownNames: flags.contains("--opaque-transformers"))
    }
}
