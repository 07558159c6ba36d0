import ModelTestSupport
import Pallium
import Testing

/// What Mantle leaves to overridden methods of a class is said once, in the schema, and everything follows it.
struct SchemaDecidesTests {
    @Test(.row("C019")) func aKeyNeedsNoAccessor() throws {
        let schema = ModelSchema(NonPropertyModel.self, ["homepage": .string])
        let registry = try SchemaRegistry.of(schema)
        let adapter = Entrances(JSONAdapter(NonPropertyModel.self, registry: registry))
        let model = try adapter.model(from: #"{"homepage":"a"}"#)
        #expect(model.values["homepage"] as? String == "a")
        #expect(try model.copy().value(forKey: "homepage") as? String == "a")
        #expect(model != NonPropertyModel(registry: registry))
        #expect(model.description == #"NonPropertyModel(homepage: "a")"#)
        #expect(try adapter.text(of: model) == #"{"homepage":"a"}"#)
    }

    @Test(.row("C020")) func aPropertyThatIsNotStoredIsNowhere() throws {
        let adapter = try Plain.adapter(
            ["a": .string, "gone": .string.storage(.notStored)], options: .with { $0.unknownMembers = .refuse })
        let model = try adapter.model(from: #"{"a":"x"}"#)
        #expect(Set(model.values.keys) == ["a"])
        #expect(try adapter.text(of: model) == #"{"a":"x"}"#)
        #expect(adapter.problem(of: #"{"a":"x","gone":"y"}"#)?.code == .unknownMember)
        #expect(throws: ModelError.self) { try adapter.text(of: model, only: ["gone"]) }
    }

    @Test(.row("C045")) func whatIsLeftOutOfJSONIsStillCopiedAndCompared() throws {
        let adapter = try Plain.adapter(["a": .string, "inside": .string.local])
        let model = try adapter.model(from: #"{"a":"x"}"#)
        try model.setValue("y", forKey: "inside")
        #expect(model.values["inside"] as? String == "y")
        #expect(try model.copy().value(forKey: "inside") as? String == "y")
        let other = try adapter.model(from: #"{"a":"x"}"#)
        #expect(model != other)
        #expect(try adapter.text(of: model) == #"{"a":"x"}"#)
    }
}

/// A class without accessors.
private final class NonPropertyModel: DynamicModel {}
