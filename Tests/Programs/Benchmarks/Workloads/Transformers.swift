import Foundation
import Pallium

/// What a transformer of the user costs, against the same property without one.
func transformerWorkloads(_ context: BenchmarkContext) -> [Workload] {
    [
        Workload(
            name: "a user transformer, extra time per value", unit: .nanoseconds(per: "value"), goal: .atMostMore(80)
        ) {
            let transformers = TransformerRegistry()
            try transformers.register(
                Transformer(from: Int.self, to: Int.self) { amount, _ in
                    amount &* 100
                } reverse: { cents, _ in
                    cents / 100
                },
                as: "Cents")
            let registry = SchemaRegistry(transformers: transformers)
            let plain = ModelSchema("Plain", ["id": .integer.required, "price": .integer.required])
            let transformed = ModelSchema(
                "Transformed", ["id": .integer.required, "price": .integer.required.transformer("Cents")])
            try registry.register(plain, transformed)
            let plainAdapter = try JSONAdapter(schema: plain, registry: registry)
            let transformedAdapter = try JSONAdapter(schema: transformed, registry: registry)

            func item(_ number: Int) -> DocumentValue {
                .object([("id", .integer(number)), ("price", .integer(number &* 7919 % 100_000))])
            }
            let count = context.issueCount
            let document = DocumentValue.array((0..<count).map(item)).data
            func total(_ models: [DynamicModel]) -> Int {
                models.reduce(0) { $0 + ($1["price", as: Int.self] ?? 0) }
            }
            return .timed(
                ours: .operation(units: count) { try transformedAdapter.models(from: document) },
                baseline: .operation(units: count) { try plainAdapter.models(from: document) },
                configuration: Configuration("a user transformer", document: item(1)) { data in
                    blackHole(try transformedAdapter.models(from: BenchmarkContext.array(of: data)))
                }
            ) {
                total(try transformedAdapter.models(from: document))
                    == 100 * total(try plainAdapter.models(from: document))
            }
        }
    ]
}
