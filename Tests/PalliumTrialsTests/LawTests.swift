import Foundation
import Pallium
import PalliumTrials
import Synchronization
import TestSupport
import Testing

/// A schema with one fault, and the laws that it breaks.
struct SeededFault: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let property: String?
    let laws: Set<SchemaLaw>
    let schema: @Sendable (SchemaRegistry) throws -> ModelSchema

    init(
        _ description: String, _ property: String?, _ laws: Set<SchemaLaw>,
        _ schema: @escaping @Sendable (SchemaRegistry) throws -> ModelSchema
    ) {
        testDescription = description
        self.property = property
        self.laws = laws
        self.schema = schema
    }
}

private struct Refusal: Error {}

/// Equal values with different hash values.
private struct Restless: PropertyValue, Hashable, Sendable {
    let text: String

    static func == (left: Restless, right: Restless) -> Bool { left.text == right.text }

    private static let count = Atomic(0)

    func hash(into hasher: inout Hasher) { hasher.combine(Self.count.add(1, ordering: .relaxed).newValue) }
}

/// A value that its transformer writes without its fraction.
private struct Degrees: PropertyValue, Hashable, Sendable {
    let value: Double
}

@Suite struct LawTests {
    static let faults = [
        SeededFault("a transformer that is no inverse", "count", [.transformers, .json]) { registry in
            try registry.transformers.register(
                Transformer(from: Int.self, to: Int.self) { value, _ in
                    value &+ 1
                } reverse: { value, _ in
                    value
                },
                as: "Next")
            return ModelSchema("Counter", ["count": .integer.transformer("Next"), "other": .string])
        },
        SeededFault("a reverse conversion that fails", "count", [.json]) { registry in
            try registry.transformers.register(
                Transformer(from: Int.self, to: Int.self) { value, _ in
                    value
                } reverse: { _, _ in
                    throw Refusal()
                },
                as: "OneWay")
            return ModelSchema("Counter", ["count": .integer.transformer("OneWay")])
        },
        SeededFault("a lossy mapping", "state", [.transformers]) { registry in
            try registry.transformers.register(.mapping(["open": 1, "opened": 1, "closed": 2]), as: "State")
            return ModelSchema("Issue", ["state": .integer.transformer("State"), "title": .string])
        },
        SeededFault(
            "a validator that changes what it accepted", "name", [.validation, .json, .archive, .mergingIntoEmpty]
        ) { _ in
            ModelSchema(
                "User",
                ["name": .string.validate { (name: inout String?, _) in name = name.map { $0 + "!" } }])
        },
        SeededFault("a hook that changes a value at each decoding", "visits", [.json, .archive]) { _ in
            ModelSchema("Page", ["visits": .integer, "title": .string]).didDecode { model in
                try model.setValue((model["visits", as: Int.self] ?? 0) &+ 1, forKey: "visits")
            }
        },
        SeededFault("a compared property that archives leave out", "token", [.archive]) { _ in
            ModelSchema("Session", ["token": .string.archive(.excluded), "user": .string])
        },
        SeededFault("a merger that is not idempotent", "votes", [.mergingEqual]) { registry in
            try registry.mergers.register(Merger(Int.self) { ($0.target ?? 0) &+ ($0.source ?? 0) }, as: "sum")
            return ModelSchema("Poll", ["votes": .integer.merge(MergePolicy("sum")), "title": .string])
        },
        SeededFault("a kind whose equal values have different hash values", nil, [.copying]) { registry in
            let restless = Transformer(from: String.self, to: Restless.self) { text, _ in
                Restless(text: text)
            } reverse: { value, _ in
                value.text
            }
            try registry.transformers.register(restless, as: "Restless")
            return ModelSchema("Note", ["text": .custom(Restless.self, transformer: "Restless")])
        },
        SeededFault("a kind that is archived inexactly", "heat", [.transformers, .json, .archive]) { registry in
            let degrees = Transformer(from: Double.self, to: Degrees.self) { number, _ in
                Degrees(value: number)
            } reverse: { degrees, _ in
                degrees.value.rounded()
            }
            try registry.transformers.register(degrees, as: "Degrees")
            return ModelSchema("Weather", ["heat": .custom(Degrees.self, transformer: "Degrees"), "town": .string])
        },
        SeededFault("a hook that depends on the order of values", "tags", [.json, .archive]) { _ in
            ModelSchema("Post", ["tags": .array(of: .string), "title": .string]).didDecode { model in
                let tags = model["tags", as: [String].self] ?? []
                try model.setValue(Array(tags.dropFirst() + tags.prefix(1)), forKey: "tags")
            }
        },
        SeededFault("a rule in Swift that refuses everything", nil, [.decoding]) { _ in
            ModelSchema("Nothing", ["title": .string]).validate { _ in throw Refusal() }
        },
    ]

