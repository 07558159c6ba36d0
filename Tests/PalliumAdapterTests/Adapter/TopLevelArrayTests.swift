import Foundation
import ModelTestSupport
import Pallium
import Synchronization
import Testing

/// Arrays at the top level: section L of the conformance table.
struct TopLevelArrayTests {
    @Test(.row("C199", "C200", "C203")) func anArrayIsManyModelsAndBack() throws {
        let adapter = try entrances(TestModel.self)
        let text = #"[{"username":"foo"},{"username":"bar"}]"#
        let models = try adapter.models(from: text)
        #expect(models.map(\.name) == ["foo", "bar"])
        #expect(String(decoding: try adapter.adapter.data(from: models), as: UTF8.self) == text)
    }

    @Test(
        .row("C201", "C206", "C207", "C236"),
        arguments: [
            (#"["foo","bar"]"#, #"expected an object but found "foo" at /0 (1:2)"#),
            (#"[{},1]"#, "expected an object but found the number 1 at /1 (1:5)"),
            (#"[{},[{}]]"#, "expected an object but found an array at /1 (1:5)"),
            (#"[{}, {"username":5}]"#, "expected a string but found the number 5 at /1/username (1:18)"),
        ]) func aBadElementIsNamedByItsIndex(text: String, sentence: String) throws
    {
        #expect(try entrances(TestModel.self).sentence(ofMany: text) == sentence)
    }

    @Test(.row("C206")) func nullIsNoModel() throws {
        let adapter = try entrances(TestModel.self)
        let problem = #expect(throws: ModelError.self) { try adapter.models(from: "[{},null]") }
        #expect(problem?.code == .nullNotAllowed)
        #expect(problem?.pointer?.description == "/1")
        let skipping = try entrances(TestModel.self, options: .with { $0.elements = .skip })
        #expect(try skipping.models(from: "[{},null,{}]").count == 2)
    }

    @Test(.row("C202")) func anElementThatNoSchemaFitsRefusesTheList() throws {
        let adapter = try entrances(ClusterModel.self)
        let problem = #expect(throws: ModelError.self) {
            try adapter.models(from: #"[{"flavor":"chocolate"},{"count":["x"]}]"#)
        }
        #expect(problem?.code == .unknownModel)
        #expect(problem?.pointer?.description == "/1")
    }

    @Test(.row("C204"), arguments: [("{}", "an object"), ("null", "null"), (#""x""#, #""x""#), ("1", "the number 1")])
    func theRootMustBeAnArray(text: String, found: String) throws {
        let sentence = try entrances(TestModel.self).sentence(ofMany: text)
        #expect(sentence == "expected an array but found \(found) at the root (1:1)")
        // No element is bad where there are none.
        let skipping = try entrances(TestModel.self, options: .with { $0.elements = .skip })
        #expect(skipping.sentence(ofMany: text) == sentence)
    }

    @Test(.row("C205", "C241")) func anEmptyArrayIsEmptyBothWays() throws {
        let adapter = try entrances(TestModel.self)
        #expect(try adapter.models(from: " [ ] ").isEmpty)
        #expect(String(decoding: try adapter.adapter.data(from: []), as: UTF8.self) == "[]")
    }

    @Test(.row("C208")) func manyElementsTakeOneAdapter() throws {
        let registry = try SchemaRegistry.ofFixtures()
        let adapter = try entrances(TestModel.self, registry: registry)
        let text = "[" + Array(repeating: #"{"username":"foo"}"#, count: 1000).joined(separator: ",") + "]"
        #expect(try adapter.models(from: text).count == 1000)
        #expect(registry.compiled.products.count == 1)
    }

    @Test(.row("C209")) func theElementThatCannotBeWrittenIsNamed() throws {
        let adapter = try Plain.adapter(["a": .double])
        let models = try adapter.models(from: #"[{"a":1},{"a":2}]"#)
        models[1]["a"] = Double.nan
        let problem = #expect(throws: ModelError.self) { try adapter.adapter.data(from: models) }
        #expect(problem?.pointer?.description == "/1/a")
    }

    @Test(.row("C211")) func mixedClassesAreWrittenEachByItsOwnSchema() throws {
        let adapter = try entrances(ClusterModel.self)
        let text =
            #"[{"flavor":"chocolate","chocolate_bitterness":"100"},{"flavor":"strawberry","strawberry_freshness":20}]"#
        let models = try adapter.models(from: text)
        #expect(models.map { "\(type(of: $0))" } == ["ChocolateModel", "StrawberryModel"])
        #expect(String(decoding: try adapter.adapter.data(from: models), as: UTF8.self) == text)
    }

    @Test func oneModelIsNoArrayAndTheReverse() throws {
        let adapter = try entrances(TestModel.self)
        #expect(adapter.report(from: "[{},{}]").models.count == 2)
        #expect(adapter.report(from: "[{},{}]").isArray)
        #expect(adapter.report(from: "[{},{}]").model == nil)
        #expect(adapter.report(from: "{}").model != nil)
        #expect(!adapter.report(from: "{}").isArray)
    }
}
