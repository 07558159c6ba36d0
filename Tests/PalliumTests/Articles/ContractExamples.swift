import Foundation
import ModelTestSupport
import Pallium
import PalliumContracts

// The Swift examples of the article about contracts, word for word; `ArticleTests` runs them and compares the texts.

func contractExample(
    _ registry: SchemaRegistry, _ schema: ModelSchema, restoredIn other: SchemaRegistry
) throws -> (contract: JSONValue, text: String) {
    let contract = try registry.jsonSchema(of: schema)
    let text = try contract.text()

    try other.load(jsonSchema: contract.bytes())

    return (contract, text)
}

func tableExample(_ registry: SchemaRegistry, _ schema: ModelSchema) throws -> [String] {
    var lines: [String] = []
    func print(_ value: Any) { lines.append("\(value)") }

    let table = try registry.table(of: schema, for: .duckdb)
    print(table.text)
    // CREATE TABLE "Issue" (
    //     "number" bigint NOT NULL,
    //     "title" varchar,
    //     "user" struct("login" varchar),
    //     "labels" varchar[],
    //     "closed_at" timestamp with time zone
    // );
    for loss in table.losses { print(loss) }

    return lines
}

func contractDirectionExample(_ adapter: JSONAdapter<DynamicModel>) -> JSONAdapter<DynamicModel> {
    let requests = adapter.with { $0.mode = .input }

    return requests
}

func petstoreExample(folder: URL, answer: String) throws -> DynamicModel {
    let registry = SchemaRegistry()
    try registry.load(contentsOf: folder)
    let pets = try JSONAdapter(
        schema: registry.schema(named: "Pet"), registry: registry)
    let pet = try pets.model(from: answer)

    return pet
}
