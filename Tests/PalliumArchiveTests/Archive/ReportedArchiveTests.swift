import Foundation
import ModelTestSupport
import Pallium
import Testing

/// Nothing that was saved is ever out of reach: what an archiver refuses, and what a report tells about the rest.
@Suite struct ReportedArchiveTests {
    private static let name = PropertySchema.string.validate { (name: inout String?, _) in
        if name == "bad" { throw FixtureError.refused }
        name = name.map { $0.uppercased() }
    }
    private static let old = ModelSchema(
        "Item", ["name": .string, "count": .integer, "next": .model("Item"), "items": .array(of: .model("Item"))])
    /// The same, with a rule for the name.
    private static let now = ModelSchema(
        "Item", ["name": name, "count": .integer, "next": .model("Item"), "items": .array(of: .model("Item"))])

    private func make(
        _ schema: ModelSchema, _ registry: SchemaRegistry, _ name: String?, next: DynamicModel? = nil,
        items: [DynamicModel]? = nil
    ) throws -> DynamicModel {
        let model = DynamicModel(schema: schema, registry: registry)
        try model.setValue(name, forKey: "name")
        if let next { try model.setValue(next, forKey: "next") }
        if let items { try model.setValue(items, forKey: "items") }
        return model
    }

    private func archived(_ names: [String?]) throws -> Data {
        let registry = try SchemaRegistry.of(Self.old)
        return try ModelArchiver().archive(names.map { try make(Self.old, registry, $0) })
    }

    private func unarchiver(
        _ schemas: ModelSchema..., validation: ModelUnarchiverOptions.Validation = .enforce,
        elements: JSONAdapterOptions.ElementPolicy = .fail
    ) throws -> ModelUnarchiver {
        var options = ModelUnarchiverOptions()
        (options.validation, options.elements) = (validation, elements)
        return ModelUnarchiver(registry: try .of(schemas), options: options)
    }

    private func names(_ models: [DynamicModel]) -> [String?] { models.map { $0["name", as: String.self] } }

    private func sentences(_ report: DecodingReport<DynamicModel>) -> [String] {
        report.problems.map { "\($0.code) \($0.pointer?.description ?? "-")" }
    }

    // MARK: Writing

    @Test func whatNobodyCouldOpenIsNotWritten() throws {
        let registry = try SchemaRegistry.of(Self.now)
        let (ok, bad) = (try make(Self.now, registry, "ok"), try make(Self.now, registry, "bad"))
        let error = try #require(throws: ModelError.self) { try ModelArchiver().archive([ok, bad]) }
        #expect(error.code == .validationFailed && error.pointer?.description == "/objects/1/name")
        #expect(error.underlying as? FixtureError == .refused)
        // Nothing is corrected by writing.
        let bytes = try ModelArchiver().archive([ok])
        #expect(ok["name", as: String.self] == "ok")
        #expect(try names(unarchiver(Self.now).unarchive(arrayOf: Self.now, from: bytes)) == ["OK"])
        // Unless it is asked for.
        let draft = try ModelArchiver(validates: false).archive([ok, bad])
        #expect(throws: error) { try unarchiver(Self.now).unarchive(arrayOf: Self.now, from: draft) }
        let back = try unarchiver(Self.now, validation: .none).unarchive(arrayOf: Self.now, from: draft)
        #expect(names(back) == ["ok", "bad"])
    }

