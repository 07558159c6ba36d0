import ModelTestSupport
import Pallium
import Testing

/// A merge checks the rules of what it changed, and a refused one leaves the target as it was.
struct RuleMergingTests {
    private static let schema = ModelSchema(
        "Ticket",
        [
            "id": .integer, "number": .integer.rules(.minimum(1)), "title": .string.rules(.maxLength(5)),
            "low": .integer, "high": .integer,
            "tags": .set(of: .string).rules(.maxCount(2)).merge(.union),
            "log": .array(of: .integer).rules(.maxCount(3), .unique).merge(.append),
            "child": .model("Ticket").merge(.recurse), "parts": .array(of: .model("Ticket")).merge(.byIdentifier()),
        ], identity: ["id"]
    ).rules(.notAfter("low", "high"))

    private let registry: SchemaRegistry
    private let adapter: JSONAdapter<DynamicModel>
    private let model: DynamicModel

    init() throws {
        registry = try .of(Self.schema)
        adapter = try JSONAdapter(schema: Self.schema, registry: registry)
        model = try adapter.model(
            from:
                #"{"id":1,"number":5,"title":"abc","low":1,"high":9,"tags":["a"],"log":[1,2],"child":{"id":2,"number":3,"low":2,"high":3},"parts":[{"id":3,"number":1}]}"#
        )
    }

