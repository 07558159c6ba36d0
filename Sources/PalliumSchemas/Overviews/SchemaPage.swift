import PalliumCore
import PalliumJSON

/// Writes schemas as a page of Markdown: a section for each schema, with a table of its properties.
struct SchemaPage {
    private let registry: SchemaRegistry
    private var lines: [String] = []

    private init(registry: SchemaRegistry) { self.registry = registry }

    /// Returns the page.
    static func text(of schemas: [ModelSchema], title: String, registry: SchemaRegistry) -> String {
        var page = SchemaPage(registry: registry)
        page.lines = ["# \(escape(title))"]
        for schema in schemas { page.write(schema) }
        return page.lines.joined(separator: "\n") + "\n"
    }

    private mutating func write(_ schema: ModelSchema) {
        lines += ["", "## \(Self.escape(schema.name))"]
        if !schema.documentation.isEmpty { lines += ["", Self.escape(schema.documentation)] }
        var facts: [String] = []
        if let parent = schema.parent { facts.append("It has the properties of \(link(parent)), too.") }
        if !schema.identity.isEmpty { facts.append("Its identity is \(Self.codes(schema.identity)).") }
        if schema.version > 1 { facts.append("Its version is \(schema.version).") }
        if !facts.isEmpty { lines += ["", facts.joined(separator: " ")] }
        write(schema.properties, of: schema)
        if !schema.rules.isEmpty {
            lines.append("")
            lines += schema.rules.map { "- \(Self.escape($0.sentence))" }
        }
        if let cluster = schema.cluster { write(cluster) }
    }

    private mutating func write(_ properties: [ModelSchema.Property], of schema: ModelSchema) {
        if properties.isEmpty { return }
        lines += ["", "| property | in JSON | kind | limits | meaning |", "| --- | --- | --- | --- | --- |"]
        for property in properties {
            let description = property.schema
            let paths = ResolvedMapping(description, key: property.key, keys: schema.keys)
            let isInJSON = !paths.texts.isEmpty && !description.isWeak && description.storage != .notStored
            let separator = paths.combination == .allOf ? " and " : " or "
            let cells = [
                Self.code(property.key), isInJSON ? paths.texts.map(Self.code).joined(separator: separator) : "–",
                kind(of: description), Self.escape(Self.limits(of: description).joined(separator: "; ")),
                Self.escape(description.documentation),
            ]
            lines.append("| " + cells.map(Self.inCell).joined(separator: " | ") + " |")
        }
    }

    private mutating func write(_ cluster: ModelCluster) {
        lines.append("")
        func write(fallback: ModelReference?) {
            if let fallback { lines.append("- otherwise \(link(fallback))") }
        }
        switch cluster {
        case .discriminator(let path, let entries, let fallback):
            lines += ["The member \(Self.code(path)) decides how an object is read:", ""]
            lines += entries.map { "- \(Self.code($0.text)): \(link($0.model))" }
            write(fallback: fallback)
        case .rules(let rules, let fallback):
            lines += ["The first rule that holds decides how an object is read:", ""]
            lines += rules.map { rule in
                "- \(Self.escape(rule.conditions.map(Self.words).joined(separator: " and "))): \(link(rule.model))"
            }
            write(fallback: fallback)
        case .resolver: lines.append("Code decides how an object is read.")
        }
    }

    private static func words(_ condition: ModelCluster.Condition) -> String {
        switch condition {
        case .present(let path): "\(path) is present"
        case .equals(let path, let value): "\(path) is \(value.description)"
        case .kind(let path, let kind): "\(path) is of the kind \(kind.rawValue)"
        }
    }

    /// Recursion is as deep as kinds are nested.
    private func kind(of property: PropertySchema) -> String {
        switch property.kind {
        case .model(let reference): link(reference)
        case .array(let element): "array of \(kind(of: element))"
        case .set(let element): "set of \(kind(of: element))"
        case .dictionary(let element): "dictionary of \(kind(of: element))"
        case .enumeration(let enumeration):
            "one of " + Self.codes(enumeration.cases.map(\.rawValue.description))
                + (enumeration.unknown == .fail ? "" : ", or others")
        default: Self.escape(property.kind.name)
        }
    }

    private static func limits(of property: PropertySchema) -> [String] {
        var limits: [String] = []
        if property.isRequired { limits.append("required") }
        switch property.defaultValue {
        case nil: break
        case .json(let value): limits.append("default \(value.description)")
        case .value: limits.append("has a default")
        }
        switch property.access {
        case .readWrite: break
        case .readOnly: limits.append("only read")
        case .writeOnly: limits.append("only written")
        }
        if property.isSecret { limits.append("secret") }
        if !property.transformers.isEmpty {
            limits.append("converted by " + property.transformers.map(\.description).joined(separator: ", "))
        }
        return limits + property.rules.map { "\($0.name) \($0.limit.description)" }
    }

    // MARK: Markdown

    private func link(_ reference: ModelReference) -> String {
        let name = (try? registry.layout(reference))?.schema.name ?? reference.description
        // As GitHub makes anchors of headings.
        var anchor = ""
        for scalar in name.lowercased().unicodeScalars {
            if scalar == " " {
                anchor += "-"
            } else if scalar.properties.isAlphabetic || scalar.properties.numericType != nil || scalar == "-"
                || scalar == "_"
            {
                anchor.unicodeScalars.append(scalar)
            }
        }
        return "[\(Self.escape(name))](#\(anchor))"
    }

    private static func codes(_ texts: [String]) -> String { texts.map(code).joined(separator: ", ") }

    /// Returns text in as many backticks as it needs.
    private static func code(_ text: String) -> String {
        if text.isEmpty { return "empty text" }
        let longest = text.split { $0 != "`" }.map(\.count).max() ?? 0
        let fence = String(repeating: "`", count: longest + 1)
        return longest == 0 ? fence + text + fence : "\(fence) \(text) \(fence)"
    }

    /// Returns text without the meaning that its characters have in Markdown.
    private static func escape(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            if "\\`*_[]<>#".unicodeScalars.contains(scalar) { result += "\\" }
            result.unicodeScalars.append(scalar)
        }
        return result
    }

    /// Returns text that stays in its cell of a table.
    private static func inCell(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "|": result += "\\|"
            case "\n", "\r": result += " "
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
