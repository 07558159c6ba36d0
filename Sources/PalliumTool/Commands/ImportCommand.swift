import Foundation
import Pallium

/// `pallium import`: writes schema documents from contracts.
struct ImportCommand {
    let arguments: ImportArguments
    let output: ByteOutput
    let diagnostics: Diagnostics

    /// Runs the command.
    func run() -> ExitStatus {
        let name = InputFile.displayName(of: arguments.input)
        let bytes: [UInt8]
        do throws(SystemError) { bytes = try InputFile(path: arguments.input).readToEnd() } catch {
            diagnostics.report(unreadable: name, error)
            return .misuse
        }
        let registry = SchemaRegistry()
        do throws(SchemaError) {
            let contract = try load(bytes, name: name, registry)
            if contract.schemas.isEmpty {
                diagnostics.say("\(name) describes no objects")
                return .misuse
            }
            if contract.refusesUnknownMembers {
                diagnostics.say("the objects have no other members: decode with --unknown refuse")
            }
            var documents: [(name: String, text: String)] = []
            if arguments.folder == nil {
                documents.append(("", try text(of: registry.document(of: contract.schemas))))
            } else {
                for schema in contract.schemas {
                    documents.append((schema.name, try text(of: registry.document(of: schema))))
                }
            }
            return write(documents)
        } catch {
            diagnostics.say(
                "\(Quantity.count(error.problems.count, "problem")) in the contract",
                details: error.problems.map { PrintableText.escape($0.description, limit: 8192) })
            return .misuse
        }
    }

    private func load(
        _ bytes: [UInt8], name: String, _ registry: SchemaRegistry
    ) throws(SchemaError) -> ContractSchemas {
        arguments.isOpenAPI
            ? try registry.load(openAPI: bytes, name: name, takesNullAsAbsent: arguments.takesNullAsAbsent)
            : try registry.load(
                jsonSchema: bytes, name: name, model: arguments.model, takesNullAsAbsent: arguments.takesNullAsAbsent)
    }

    private func text(of document: JSONValue) -> String {
        var options = JSONWritingOptions()
        options.pretty = true
        // Documents of schemas are never nested deeper than the limit: writing them has read them again.
        return ((try? document.text(options: options)) ?? "") + "\n"
    }

    private func write(_ documents: [(name: String, text: String)]) -> ExitStatus {
        guard let folder = arguments.folder else {
            do throws(OutputError) {
                for document in documents { try output.append(document.text) }
                try output.flush()
                return .success
            } catch { return diagnostics.status(of: error) }
        }
        var names = FileNames()
        let files = documents.map { (names.name(for: $0.name), $0.text) }
        do throws(SystemError) {
            try NewFolder.write(files, to: folder)
            return .success
        } catch {
            diagnostics.say("cannot write \(PrintableText.escape(folder, limit: 4096)): \(error.text)")
            return .misuse
        }
    }
}
