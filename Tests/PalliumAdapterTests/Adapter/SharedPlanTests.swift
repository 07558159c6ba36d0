import ModelTestSupport
import Pallium
import PalliumAdapter
import PalliumCore
import Testing

/// Adapters of a registry share what they compile, and keep nothing that only they have used.
@Suite("Plans that adapters share")
struct SharedPlanTests {
    /// Schemas of which each refers to three others, so that all are reached from each.
    private static func linked(_ count: Int) -> [ModelSchema] {
        (0..<count).map { number in
            let others = [number + 1, 3 * number + 1, 7 * number + 5].map { "S\($0 % count)" }
            return ModelSchema(
                "S\(number)",
                [
                    "id": .integer, "next": .model(others[0]), "list": .array(of: .model(others[1])),
                    "map": .dictionary(of: .model(others[2])),
                ])
        }
    }

    private static func adapter(
        _ number: Int, _ registry: SchemaRegistry, options: JSONAdapterOptions = JSONAdapterOptions()
    ) throws -> JSONAdapter<DynamicModel> {
        try JSONAdapter(schema: registry.schema(named: "S\(number)"), registry: registry, options: options)
    }

    /// The plans that an adapter uses for some schemas.
    private func plans(_ adapter: JSONAdapter<DynamicModel>, _ registry: SchemaRegistry, _ count: Int) throws
        -> [JSONPlan?]
    {
        try (0..<count).map { adapter.plans.plan(for: try registry.layout(named: "S\($0)")) }
    }

    @Test func eachSchemaHasOnePlan() throws {
        let registry = try SchemaRegistry.of(Self.linked(40))
        let adapters = try (0..<40).map { try Self.adapter($0, registry) }
        let shared = try plans(adapters[0], registry, 40)
        for (number, adapter) in adapters.enumerated() {
            #expect(adapter.plans.root === shared[number])
            #expect(try plans(adapter, registry, 40).elementsEqual(shared) { $0 === $1 })
            let text = #"{"next":{"next":{"id":1}},"list":[{"map":{"a":{"id":2}}}],"map":{"b":{"list":[{"id":3}]}}}"#
            #expect(try adapter.roundTrip(text) == text)
        }
        #expect(registry.compiled.products.count == 1)
    }

    @Test func registriesShareNothing() throws {
        let schemas = Self.linked(3)
        let registries = try [SchemaRegistry.of(schemas), SchemaRegistry.of(schemas)]
        let roots = try registries.map { try Self.adapter(0, $0).plans.root }
        #expect(roots[0] !== roots[1])
    }

