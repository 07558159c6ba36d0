import Foundation
import Pallium

// The examples of the article about sensitive values, word for word, like those in `ArticleExamples.swift`.

func sensitivityExample(registry: SchemaRegistry, key: Data, print: (DynamicModel) -> Void) throws -> [String] {
    try registry.register(
        ModelSchema(
            "Person",
            [
                "id": .integer.required,
                "name": .string.labels("pii"),
                "email": .string.labels("pii", "email"),
                "token": .string.secret,
                "home": .model("Address").labels("pii"),
            ]),
        ModelSchema("Address", ["street": .string, "city": .string]))
    let person = try registry.schema(named: "Person")
    let adapter = try JSONAdapter(schema: person, registry: registry)
    let ada = try adapter.model(
        from: #"{"id": 1, "name": "Ada", "email": "ada@example.org"}"#)
    print(ada)
    // Person(id: 1, name: •••, email: •••)

    let shared = Redaction(
        ["pii": .mask, "email": .drop, "secret": .drop])
    let text = try adapter.data(from: ada, redacting: shared)
    // {"id":1,"name":"•••"}

    let joined = Redaction(["email": .hash, "pii": .hash], key: key)
    let row = try adapter.jsonValue(
        from: ada, only: ["email"], redacting: joined)

    return [String(decoding: text, as: UTF8.self), row["email"]?.stringValue ?? ""]
}
