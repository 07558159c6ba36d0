import Foundation
import Pallium

/// `pallium export`: writes schemas for other programs and for people.
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
        do throws(SchemaError) {
            guard let text = try text(of: schema, catalog.registry) else {
                diagnostics.say("the contract is nested too deeply")
                return .misuse
            }
            return write(Data(text.utf8))
        } catch {
            diagnostics.report(error, path: arguments.schemas)
            return .misuse
        }
    }

    /// Returns the text to write; nil if JSON is nested beyond the limit.
    private func text(of schema: ModelSchema?, _ registry: SchemaRegistry) throws(SchemaError) -> String? {
        let title = URL(fileURLWithPath: arguments.schemas).deletingPathExtension().lastPathComponent
        let contract: JSONValue
        switch arguments.format {
        case .jsonSchema:
            contract = try registry.jsonSchema(
                of: schema, isArray: arguments.isArray, direction: arguments.direction, profile: arguments.profile)
        case .openAPI:
            contract = try registry.openAPI(
                title: title, of: schema, direction: arguments.direction, profile: arguments.profile)
        case .strict:
            // The arguments have a model.
            guard let schema else { return nil }
            contract = try registry.strictJSONSchema(of: schema, profile: arguments.profile)
        case .markdown: return registry.markdown(title: title)
        case .mermaid: return registry.graph(in: .mermaid)
        case .dot: return registry.graph(in: .dot)
        }
        var options = JSONWritingOptions()
        options.pretty = true
        return (try? contract.text(options: options)).map { $0 + "\n" }
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
