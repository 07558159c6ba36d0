import PalliumCore
import PalliumDocuments
import PalliumJSON

/// Writes the type with the text of the schema documents.
///
/// A member of a schema has a line of its own, and so has a property, so that changes of a document can be seen.
struct EmbeddedDocuments {
    private let classes: [(schema: String, name: String)]
    /// The schemas as one document, an array.
    let document: String

    /// - Parameters:
    ///   - classes: The names of the schemas and their classes, in the order of the documents.
    ///   - documents: The documents, each with a schema or an array of schemas.
    /// - Throws: ``JSONSyntaxError`` if the documents cannot be one document.
    init(classes: [(schema: String, name: String)], documents: [SchemaDocument]) throws(JSONSyntaxError) {
        self.classes = classes
        var schemas: [String] = []
        for document in documents {
            let value = try LocatedJSON(parsing: document.bytes).value
            for schema in value.arrayValue ?? [value] { schemas.append(try Self.text(ofSchema: schema)) }
        }
        document = "[\n" + schemas.joined(separator: ",\n") + "\n]"
        // The limits are those of one document.
        _ = try LocatedJSON(parsing: Array(document.utf8))
    }

    private static func text(ofSchema schema: JSONValue) throws(JSONSyntaxError) -> String {
        guard case .object(let members) = schema else { return try escaped(schema) }
        var lines: [String] = []
        for member in members {
            let name = try escaped(.string(member.key))
            guard UTF8Text.equal(member.key, "properties"), case .object(let properties) = member.value,
                !properties.isEmpty
            else {
                lines.append("  \(name): \(try escaped(member.value))")
                continue
            }
            var ofProperties: [String] = []
            for property in properties {
                ofProperties.append("    \(try escaped(.string(property.key))): \(try escaped(property.value))")
            }
            lines.append("  \(name): {\n" + ofProperties.joined(separator: ",\n") + "\n  }")
        }
        return "{\n" + lines.joined(separator: ",\n") + "\n}"
    }

    /// Returns JSON text without characters that cannot be seen. They stand in strings only, where JSON can escape them.
    private static func escaped(_ value: JSONValue) throws(JSONSyntaxError) -> String {
        let text = try value.text()
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            if SourceText.isHidden(scalar) {
                for unit in UTF16.encode(scalar).map({ Array($0) }) ?? [] {
                    let digits = String(unit, radix: 16)
                    result += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
                }
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// Returns the text of the type.
    func text(_ access: SwiftGenerator.Access) -> TypeText {
        var file = SourceText()
        file.append([
            "/// The schema documents from which the classes were generated.",
            "\(access.modifier)nonisolated enum SchemaDocuments {",
        ])
        file.append(
            [
                "/// Registers the schemas with their classes. Call it once, when the program starts.",
                "///",
                "/// - Throws: `SchemaError` if the registry has another schema with one of the names, or lacks a transformer.",
            ], level: 1)
        // Most classes are called like their schemas.
        let isPlain = classes.allSatisfy { UTF8Text.equal($0.schema, $0.name) }
        let entries = classes.map { item in
            (isPlain ? "" : "\(SourceText.literal(item.schema)): ") + "\(SwiftName.escaped(item.name)).self"
        }
        let function =
            [
                "\(access.modifier)static func load(into registry: SchemaRegistry = .shared) throws(SchemaError) {",
                "    try registry.load(",
                "        Data(text.utf8), name: \(SourceText.literal(SwiftGenerator.documentsFile)),",
                "        classes: [",
            ]
            + entries.map { "            \($0)\(entries.count > 1 ? "," : "")" }
            + ["        ])", "}"]
        file.append(SourceText.allowingLongNames(function, level: 1), level: 1)
        file.append(["", "/// All documents as one.", "\(access.modifier)static let text = \(signs)\"\"\""], level: 1)
        file.append(document.split(separator: "\n").map { String($0) }, level: 2)
        file.append(["    \"\"\"\(signs)"], level: 1)
        file.append(["}"])
        return TypeText(text: file.text, foundation: .inBodies, observation: .nowhere, pallium: .inInterface)
    }

    /// The number signs around the literal: one more than follow any backslash in it.
    ///
    /// Three quotation marks side by side, which could end it too, do not occur in JSON.
    private var signs: String {
        var longest = 0
        var count: Int?
        for byte in document.utf8 {
            switch byte {
            case UInt8(ascii: "\\"): count = 0
            case UInt8(ascii: "#"): count = count.map { $0 + 1 }
            default: count = nil
            }
            longest = max(longest, count ?? 0)
        }
        return String(repeating: "#", count: longest + 1)
    }
}
