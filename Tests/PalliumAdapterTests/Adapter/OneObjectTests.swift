import Foundation
import ModelTestSupport
import Pallium
import PalliumCore
import Synchronization
import Testing

/// Decoding one object: section G of the conformance table.
struct OneObjectTests {
    @Test(.row("C110", "C111")) func nullAndTextAreReadAndWrittenAsParsed() throws {
        let adapter = try entrances(TestModel.self)
        let model = try adapter.model(from: #"{"username":null,"count":"5"}"#)
        #expect(model.name == nil)
        #expect(model.count == 5)
        #expect(try adapter.text(of: model) == #"{"username":null,"count":"5"}"#)
    }

    @Test(.row("C111")) func theWritePolicyGivesMantlesOutput() throws {
        let adapter = try entrances(TestModel.self, options: .with { $0.nilPolicy = .write })
        #expect(
            try adapter.roundTrip(#"{"username":null,"count":"5"}"#)
                == #"{"username":null,"count":"5","nested":{"name":null}}"#)
    }

    @Test(.row("C112", "C137")) func aFullObjectComesBackAsOftenAsWanted() throws {
        let adapter = try entrances(TestModel.self)
        let text = #"{"username":"foo","count":"0","nested":{"name":"bar"}}"#
        for _ in 0..<3 {
            let model = try adapter.model(from: text)
            #expect((model.name, model.count, model.nestedName) == ("foo", 0, "bar"))
            #expect(try adapter.text(of: model) == text)
        }
    }

    @Test(.row("C113")) func unknownMembersAreIgnoredAtEveryLevel() throws {
        let model = try entrances(TestModel.self).model(
            from: """
                {"foobar":"foo","count":"2","_":null,"username":"buzz",
                 "nested":{"name":"bar","stuffToIgnore":5,"moreNonsense":null}}
                """)
        #expect((model.name, model.count, model.nestedName) == ("buzz", 2, "bar"))
    }

    @Test(.row("C114", "C368")) func aValidatorsErrorIsKeptAndItsPlaceAdded() throws {
        let adapter = try entrances(TestModel.self)
        let problem = adapter.problem(of: #"{"count":"2","username":"this is too long a name"}"#)
        #expect(problem?.code == .validationFailed)
        #expect(problem?.underlying as? FixtureError == .nameTooLong)
        #expect(problem?.property == "name")
        #expect(problem?.pointer?.description == "/username")
    }

    @Test(.row("C115", "C126")) func validatorsSeeAbsentPropertiesToo() throws {
        let problem = try entrances(ValidationModel.self).problem(of: "{}")
        #expect(problem?.underlying as? FixtureError == .nameMissing)
        #expect(problem?.category == .refusedByProgram)
    }

    @Test(.row("C115")) func validatorsMayCorrectAbsentProperties() throws {
        #expect(try entrances(SelfValidatingModel.self).model(from: "{}").name == "foobar")
    }

    @Test(.row("C116", "C117", "C118", "C366", "C368", "C369")) func aValueOfAnotherKindIsRefused() throws {
        #expect(
            try entrances(URLModel.self).sentence(of: #"{"URL":666}"#)
                == "expected text of a URL but found the number 666 at /URL (1:8)")
        #expect(
            try entrances(BoolModel.self).sentence(of: #"{"flag":"Potentially"}"#)
                == #"expected a bool but found "Potentially" at /flag (1:9)"#)
        #expect(
            try entrances(StringModel.self).sentence(of: #"{"string":666}"#)
                == "expected a string but found the number 666 at /string (1:11)")
    }

    @Test(.row("C119"), arguments: [#""Not an NSValue""#, "1", "null", "[null]", "{}"])
    func aJSONPropertyTakesAnything(value: String) throws {
        let adapter = try entrances(AnyModel.self)
        #expect(try adapter.roundTrip(#"{"anyObject":\#(value)}"#) == #"{"anyObject":\#(value)}"#)
    }

    @Test(.row("C120")) func anAbsentMemberLeavesTheDefaultAndCallsNoTransformer() throws {
        let test = try entrances(TestModel.self).model(from: "{}")
        #expect(test.count == 1)
        #expect(try test.state(of: "count") == .defaulted)
        let url = try entrances(URLModel.self).model(from: "{}")
        #expect(url.url?.absoluteString == "http://github.com")

        let calls = Mutex(0)
        let counting = Transformer(handlingNullFrom: String.self, to: String.self) { text, _ in
            calls.withLock { $0 += 1 }
            return text
        }
        let adapter = try Plain.adapter(["text": .string.transformer("Counting")], transformers: ["Counting": counting])
        #expect(try adapter.model(from: "{}").state(of: "text") == .unset)
        #expect(calls.withLock { $0 } == 0)
        _ = try adapter.model(from: #"{"text":null}"#)
        #expect(calls.withLock { $0 } > 0)
    }

    @Test(.row("C121")) func nullIsTheDefaultUnlessTheDefaultIsNullable() throws {
        #expect(try entrances(URLModel.self).model(from: #"{"URL":null}"#).url == nil)
        let test = try entrances(TestModel.self).model(from: #"{"count":null}"#)
        #expect(test.count == 1)
        #expect(try test.state(of: "count") == .defaulted)
    }

    @Test(.row("C122", "C136")) func nullIsNullWithoutATransformer() throws {
        #expect(try entrances(StringModel.self).model(from: #"{"string":null}"#).state(of: "string") == .null)
    }

    @Test(.row("C123")) func theSchemaSaysWhatNullIsForAScalar() throws {
        #expect(try entrances(BoolModel.self).model(from: #"{"flag":null}"#).flag == false)
        let required = try Plain.adapter(["flag": .bool.required])
        #expect(required.sentence(of: #"{"flag":null}"#) == "expected a bool but found null at /flag (1:9)")
        #expect(required.problem(of: #"{"flag":null}"#)?.code == .nullNotAllowed)
        #expect(try Plain.adapter(["flag": .bool]).model(from: #"{"flag":null}"#).state(of: "flag") == .null)
    }

    @Test(
        .row("C124"),
        arguments: [
            ("null", "null"), ("[]", "an array"), (#""text""#, #""text""#), ("1", "the number 1"), ("true", "true"),
        ]) func theRootMustBeAnObject(text: String, found: String) throws
    {
        let adapter = try entrances(TestModel.self)
        let problem = #expect(throws: ModelError.self) { try adapter.adapter.model(from: text) }
        #expect(problem?.code == .typeMismatch || problem?.code == .nullNotAllowed)
        #expect(problem?.description.hasSuffix("but found \(found) at the root (1:1)") == true)
        let fromTree = #expect(throws: ModelError.self) { try adapter.adapter.model(from: JSONValue(parsing: text)) }
        #expect(fromTree?.code == problem?.code)
        #expect(fromTree?.pointer == problem?.pointer)
    }

    @Test(.threat(.trailingText), .row("C124"), arguments: ["", " ", "{", #"{"username":"#, #"{"username":"a"}x"#])
    func brokenTextIsRefused(text: String) throws {
        let problem = try entrances(TestModel.self).problem(of: text)
        #expect(problem?.category == .malformedInput)
        #expect(problem?.location != nil)
    }

    @Test(.row("C125")) func theKeyStrategyDecidesWhetherAPropertyIsMappedByItself() throws {
        let text = #"{"name":"a","htmlURL":"b","html_url":"c","other":"d"}"#
        let properties: KeyValuePairs<String, PropertySchema> = [
            "name": .string, "htmlURL": .string, "renamed": .string.json("other"),
        ]
        func values(_ keys: ModelSchema.KeyStrategy) throws -> [String?] {
            let model = try Plain.adapter(properties, keys: keys).model(from: text)
            return ["name", "htmlURL", "renamed"].map { model[$0, as: String.self] }
        }
        #expect(try values(.identity) == ["a", "b", "d"])
        #expect(try values(.snakeCase) == ["a", "c", "d"])
        #expect(try values(.explicit) == [nil, nil, "d"])
    }

    @Test(.row("C126", "C128")) func theFirstProblemOfTheDocumentIsThrown() throws {
        let adapter = try Plain.adapter([
            "a": .integer, "b": .integer, "missing": .integer.required,
            "checked": .string.validate { (_: inout String?, _) in throw FixtureError.refused },
        ])
        #expect(adapter.problem(of: #"{"b":"x","a":"y"}"#)?.property == "b")
        #expect(adapter.problem(of: #"{"a":"y","b":"x"}"#)?.property == "a")
        #expect(adapter.problem(of: #"{"checked":"x"}"#)?.code == .missingProperty)
        #expect(adapter.problem(of: #"{"checked":"x","missing":1}"#)?.code == .validationFailed)
    }

    @Test(.threat(.throwingUserCode), .row("C042", "C126", "C127")) func aHookSeesTheFinishedModelOnceAndMayRefuseIt()
        throws
    {
        let seen = Mutex<[String]>([])
        let schema = ModelSchema("Plain", ["a": .string, "b": .string.default("x"), "list": .jsonValue]).didDecode {
            model in
            seen.withLock { $0.append("\(model["a", as: String.self] ?? "") \(model["b", as: String.self] ?? "")") }
            if model["a", as: String.self] == "bad" { throw FixtureError.refused }
        }
        let adapter = try Plain.adapter([schema])
        _ = try adapter.adapter.model(from: #"{"a":"good"}"#)
        #expect(seen.withLock { $0 } == ["good x"])
        let problem = adapter.problem(of: #"{"a":"bad"}"#)
        #expect(problem?.code == .hookFailed)
        #expect(problem?.underlying as? FixtureError == .refused)
        #expect(problem?.pointer?.description == "")
    }

    @Test(.threat(.throwingUserCode), .row("C129", "C131")) func whateverATransformerThrowsIsWrappedWithItsPlace()
        throws
    {
        let adapter = try Plain.adapter(
            ["count": .unsigned.transformer("Refusing")],
            transformers: [
                "Refusing": Transformer(from: String.self, to: UInt64.self) { _, _ in throw FixtureError.refused }
            ])
        let problem = adapter.problem(of: #"{"count":"many"}"#)
        #expect(
            problem?.description
                == #"expected a value that the transformer accepts but found "many" at /count (1:10): refused"#)
        #expect(problem?.underlying as? FixtureError == .refused)
        #expect(problem?.schema == "Plain")
    }

    @Test(
        .threat(.numberRange), .row("C132"),
        arguments: [
            ("1.5", "but found the number 1.5"), ("true", "but found true"), (#""5""#, #"but found "5""#),
            ("-1", "of 64 bits but found the number -1"),
        ]) func noNumberIsBentIntoAnUnsignedInteger(value: String, found: String) throws
    {
        let adapter = try Plain.adapter(["count": .unsigned])
        #expect(
            adapter.sentence(of: #"{"count":\#(value)}"#)
                == "expected an unsigned integer \(found) at /count (1:10)")
    }

    @Test(.row("C133")) func aBoolIsNoNumber() throws {
        let problem = try Plain.adapter(["number": .double]).problem(of: #"{"number":true}"#)
        #expect(problem?.code == .typeMismatch)
    }

    @Test(.row("C134"), arguments: ["2", "0", "1", "0.5", #""true""#]) func aNumberIsNoBool(value: String) throws {
        #expect(try Plain.adapter(["flag": .bool]).problem(of: #"{"flag":\#(value)}"#)?.code == .typeMismatch)
    }

    @Test(.row("C138", "C221")) func adaptersOfOneRegistryShareTheirPrograms() throws {
        let registry = try SchemaRegistry.ofFixtures()
        for _ in 0..<5 { _ = JSONAdapter(TestModel.self, registry: registry) }
        #expect(registry.compiled.products.count == 1)
        let compiled = registry.compiled.products.map { ObjectIdentifier($0) }
        _ = JSONAdapter(TestModel.self, registry: registry)
        #expect(registry.compiled.products.map { ObjectIdentifier($0) } == compiled)
        let lenient = JSONAdapter(TestModel.self, registry: registry, options: .with { $0.leniency = .numbersAsText })
        #expect(registry.compiled.products.count == 2)
        withExtendedLifetime(lenient) {}
    }
}