    @Test(arguments: faults) func aFaultIsFound(_ fault: SeededFault) throws {
        let registry = SchemaRegistry()
        let schema = try fault.schema(registry)
        try registry.register(schema)
        let broken = try SchemaLaws.check(schema, registry: registry, seed: 3)
        #expect(Set(broken.map(\.law)) == fault.laws, "\(broken)")
        for law in broken {
            #expect(law.schema == schema.name && law.property == fault.property && law.seed == 3, "\(law)")
            // No member is there that the fault does not need.
            let members = law.document.objectValue?.keys ?? []
            #expect(fault.property == nil || members.allSatisfy { $0 == fault.property }, "\(law)")
            // The document alone shows the fault again.
            #expect(!law.problem.isEmpty && law.description.contains(law.law.rawValue))
        }
    }

    @Test func theDocumentOfABrokenLawIsAsSmallAsCanBe() throws {
        let registry = SchemaRegistry()
        let schema = ModelSchema(
            "List", ["items": .array(of: .string), "name": .string.required]
        ).didDecode { model in
            let items = model["items", as: [String].self] ?? []
            if items.contains(where: { $0.contains("漢") }) { try model.setValue(items + ["漢"], forKey: "items") }
        }
        try registry.register(schema)
        let broken = try SchemaLaws.check(schema, registry: registry, laws: [.json])
        #expect(broken.map(\.document) == [["items": ["漢"], "name": ""]])
    }

    @Test func aFaultInANestedModelIsReportedForItsSchema() throws {
        let registry = SchemaRegistry()
        let inner = ModelSchema("Inner", ["lost": .integer.archive(.excluded)])
        let outer = ModelSchema("Outer", ["list": .array(of: .model("Inner")), "title": .string])
        try registry.register(inner, outer)
        let broken = try SchemaLaws.check(outer, registry: registry)
        #expect(broken.map(\.law) == [.archive])
        #expect(broken.first?.schema == "Inner")
        #expect(broken.first?.property == "lost")
        #expect(broken.first?.document["title"] == nil)
    }

    @Test func pathsThatCannotBothBeReadHaveNoSamples() throws {
        let registry = SchemaRegistry()
        let schema = ModelSchema(
            "Collision", ["number": .integer.required.json("value").readOnly, "text": .string.required.json("value")])
        try registry.register(schema)
        let error = #expect(throws: SchemaError.self) { try SchemaLaws.check(schema, registry: registry) }
        #expect(error?.problems.first?.schema == "Collision")
        #expect(error?.description.contains("no document was found that it accepts") == true)
    }

    @Test func lawsCanBeChosen() throws {
        let registry = SchemaRegistry()
        let schema = ModelSchema("Session", ["token": .string.archive(.excluded)])
        try registry.register(schema)
        #expect(try SchemaLaws.check(schema, registry: registry, laws: [.json, .copying]).isEmpty)
        #expect(try SchemaLaws.check(schema, registry: registry, laws: [.archive]).count == 1)
    }

    @Test func theSameSeedFindsTheSame() throws {
        let registry = SchemaRegistry()
        let schema = ModelSchema("Session", ["token": .string.archive(.excluded), "user": .string])
        try registry.register(schema)
        let first = try SchemaLaws.check(schema, registry: registry, seed: 7)
        #expect(try SchemaLaws.check(schema, registry: registry, seed: 7) == first)
    }

    @Test func policiesThatPromiseNoIdempotenceAreNotBlamed() throws {
        let registry = SchemaRegistry()
        let schema = ModelSchema(
            "Log",
            [
                "lines": .array(of: .string).merge(.append), "tags": .set(of: .string).merge(.union),
                "votes": .integer.merge(.max), "kept": .string.default("kept").merge(.keep),
                "stamp": .date, "body": .string.merge(.newest(by: "stamp")), "note": .string.merge(.skipNull),
                "inner": .model("Log").merge(.recurse),
            ])
        try registry.register(schema)
        #expect(try SchemaLaws.check(schema, registry: registry).map(\.description) == [])
    }

    final class Badge: DynamicModel {}

    @Test func aClassIsCheckedInOneLine() throws {
        let registry = SchemaRegistry()
        try registry.register(ModelSchema(Badge.self, ["title": .string.required, "colour": .string.default("red")]))
        #expect(try SchemaLaws.check(Badge.self, registry: registry).isEmpty)
        #expect(throws: SchemaError.self) { try SchemaLaws.check(Badge.self, registry: SchemaRegistry()) }
    }

    @Test(arguments: ["Issue", "Event", "Commit", "Gist"]) func theExampleSchemasKeepTheLaws(name: String) throws {
        let registry = SchemaRegistry()
        try registry.load(contentsOf: SharedData.repository.appendingPathComponent("Schemas/github"))
        let broken = try SchemaLaws.check(registry.schema(named: name), registry: registry, count: 30)
        #expect(broken.map(\.description) == [])
    }
}
