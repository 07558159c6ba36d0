import Pallium

/// What patches of many operations cost, documents that mention one model again and again, long chains with links, and
/// values that lead into cycles: four times as many take about four times as long, and not sixteen.
enum MergeCost {
    static func check(_ tally: inout Tally) throws {
        for (name, make) in patches {
            let (one, four) = (make(10_000), make(40_000))
            try check(name, &tally, one: { try one.1.applied(to: one.0) }, four: { try four.1.applied(to: four.0) })
        }
        for (name, key, first, part) in mentions {
            let adapter = try adapter(of: "Order")
            let documents = [4000, 16_000].map { count in
                let mentions = [first(count)] + (0..<count).map(part)
                return document(mentions.map { #"{"id":1,"\#(key)":\#($0)}"# })
            }
            func `import`(_ document: [UInt8]) throws { try IdentityMap().import(document, using: adapter) }
            try check(
                "mentions, \(name)", &tally, one: { try `import`(documents[0]) }, four: { try `import`(documents[1]) })
        }
        let chains = try [5000, 20_000].map { try linkedChains($0) }
        try check(
            "links out of a chain", &tally, one: { try chains[0].own.merge(from: chains[0].other) },
            four: { try chains[1].own.merge(from: chains[1].other) })
        let (one, four) = (try SharedOwner(1000), try SharedOwner(4000))
        try check("orders of one owner", &tally, one: { try one.merge() }, four: { try four.merge() })
        try checkCycles(&tally)
        try checkDistantDifferences(&tally)
    }

    /// Elements that differ far away, and then lead into a cycle, have equal hashes.
    private static func checkDistantDifferences(_ tally: inout Tally) throws {
        let registry = SchemaRegistry()
        try registry.register(
            ModelSchema("Person", ["friend": .model("Person")]),
            ModelSchema("Value", ["number": .integer, "inner": .model("Value"), "person": .model("Person")]),
            ModelSchema("Holder", ["values": .array(of: .model("Value")).rules(.unique)]))
        let person = try DynamicModel(schema: registry.schema(named: "Person"), registry: registry)
        try person.setValue(person, forKey: "friend")
        defer { person["friend"] = nil }
        let schema = try registry.schema(named: "Value")
        let holders = try [200, 800].map { count in
            let values = try (0..<count).map { number in
                try (0..<24).reduce(
                    DynamicModel(schema: schema, values: ["number": number, "person": person], registry: registry)
                ) { inner, _ in try DynamicModel(schema: schema, values: ["inner": inner], registry: registry) }
            }
            return try DynamicModel(
                schema: registry.schema(named: "Holder"), values: ["values": values], registry: registry)
        }
        try check(
            "unique elements that lead into a cycle", &tally, one: { try holders[0].validate() },
            four: { try holders[1].validate() })
    }

    /// Values that differ just before they lead into a cycle are told apart by their hashes.
    private static func checkCycles(_ tally: inout Tally) throws {
        let registry = SchemaRegistry()
        try registry.register(
            ModelSchema("Person", ["id": .integer, "friend": .model("Person")], identity: ["id"]),
            ModelSchema("Value", ["number": .integer, "inner": .model("Value"), "person": .model("Person")]),
            ModelSchema(
                "Holder",
                ["id": .integer, "owner": .model("Person"), "values": .array(of: .model("Value")).merge(.union)],
                identity: ["id"]))
        let adapter = try JSONAdapter(schema: registry.schema(named: "Holder"), registry: registry)
        let documents = [500, 2000].map { count in
            let values = (0..<count).map {
                #"{"inner":{"inner":{"inner":{"number":\#($0),"person":{"id":1}}}}}"#
            }.joined(separator: ",")
            return Array(
                #"[{"id":1,"owner":{"id":1,"friend":{"id":1}},"values":[]},{"id":1,"values":[\#(values)]}]"#.utf8)
        }
        func `import`(_ document: [UInt8]) throws {
            let holders = try IdentityMap().import(document, using: adapter)
            // Who is their own friend would never be freed.
            for holder in holders { holder["owner", as: DynamicModel.self]?["friend"] = nil }
        }
        try check(
            "union of values that lead into a cycle", &tally, one: { try `import`(documents[0]) },
            four: { try `import`(documents[1]) })
    }

    private static func document(_ elements: [String]) -> [UInt8] { Array("[\(elements.joined(separator: ","))]".utf8) }

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
        (
            "an object looked at after members were added and removed",
            { size in
                let changes: [JSONPatch.Operation] = (0..<size).flatMap { _ in
                    [.add(["a", "b"], true), .remove(["a", "b"])]
                }
                return (["a": [:]], JSONPatch(changes + (0..<size).map { _ in .test(["a"], [:]) }))
            }
        ),
    ]

    /// The property, what the first mention brings to it and what those that follow do.
    private static let mentions:
        [(name: String, key: String, first: @Sendable (Int) -> String, part: @Sendable (Int) -> String)] = [
            ("appended", "appended", { _ in "[]" }, { #"["\#($0)"]"# }),
            ("appended nothing", "appended", { list($0) { "\"\($0)\"" } }, { _ in "[]" }),
            ("united", "united", { _ in "[]" }, { #"["\#($0)"]"# }),
            ("united with the same", "united", { list($0) { "\"\($0)\"" } }, { _ in #"["0"]"# }),
            ("table", "table", { _ in "{}" }, { #"{"\#($0)":true}"# }),
            (
                "table of the same", "table",
                { count in "{\((0..<count).map { "\"\($0)\":true" }.joined(separator: ","))}" },
                { _ in #"{"0":true}"# }
            ),
            ("lines", "lines", { _ in "[]" }, { #"[{"name":"\#($0)"}]"# }),
            ("the same line", "lines", { list($0) { #"{"name":"\#($0)"}"# } }, { _ in #"[{"name":"0"}]"# }),
            ("present lines", "present", { list($0) { #"{"name":"\#($0)"}"# } }, { #"[{"name":"\#($0)"}]"# }),
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

    private static func list(_ count: Int, _ element: (Int) -> String) -> String {
        "[\((0..<count).map(element).joined(separator: ","))]"
    }

    fileprivate static func adapter(of schema: String) throws -> JSONAdapter<DynamicModel> {
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
                    "owner": .model("Order").merge(.recurse),
                ], identity: ["id"]),
            ModelSchema("Page", ["orders": .array(of: .model("Order")).merge(.byIdentifier())]))
        return try JSONAdapter(schema: registry.schema(named: schema), registry: registry)
    }
}

/// Orders that share their owner, who has a long list to which each of them adds a line.
private struct SharedOwner {
    let adapter: JSONAdapter<DynamicModel>
    let page: DynamicModel
    let document: [UInt8]

    init(_ count: Int) throws {
        adapter = try MergeCost.adapter(of: "Page")
        let lines = (0..<count).map { #"{"name":"\#($0)"}"# }.joined(separator: ",")
        let orders = (1...count).map { #"{"id":\#($0),"owner":{"id":0}}"# }.joined(separator: ",")
        page = try IdentityMap().import(
            #"{"orders":[{"id":-1,"owner":{"id":0,"lines":[\#(lines)]}},\#(orders)]}"#, using: adapter)[0]
        let parts = (1...count).map { #"{"id":\#($0),"owner":{"id":0,"lines":[{"name":"new \#($0)"}]}}"# }
        document = Array(#"{"orders":[\#(parts.joined(separator: ","))]}"#.utf8)
    }

    func merge() throws { try adapter.merge(document, into: page) }
}
