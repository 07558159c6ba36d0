import Foundation
import Pallium

/// Twenty properties as a final class for JSONDecoder.
private final class CodableRecord: Decodable {
    let a0: Int
    let a1: Int
    let a2: Int
    let a3: Int
    let a4: Int
    let b0: Bool
    let b1: Bool
    let b2: Bool
    let b3: Bool
    let b4: Bool
    let c0: String
    let c1: String
    let c2: String
    let c3: String
    let c4: String
    let d0: Int
    let d1: Int
    let d2: Int
    let d3: Int
    let d4: Int
}

/// The start of a program that knows many models: registering 1,000 schemas and decoding a first document of each,
/// against decoding the same documents once with one ready `JSONDecoder` and one class.
func registrationWorkloads(_ context: BenchmarkContext) -> [Workload] {
    let count = max(10, context.issueCount / 10)
    return [
        Workload(
            name: "register \(count) schemas and decode one of each", unit: .nanoseconds(per: "schema"),
            goal: .atMost(10)
        ) {
            func record(_ number: Int) -> DocumentValue {
                .object(
                    (0..<5).map { ("a\($0)", .integer(number &* 31 &+ $0)) }
                        + (0..<5).map { ("b\($0)", .bool((number &+ $0) % 2 == 0)) }
                        + (0..<5).map { ("c\($0)", .string("text \(number) of member \($0)")) }
                        + (0..<5).map { ("d\($0)", .integer(number &* 17 &- $0)) })
            }
            let schemas = (0..<count).map { number in
                ModelSchema.named(
                    "Record\(number)",
                    properties: (0..<5).map { ModelSchema.Property("a\($0)", .integer.required) }
                        + (0..<5).map { ModelSchema.Property("b\($0)", .bool.required) }
                        + (0..<5).map { ModelSchema.Property("c\($0)", .string.required) }
                        + (0..<5).map { ModelSchema.Property("d\($0)", .integer.required) })
            }
            let documents = (0..<count).map { record($0).data }
            let decoder = context.coders.decoder
            func registerAndDecode() throws -> [DynamicModel] {
                let registry = SchemaRegistry()
                try registry.register(schemas)
                return try zip(schemas, documents).map { schema, document in
                    try JSONAdapter(schema: schema, registry: registry).model(from: document)
                }
            }
            func decode() throws -> [CodableRecord] {
                try documents.map { try decoder.decode(CodableRecord.self, from: $0) }
            }
            let registry = SchemaRegistry()
            try registry.register(schemas[0])
            let adapter = try JSONAdapter(schema: schemas[0], registry: registry)
            return .timed(
                ours: .operation(units: count, registerAndDecode),
                baseline: .operation(units: count, decode),
                configuration: Configuration("bytes of a record", document: record(1)) { data in
                    blackHole(try adapter.model(from: data))
                }
            ) {
                try zip(registerAndDecode(), decode()).allSatisfy { model, record in
                    model["a4", as: Int.self] == record.a4 && model["b3", as: Bool.self] == record.b3
                        && model["c2", as: String.self] == record.c2 && model["d1", as: Int.self] == record.d1
                }
            }
        }
    ]
}
