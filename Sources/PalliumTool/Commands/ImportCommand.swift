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
        do throws(SystemError) { bytes = try diagnostics.contents(of: arguments.input) } catch {
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
            return try SchemaOutput(folder: arguments.folder, output: output, diagnostics: diagnostics)
                .write(contract.schemas, registry)
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
}
