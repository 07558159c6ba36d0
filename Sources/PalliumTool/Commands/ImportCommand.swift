import Pallium
import PalliumContracts

/// `pallium import`: writes schema documents from contracts.
struct ImportCommand: RunnableCommand {
    let arguments: ImportArguments
    let output: ByteOutput
    let diagnostics: Diagnostics

    func run() throws(Interruption) -> ExitStatus {
        let name = InputFile.displayName(of: arguments.input)
        let bytes = try diagnostics.contents(
            of: arguments.input, isJSON: true, cutAt: ContractSchemas.maximumDocumentBytes + 1)
        let registry = SchemaRegistry()
        let contract: ContractSchemas
        let written: SchemaOutput
        do throws(SchemaError) {
            contract = try load(bytes, name: name, registry)
            written = try SchemaOutput(contract.schemas, registry, folder: arguments.folder)
        } catch {
            throw .refused(
                "\(Quantity.count(error.problems.count, "problem")) in the contract",
                details: error.problems.map { ModelError.shorten($0.description, to: 8192) })
        }
        if contract.schemas.isEmpty { throw .refused("\(name) describes no objects") }
        if contract.refusesUnknownMembers {
            diagnostics.say("the objects have no other members: decode with --unknown refuse")
        }
        try written.write(to: output)
        return .success
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