    @Test func rulesSeeWhatTheReaderWillSee() throws {
        // A value that archives leave out, a corrected one, and the parent of a child.
        let rule = ModelSchema(
            "Item",
            [
                "name": .string.validate { (name: inout String?, _) in if name == "a" { name = "a!" } },
                "cached": .string.storage(.transitory), "parent": .model("Item").weak,
                "items": .array(of: .model("Item")).inverse("parent"),
            ]
        ).validate { item in
            guard item["name", as: String.self] == "a!", item["cached", as: String.self] == nil else {
                throw FixtureError.refused
            }
            for child in item["items", as: [DynamicModel].self] ?? []
            where child["parent", as: DynamicModel.self] !== item { throw FixtureError.refused }
        }.didDecode { _ in Issue.record("a model that is archived is not decoded") }
        let registry = try SchemaRegistry.of(rule)
        let child = try DynamicModel(schema: rule, values: ["name": "a"], registry: registry)
        let model = try DynamicModel(
            schema: rule, values: ["name": "a", "items": [child]], registry: registry)
        try model.setValue("a", forKey: "name")
        try model.setValue("x", forKey: "cached")
        #expect(throws: Never.self) { try ModelArchiver().archive(model) }
        #expect(model["name", as: String.self] == "a" && model["cached", as: String.self] == "x")
        let needsCached = ModelSchema(
            "Item",
            [
                "cached": .string.storage(.transitory).validate { (text: inout String?, _) in
                    if text == nil { throw FixtureError.refused }
                }
            ])
        let other = try DynamicModel(
            schema: needsCached, values: ["cached": "x"], registry: .of(needsCached))
        let error = try #require(throws: ModelError.self) { try ModelArchiver().archive(other) }
        #expect(error.code == .validationFailed && error.pointer?.description == "/objects/0/cached")
    }

    @Test func aCustomValueThatComesBackNotIsRefused() throws {
        let oneWay = Transformer(
            from: String.self, to: Point.self, forward: { _, _ in throw FixtureError.refused },
            reverse: { point, _ in "\(point.x),\(point.y)" })
        let schema = ModelSchema("Model", ["a": .custom(Point.self, transformer: "OneWay")])
        let registry = try SchemaRegistry.of(schema, transformers: ["OneWay": oneWay])
        let model = try DynamicModel(schema: schema, values: ["a": Point(x: 1, y: 2)], registry: registry)
        let error = try #require(throws: ModelError.self) { try ModelArchiver().archive(model) }
        #expect(error.code == .transformerFailed && error.pointer?.description == "/objects/0/a")
    }

    @Test func aRequiredValueMayBeMissingFromADraft() throws {
        let schema = ModelSchema("Model", ["a": .integer.required, "b": .string])
        let registry = try SchemaRegistry.of(schema)
        let draft = DynamicModel(schema: schema, registry: registry)
        try draft.setValue("x", forKey: "b")
        #expect(throws: ModelError.self) { try ModelArchiver().archive(draft) }
        let bytes = try ModelArchiver(validates: false).archive(draft)
        #expect(throws: ModelError.self) { try unarchiver(schema).unarchive(schema, from: bytes) }
        let back = try unarchiver(schema, validation: .none).unarchive(schema, from: bytes)
        #expect(back["b", as: String.self] == "x")
        #expect(try back.state(of: "a") == .unset)
        let report = try unarchiver(schema, validation: .report).report(schema, from: bytes)
        #expect(report.model?["b", as: String.self] == "x")
        #expect(sentences(report) == ["missingProperty /objects/0/a"])
    }

    // MARK: Reading what a rule refuses

    @Test(arguments: ModelUnarchiverOptions.Validation.allCases) func aRuleThatCameLaterDecidesNothingAlone(
        validation: ModelUnarchiverOptions.Validation
    ) throws {
        let bytes = try archived(["ok", "bad", nil])
        let unarchiver = try unarchiver(Self.now, validation: validation)
        let report = unarchiver.report(Self.now, from: bytes)
        let opened = try? unarchiver.unarchive(arrayOf: Self.now, from: bytes)
        switch validation {
        case .enforce:
            #expect(names(report.models) == ["OK", nil])
            #expect(sentences(report) == ["validationFailed /objects/1/name"])
            #expect(opened == nil)
        case .report:
            #expect(names(report.models) == ["OK", "bad", nil])
            #expect(sentences(report) == ["validationFailed /objects/1/name"])
            #expect(opened.map(names) == ["OK", "bad", nil])
        case .none:
            #expect(names(report.models) == ["ok", "bad", nil])
            #expect(report.problems == [])
            #expect(opened.map(names) == ["ok", "bad", nil])
        }
        #expect(report.isArray)
    }

