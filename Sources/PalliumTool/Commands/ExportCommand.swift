import Foundation
import Pallium

/// `pallium export`: writes contracts for other programs, and pages for people.
struct ExportCommand {
    let arguments: ExportArguments
    let output: ByteOutput
    let diagnostics: Diagnostics

    /// Runs the command.
    func run() -> ExitStatus {
        guard let catalog = diagnostics.catalog(arguments.schemas, isOpaque: arguments.hasOpaqueTransformers)
        else { return .misuse }
        var schema: ModelSchema?
        if let model = arguments.model {
            do throws(ModelError) { schema = try catalog.registry.schema(named: model) } catch {
                diagnostics.say(catalog.unknownSchema(model, suggestion: error.suggestion))
                return .misuse
            }
        }
        do throws(SchemaError) {
            if let format = arguments.format.page {
                return write(Data(try catalog.registry.page(format, title: arguments.schemas.title, of: schema).utf8))
            }
            return write(try contract(of: schema, catalog.registry))
        } catch {
            diagnostics.report(error, arguments.schemas)
            return .misuse
        }
    }

    private func write(_ contract: JSONValue) -> ExitStatus {
        var options = JSONWritingOptions()
        options.pretty = true
        guard var bytes = try? contract.bytes(options: options) else {
            diagnostics.say("the contract is nested more than \(options.maximumDepth.counted("level")) deep")
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
            return try registry.openAPI(
                title: arguments.schemas.title, of: schema, direction: arguments.direction, profile: arguments.profile)
        case .strict, .markdown, .html, .dot, .mermaid:
            // The arguments have a model, and pages are no contracts.
            guard let schema else { return .null }
            return try registry.strictJSONSchema(of: schema, profile: arguments.profile)
        }
    }

    private func write(_ bytes: Data) -> ExitStatus {
        do throws(OutputError) {
            try output.append(bytes)
            try output.flush()
            return .success
        } catch { return diagnostics.status(of: error) }
    }
}
