import Foundation
import Pallium
import PalliumTrials
import Synchronization
import Testing

/// A schema with a faulty step, and the document that shows it.
struct StepFault: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let property: String?
    /// A part of what is said.
    let problem: String
    let document: JSONValue
    let schema: ModelSchema

    init(
        _ description: String, _ property: String?, _ problem: String, _ document: JSONValue,
        _ properties: KeyValuePairs<String, PropertySchema>, rules: [ModelSchema.Rule] = [], _ steps: SchemaUpgrade...
    ) {
        testDescription = description
        self.property = property
        self.problem = problem
        self.document = document
        var schema = ModelSchema("Task", properties, version: steps.count + 1)
        schema.rules = rules
        schema.upgrades = steps
        self.schema = schema
    }
}

/// The law `upgrades`, as the article *Schema tools* describes it.
@Suite struct UpgradeLawTests {
    static let faults = [
        StepFault(
            "a default of another kind", "priority", "expected an integer but found \"high\"", ["version": 1],
            ["title": .string, "priority": .integer.required],
            SchemaUpgrade(from: 1, defaults: ["priority": "high"])),
        StepFault(
            "a default that breaks a rule", "priority", "expected a number of at most 5", ["version": 1],
            ["title": .string, "priority": .integer.rules(.maximum(5))],
            SchemaUpgrade(from: 1, defaults: ["priority": 9])),
        StepFault(
            "two keys that become one", "name", "expected no value", ["version": 1, "first": "", "last": ""],
            ["name": .string, "note": .string],
            SchemaUpgrade(from: 1, renamed: ["first": "name", "last": "name"])),
        StepFault(
            "a required property whose value a step removes", "state", "version 1 is refused", ["version": 1],
            ["state": .string.required, "note": .string], SchemaUpgrade(from: 1, removed: ["state"])),
        StepFault(
            "a required property whose value a step gives to another", "login", "version 1 is refused", ["version": 1],
            ["login": .string.required, "name": .string], SchemaUpgrade(from: 1, renamed: ["login": "name"])),
        StepFault(
            "a default that a rule about several properties refuses", nil, "exactly one of mail, phone",
            ["version": 1, "mail": ""],
            ["mail": .string, "phone": .string], rules: [.exactlyOneOf(["mail", "phone"])],
            SchemaUpgrade(from: 1, defaults: ["phone": "none"])),
        StepFault(
            "a transformer that makes another kind", "due", "expected an integer",
            ["version": 1, "due": "2026-01-31"],
            ["due": .integer, "note": .string],
            SchemaUpgrade(from: 1, transformed: ["due": [DateOnlyTransformerName]])),
        StepFault(
            "a fault behind several steps", "count", "version 2 is refused", ["version": 2],
            ["name": .string, "count": .integer],
            SchemaUpgrade(from: 1, renamed: ["label": "title"]),
            SchemaUpgrade(from: 2, renamed: ["title": "name"], defaults: ["count": "none"])),
    ]

    @Test(arguments: faults) func aFaultyStepIsShownByASmallDocument(_ fault: StepFault) throws {
        let registry = SchemaRegistry()
        try registry.register(fault.schema)
        let broken = try SchemaLaws.check(fault.schema, registry: registry)
        #expect(broken.map(\.law) == [.upgrades], "\(broken)")
        #expect(broken.map(\.property) == [fault.property] && broken.map(\.schema) == ["Task"])
        #expect(broken.map(\.document) == [fault.document])
        #expect(broken.first?.problem.contains(fault.problem) == true, "\(broken)")
        let others = Set(SchemaLaw.allCases).subtracting([.upgrades])
        #expect(try SchemaLaws.check(fault.schema, registry: registry, laws: others).isEmpty)
    }

    /// Returns what breaks the law, and how many documents of earlier versions showed it.
    private func check(_ schema: ModelSchema, besides others: [ModelSchema] = []) throws -> ([BrokenLaw], Int) {
        let registry = SchemaRegistry()
        try registry.register(others + [schema])
        var counts: [Int] = []
        var broken: [BrokenLaw] = []
        for laws: Set<SchemaLaw> in [[], [.upgrades]] {
            var samples = try SampleDocuments(of: schema, registry: registry)
            let result = try SchemaLaws.check(
                &samples, of: schema, registry: registry, laws: laws, count: nil, seed: 0)
            counts.append(result.documents)
            broken += result.broken
        }
        return (broken, counts[1] - counts[0])
    }

