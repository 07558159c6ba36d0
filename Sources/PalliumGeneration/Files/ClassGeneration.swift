import PalliumCore
package import PalliumDocuments
import PalliumJSON

/// The generation of files of classes, as `pallium generate` and the program of the plugins do it.
package struct ClassGeneration {
    /// The changes of the files, made or only found.
    package struct Outcome {
        /// A line for each file that would change; none if the files were written.
        package let lines: [String]
        package let summary: String
    }

    /// How many classes with other names than their schemas are listed.
    private static let maximumNames = 16

    private let schemas: SchemaPaths
    private let output: String
    private let access: SwiftGenerator.Access
    private let onlyCompares: Bool
    private let acceptsUnknownNames: Bool

    /// - Parameters:
    ///   - output: The folder for the Swift files; or the file for all classes, if the name ends like that of one.
    ///   - onlyCompares: Whether no files are written.
    ///   - acceptsUnknownNames: Whether unregistered kinds and transformers are accepted.
    package init(
        schemas: SchemaPaths, output: String, access: SwiftGenerator.Access, onlyCompares: Bool,
        acceptsUnknownNames: Bool
    ) {
        self.schemas = schemas
        self.output = output
        self.access = access
        self.onlyCompares = onlyCompares
        self.acceptsUnknownNames = acceptsUnknownNames
    }

    /// Writes the files, or compares them.
    ///
    /// - Parameter say: Called with what the application must do.
    /// - Throws: ``GenerationFailure``; then no file has changed, unless the system refuses to replace one.
    package func run(say: (String) -> Void) throws(GenerationFailure) -> Outcome {
        let files: [SwiftGenerator.File]
        do throws(SchemaError) { files = try generate(say) } catch {
            throw GenerationFailure(
                message: schemas.sentence(for: error.problems), details: schemas.lines(for: error.problems))
        }
        let folder = if let file { SourceFolder(sharedAt: file.folder) } else { try SourceFolder(output) }
        let changes = try folder.changes(to: files)
        if onlyCompares {
            return Outcome(
                lines: changes.map { "\(ModelError.shorten($0.path, to: 4096)): \($0.reason)" },
                summary: "\(Self.count(changes.count)) would change")
        }
        try folder.apply(changes)
        let removed = changes.count { $0.text == nil }
        let written = changes.count - removed
        return Outcome(
            lines: [],
            summary: "\(Self.count(written)) written, \(files.count - written) unchanged, \(removed) removed")
    }

    private func generate(_ say: (String) -> Void) throws(SchemaError) -> [SwiftGenerator.File] {
        let generator = try SwiftGenerator(contentsOf: schemas.urls, acceptsUnknownNames: acceptsUnknownNames)
        let files =
            if let file { [try generator.file(named: file.name, access: access)] } else {
                try generator.files(access: access)
            }
        let renamed = generator.classes.filter { !UTF8Text.equal($0.schema, $0.name) }
        if !renamed.isEmpty {
            let names = renamed.prefix(Self.maximumNames).map {
                ModelError.shorten("\($0.name) (\($0.schema))", to: 160)
            }
            let more = renamed.count > names.count ? ", … (\(renamed.count) in all)" : ""
            say("classes that cannot be called like their schemas: \(names.joined(separator: ", "))\(more)")
        }
        if !generator.unknownNames.isEmpty {
            let names = generator.unknownNames.map { ModelError.shorten($0, to: 64) }
            say("the application must register: \(names.joined(separator: ", "))")
        }
        return files
    }

    /// The one file to write, and its folder; nil for a file for each class.
    private var file: (folder: String, name: String)? {
        guard output.utf8.suffix(6).elementsEqual(".swift".utf8) else { return nil }
        guard let slash = output.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", output) }
        let name = output.utf8.index(after: slash)
        return (String(output[..<name]), String(output[name...]))
    }

    private static func count(_ number: Int) -> String { number == 0 ? "no files" : number.counted("file") }
}
