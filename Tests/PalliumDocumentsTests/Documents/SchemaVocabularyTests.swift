import Foundation
import ModelTestSupport
import Pallium
import Testing

/// The tables that read and write documents say the same as `Schemas/model-schema.json` and the article *SchemaDocuments*.
///
/// Both are renewed by running these tests with `PALLIUM_RENEW_VOCABULARY=1`.
struct SchemaVocabularyTests {
    private static let description = SharedData.repository.appendingPathComponent("Schemas/model-schema.json")
    private static let article = SharedData.repository.appendingPathComponent(
        "Sources/Pallium/Pallium.docc/SchemaDocuments.md")

    /// A table without the type of what its members describe.
    private struct Table {
        /// The definition of the object in the description.
        let definition: String
        let members: [(name: String, documentation: String, schema: JSONObject)]

        init<Subject>(_ definition: String, _ table: SchemaTable<Subject>) {
            self.definition = definition
            members = table.members.map { ($0.name, $0.documentation, $0.schema) }
        }
    }

    /// The tables in the order of the article.
    private static let tables = [
        Table("schema", SchemaVocabulary.schema), Table("upgrade", SchemaVocabulary.upgrade),
        Table("value", SchemaVocabulary.property), Table("mergePolicy", SchemaVocabulary.mergePolicy),
    ]

    private func compare(_ file: URL, with text: String) throws {
        if ProcessInfo.processInfo.environment["PALLIUM_RENEW_VOCABULARY"] != nil {
            try Data(text.utf8).write(to: file)
        }
        let found = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
        for (line, expected) in zip(found, text.components(separatedBy: "\n")) where line != expected {
            Issue.record("expected \(expected) but found \(line); renew it by PALLIUM_RENEW_VOCABULARY=1")
            return
        }
        #expect(found.count == text.components(separatedBy: "\n").count)
    }

    private func definitions() throws -> (document: JSONObject, definitions: JSONObject) {
        let document = try JSONValue(parsing: [UInt8](Data(contentsOf: Self.description))).objectValue ?? [:]
        return (document, document["$defs"]?.objectValue ?? [:])
    }

    @Test func theDescriptionHasTheMembersOfTheTables() throws {
        var (document, definitions) = try definitions()
        for table in Self.tables {
            var definition = try #require(definitions[table.definition]?.objectValue)
            let members = table.members.map { member in
                let description = (key: "description", value: JSONValue.string(member.documentation))
                return (key: member.name, value: JSONValue.object(JSONObject([description] + member.schema)))
            }
            definition["properties"] = .object(JSONObject(members))
            definitions[table.definition] = .object(definition)
        }
        document["$defs"] = .object(definitions)
        try compare(Self.description, with: JSONLines(.object(document)).text + "\n")
    }

    @Test func theArticleHasTheMembersOfTheTables() throws {
        let definitions = try definitions().definitions
        var tables = Self.tables[...]
        let blocks = try String(contentsOf: Self.article, encoding: .utf8).components(separatedBy: "\n\n").map {
            block in
            guard block.hasPrefix("| member |"), let table = tables.popFirst() else { return block }
            let required = definitions[table.definition]?["required"]?.arrayValue ?? []
            let rows = table.members.map { member in
                let end = required.contains(.string(member.name)) ? "; required" : ""
                return
                    "| `\(member.name)` | \(values(member.schema, definitions))\(end) | \(member.documentation) |"
            }
            return (["| member | value | meaning |", "| --- | --- | --- |"] + rows).joined(separator: "\n")
        }
        #expect(tables.isEmpty)
        try compare(Self.article, with: blocks.joined(separator: "\n\n"))
    }

    /// Returns what a JSON Schema of a member accepts, in words.
    private func values(_ schema: JSONObject, _ definitions: JSONObject) -> String {
        let initial = schema["default"].map { ", by default `\($0.description)`" } ?? ""
        if let name = schema["$ref"]?.stringValue?.split(separator: "/").last,
            let sentence = definitions[String(name)]?["description"]?.stringValue
        {
            return sentence.prefix(1).lowercased() + sentence.dropFirst().dropLast() + initial
        }
        if let choices = schema["enum"]?.arrayValue {
            return choices.map { "`\($0.description)`" }.joined(separator: ", ") + initial
        }
        if let value = schema["const"] { return "`\(value.description)`" }
        return switch schema["type"] {
        case "string": "text"
        case "number": schema["exclusiveMinimum"] == 0 ? "a number above 0" : "a number"
        default: "any JSON"
        }
    }
}

/// JSON as text in which every value that fits stands on one line.
private struct JSONLines {
    private static let width = 120
    let text: String

    init(_ value: JSONValue, indent: Int = 0, after used: Int = 0) {
        let line = Self.line(value)
        let space = String(repeating: " ", count: indent + 2)
        let end = "\n" + space.dropLast(2)
        if used + line.count < Self.width {
            text = line
        } else if let members = value.objectValue {
            text =
                "{\n"
                + members.map { key, value in
                    let name = Self.line(.string(key)) + ": "
                    return space + name + JSONLines(value, indent: indent + 2, after: space.count + name.count).text
                }.joined(separator: ",\n") + end + "}"
        } else if let elements = value.arrayValue, elements.allSatisfy({ $0.stringValue != nil }) {
            var lines = [space]
            for (index, element) in elements.enumerated() {
                let word = Self.line(element) + (index < elements.count - 1 ? "," : "")
                if lines[lines.count - 1].count + word.count >= Self.width { lines.append(space) }
                lines[lines.count - 1] += (lines[lines.count - 1] == space ? "" : " ") + word
            }
            text = "[\n" + lines.joined(separator: "\n") + end + "]"
        } else if let elements = value.arrayValue {
            text =
                "[\n"
                + elements.map { space + JSONLines($0, indent: indent + 2, after: space.count).text }
                .joined(separator: ",\n") + end + "]"
        } else {
            text = line
        }
    }

    private static func line(_ value: JSONValue) -> String {
        switch value {
        case .object(let members) where !members.isEmpty:
            "{ " + members.map { "\(line(.string($0))): \(line($1))" }.joined(separator: ", ") + " }"
        case .array(let elements): "[" + elements.map(line).joined(separator: ", ") + "]"
        default: value.description
        }
    }
}