    @Test func optionsThatChangePlansHaveTheirOwn() throws {
        let registry = try SchemaRegistry.of(Self.linked(3))
        func root(_ change: (inout JSONAdapterOptions) -> Void) throws -> JSONAdapter<DynamicModel> {
            try Self.adapter(0, registry, options: .with(change))
        }
        let plain = try root { _ in }
        // What does not concern the members of an object changes no plan.
        #expect(try root { $0.nilPolicy = .write }.plans.root === plain.plans.root)
        #expect(try root { $0.unknownMembers = .refuse }.plans.root === plain.plans.root)
        #expect(try root { $0.leniency = .emptyTextAsNull }.plans.root === plain.plans.root)
        let lenient = try root { $0.leniency = .numbersAsText }
        let sameLenient = try root { $0.leniency = [.numbersAsText, .emptyTextAsNull] }
        let byKind = try root { $0.transformersByKind = ["integer": IntegerTextTransformerName] }
        #expect(sameLenient.plans.root === lenient.plans.root)
        #expect(Set([plain, lenient, byKind].map { ObjectIdentifier($0.plans.root) }).count == 3)
        #expect(registry.compiled.products.count == 3)
        #expect(try lenient.model(from: #"{"next":{"id":"1"}}"#).model("next")?["id", as: Int.self] == 1)
        #expect(plain.report(from: #"{"next":{"id":"1"}}"#).problems.count == 1)
        let projected = try plain.projected(to: ["id", "next.id"])
        #expect(projected.plans.root !== plain.plans.root)
        #expect(
            try projected.roundTrip(#"{"id":1,"next":{"id":2,"next":{}},"list":[]}"#) == #"{"id":1,"next":{"id":2}}"#)
    }

    @Test func anAdapterThatIsDroppedReleasesWhatOnlyItUsed() throws {
        let registry = try SchemaRegistry.of(Self.linked(3))
        weak var projection: JSONPlan?
        weak var lenient: JSONPlan?
        var first: JSONAdapter<DynamicModel>? = try Self.adapter(
            0, registry, options: .with { $0.leniency = .numbersAsText })
        var second: JSONAdapter<DynamicModel>? = try Self.adapter(
            1, registry, options: .with { $0.leniency = .numbersAsText })
        lenient = first?.plans.root
        projection = try first?.projected(to: ["id"]).plans.root
        #expect(lenient != nil && projection != nil)
        first = nil
        #expect(lenient != nil && projection == nil)
        #expect(try second?.roundTrip(#"{"next":{"id":1}}"#) == #"{"next":{"id":1}}"#)
        second = nil
        #expect(lenient == nil)
    }

    @Test func plansForDefaultOptionsAreKeptUntilSchemasAreRegistered() throws {
        let registry = try SchemaRegistry.of(Self.linked(3))
        weak let plan = try Self.adapter(0, registry).plans.root
        #expect(plan != nil)
        let adapter = try Self.adapter(0, registry)
        #expect(adapter.plans.root === plan)
        try registry.register(ModelSchema("Other", [:]))
        #expect(try Self.adapter(0, registry).plans.root !== adapter.plans.root)
        #expect(try adapter.roundTrip(#"{"next":{"id":1}}"#) == #"{"next":{"id":1}}"#)
    }

    @Test func anAdapterKeepsToTheSchemasOfItsTime() throws {
        let registry = try SchemaRegistry.of(
            ModelSchema("Animal", ["kind": .string]),
            ModelSchema("Zoo", ["star": .model("Animal")]))
        let before = try JSONAdapter(schema: registry.schema(named: "Zoo"), registry: registry)
        try registry.register(ModelSchema("Dog", ["bark": .integer], extends: "Animal"))
        let after = try JSONAdapter(schema: registry.schema(named: "Zoo"), registry: registry)
        #expect(before.plans.plan(for: try registry.layout(named: "Dog")) == nil)
        #expect(after.plans.plan(for: try registry.layout(named: "Dog")) != nil)
    }

    @Test func aPlanThatAnotherAdapterNeedsIsNoPermission() throws {
        let registry = try SchemaRegistry.of(
            ModelSchema("First", ["a": .string, "held": .model("Held")]), ModelSchema("Held", ["a": .string]),
            ModelSchema("Second", ["a": .string]))
        let adapters = try registry.schemas.map { try JSONAdapter(schema: $0, registry: registry) }
        let models = registry.schemas.map { DynamicModel(schema: $0, registry: registry) }
        #expect(try adapters[0].data(from: models[1]).count == 2)
        for (adapter, model) in [(0, 2), (1, 0), (2, 0), (2, 1)] {
            #expect(throws: ModelError.self) { try adapters[adapter].data(from: models[model]) }
        }
    }

    @Test func eachAdapterAsksForItsProfile() throws {
        var named = ModelSchema("Named", ["a": .string])
        named.profiles = [ModelSchema.Profile("short", ["a": .path("b")])]
        let registry = try SchemaRegistry.of(
            ModelSchema("Plain", ["a": .string]), ModelSchema("Holder", ["held": .model("Named")]), named)
        func adapter(_ name: String) throws -> JSONAdapter<DynamicModel> {
            try JSONAdapter(schema: registry.schema(named: name), profile: "short", registry: registry)
        }
        let holder = try adapter("Holder")
        #expect(try holder.roundTrip(#"{"held":{"b":"x"}}"#) == #"{"held":{"b":"x"}}"#)
        #expect(throws: ModelError.self) { try adapter("Plain") }
        #expect(try adapter("Named").plans.root === holder.plans.plan(for: registry.layout(named: "Named")))
    }

    @Test func aSchemaThatCannotBeCompiledLeavesTheOthers() throws {
        let registry = try SchemaRegistry.of(
            ModelSchema("Date", ["at": .date]), ModelSchema("Number", ["n": .integer]),
            ModelSchema("Both", ["date": .model("Date"), "number": .model("Number")]))
        func adapter(_ name: String) throws -> JSONAdapter<DynamicModel> {
            // Its output is no date.
            try JSONAdapter(
                schema: registry.schema(named: name), registry: registry,
                options: .with { $0.transformersByKind = ["date": IntegerTextTransformerName] })
        }
        let number = try adapter("Number")
        #expect(throws: ModelError.self) { try adapter("Both") }
        #expect(throws: ModelError.self) { try adapter("Date") }
        #expect(try adapter("Number").plans.root === number.plans.root)
    }

    @Test func labelsOfSchemasThatCameLaterAreMasked() throws {
        let registry = try SchemaRegistry.of(
            ModelSchema("Open", ["a": .integer]), ModelSchema("Closed", ["a": .integer.secret]),
            ModelSchema("Holder", ["held": .array(of: .model("Closed")), "open": .model("Open")]))
        func found(_ name: String, _ text: String) throws -> String? {
            let adapter = try JSONAdapter(schema: registry.schema(named: name), registry: registry)
            return adapter.report(from: text).problems.first?.found
        }
        #expect(try found("Open", #"{"a":"mark"}"#)?.contains("mark") == true)
        #expect(try found("Closed", #"{"a":"mark"}"#)?.contains("mark") == false)
        #expect(try found("Holder", #"{"held":[{"a":"mark"}]}"#)?.contains("mark") == false)
        #expect(try found("Holder", #"{"open":{"a":"mark"}}"#)?.contains("mark") == true)
        #expect(try found("Open", #"{"a":"mark"}"#)?.contains("mark") == true)
    }

    @Test func aNameThatAUserChoseIsNoLabel() throws {
        // The label is a member of the models, and a name in the dictionary around them.
        let registry = try SchemaRegistry.of(
            ModelSchema("Element", ["pin": .integer.secret, "count": .integer]),
            ModelSchema("Holder", ["held": .array(of: .dictionary(of: .model("Element")))]))
        let adapter = try JSONAdapter(schema: registry.schema(named: "Holder"), registry: registry)
        func problem(_ text: String) -> ModelError? { adapter.report(from: text).problems.first }
        let told = problem(#"{"held":[{"pin":{"count":"mark"}}]}"#)
        #expect(told?.pointer?.description == "/held/0/pin/count")
        #expect(told?.found.contains("mark") == true)
        let masked = problem(#"{"held":[{"0":{"pin":"mark"}}]}"#)
        #expect(masked?.pointer?.description == "/held/0/0/pin")
        #expect(masked?.found.contains("mark") == false)
    }
}

/// The input of a transformer.
private final class Account: DynamicModel {}

struct LabelledInputTests {
    @Test func labelsOfModelsThatATransformerReadsAreMasked() throws {
        let login = Transformer(from: Account.self, to: String.self) { account, _ in
            account["login", as: String.self] ?? ""
        }
        let registry = try SchemaRegistry.of(
            ModelSchema(Account.self, ["login": .string, "pin": .integer.secret]),
            ModelSchema("Holder", ["login": .string.transformer("Login"), "logins": .array(of: .string)]),
            transformers: ["Login": login])
        let adapter = try JSONAdapter(schema: registry.schema(named: "Holder"), registry: registry)
        #expect(try adapter.model(from: #"{"login":{"login":"ada","pin":1}}"#)["login", as: String.self] == "ada")
        let problem = adapter.report(from: #"{"login":{"pin":"mark"}}"#).problems.first
        #expect(problem?.pointer?.description == "/login/pin")
        #expect(problem?.description.contains("mark") == false)
        let places = try #require(adapter.plans.labelledPaths)
        let text = Array(#"{"login":{"login":"ada","pin":1},"logins":["x"]}"#.utf8)
        let masked = places.masked(text[...], maximumDepth: 10).map { String(decoding: $0, as: UTF8.self) }
        #expect(masked?.contains(#""login":"ada","pin":""#) == true)
    }
}

/// Adapters that threads make at the same time, while schemas are registered.
@Suite("Plans that threads share", .threat(.registryRaces))
struct SharedPlanRaceTests {
    @Test func threadsGetTheSamePlans() async throws {
        let count = 60
        let registry = try SchemaRegistry.of(
            (0..<count).map { ModelSchema("S\($0)", ["id": .integer, "next": .model("S\(($0 + 1) % count)")]) })
        let roots = try await withThrowingTaskGroup(of: [ObjectIdentifier].self) { group in
            for thread in 0..<8 {
                group.addTask {
                    var roots = [ObjectIdentifier?](repeating: nil, count: count)
                    for step in 0..<count {
                        let number = (step + thread * 7) % count
                        let adapter = try JSONAdapter(schema: registry.schema(named: "S\(number)"), registry: registry)
                        _ = try adapter.model(from: #"{"id":1,"next":{"next":{"id":2}}}"#)
                        roots[number] = ObjectIdentifier(adapter.plans.root)
                    }
                    return roots.compactMap(\.self)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(roots).count == 1 && roots.first?.count == count)
    }

    @Test func schemasMayBeRegisteredMeanwhile() async throws {
        let registry = try SchemaRegistry.of(ModelSchema("Base", ["id": .integer]))
        try registry.register(ModelSchema("Holder", ["held": .model("Base")]))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for number in 0..<40 {
                    let name = "Child\(number)"
                    try registry.register(ModelSchema(name, ["extra": .integer], extends: "Base"))
                    // What this thread has registered is known to its next adapter.
                    let adapter = try JSONAdapter(schema: registry.schema(named: "Holder"), registry: registry)
                    let holder = try adapter.model(from: "{}")
                    let child = DynamicModel(schema: try registry.schema(named: name), registry: registry)
                    try child.setValue(number, forKey: "extra")
                    try holder.setValue(child, forKey: "held")
                    #expect(try adapter.roundTripOfModel(holder) == #"{"held":{"extra":\#(number)}}"#)
                }
            }
            for _ in 0..<4 {
                group.addTask {
                    for step in 0..<100 {
                        let options = JSONAdapterOptions.with { if step % 3 == 0 { $0.leniency = .numbersAsText } }
                        let adapter = try JSONAdapter(
                            schema: registry.schema(named: "Holder"), registry: registry, options: options)
                        #expect(try adapter.roundTrip(#"{"held":{"id":1}}"#) == #"{"held":{"id":1}}"#)
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}

extension JSONAdapter where Model == DynamicModel {
    fileprivate func roundTrip(_ text: String) throws -> String { try roundTripOfModel(try model(from: text)) }

    fileprivate func roundTripOfModel(_ model: DynamicModel) throws -> String {
        String(decoding: try data(from: model), as: UTF8.self)
    }
}
