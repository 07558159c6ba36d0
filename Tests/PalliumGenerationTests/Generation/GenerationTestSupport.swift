import Pallium
import PalliumGeneration

/// Returns the generated files of one document by name.
func generatedFiles(_ document: String, acceptsUnknownNames: Bool = false) throws(SchemaError) -> [String: String] {
    let generator = try SwiftGenerator(
        documents: [("a.json", document)], acceptsUnknownNames: acceptsUnknownNames)
    return Dictionary(uniqueKeysWithValues: try generator.files().map { ($0.name, $0.text) })
}

/// Returns the generated class of the schema `A`, whose document has these properties, without indentation.
func generatedLines(properties: String) throws -> [String] {
    let files = try generatedFiles(#"{"name": "A", "properties": {\#(properties)}}"#)
    return (files["A.swift"] ?? "").split(separator: "\n").map { String($0.drop { $0 == " " }) }
}