    @Test func hooksThatThrowDecideNothingAlone() throws {
        let schema = ModelSchema("Item", ["name": .string]).didDecode { item in
            if item["name", as: String.self] == "bad" { throw FixtureError.refused }
            try item.setValue("seen", forKey: "name")
        }
        let bytes = try archived(["ok", "bad"])
        func report(_ validation: ModelUnarchiverOptions.Validation) throws -> DecodingReport<DynamicModel> {
            try unarchiver(schema, validation: validation).report(schema, from: bytes)
        }
        #expect(try names(report(.enforce).models) == ["seen"])
        #expect(try names(report(.report).models) == ["seen", "bad"])
        #expect(try sentences(report(.report)) == ["hookFailed /objects/1"])
        #expect(try names(report(.none).models) == ["seen", "bad"])
        #expect(try sentences(report(.none)) == [])
    }

    // MARK: Reading what does not fit

    @Test func aValueThatDoesNotFitLeavesItsPropertyUnset() throws {
        let registry = try SchemaRegistry.of(Self.old)
        let bytes = try ModelArchiver().archive(["1", "x"].map { try make(Self.old, registry, $0) })
        let narrow = ModelSchema("Item", ["name": .integer, "count": .integer])
        let report = try unarchiver(narrow).report(narrow, from: bytes)
        #expect(report.models.count == 2)
        #expect(sentences(report) == ["typeMismatch /objects/0/name", "typeMismatch /objects/1/name"])
        let required = ModelSchema("Item", ["name": .enumeration("x").required])
        let strict = try unarchiver(required).report(required, from: bytes)
        #expect(names(strict.models) == ["x"])
        #expect(sentences(strict) == ["unknownCase /objects/0/name"])
    }

    @Test(arguments: [
        (PropertySchema.integer, PropertyState.unset), (.integer.default(7), .defaulted),
        (.integer.default(7).nullable, .unset),
    ])
    func aValueThatDoesNotFitGivesWayToADefaultOnlyWhereNullIsNotAllowed(
        property: PropertySchema, state: PropertyState
    ) throws {
        let schema = ModelSchema("Item", ["name": property])
        let report = try unarchiver(schema).report(schema, from: archived(["x"]))
        #expect(sentences(report) == ["typeMismatch /objects/0/name"])
        #expect(try report.model?.state(of: "name") == state)
    }

    /// What rules and hooks saw.
    private final class Seen: @unchecked Sendable {
        struct Weak {
            weak var model: DynamicModel?
            init(_ model: DynamicModel) { self.model = model }
        }
        // @unchecked: rules and hooks run on the thread of the test.
        var models: [Weak] = []
        var hookCount = 0
    }

    /// Two models hold each other; a rule refuses both, or one that the other requires.
    @Test(arguments: [false, true])
    func modelsThatFailAreReleasedAndTheirHooksNotRun(isRequired: Bool) throws {
        let registry = try SchemaRegistry.of(Self.old)
        let bad = try make(Self.old, registry, "bad")
        let other = try make(Self.old, registry, isRequired ? "other" : "bad", next: bad)
        try bad.setValue(other, forKey: "next")
        defer { bad.unsetAll() }
        let bytes = try ModelArchiver().archive([other])
        let seen = Seen()
        let schema = ModelSchema(
            "Item", ["name": .string, "next": isRequired ? .model("Item").required : .model("Item")]
        ).validate { model in
            seen.models.append(Seen.Weak(model))
            if model["name", as: String.self] == "bad" { throw FixtureError.refused }
        }.didDecode { _ in seen.hookCount += 1 }
        let report = try unarchiver(schema).report(schema, from: bytes)
        #expect(report.models.isEmpty)
        #expect(report.problems.count == (isRequired ? 1 : 2))
        #expect(seen.hookCount == 0)
        #expect(!seen.models.isEmpty && seen.models.allSatisfy { $0.model == nil })
    }

