import PalliumCore
import PalliumMerging
import TestSupport
import Testing

/// Lists whose elements are matched by identifiers, in every order: integers that ascend are searched, others are looked up
/// in a table, and both match what matching one by one does.
@Suite("Orders of identifiers")
struct IdentifierOrderTests {
    let registry = SchemaRegistry()

    init() throws {
        try registry.register(
            ModelSchema("Numbered", ["id": .integer, "note": .string]),
            ModelSchema("Named", ["id": .string, "note": .string]),
            ModelSchema(
                "Lists",
                [
                    "numbered": .array(of: .model("Numbered")).merge(.byIdentifier("id", missing: .keep)),
                    "named": .array(of: .model("Named")).merge(.byIdentifier("id", missing: .keep)),
                    "shown": .array(of: .model("Numbered")).merge(.byIdentifier("id", missing: .remove)),
                ]))
    }

    private func list(_ key: String, _ elements: [(id: Int, note: String)]) throws -> DynamicModel {
        let models = try elements.map { id, note in
            try key == "named"
                ? registry.make("Named", ["id": "\(id)", "note": note])
                : registry.make("Numbered", ["id": id, "note": note])
        }
        return try registry.make("Lists", [key: models])
    }

    private func identifier(_ model: DynamicModel) -> Int? {
        model.schema.name == "Named"
            ? model["id", as: String.self].flatMap { Int($0) } : model["id", as: Int.self]
    }

    /// The identifiers of two lists; the second ones with a note that is new for every third element.
    static let orders: [(own: [Int], incoming: [Int])] = [
        ([], [1]), ([1], []), ([1, 2, 3], [1, 2, 3]), ([1, 2, 3], [3, 2, 1]), ([1, 2, 3], [2, 3, 4]),
        ([1, 2, 3, 4, 5], [1, 2, 9, 3, 4, 5]), ([1, 2, 3, 4, 5], [1, 3, 5]), ([5, 1, 4, 2], [5, 1, 4, 2]),
        ([5, 1, 4, 2], [5, 1, 2, 4, 7]), ([2, 4, 6, 8], [1, 2, 3, 4, 5, 6, 7, 8, 9]), ([-3, 0, 7], [-3, 7]),
        (Array(0..<100), Array(1..<100) + [0]), (Array(0..<100), Array(0..<120)), (Array(0..<120), Array(0..<100)),
        (Array(0..<100), Array((0..<100).reversed())), (Array(0..<50) + Array((50..<100).reversed()), Array(0..<100)),
    ]

    @Test(arguments: orders, ["numbered", "named", "shown"])
    func elementsAreMatchedInEveryOrder(_ order: (own: [Int], incoming: [Int]), _ key: String) throws {
        let own = try list(key, order.own.map { ($0, "old") })
        let before = own.models(key)
        let changes = try own.merge(
            from: list(key, order.incoming.map { ($0, $0 % 3 == 0 ? "new" : "old") }))
        let known = order.incoming.filter(order.own.contains)
        let added = order.incoming.filter { !order.own.contains($0) }
        let after = own.models(key)
        #expect(after.compactMap(identifier) == (key == "shown" ? order.incoming : order.own + added))
        for model in after {
            let id = try #require(identifier(model))
            // What was there is the same object.
            let former = before.first { identifier($0) == id }
            #expect((former != nil) == order.own.contains(id))
            if let former { #expect(model === former) }
            let isNew = id % 3 == 0 && order.incoming.contains(id)
            #expect(model["note", as: String.self] == (isNew ? "new" : "old"))
        }
        let hasAnotherList = key == "shown" ? order.incoming != order.own : !added.isEmpty
        #expect(changes.isEmpty == (!hasAnotherList && !known.contains { $0 % 3 == 0 }))
    }

    /// It says more than the element that is there, which cannot become it.
    @Test func anElementOfADescendantTakesThePlaceOfOneThatSaysTheSame() throws {
        try registry.register(ModelSchema("Marked", ["mark": .string], extends: "Numbered"))
        let own = try list("numbered", [(1, "old"), (2, "old")])
        let before = own.models("numbered")
        let marked = try registry.make("Marked", ["id": 1, "note": "old", "mark": "x"])
        let plain = try registry.make("Numbered", ["id": 2, "note": "old"])
        try own.merge(from: registry.make("Lists", ["numbered": [marked, plain]]))
        let after = own.models("numbered")
        #expect(after.map(\.schema.name) == ["Marked", "Numbered"])
        #expect(after[0] === marked)
        #expect(after[1] === before[1])
    }

    @Test(arguments: [[1, 1], [1, 2, 2, 3], [3, 1, 3], [1, 2, 3, 1]], ["numbered", "named"])
    func anIdentifierThatComesTwiceIsRefused(_ identifiers: [Int], _ key: String) throws {
        let distinct = [1, 2, 3].map { ($0, "old") }
        let repeated = identifiers.map { ($0, "old") }
        // On the incoming side, on the own one, and on both.
        for (own, incoming) in [(distinct, repeated), (repeated, distinct), (repeated, repeated)] {
            let model = try list(key, own)
            let before = model.deepCopy()
            let error = try #require(throws: ModelError.self) { try model.merge(from: list(key, incoming)) }
            #expect(error.code == .invalidValue)
            #expect("\(error)".contains("elements of different identity"))
            #expect(model == before)
        }
    }
}
