import Pallium

/// What patches of many operations cost, documents that mention one model again and again, and long chains with links: four
/// times as many take about four times as long, and not sixteen.
enum MergeCost {
    static func check(_ tally: inout Tally) throws {
        for (name, make) in patches {
            let (one, four) = (make(10_000), make(40_000))
            try check(name, &tally, one: { try one.1.applied(to: one.0) }, four: { try four.1.applied(to: four.0) })
        }
        let adapter = try mentionedOrders()
        for (key, part) in mentions {
            let documents = [4000, 16_000].map { count in
                let mentions = (0..<count).map { #"{"id":1,"\#(key)":\#(part($0))}"# }
                return Array("[\(mentions.joined(separator: ","))]".utf8)
            }
            func `import`(_ document: [UInt8]) throws { try IdentityMap().import(document, using: adapter) }
            try check(
                "mentions, \(key)", &tally, one: { try `import`(documents[0]) }, four: { try `import`(documents[1]) })
        }
        let chains = try [5000, 20_000].map { try linkedChains($0) }
        try check(
            "links out of a chain", &tally, one: { try chains[0].own.merge(from: chains[0].other) },
            four: { try chains[1].own.merge(from: chains[1].other) })
    }

    private static func check(
        _ name: String, _ tally: inout Tally, one: () throws -> some Any, four: () throws -> some Any
    ) throws {
        let ratio = try Measured.growth(until: 8, one: { _ = try one() }, four: { _ = try four() }).ratio
        tally.check(ratio <= 8, "\(name): four times as many take \(ratio) times as long")
    }

    private static let patches: [(name: String, make: @Sendable (Int) -> (JSONValue, JSONPatch))] = [
        (
            "members removed",
            { size in
                let members = JSONObject((0..<size).map { (key: "\($0)", value: JSONValue.bool(true)) })
                return (.object(members), JSONPatch((0..<size).map { .remove(["\($0)"]) }))
            }
        ),
        ("elements inserted in front", { size in ([], JSONPatch((0..<size).map { _ in .add(["0"], true) })) }),
        (
            "elements moved",
            { size in
                let elements = JSONValue.array((0..<size).map { .number(JSONNumber($0)) })
                return (elements, JSONPatch((0..<size).map { .move(from: ["0"], to: ["\(size - 1 - $0 % 7)"]) }))
            }
        ),
        (
            "one member of a large object replaced again and again",
            { size in
                let members = JSONObject((0..<size).map { (key: "\($0)", value: JSONValue.bool(true)) })
                return (["a": .object(members)], JSONPatch((0..<size).map { _ in .replace(["a", "7"], false) }))
            }
        ),
    ]

    /// What a mention brings, by the collection that it brings it to.
    private static let mentions: [(key: String, part: @Sendable (Int) -> String)] = [
        ("appended", { #"["\#($0)"]"# }), ("united", { #"["\#($0)"]"# }), ("table", { #"{"\#($0)":true}"# }),
        ("lines", { #"[{"name":"\#($0)"}]"# }), ("present", { #"[{"name":"\#($0)"}]"# }),
    ]

    /// Two chains of models that both have a link to a model outside.
    private static func linkedChains(_ count: Int) throws -> (
        own: DynamicModel, other: DynamicModel, target: DynamicModel
    ) {
        let schema = ModelSchema("Node", ["next": .model("Node").merge(.recurse), "link": .model("Node").weak])
        let registry = SchemaRegistry()
        try registry.register(schema)
        let target = DynamicModel(schema: schema, registry: registry)
        func chain() -> DynamicModel {
            var first = DynamicModel(schema: schema, registry: registry)
            for _ in 0..<count {
                let node = DynamicModel(schema: schema, registry: registry)
                node["next"] = first
                first = node
            }
            first["link"] = target
            return first
        }
        return (chain(), chain(), target)
    }

    private static func mentionedOrders() throws -> JSONAdapter<DynamicModel> {
        let registry = SchemaRegistry()
        try registry.register(
            ModelSchema("Line", ["name": .string]),
            ModelSchema(
                "Order",
                [
                    "id": .integer, "appended": .array(of: .string).merge(.append),
                    "united": .set(of: .string).merge(.union), "table": .dictionary(of: .bool).merge(.union),
                    "lines": .array(of: .model("Line")).merge(.byIdentifier("name")),
                    "present": .array(of: .model("Line")).merge(.byIdentifier("name", missing: .remove)),
                ], identity: ["id"]))
        return try JSONAdapter(schema: registry.schema(named: "Order"), registry: registry)
    }
}