    /// a holds b and c in a list, b holds d; d is refused.
    @Test(arguments: [
        // (required next, required items, elements, what the report keeps of a's tree)
        (false, false, JSONAdapterOptions.ElementPolicy.fail, "a[b,c]"), (true, false, .fail, "a"),
        (true, false, .skip, "a[c]"), (true, true, .fail, ""), (true, true, .skip, "a[c]"),
        (false, true, .skip, "a[b,c]"),
    ])
    func whatHoldsAModelThatFailedIsKeptWithoutIt(
        nextRequired: Bool, itemsRequired: Bool, elements: JSONAdapterOptions.ElementPolicy, tree: String
    ) throws {
        let registry = try SchemaRegistry.of(Self.old)
        let leaf = try make(Self.old, registry, "e", items: [])
        let d = try make(Self.old, registry, "bad", next: leaf, items: [])
        let b = try make(Self.old, registry, "b", next: d, items: [])
        let c = try make(Self.old, registry, "c", next: leaf, items: [])
        let a = try make(Self.old, registry, "a", next: leaf, items: [b, c])
        try leaf.setValue(leaf, forKey: "next")
        defer { leaf.unsetAll() }
        let bytes = try ModelArchiver().archive([a])
        let (next, items) = (PropertySchema.model("Item"), PropertySchema.array(of: .model("Item")))
        let schema = ModelSchema(
            "Item",
            [
                "name": Self.name, "next": nextRequired ? next.required : next,
                "items": itemsRequired ? items.required : items,
            ])
        let report = try unarchiver(schema, elements: elements).report(schema, from: bytes)
        func text(_ model: DynamicModel) -> String {
            let items = model["items", as: [DynamicModel].self] ?? []
            return (model["name", as: String.self] ?? "").lowercased()
                + (items.isEmpty ? "" : "[" + items.map { text($0) }.joined(separator: ",") + "]")
        }
        #expect(report.models.map { text($0) }.joined() == tree)
        #expect(sentences(report) == ["validationFailed /objects/4/name"], "\(report.problems)")
        for model in report.models {
            for held in model["items", as: [DynamicModel].self] ?? [] where held["name", as: String.self] == "B" {
                #expect(try held.state(of: "next") == .unset)
            }
            model["next", as: DynamicModel.self]?.unsetAll()
        }
        // Without a report, the nearest element of a list is left out, or everything refused.
        let plain = try unarchiver(schema, elements: elements)
        if elements == .skip {
            let models = try plain.unarchive(arrayOf: schema, from: bytes)
            #expect(models.map { text($0) } == ["a[c]"])
            #expect(try text(plain.unarchive(schema, from: bytes)) == "a[c]")
            for model in models { model["next", as: DynamicModel.self]?.unsetAll() }
        } else {
            let error = #expect(throws: ModelError.self) { try plain.unarchive(arrayOf: schema, from: bytes) }
            #expect(error?.pointer?.description == "/objects/4/name")
        }
    }

    @Test func rootsAreElementsToo() throws {
        let bytes = try archived(["ok", "bad", "fine"])
        let skipping = try unarchiver(Self.now, elements: .skip)
        #expect(try names(skipping.unarchive(arrayOf: Self.now, from: bytes)) == ["OK", "FINE"])
        let one = try archived(["bad"])
        let error = try #require(throws: ModelError.self) { try skipping.unarchive(Self.now, from: one) }
        #expect(error.code == .validationFailed && error.pointer?.description == "/objects/0/name")
        #expect(try skipping.unarchive(arrayOf: Self.now, from: one) == [])
        let report = skipping.report(Self.now, from: one)
        #expect(report.model == nil && !report.isArray && report.problems.count == 1)
    }

    @Test func elementsThatDoNotFitAreLeftOut() throws {
        let bytes = try ModelTestSupport.archived(
            ModelSchema(
                "Model", ["a": .array(of: .integer), "b": .dictionary(of: .array(of: .string)), "c": .set(of: .string)]),
            ["a": [1, 300, 2], "b": ["x": ["p", "q"], "y": ["r"]], "c": ["p", "q"]])
        let now = ModelSchema(
            "Model",
            [
                "a": .array(of: .integer(as: Int8.self)), "b": .dictionary(of: .array(of: .enumeration("p", "r"))),
                "c": .set(of: .enumeration("q")),
            ])
        let report = try unarchiver(now, elements: .skip).report(now, from: bytes)
        let model = try #require(report.model)
        #expect(model["a", as: [Int8].self] == [1, 2])
        #expect(model["b", as: [String: [String]].self] == ["x": ["p"], "y": ["r"]])
        #expect(try model.value(forKey: "c") as? [String] == ["q"])
        #expect(
            sentences(report) == [
                "numberOutOfRange /objects/0/a/1", "unknownCase /objects/0/b/x/1", "unknownCase /objects/0/c/0",
            ])
        #expect(try unarchiver(now, elements: .skip).unarchive(now, from: bytes) == model)
        let whole = try unarchiver(now).report(now, from: bytes)
        for key in ["a", "b", "c"] { #expect(try whole.model?.state(of: key) == .unset) }
        #expect(whole.problems.count == 3)
    }

