import Pallium
import PalliumStore

extension CommandSpec {
    static let check = CommandSpec(
        name: "check", summary: "find every mistake in schema documents, and explain their mapping",
        usage: ["[OPTION…] DIR…"],
        about: """
            Reads schema documents, those of folders and single ones, and reports every mistake at once:
            FILE:LINE:COLUMN: message, and a way to mend it. Warnings say what can be loaded but is probably
            not meant, such as rules of a cluster that both match the same object.
            """,
        options: [
            .model.explained("Explain this schema only. Together with --explain."),
            .profile, .opaqueTransformers, .explain, .forStores, .output, .help,
        ],
        problems: "the schemas have problems, or cannot be read; warnings do not count",
        examples: """
            pallium check Schemas/github
            pallium check --explain --model Issue Schemas/github
            """,
        run: running(CheckCommand.self, CheckArguments.init))
}

extension Option {
    static let forStores = Option("--store", "Check also that stores can have the models.")
}

/// `pallium check`: finds mistakes in schema documents, and explains their mapping.
struct CheckCommand: RunnableCommand {
    let arguments: CheckArguments
    let output: ByteOutput
    let run: Run

    func execute() throws(Interruption) -> ExitStatus {
        let warnings: [SchemaError.Problem]
        do throws(SchemaError) {
            warnings = try SchemaRegistry().check(
                contentsOf: arguments.schemas.urls, isOpaque: arguments.hasOpaqueTransformers)
        } catch {
            // Mistakes in schemas are what the command looks for.
            _ = run.status(of: arguments.schemas.refusal(of: error))
            return .problems
        }
        let catalog = try run.catalog(arguments.schemas, isOpaque: arguments.hasOpaqueTransformers)
        do throws(ModelError) { if arguments.areForStores { try catalog.registry.checkStore() } } catch {
            run.report(error.problems.map { "pallium: \($0.sentence)" })
            return .problems
        }
        run.say(
            "\(Quantity.count(catalog.registry.schemas.count, "schema")), no problems, "
                + Quantity.count(warnings.count, "warning"),
            details: arguments.schemas.lines(for: warnings))
        if arguments.explains { try explain(catalog) }
        return .success
    }

    private func explain(_ catalog: SchemaCatalog) throws(Interruption) {
        let schemas = catalog.registry.schemas.map(\.name)
        if let profile = arguments.profile, !schemas.contains(where: { catalog.has(profile: profile, schema: $0) }) {
            throw .refused("no schema has the profile \(ModelError.quote(profile))")
        }
        for name in arguments.model.map({ [$0] }) ?? schemas {
            let adapter = try catalog.adapter(model: name, profile: profile(of: name, in: catalog))
            try output.append(Self.table(of: adapter))
        }
        try output.flush()
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
            ].map { ModelError.shorten($0, to: 200) }
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
        let name = ModelError.shorten(adapter.schema.name, to: 200)
        return ([name, line(heads)] + rows.map(line)).joined(separator: "\n") + "\n\n"
    }
}
