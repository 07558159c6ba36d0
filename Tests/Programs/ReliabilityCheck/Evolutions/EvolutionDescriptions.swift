import Pallium

extension EvolutionFamily: CustomStringConvertible {
    /// The schemas of all programs, and the steps of the last one.
    var description: String {
        programs.enumerated().map { number, program in
            let schemas = program.schemas.values.sorted { $0.lineage < $1.lineage }
            let isLast = number == programs.count - 1
            return "program \(number):\n"
                + schemas.map { schema in
                    "  \(schema)" + (isLast ? schema.steps.map { "\n    \($0)" }.joined() : "")
                }.joined(separator: "\n")
        }.joined(separator: "\n") + "\nread as #\(entrance)"
    }
}

extension EvolvedSchema: CustomStringConvertible {
    /// The name, the version and the properties.
    var description: String {
        "#\(lineage) \(name) \(version)\(parent.map { " extends #\($0)" } ?? "")\(isSnakeCase ? " snakeCase" : "")"
            + (isWithoutCode ? " without code" : "")
            + (identity.map { " identity \($0)" } ?? "")
            + (discriminator.map { " discriminator \($0.member) \($0.tags)" } ?? "")
            + " (\(properties.map { "\($0)" }.joined(separator: ", ")))"
    }
}

extension EvolvedProperty: CustomStringConvertible {
    /// The key, the kind and all that is not usual.
    var description: String {
        "\(key): \(kind)\(isRequired ? " required" : "")\(fallback.map { " default \($0.json)" } ?? "")"
            + "\(path.map { " at \($0)" } ?? "")\(isInSeconds ? " in seconds" : "")\(hook.map { " hook \($0)" } ?? "")"
    }
}

extension EvolvedStep: CustomStringConvertible {
    /// The parts of the step in the order in which they run.
    var description: String {
        var parts: [String] = []
        if let oldName { parts.append("old name \(oldName)") }
        if !renamed.isEmpty { parts.append("renamed \(renamed)") }
        if !transformed.isEmpty { parts.append("transformed \(transformed.mapValues { $0.map(\.name) })") }
        if !code.isEmpty { parts.append("code \(code)") }
        if !defaults.isEmpty { parts.append("defaults \(defaults.mapValues(\.json))") }
        if !removed.isEmpty { parts.append("removed \(removed)") }
        return "from \(from): \(parts.joined(separator: ", "))"
    }
}

extension EvolvedKind: CustomStringConvertible {
    /// The kind as schemas in Swift name it, with the texts that a string holds.
    var description: String {
        switch self {
        case .bool: "bool"
        case .integer: "integer"
        case .bit: "0 or 1"
        case .small: "int8"
        case .double: "double"
        case .decimal: "decimal"
        case .date: "date"
        case .url: "url"
        case .uuid: "uuid"
        case .data: "data"
        case .enumeration: "enumeration"
        case .json: "json"
        case .string(let texts): "string of \(texts)"
        case .array(let element): "[\(element)]"
        case .set(let element): "set of \(element)"
        case .dictionary(let element): "[string: \(element)]"
        case .model(let lineage): "#\(lineage)"
        }
    }
}