    @Test func modelsOfUnknownSchemasAreLeftOut() throws {
        let other = ModelSchema("Other", ["n": .integer])
        let base = ModelSchema("Base", [:])
        let gone = ModelSchema("Gone", [:], extends: "Base")
        let root = ModelSchema("Root", ["one": .model("Base"), "list": .array(of: .model("Base"))])
        let registry = try SchemaRegistry.of(other, base, gone, root)
        let (kept, lost) = (
            DynamicModel(schema: base, registry: registry), DynamicModel(schema: gone, registry: registry)
        )
        let model = try DynamicModel(schema: root, values: ["one": lost, "list": [kept, lost]], registry: registry)
        let bytes = try ModelArchiver().archive([model, lost])
        let report = try unarchiver(root, base, elements: .skip).report(root, from: bytes)
        #expect(report.models.count == 1)
        #expect(try report.models[0].state(of: "one") == .unset)
        #expect(report.models[0]["list", as: [DynamicModel].self]?.count == 1)
        #expect(
            sentences(report) == ["unknownModel -", "unknownModel /objects/0/one", "unknownModel /objects/0/list/1"])
    }

    @Test func aReportOfAnArchiveThatIsDamagedHasItsProblem() throws {
        var bytes = try archived(["ok"])
        bytes[60] ^= 1
        let report = try unarchiver(Self.now).report(Self.now, from: bytes)
        #expect(report.models.isEmpty && report.problems.map(\.code) == [.malformedArchive])
        let unknown = ModelUnarchiver(registry: SchemaRegistry()).report(Self.now, from: bytes)
        #expect(unknown.problems.map(\.code) == [.unknownSchema])
    }

    @Test func aReportEndsAfterSoManyProblemsAndTheModelsAreAllThere() throws {
        let bytes = try archived(Array(repeating: "bad", count: 5) + ["ok"])
        var options = ModelUnarchiverOptions()
        options.maximumProblems = 3
        options.validation = .report
        let report = ModelUnarchiver(registry: try .of(Self.now), options: options).report(Self.now, from: bytes)
        #expect(report.models.count == 6)
        #expect(
            report.problems.map(\.code) == [.validationFailed, .validationFailed, .validationFailed, .limitExceeded])
    }

    /// A chain of which each model requires the next, and lists of models that all fail: no more than linear.
    @Test(.threat(.archiveLengthBombs)) func manyModelsThatFailCostNoMoreThanOthers() async throws {
        #expect(try await isLinear(upTo: 20_000) { try processorTimeOfFailures($0) })
    }

    private func processorTimeOfFailures(_ count: Int) throws -> UInt64 {
        let registry = try SchemaRegistry.of(Self.old)
        let end = try make(Self.old, registry, "bad")
        var chain = end
        for _ in 0..<count { chain = try make(Self.old, registry, "ok", next: chain) }
        let list = try (0..<count).map { try make(Self.old, registry, $0 % 2 == 0 ? "bad" : "ok") }
        let root = try make(Self.old, registry, "root", items: list + [chain])
        let bytes = try ModelArchiver().archive(root)
        let strict = ModelSchema(
            "Item", ["name": Self.name, "next": .model("Item"), "items": .array(of: .model("Item"))])
        let start = processorTime()
        let report = try unarchiver(strict, elements: .skip).report(strict, from: bytes)
        let time = processorTime() - start
        #expect(report.model?["items", as: [DynamicModel].self]?.count == count / 2 + 1)
        let skipped = try unarchiver(strict, elements: .skip).unarchive(strict, from: bytes)
        // The chain's end takes all of it along.
        #expect(skipped["items", as: [DynamicModel].self]?.count == count / 2)
        return time
    }
}
