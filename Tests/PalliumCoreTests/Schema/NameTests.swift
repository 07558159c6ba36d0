import PalliumCore
import PalliumJSON
import TestSupport
import Testing

/// Names are compared by their bytes: é as one scalar and é as two are two names.
struct NameTests {
    private static let composed = "caf\u{e9}"
    private static let decomposed = "cafe\u{301}"

    private struct Grade: PropertyValue, Hashable, Sendable {}

    @Test func customKindsWithOtherBytesInTheirNamesDiffer() {
        let kinds = [Self.composed, Self.decomposed].map { PropertyKind.custom(.init(Grade.self, name: $0)) }
        #expect(kinds[0] != kinds[1])
        #expect(Set(kinds).count == 2)
    }

    @Test func aModelIsNarrowedToADescendantOfTheSameBytesOnly() throws {
        func problems(narrowingTo name: String) -> Int {
            let registry = SchemaRegistry()
            let schemas = [
                ModelSchema(Self.composed, [:]), ModelSchema(Self.decomposed, [:]),
                ModelSchema("Leaf", [:], extends: ModelReference.named(Self.composed)),
                ModelSchema("Base", ["item": .model(name)]),
                ModelSchema("Child", ["item": .model("Leaf")], extends: "Base"),
            ]
            do throws(SchemaError) {
                try registry.register(schemas)
                return 0
            } catch { return error.problems.count }
        }
        #expect(problems(narrowingTo: Self.composed) == 0)
        #expect(problems(narrowingTo: Self.decomposed) == 1)
    }

    private typealias Make = @Sendable (String) -> ModelSchema

    /// Schemas with one name each.
    private static let schemas: [(place: String, make: Make)] = [
        ("identity", { ModelSchema("A", [:], identity: [$0]) }),
        ("ignored", { ModelSchema("A", [:], ignored: [$0]) }),
        ("path", { ModelSchema("A", ["a": .string.json($0)]) }),
        ("firstOf", { ModelSchema("A", ["a": .string.json(firstOf: ["b", $0])]) }),
        ("allOf", { ModelSchema("A", ["a": .jsonValue.json(allOf: [$0, "b"])]) }),
        ("inverse", { ModelSchema("A", ["a": .model("A").inverse($0)]) }),
        ("merge policy", { ModelSchema("A", ["a": .string.merge(MergePolicy($0))]) }),
        ("merge key", { ModelSchema("A", ["a": .string.merge(.newest(by: $0))]) }),
        ("discriminator", { ModelSchema("A", [:], cluster: .discriminator($0, ["a": "A"])) }),
        ("present", { ModelSchema("A", [:], cluster: .rules([.init([.present($0)], "A")], default: nil)) }),
        ("equals", { ModelSchema("A", [:], cluster: .rules([.init([.equals($0, 1)], "A")], default: nil)) }),
        ("kind", { ModelSchema("A", [:], cluster: .rules([.init([.kind($0, .bool)], "A")], default: nil)) }),
        ("rule keys", { ModelSchema("A", [:], rules: .exactlyOneOf(["a", $0])) }),
        ("rule order", { ModelSchema("A", [:], rules: .before("a", $0)) }),
        ("rule condition", { ModelSchema("A", [:], rules: .required(["a"], when: [$0: 1])) }),
        ("profile", { ModelSchema("A", [:], profiles: .init($0, [:])) }),
        ("profile key", { ModelSchema("A", [:], profiles: .init("p", [$0: PropertySchema.JSONMapping.none])) }),
        ("removed", { ModelSchema("A", [:], upgrades: SchemaUpgrade(from: 1, removed: [$0])) }),
        ("renamed", { ModelSchema("A", [:], upgrades: SchemaUpgrade(from: 1, renamed: [$0: "a"])) }),
        ("new name", { ModelSchema("A", [:], upgrades: SchemaUpgrade(from: 1, renamed: ["a": $0])) }),
        ("stored default", { ModelSchema("A", [:], upgrades: SchemaUpgrade(from: 1, defaults: [$0: 1])) }),
        ("old schema", { ModelSchema("A", [:], upgrades: SchemaUpgrade(from: 1, oldSchemaName: $0)) }),
    ]

    @Test(arguments: schemas.indices) func schemasWithOtherBytesInANameDiffer(row: Int) {
        let (place, make) = Self.schemas[row]
        #expect(make(Self.composed) == make(Self.composed), "\(place)")
        #expect(make(Self.composed) != make(Self.decomposed), "\(place)")
    }
}

extension ModelSchema {
    fileprivate init(
        _ name: String, _ properties: KeyValuePairs<String, PropertySchema>, rules: Rule? = nil,
        profiles: Profile? = nil, upgrades: SchemaUpgrade? = nil
    ) {
        self.init(name, properties, version: 1)
        self.rules = rules.map { [$0] } ?? []
        self.profiles = profiles.map { [$0] } ?? []
        self.upgrades = upgrades.map { [$0] } ?? []
    }
}
