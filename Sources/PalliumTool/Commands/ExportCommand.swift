import Foundation
import Pallium

/// `pallium export`: writes contracts for other programs.
struct ExportCommand {
    let arguments: ExportArguments
    let output: ByteOutput
    let diagnostics: Diagnostics

    /// Runs the command.
    func run() -> ExitStatus {
        guard let catalog = diagnostics.catalog(path: arguments.schemas, isOpaque: arguments.hasOpaqueTransformers)
        else { return .misuse }
        var schema: ModelSchema?
        if let model = arguments.model {
            do throws(ModelError) { schema = try catalog.registry.schema(named: model) } catch {
                diagnostics.say(catalog.unknownSchema(model, suggestion: error.suggestion))
                return .misuse
            }
        }
        let contract: JSONValue
        do throws(SchemaError) { contract = try self.contract(of: schema, catalog.registry) } catch {
            diagnostics.say(
                "\(Quantity.count(error.problems.count, "problem")) in schemas",
                details: SchemaCatalog.lines(for: error, path: arguments.schemas))
            return .misuse
        }
        var options = JSONWritingOptions()
        options.pretty = true
        guard var bytes = try? contract.bytes(options: options) else {
            diagnostics.say("the contract is nested more than \(options.maximumDepth) levels deep")
            return .misuse
        }
        bytes.append(UInt8(ascii: "\n"))
        return write(Data(bytes))
    }

    private func contract(
        of schema: ModelSchema?, _ registry: SchemaRegistry
    ) throws(SchemaError) -> JSONValue {
        switch arguments.format {
        case .jsonSchema:
            return try registry.jsonSchema(
                of: schema, isArray: arguments.isArray, direction: arguments.direction, profile: arguments.profile)
        case .openAPI:
            let name = URL(fileURLWithPath: arguments.schemas).deletingPathExtension().lastPathComponent
            return try registry.openAPI(
                title: name, of: schema, direction: arguments.direction, profile: arguments.profile)
        case .strict:
            // The arguments have a model.
            guard let schema else { return .null }
            return try registry.strictJSONSchema(of: schema, profile: arguments.profile)
        }
    }

    private func write(_ bytes: Data) -> ExitStatus {
        guard let path = arguments.output else {
            do throws(OutputError) {
                try output.append(bytes)
                try output.flush()
                return .success
            } catch { return diagnostics.status(of: error) }
        }
        do throws(ModelError) {
            try bytes.write(durablyTo: URL(fileURLWithPath: path))
            return .success
        } catch { return diagnostics.status(of: error, file: path) }
    }
}
