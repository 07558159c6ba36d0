import Foundation
import ModelTestSupport
import Pallium
import Testing

/// Values that do not fit the schemas of today cost no more than themselves in a report.
@Suite struct MisfitTests {
    private func unarchiver(
        _ schemas: [ModelSchema], _ elements: JSONAdapterOptions.ElementPolicy = .fail
    ) throws -> ModelUnarchiver {
        var options = ModelUnarchiverOptions()
        options.elements = elements
        return ModelUnarchiver(registry: try .of(schemas), options: options)
    }

    private func sentences(_ report: DecodingReport<DynamicModel>) -> [String] {
        report.problems.map { "\($0.code) \($0.pointer?.description ?? "-")" }
    }

    // MARK: Defaults

    @Test(arguments: [
        (PropertySchema.array(of: .model("Tag")).default(json: []), "array"),
        (.set(of: .model("Tag")).default(json: []), "set"),
        (.dictionary(of: .model("Tag")).default(json: [:]), "dictionary"),
    ])
    func aListThatLostAModelGetsItsDefaultWhereItIsNeverNull(tags: PropertySchema, shape: String) throws {
        let (tag, issue) = (ModelSchema("Tag", ["name": .string]), ModelSchema("Issue", ["tags": tags]))
        let registry = try SchemaRegistry.of(tag, issue)
        let nameless = DynamicModel(schema: tag, registry: registry)
        let model = DynamicModel(schema: issue, registry: registry)
        if shape == "dictionary" {
            try model.setValue(["a": nameless], forKey: "tags")
        } else {
            try model.setValue([nameless], forKey: "tags")
        }
        let bytes = try ModelArchiver().archive(model)
        let report = try unarchiver([issue, ModelSchema("Tag", ["name": .string.required])]).report(issue, from: bytes)
        #expect(sentences(report) == ["missingProperty /objects/1/name"])
        let opened = try #require(report.model)
        #expect(try opened.state(of: "tags") == .defaulted)
        if shape == "array" { #expect(opened["tags", as: [DynamicModel].self] == []) }
    }

    @Test func rulesSeeNoModelThatFailed() throws {
        let (tag, issue) = (ModelSchema("Tag", ["name": .string]), ModelSchema("Issue", ["main": .model("Tag")]))
        let registry = try SchemaRegistry.of(tag, issue)
        let nameless = DynamicModel(schema: tag, registry: registry)
        let bytes = try ModelArchiver().archive(
            DynamicModel(schema: issue, values: ["main": nameless], registry: registry))
        let ruled = issue.validate { if $0["main"] != nil { throw FixtureError.refused } }
        let report = try unarchiver([ruled, ModelSchema("Tag", ["name": .string.required])]).report(ruled, from: bytes)
        #expect(sentences(report) == ["missingProperty /objects/1/name"])
        #expect(try report.model?.state(of: "main") == .unset)
    }

    /// Numbers that became too large, and texts that became numbers: with and without a conversion.
    @Test(arguments: [true, false]) func aValueThatDoesNotFitLeavesTheDefaultOnlyWhereNullIsNotAllowed(
        isNumber: Bool
    ) throws {
        let (old, value): (PropertySchema, any PropertyValue) = isNumber ? (.integer, 300) : (.string, "x")
        let bytes = try archived(
            ModelSchema("Model", ["a": old, "b": old, "c": old]), ["a": value, "b": value, "c": value])
        let small = PropertySchema.integer(as: Int8.self)
        let now = ModelSchema("Model", ["a": small.default(1), "b": small.default(1).nullable, "c": small])
        let model = try #require(unarchiver([now]).report(now, from: bytes).model)
        #expect(try ["a", "b", "c"].map { try model.state(of: $0) } == [.defaulted, .unset, .unset])
        #expect(model["a", as: Int8.self] == 1)
    }

    @Test(arguments: [false, true]) func anElementThatDoesNotFitIsNamedByItsKeyOrPosition(isList: Bool) throws {
        func schema(_ element: PropertySchema) -> ModelSchema {
            ModelSchema("Model", ["all": isList ? .array(of: element) : .dictionary(of: element)])
        }
        let value: any PropertyValue = isList ? [1, 300] : ["a": 1, "b": 300]
        let bytes = try archived(schema(.integer), ["all": value])
        let error = #expect(throws: ModelError.self) { try reopen(bytes, as: schema(.integer(as: Int8.self))) }
        #expect(error?.code == .numberOutOfRange)
        #expect(error?.pointer?.description == (isList ? "/objects/0/all/1" : "/objects/0/all/b"))
    }

    // MARK: Conditional values

    private static let kinds = [
        ModelSchema("Base", ["n": .integer]), ModelSchema("A", [:], extends: "Base"),
        ModelSchema("B", [:], extends: "Base"),
    ]

    /// A holder of models, and of properties that lead to some of them if they are there.
    private static func holder(_ model: String, version: Int = 1) -> ModelSchema {
        let list = PropertySchema.array(of: .model(model))
        var schema = ModelSchema(
            "Holder",
            [
                "all": .array(of: .model("Base")), "one": .model(model).archive(.conditional),
                "weak": .model(model).weak, "list": list.archive(.conditional),
                "never": list.default(json: []).archive(.conditional),
            ], version: version)
        if version > 1 { schema.upgrades = [SchemaUpgrade(from: 1)] }
        return schema
    }

    private static func archive(_ keys: Set<String>) throws -> Data {
        let registry = try SchemaRegistry.of(kinds + [holder("Base")])
        let (a, b) = (
            DynamicModel(schema: kinds[1], registry: registry), DynamicModel(schema: kinds[2], registry: registry)
        )
        let model = DynamicModel(schema: holder("Base"), registry: registry)
        try model.setValue([a, b], forKey: "all")
        for key in keys.intersection(["one", "weak"]) { try model.setValue(b, forKey: key) }
        for key in keys.intersection(["list", "never"]) {
            try model.setValue(key == "list" ? [a, b] : [b], forKey: key)
        }
        return try ModelArchiver().archive(model)
    }

    /// Without and with steps to take.
    @Test(arguments: [1, 2], [JSONAdapterOptions.ElementPolicy.fail, .skip])
    func aConditionalValueThatDoesNotFitCostsNoModel(
        version: Int, elements: JSONAdapterOptions.ElementPolicy
    ) throws {
        let now = Self.holder("A", version: version)
        let bytes = try Self.archive(["one", "weak", "list", "never"])
        let report = try unarchiver(Self.kinds + [now], elements).report(now, from: bytes)
        #expect(
            sentences(report) == [
                "typeMismatch /objects/0/one", "typeMismatch /objects/0/weak", "typeMismatch /objects/0/list/1",
                "typeMismatch /objects/0/never/0",
            ])
        let model = try #require(report.model)
        #expect(model.models("all").count == 2)
        for key in ["one", "weak"] { #expect(try model.state(of: key) == .unset) }
        #expect(model["never", as: [DynamicModel].self] == [])
        if elements == .skip {
            #expect(model.models("list").map { ObjectIdentifier($0) } == [ObjectIdentifier(model.models("all")[0])])
            #expect(try model.state(of: "never") == .value)
        } else {
            #expect(try model.state(of: "list") == .unset)
            #expect(try model.state(of: "never") == .defaulted)
        }
    }

    @Test(arguments: [1, 2]) func elementsOfConditionalListsAreLeftOutWithoutAReport(version: Int) throws {
        let now = Self.holder("A", version: version)
        let skipping = try unarchiver(Self.kinds + [now], .skip)
        let model = try skipping.unarchive(now, from: Self.archive(["list", "never"]))
        #expect(model.models("list").count == 1 && model["never", as: [DynamicModel].self] == [])
        // No element is to blame for a value that is none.
        let error = try #require(throws: ModelError.self) { try skipping.unarchive(now, from: Self.archive(["one"])) }
        #expect(error.code == .typeMismatch && error.pointer?.description == "/objects/0/one")
    }

    /// The holder needs no steps, but its record is read value by value, and another schema has some.
    @Test func aConditionalValueThatDoesNotFitIsToldOnce() throws {
        let old = ModelSchema(
            "Holder",
            ["n": .integer, "all": .array(of: .model("Base")), "one": .model("Base").archive(.conditional)])
        let registry = try SchemaRegistry.of(Self.kinds + [old])
        let b = DynamicModel(schema: Self.kinds[2], registry: registry)
        let bytes = try ModelArchiver().archive(
            DynamicModel(schema: old, values: ["n": 300, "all": [b], "one": b], registry: registry))
        let now = ModelSchema(
            "Holder",
            [
                "n": .integer(as: Int8.self), "all": .array(of: .model("Base")),
                "one": .model("A").archive(.conditional),
            ])
        var later = ModelSchema("B", [:], extends: "Base", version: 2)
        later.upgrades = [SchemaUpgrade(from: 1)]
        let report = try unarchiver(Self.kinds.dropLast() + [later, now]).report(now, from: bytes)
        #expect(sentences(report) == ["numberOutOfRange /objects/0/n", "typeMismatch /objects/0/one"])
        #expect(report.model?.models("all").count == 1)
    }

    // MARK: Roots

    @Test func rootsOfAnotherSchemaFollowTheOptions() throws {
        let (leaf, root) = (ModelSchema("Leaf", ["n": .integer]), ModelSchema("Root", ["leaf": .model("Leaf")]))
        let registry = try SchemaRegistry.of(leaf, root)
        let held = try DynamicModel(schema: leaf, values: ["n": 1], registry: registry)
        let model = try DynamicModel(schema: root, values: ["leaf": held], registry: registry)
        let other = try DynamicModel(schema: leaf, values: ["n": 2], registry: registry)
        let bytes = try ModelArchiver().archive([held, model, other, held])
        let error = try #require(throws: ModelError.self) {
            try unarchiver([leaf, root]).unarchive(arrayOf: root, from: bytes)
        }
        #expect(error.code == .typeMismatch && error.description.contains("a model of Root but found a model of Leaf"))
        // Who holds one keeps it.
        let opened = try unarchiver([leaf, root], .skip).unarchive(arrayOf: root, from: bytes)
        #expect(opened.map { $0.model("leaf")?["n", as: Int.self] } == [1])
        let report = try unarchiver([leaf, root]).report(root, from: bytes)
        #expect(report.models == opened && report.isArray)
        #expect(report.problems.map(\.code) == [.typeMismatch, .typeMismatch])
        var options = ModelUnarchiverOptions()
        options.maximumProblems = 1
        let short = ModelUnarchiver(registry: registry, options: options).report(root, from: bytes)
        #expect(short.problems.map(\.code) == [.typeMismatch, .limitExceeded])
        // One root that is left out is no root.
        let one = try ModelArchiver().archive(other)
        let only = try #require(throws: ModelError.self) {
            try unarchiver([leaf, root], .skip).unarchive(root, from: one)
        }
        #expect(only == error)
        #expect(try unarchiver([leaf, root], .skip).unarchive(arrayOf: root, from: one) == [])
    }
}
