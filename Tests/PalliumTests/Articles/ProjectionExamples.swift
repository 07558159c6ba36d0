import Foundation
import Pallium

// The examples of the article about projections, word for word, like those in `ArticleExamples.swift`.

func projectionExample(registry: SchemaRegistry) throws -> [String] {
    try registry.register(
        ModelSchema(
            "Issue",
            [
                "number": .integer.required,
                "title": .string.required,
                "body": .string.required,
                "author": .model("User"),
                "labels": .array(of: .model("Label")),
            ]),
        ModelSchema(
            "User",
            ["login": .string.required, "email": .string.required]),
        ModelSchema("Label", ["name": .string, "color": .string]))
    let issue = try registry.schema(named: "Issue")
    let adapter = try JSONAdapter(schema: issue, registry: registry)

    let rows = try adapter.projected(to: ["number", "author.login"])
    let row = try rows.model(
        from: #"{"number": 7, "author": {"login": "ada"}, "body": 5}"#)
    let text = try rows.data(from: row)
    // {"number":7,"author":{"login":"ada"}}

    let short = try adapter.data(from: row, only: ["author.login"])
    // {"author":{"login":"ada"}}

    return [text, short].map { String(decoding: $0, as: UTF8.self) }
}
