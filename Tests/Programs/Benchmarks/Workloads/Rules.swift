import Pallium

/// What a rule of a schema costs for each value, against the same properties without rules.
func ruleWorkloads(_ context: BenchmarkContext) -> [Workload] {
    [
        Workload(
            name: "a rule, extra time per value", unit: .nanoseconds(per: "value"), goal: .atMostMore(15)
        ) {
            let registry = SchemaRegistry()
            let rules: [[PropertySchema.Rule]] = [
                [.minimum(0)], [.maximum(1_000_000)], [.exclusiveMaximum(1.5)], [.multipleOf(0.25)], [.minLength(1)],
                [.maxLength(40)], [.pattern("^[a-z]+-[0-9]+$")], [.maxCount(4)],
            ]
            func schema(_ name: String, isRuled: Bool) -> ModelSchema {
                let properties: [(String, PropertySchema)] = [
                    ("id", .integer), ("size", .integer), ("ratio", .double), ("part", .double), ("login", .string),
                    ("title", .string), ("code", .string), ("ids", .array(of: .integer)),
                ]
                return .named(
                    name,
                    properties: zip(properties, rules).map { property, rules in
                        ModelSchema.Property(
                            property.0, isRuled ? property.1.required.rules(rules[0]) : property.1.required)
                    })
            }
            let (plain, ruled) = (schema("Plain", isRuled: false), schema("Ruled", isRuled: true))
            try registry.register(plain, ruled)
            let plainAdapter = try JSONAdapter(schema: plain, registry: registry)
            let ruledAdapter = try JSONAdapter(schema: ruled, registry: registry)

            func item(_ number: Int) -> DocumentValue {
                .object([
                    ("id", .integer(number)), ("size", .integer(number &* 7919 % 1_000_000)),
                    ("ratio", .raw(Array("0.5".utf8))),
                    ("part", .raw(Array("\(number % 1000).25".utf8))), ("login", .string("user-\(number)")),
                    ("title", .string("title of \(number)")), ("code", .string("abc-\(number)")),
                    ("ids", .array([.integer(1), .integer(2)])),
                ])
            }
            let count = context.issueCount
            let document = DocumentValue.array((0..<count).map(item)).data
            return .timed(
                ours: .operation(units: count * rules.count) { try ruledAdapter.models(from: document) },
                baseline: .operation(units: count * rules.count) { try plainAdapter.models(from: document) },
                configuration: Configuration("a rule", document: item(1)) { data in
                    blackHole(try ruledAdapter.models(from: BenchmarkContext.array(of: data)))
                }
            ) {
                try ruledAdapter.data(from: ruledAdapter.models(from: document))
                    == plainAdapter.data(from: plainAdapter.models(from: document))
            }
        }
    ]
}
