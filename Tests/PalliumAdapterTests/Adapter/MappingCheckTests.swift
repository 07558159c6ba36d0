import ModelTestSupport
import Pallium
import Testing

/// Mistakes in mappings: section H of the conformance table. In code the types exclude rows C141 and C142.
struct MappingCheckTests {
    @Test(.row("C140")) func aKeyThatDoesNotExistIsAProblemOfTheRegistration() {
        var schema = ModelSchema("Plain", ["name": .string])
        schema.profiles = [ModelSchema.Profile("legacy", ["nmae": .path("x")])]
        #expect(
            Plain.problems([schema])
                == [#"Plain.nmae: the profile legacy names a key that does not exist; did you mean name?"#])
    }

    @Test(.row("C143")) func anEmptyListOfPathsIsRefused() {
        #expect(Plain.problems(["a": .string.json(firstOf: [])]) == ["Plain.a: maps to no path; name one"])
        #expect(Plain.problems(["a": .jsonValue.json(allOf: [])]) == ["Plain.a: maps to no path; name one"])
    }

    @Test(.row("C144")) func aSchemaWithoutMappingReadsAndWritesNothing() throws {
        for adapter in [
            try Plain.adapter([:]), try Plain.adapter(["name": .string.default("x")], keys: .explicit),
            try Plain.adapter(["name": .string.local]),
        ] {
            #expect(try adapter.roundTrip(#"{"name":"a","b":1}"#) == "{}")
        }
    }

    @Test(.row("C145")) func twoPropertiesCannotBeWrittenToOnePath() throws {
        #expect(
            Plain.problems(["a": .string.json("x"), "b": .string.json("x")]) == [
                "Plain.b: would be written over a: both claim x; change a key path, or make one of them readOnly"
            ])
        let adapter = try Plain.adapter(["a": .string.json("x"), "b": .string.json("x").readOnly])
        let model = try adapter.model(from: #"{"x":"y"}"#)
        #expect(model["a", as: String.self] == "y")
        #expect(model["b", as: String.self] == "y")
        #expect(try adapter.text(of: model) == #"{"x":"y"}"#)
    }

    @Test(.row("C146", "C194")) func aPathAndOneThroughItCannotBothBeWritten() {
        #expect(Plain.problems(["a": .jsonValue.json("a"), "b": .string.json("a.b")]).count == 1)
        #expect(Plain.problems(["b": .string.json("a.b"), "a": .jsonValue.json("a")]).count == 1)
        #expect(Plain.problems(["a": .jsonValue.json("a"), "b": .string.json("a.b").readOnly]).isEmpty)
    }

    @Test(.row("C147")) func keysAreMappedToThemselves() throws {
        let adapter = try Plain.adapter(["name": .string, "transitory": .string.storage(.transitory)])
        let text = #"{"name":"a","transitory":"b"}"#
        #expect(try adapter.roundTrip(text) == text)
    }

    @Test(.row("C148", "C149")) func aSubclassInheritsTheMappingAndAddsToIt() throws {
        let adapter = try entrances(SubTestModel.self)
        let text = #"{"username":"foo","count":"2","nested":{"name":"bar"},"role":"admin","generation":3}"#
        let model = try adapter.model(from: text)
        #expect((model.name, model.nestedName, model.role, model.generation) == ("foo", "bar", "admin", 3))
        #expect(try adapter.text(of: model) == text)
    }

    @Test(.row("C242")) func aModelPropertyNeedsARegisteredSchema() {
        #expect(Plain.problems(["child": .model("Nobody")]).count == 1)
        #expect(Plain.problems(["child": .model(EmptyModel.self)]).count == 1)
    }
}
