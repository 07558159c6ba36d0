import PalliumCore
import PalliumMerging
import TestSupport
import Testing

@Suite("Models that cannot be merged into one another")
struct ReplacingMergeTests {
    private let registry = SchemaRegistry()

    init() throws {
        try registry.register(
            ModelSchema(
                "Animal", ["name": .string, "number": .integer, "legs": .integer], identity: ["name", "number"]),
            ModelSchema("Dog", ["tag": .integer], extends: "Animal"),
            ModelSchema("Cat", [:], extends: "Animal", identity: ["number"]),
            ModelSchema("Owner", ["pet": .model("Animal").merge(.recurse)]))
    }

    @Test func aMoreSpecialModelReplacesAPlainOneAndNotTheOtherWayRound() throws {
        let plain = try registry.make("Animal", ["legs": 3])
        let dog = try registry.make("Dog", ["legs": 4])
        let owner = try registry.make("Owner", ["pet": plain])
        try owner.merge(from: registry.make("Owner", ["pet": dog]))
        #expect(owner.model("pet") === dog)
        try owner.merge(from: registry.make("Owner", ["pet": plain]))
        #expect(owner.model("pet") === dog)
        #expect(dog["legs", as: Int.self] == 3)
    }

    @Test func whatIsIdentifiedOtherwiseIsAnother() throws {
        let cat = try registry.make("Cat", ["name": "Tom", "number": 1])
        let owner = try registry.make("Owner", ["pet": cat])
        let came = try registry.make("Animal", ["name": "Tom", "number": 1, "legs": 4])
        try owner.merge(from: registry.make("Owner", ["pet": came]))
        #expect(owner.model("pet") === came)
        #expect(try cat.state(of: "legs") == .unset)
    }

    @Test func aListCanIdentify() throws {
        try registry.register(
            ModelSchema("Key", ["parts": .array(of: .string), "n": .integer], identity: ["parts"]),
            ModelSchema("Keys", ["keys": .array(of: .model("Key")).merge(.byIdentifier())]))
        let (first, second) = (
            try registry.make("Key", ["parts": ["a", "b"]]), try registry.make("Key", ["parts": ["b"]])
        )
        let keys = try registry.make("Keys", ["keys": [first, second]])
        try keys.merge(
            from: registry.make(
                "Keys",
                [
                    "keys": [
                        registry.make("Key", ["parts": ["a", "c"], "n": 2]),
                        registry.make("Key", ["parts": ["a", "b"], "n": 1]),
                    ]
                ]))
        #expect(keys["keys", as: [DynamicModel].self]?.count == 3)
        #expect(first["n", as: Int.self] == 1 && second["n"] == nil)
    }

    @Test func elementsThatAreNullOrNamelessStayUnmatched() throws {
        try registry.register(
            ModelSchema("Zoo", ["animals": .array(of: .model("Animal").nullable).merge(.byIdentifier("number"))]))
        let (first, nameless) = (try registry.make("Animal", ["number": 1]), try registry.make("Animal", ["name": "x"]))
        let zoo = try registry.make("Zoo", ["animals": [nil, first, nameless] as [DynamicModel?]])
        let came = try registry.make(
            "Zoo", ["animals": [registry.make("Animal", ["number": 1, "legs": 4])] as [DynamicModel?]])
        try zoo.merge(from: came)
        let after = zoo["animals", as: [DynamicModel?].self] ?? []
        #expect(after.count == 3)
        #expect(after.contains { $0 === first } && after.contains { $0 === nameless } && after.contains { $0 == nil })
        #expect(first["legs", as: Int.self] == 4)
    }
}
