import Pallium

extension MergeCase {
    /// The case for people.
    func text() throws -> String {
        var lines = ["\(operation.rawValue) of \(theme), seed \(seed)", schemas.description]
        lines.append("target: \(try target.text())")
        if operation == .rebase { lines.append("edited: \(try editedText())") }
        lines.append("document: \(try document.text())")
        if case .different(let differences) = try outcome() {
            lines += ["- is of the reference, + of the library:"] + differences
        }
        return lines.joined(separator: "\n")
    }

    func editedText() throws -> String {
        let library = try library()
        return try library.adapter.jsonValue(from: models(library).model).text()
    }
}

extension PlainSchemas: CustomStringConvertible {
    var description: String {
        classes.values.sorted { $0.name < $1.name }.map { description in
            var text = description.name
            if let parent = description.parent { text += ": \(parent)" }
            if let identity = description.identity { text += " by \(identity)" }
            if !description.choices.isEmpty { text += ", standard \(description.standardChoice ?? "none")" }
            return "\(text) { \(description.properties.map(\.description).joined(separator: "; ")) }"
        }.joined(separator: "\n")
    }
}

extension PlainProperty: CustomStringConvertible {
    var description: String {
        var text = "\(key) \(kind)"
        if isRequired { text += " required" }
        if let standard { text += " default \(standard)" }
        if takesNullBesideDefault { text += " nullable" }
        if policy != .none { text += ", \(policy)" }
        return text
    }
}

extension ImportCase {
    /// The case for people.
    func text() throws -> String {
        var lines = ["import, seed \(seed)", schemas.description]
        for document in documents { lines.append("document: \(try document.text())") }
        if case .different(let differences) = try outcome() {
            lines += ["- is of the reference, + of the library:"] + differences
        }
        return lines.joined(separator: "\n")
    }
}

extension PlainKind: CustomStringConvertible {
    var description: String {
        switch self {
        case .integer: "integer"
        case .double: "double"
        case .text: "text"
        case .json: "json"
        case .model(let name): name
        case .list(let element): "[\(element)]"
        case .set(let element): "set of \(element)"
        case .dictionary(let value, let hasNull): "dictionary of \(value)\(hasNull ? "?" : "")"
        }
    }
}
