import Foundation
import Pallium

// The Swift examples of the article about contracts, word for word; `ArticleTests` runs them and compares the texts.

func contractExample(
    _ registry: SchemaRegistry, _ schema: ModelSchema, restoredIn other: SchemaRegistry
) throws -> (contract: JSONValue, text: String, strict: JSONValue) {
    let contract = try registry.jsonSchema(of: schema)
    let text = try contract.text()

    try other.load(jsonSchema: contract.bytes())

    let strict = try registry.strictJSONSchema(of: schema)
    return (contract, text, strict)
}

func languageModelExample(
    _ registry: SchemaRegistry, _ schema: ModelSchema, question: String,
    ask: (String, JSONValue) async throws -> String
) async throws -> DynamicModel? {
    let strict = try registry.strictJSONSchema(of: schema)
    let adapter = try JSONAdapter(schema: schema, registry: registry)
    var prompt = question
    for _ in 1...3 {
        let answer = try await ask(prompt, strict)
        let report = adapter.report(from: answer)
        if let model = report.model, report.problems.isEmpty {
            return model
        }
        let problems = report.problems.map(\.description)
        prompt = """
            \(question)
            Your last answer was:
            \(answer)
            Correct these problems:
            \(problems.joined(separator: "\n"))
            """
    }
    return nil
}