    @Test func stepsThatKeepTheirPromiseBreakNothing() throws {
        var schema = ModelSchema(
            "Person",
            [
                "email": .string.required, "born": .date.required, "left": .integer, "right": .string,
                "role": .enumeration("user", "admin").required, "city": .string.json("address.city"),
                "boss": .model("Person"), "tags": .array(of: .string),
            ],
            extends: "Base", keys: .snakeCase, version: 4
        ).rules(.required(["city"], when: ["email": "text"]))
        schema.upgrades = [
            SchemaUpgrade(from: 1, renamed: ["eMail": "mail", "town": "city"]),
            SchemaUpgrade(
                from: 2, renamed: ["mail": "email"], removed: ["age"], defaults: ["role": "user"],
                transformed: ["born": [DateOnlyTransformerName]]),
            SchemaUpgrade(from: 3, renamed: ["left": "right", "right": "left"]),
        ]
        let base = ModelSchema("Base", ["id": .integer.required, "version": .string])
        let (broken, documents) = try check(schema, besides: [base])
        #expect(broken.map(\.description) == [])
        #expect(documents > 10)
    }

    /// A transformer whose result differs at each call makes what one form reads unequal to what another one reads.
    @Test func documentArchiveAndRowAreCompared() throws {
        func broken(callsThatDiffer: ClosedRange<Int>) throws -> [String] {
            let calls = Mutex(0)
            let registry = SchemaRegistry()
            try registry.transformers.register(
                Transformer(from: Int.self, to: Int.self) { value, _ in
                    calls.withLock { $0 += 1 }
                    return callsThatDiffer.contains(calls.withLock { $0 }) ? value &+ 1 : value
                }, as: "count")
            var schema = ModelSchema("Task", ["size": .integer.required], version: 2)
            schema.upgrades = [SchemaUpgrade(from: 1, transformed: ["size": ["count"]])]
            try registry.register(schema)
            return try SchemaLaws.check(schema, registry: registry, laws: [.upgrades], count: 1).map(\.problem)
        }
        #expect(try broken(callsThatDiffer: 1_000_000...1_000_000).isEmpty)
        let found = try (1...12).map { try broken(callsThatDiffer: $0...$0).first ?? "" }
        for form in ["archive", "row"] {
            let text = "the \(form) of version 1 gives another model than a document"
            #expect(found.contains { $0.contains(text) }, "\(found)")
        }
    }

    @Test func rulesInSwiftThatFormerDocumentsBreakDoNotCount() throws {
        var schema = ModelSchema("Task", ["title": .string], version: 2).validate { model in
            if model["title", as: String.self] == nil { throw CocoaError(.formatting) }
        }
        schema.upgrades = [SchemaUpgrade(from: 1)]
        let (broken, documents) = try check(schema)
        #expect(broken.map(\.description) == [])
        #expect(documents > 0)
    }

    @Test func whatIsBeforeAStepWithCodeIsNotKnown() throws {
        var schema = ModelSchema("Task", ["title": .string.required, "priority": .integer], version: 4)
        let faulty = SchemaUpgrade(from: 1, defaults: ["priority": "high"])
        schema.upgrades = [faulty, SchemaUpgrade(from: 2) { $0["title"] = .string("text") }, SchemaUpgrade(from: 3)]
        let (broken, documents) = try check(schema)
        #expect(broken.map(\.description) == [])
        #expect(documents > 0)
        schema.upgrades[1] = SchemaUpgrade(from: 2)
        #expect(try check(schema).0.count == 1)
    }

    @Test func schemasWithAClusterHaveNoFormerDocuments() throws {
        var shape = ModelSchema(
            "Shape", ["id": .integer], cluster: .discriminator("kind", ["circle": "Circle"], default: "Shape"),
            version: 2)
        shape.upgrades = [SchemaUpgrade(from: 1, defaults: ["id": "none"])]
        let circle = ModelSchema("Circle", ["radius": .double], extends: "Shape")
        let (broken, documents) = try check(shape, besides: [circle])
        #expect(broken.isEmpty && documents == 0)
    }
}
