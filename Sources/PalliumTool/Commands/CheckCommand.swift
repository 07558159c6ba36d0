import Pallium

/// `pallium check`: finds mistakes in schema documents, and explains their mapping.
struct CheckCommand {
    let arguments: CheckArguments
    let output: ByteOutput
    let diagnostics: Diagnostics

    /// Runs the command.
    func run() -> ExitStatus {
        let warnings: [SchemaError.Problem]
        do throws(SchemaError) {
            warnings = try SchemaRegistry().check(
                contentsOf: arguments.schemas.urls, isOpaque: arguments.hasOpaqueTransformers)
        } catch {
            diagnostics.report(error, arguments.schemas)
            return .problems
        }
        guard let catalog = diagnostics.catalog(arguments.schemas, isOpaque: arguments.hasOpaqueTransformers)
        else { return .misuse }
        diagnostics.say(
            "\(Quantity.count(catalog.schemas.count, "schema")), no problems, "
                + Quantity.count(warnings.count, "warning"),
            details: arguments.schemas.lines(for: warnings))
        return arguments.explains ? explain(catalog) : .success
    }

    private func explain(_ catalog: SchemaCatalog) -> ExitStatus {
        let schemas = catalog.schemas.map(\.name).filter { name in arguments.model.map { $0 == name } ?? true }
        if schemas.isEmpty, let model = arguments.model {
            diagnostics.say(catalog.unknownSchema(model, suggestion: catalog.nearestSchema(to: model)))
            return .misuse
        }
        if let profile = arguments.profile,
            !catalog.schemas.contains(where: { catalog.has(profile: profile, schema: $0.name) })
        {
            diagnostics.say("no schema has the profile \"\(PrintableText.escape(profile, limit: 64))\"")
            return .misuse
        }
        do throws(OutputError) {
            for name in schemas {
                let adapter: JSONAdapter<DynamicModel>
                do throws(ModelError) {
                    adapter = try catalog.adapter(
                        model: name, profile: profile(of: name, in: catalog), options: JSONAdapterOptions())
                } catch {
                    diagnostics.say(PrintableText.escape(error.description, limit: 4096))
                    return .misuse
                }
                try output.append(Self.table(of: adapter))
            }
            try output.flush()
            return .success
        } catch { return diagnostics.status(of: error) }
    }

    /// The profile, for all schemas that have it. A schema that was named must have it.
    private func profile(of schema: String, in catalog: SchemaCatalog) -> String? {
        arguments.model != nil || catalog.has(profile: arguments.profile, schema: schema) ? arguments.profile : nil
    }

    /// Returns a schema's properties, one a line, in columns.
    private static func table(of adapter: JSONAdapter<DynamicModel>) -> String {
        let rows = adapter.explain().map { property in
            [
                property.key, property.path, property.kind,
                property.transformers.map(\.description).joined(separator: ", "), property.presence, property.merge,
                (property.rules.map(\.description) + property.modifiers).joined(separator: ", "),
            ].map { PrintableText.escape($0, limit: 200) }
        }
        let heads = ["property", "in JSON", "kind", "transformers", "presence", "merge", "rules and more"]
        // A column without any content is left out.
        let columns = heads.indices.filter { column in rows.contains { !$0[column].isEmpty } }
        let widths = columns.map { column in ([heads] + rows).map { $0[column].count }.max() ?? 0 }
        func line(_ row: [String]) -> String {
            let cells = zip(columns, widths).map { column, width in
                row[column] + String(repeating: " ", count: width - row[column].count)
            }
            var text = "  " + cells.joined(separator: "  ")
            while text.utf8.last == UInt8(ascii: " ") { text.removeLast() }
            return text
        }
        let name = PrintableText.escape(adapter.schema.name, limit: 200)
        return ([name, line(heads)] + rows.map(line)).joined(separator: "\n") + "\n\n"
    }
}