    static let refused: [(String, String)] = [
        (#"{"number":0}"#, "/number"), (#"{"title":"abcdef"}"#, "/title"), (#"{"low":10}"#, "/low"),
        (#"{"high":0}"#, "/low"),
        (#"{"tags":["b","c"]}"#, "/tags"), (#"{"log":[3,4]}"#, "/log"), (#"{"log":[2]}"#, "/log/2"),
        (#"{"child":{"id":2,"number":0}}"#, "/child/number"), (#"{"child":{"id":2,"low":4}}"#, "/child/low"),
        (#"{"child":{"id":9,"number":0}}"#, "/child/number"), (#"{"parts":[{"id":3,"number":0}]}"#, "/parts/0/number"),
        (#"{"parts":[{"id":4,"number":0}]}"#, "/parts/0/number"), (#"{"title":"new","number":-1}"#, "/number"),
    ]

    @Test(arguments: refused) func aDocumentThatBreaksARuleChangesNothing(text: String, pointer: String) throws {
        let before = snapshot(of: model)
        let error = problem { () throws(ModelError) in try adapter.merge(text, into: model) }
        #expect(error?.code == .ruleBroken, "\(error?.description ?? "merged")")
        if !text.contains("parts"), !text.contains("log") { #expect(error?.pointer?.description == pointer) }
        #expect(snapshot(of: model) == before)
    }

    // A model that is taken over as a whole is the one of the source, and is not checked.
    @Test(arguments: refused.map(\.0).filter { !$0.contains(#""id":9"#) && !$0.contains(#""id":4"#) })
    func aModelThatBreaksARuleChangesNothing(text: String) throws {
        let before = snapshot(of: model)
        // What breaks a rule is made by single properties, which check nothing.
        let lenient = try SchemaRegistry.of(
            ModelSchema.named(
                "Ticket",
                properties: Self.schema.properties.map { property in
                    ModelSchema.Property(property.key, Self.withoutRules(property.schema, property.key))
                }))
        let loose = try JSONAdapter(schema: lenient.schema(named: "Ticket"), registry: lenient).model(from: text)
        let source = DynamicModel(schema: Self.schema, registry: registry)
        try copy(loose, into: source)
        let error = problem { () throws(ModelError) in try model.merge(from: source) }
        #expect(error?.code == .ruleBroken, "\(error?.description ?? "merged")")
        #expect(snapshot(of: model) == before)
    }

    private static func withoutRules(_ property: PropertySchema, _ key: String) -> PropertySchema {
        switch key {
        case "tags": .set(of: .string)
        case "log": .array(of: .integer)
        case "child": .model("Ticket")
        case "parts": .array(of: .model("Ticket"))
        default: PropertySchema(property.kind)
        }
    }

    private func copy(_ source: DynamicModel, into target: DynamicModel) throws {
        for property in Self.schema.properties where try source.state(of: property.key) == .value {
            switch property.key {
            case "child":
                let child = DynamicModel(schema: Self.schema, registry: registry)
                try copy(#require(source.model("child")), into: child)
                try target.setValue(child, forKey: "child")
            case "parts":
                let parts = try source.models("parts").map { part in
                    let copied = DynamicModel(schema: Self.schema, registry: registry)
                    try copy(part, into: copied)
                    return copied
                }
                try target.setValue(parts, forKey: "parts")
            default: try target.setValue(source.value(forKey: property.key), forKey: property.key)
            }
        }
    }

    @Test func whatKeepsTheRulesIsMerged() throws {
        let changes = try adapter.merge(
            #"{"number":6,"low":9,"high":9,"tags":["b","a"],"log":[3],"child":{"id":2,"low":3}}"#, into: model)
        #expect(!changes.isEmpty)
        #expect(model["number", as: Int.self] == 6)
        #expect(model["log", as: [Int].self] == [1, 2, 3])
        // Null keeps every rule.
        try adapter.merge(#"{"number":null,"high":null}"#, into: model)
        #expect(try model.state(of: "number") == .null)
    }

    @Test func onlyChangedPropertiesAreChecked() throws {
        try model.setValue("too long", forKey: "title")
        try adapter.merge(#"{"number":7}"#, into: model)
        #expect(model["number", as: Int.self] == 7)
        // The document repeats the broken value, and changes nothing.
        try adapter.merge(#"{"title":"too long"}"#, into: model)
        let source = try DynamicModel(schema: Self.schema, values: ["id": 1, "number": 8], registry: registry)
        try model.merge(from: source)
        #expect(model["number", as: Int.self] == 8)
        #expect(
            problem { () throws(ModelError) in try adapter.merge(#"{"title":"also long"}"#, into: model) }?.code
                == .ruleBroken)
        #expect(model["title", as: String.self] == "too long")
    }

    @Test func rulesAboutSeveralPropertiesAreCheckedWhenTheModelChanged() throws {
        try model.setValue(100, forKey: "low")
        // Nothing changes, so nothing is checked.
        try adapter.merge(#"{"number":5}"#, into: model)
        #expect(
            problem { () throws(ModelError) in try adapter.merge(#"{"number":6}"#, into: model) }?.code == .ruleBroken)
        #expect(model["number", as: Int.self] == 5)
        try adapter.merge(#"{"number":6,"high":100}"#, into: model)
        #expect(model["number", as: Int.self] == 6)
    }

    @Test func aSinglePropertyIsMergedWithItsRules() throws {
        let source = DynamicModel(schema: Self.schema, registry: registry)
        (source["number"], source["title"]) = (0, "abcd")
        #expect(problem { () throws(ModelError) in try model.merge("number", from: source) }?.code == .ruleBroken)
        #expect(model["number", as: Int.self] == 5)
        try model.merge("title", from: source)
        #expect(model["title", as: String.self] == "abcd")
    }

    @Test(arguments: [#"{"number":0}"#, #"{"high":0}"#, #"{"tags":["a","b","c"]}"#, #"{"child":{"id":2,"number":0}}"#])
    func aRefusedRebaseChangesNothing(text: String) throws {
        model.trackChanges()
        model["title"] = "edit"
        let before = snapshot(of: model)
        #expect(problem { () throws(ModelError) in try adapter.rebase(model, onto: text) }?.code == .ruleBroken)
        #expect(snapshot(of: model) == before)
        #expect(model.changedKeys == ["title"])
        try adapter.rebase(model, onto: #"{"number":6,"title":"other"}"#)
        #expect(model["title", as: String.self] == "edit" && model["number", as: Int.self] == 6)
    }

    @Test func aRefusedPatchChangesNothing() throws {
        let before = snapshot(of: model)
        #expect(
            problem { () throws(ModelError) in try adapter.apply(JSONMergePatch(["number": 0]), to: model) }?.code
                == .ruleBroken)
        let patch = JSONPatch([.replace(["title"], "abcde"), .replace(["low"], 10)])
        #expect(problem { () throws(ModelError) in try adapter.apply(patch, to: model) }?.code == .ruleBroken)
        #expect(snapshot(of: model) == before)
        try adapter.apply(JSONPatch([.replace(["low"], 9)]), to: model)
        #expect(model["low", as: Int.self] == 9)
    }
}
