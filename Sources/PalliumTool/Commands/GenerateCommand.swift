import Pallium
import PalliumGeneration

/// `pallium generate`: writes Swift classes for schemas.
struct GenerateCommand: RunnableCommand {
    let arguments: GenerateArguments
    let output: ByteOutput
    let diagnostics: Diagnostics

    func run() throws(Interruption) -> ExitStatus {
        let generated: [SwiftGenerator.File]
        do throws(SchemaError) {
            let generator = try SwiftGenerator(
                contentsOf: arguments.schemas.urls,
                acceptsUnknownNames: arguments.hasOpaqueTransformers)
            generated =
                if let file { [try generator.file(named: file.name, access: arguments.access)] } else {
                    try generator.files(access: arguments.access)
                }
            if !generator.unknownNames.isEmpty {
                let names = generator.unknownNames.map { ModelError.shorten($0, to: 64) }
                diagnostics.say("the application must register: \(names.joined(separator: ", "))")
            }
        } catch {
            throw arguments.schemas.refusal(of: error)
        }
        let folder = if let file { SourceFolder(sharedAt: file.folder) } else { try SourceFolder(arguments.output) }
        let changes = try folder.changes(to: generated.map { ($0.name, $0.text) }, mark: SwiftGenerator.header)
        if arguments.isCheck { return try report(changes) }
        try folder.apply(changes)
        diagnostics.sumUp(summary(of: changes, count: generated.count))
        return .success
    }

    /// The one file to write, and its folder; nil for a file for each class.
    private var file: (folder: String, name: String)? {
        let path = arguments.output
        guard path.utf8.suffix(6).elementsEqual(".swift".utf8) else { return nil }
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", path) }
        let name = path.utf8.index(after: slash)
        return (String(path[..<name]), String(path[name...]))
    }

    /// Lists the files that would change.
    private func report(_ changes: [SourceFolder.Change]) throws(Interruption) -> ExitStatus {
        let lines = changes.map { "\(ModelError.shorten($0.path, to: 4096)): \($0.reason)\n" }
        try output.finish(lines.joined())
        diagnostics.sumUp("\(Quantity.count(changes.count, "file")) would change")
        return changes.isEmpty ? .success : .problems
    }

    private func summary(of changes: [SourceFolder.Change], count: Int) -> String {
        let removed = changes.count { $0.text == nil }
        let written = changes.count - removed
        return "\(Quantity.count(written, "file")) written, \(count - written) unchanged, \(removed) removed"
    }
}
