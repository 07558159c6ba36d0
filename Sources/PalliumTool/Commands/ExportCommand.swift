import Pallium
import PalliumContracts

/// `pallium export`: writes contracts for other programs, and pages for people.
struct ExportCommand: RunnableCommand {
    let arguments: ExportArguments
    let output: ByteOutput
    let diagnostics: Diagnostics

    func run() throws(Interruption) -> ExitStatus {
        let catalog = try diagnostics.catalog(arguments.schemas, isOpaque: arguments.hasOpaqueTransformers)
        let schema = try arguments.model.map { model throws(Interruption) in try catalog.schema(named: model) }
        let text: String?
        do throws(SchemaError) { text = try self.text(of: schema, catalog.registry) } catch {
            throw arguments.schemas.refusal(of: error)
        }
        guard let text else {
            throw .refused(
                "the contract is nested more than \(JSONWritingOptions().maximumDepth.counted("level")) deep")
        }
        try output.finish(text)
        return .success
    }

    /// Returns the text of the page or the contract; nil for a contract that is nested too deep.
    private func text(of schema: ModelSchema?, _ registry: SchemaRegistry) throws(SchemaError) -> String? {
        let contract: JSONValue
        switch arguments.format {
        case .jsonSchema:
            contract = try registry.jsonSchema(
                of: schema, isArray: arguments.isArray, direction: arguments.direction, profile: arguments.profile)
        case .openAPI:
            contract = try registry.openAPI(
                title: arguments.schemas.title, of: schema, direction: arguments.direction, profile: arguments.profile)
        case .strict:
            // The arguments have a model.
            contract =
                try schema.map { schema throws(SchemaError) in
                    try registry.strictJSONSchema(of: schema, profile: arguments.profile)
                } ?? .null
        case .page(let format): return try registry.page(format, title: arguments.schemas.title, of: schema)
        }
        return contract.prettyText
    }
}
