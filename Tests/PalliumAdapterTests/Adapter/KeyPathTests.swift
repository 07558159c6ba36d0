import ModelTestSupport
import Pallium
import Testing

/// Key paths when reading: section F of the conformance table.
struct KeyPathTests {
    @Test(.row("C096")) func walksIntoObjects() throws {
        let model = try entrances(TestModel.self).model(from: #"{"nested":{"name":"bar"}}"#)
        #expect(model.nestedName == "bar")
    }

    @Test(.row("C097", "C101")) func nullOnTheWayIsNull() throws {
        let model = try entrances(TestModel.self).model(from: #"{"username":"foo","nested":null,"count":"0"}"#)
        #expect(model.nestedName == nil)
        #expect(try model.state(of: "nestedName") == .null)
        #expect(model.count == 0)
    }

    @Test(.row("C100", "C101")) func missingOnTheWayIsAbsent() throws {
        let model = try entrances(TestModel.self).model(from: #"{"username":"foo"}"#)
        #expect(try model.state(of: "nestedName") == .unset)
    }

    @Test(.row("C101"), arguments: [("{}", "defaulted"), (#"{"a":{}}"#, "defaulted"), (#"{"a":null}"#, "null")])
    func nullOnTheWayWinsOverANullableDefault(text: String, state: String) throws {
        let adapter = try Plain.adapter(["deep": .string.json("a.b").default("x").nullable])
        #expect(try adapter.model(from: text).state(of: "deep").rawValue == state)
    }

    @Test(
        .row("C098", "C102", "C108", "C109"),
        arguments: [
            (#""bar""#, #""bar""#), ("1", "the number 1"), ("true", "true"), ("[1]", "an array"),
        ]) func anythingElseOnTheWayIsRefused(value: String, found: String) throws
    {
        let adapter = try entrances(TestModel.self)
        #expect(
            adapter.sentence(of: #"{"username":"foo","nested":\#(value),"count":"0"}"#)
                == "expected an object on a key path but found \(found) at /nested (1:28)")
    }

    @Test(.row("C098")) func theErrorIsOneOfTheData() throws {
        let problem = try entrances(TestModel.self).problem(of: #"{"nested":7}"#)
        #expect(problem?.code == .typeMismatch)
        #expect(problem?.category == .unexpectedData)
        #expect(problem?.schema == "TestModel")
    }

    @Test(.row("C099")) func pathsDoNotMapOverArrays() throws {
        let adapter = try Plain.adapter(["names": .jsonValue.json("users.name")])
        #expect(
            adapter.sentence(of: #"{"users":[{"name":"foo"},{"name":"bar"}]}"#)
                == "expected an object on a key path but found an array at /users (1:10)")
    }

    @Test(.row("C103"), arguments: ["[1,2]", #"{"x":1}"#, #""text""#])
    func theValueAtTheEndMayBeAnything(value: String) throws {
        let adapter = try Plain.adapter(["deep": .jsonValue.json("a.b")])
        let model = try adapter.model(from: #"{"a":{"b":\#(value)}}"#)
        #expect(model["deep", as: JSONValue.self] == (try JSONValue(parsing: value)))
    }

    @Test(.row("C104")) func aBackslashTakesTheMeaningFromADot() throws {
        let adapter = try Plain.adapter(["dotted": .integer.json(#"a\.b"#), "walked": .integer.json("a.b")])
        let model = try adapter.model(from: #"{"a.b":1,"a":{"b":2}}"#)
        #expect(model["dotted", as: Int.self] == 1)
        #expect(model["walked", as: Int.self] == 2)
        #expect(try adapter.text(of: model) == #"{"a.b":1,"a":{"b":2}}"#)
    }

    @Test(.row("C105"), arguments: ["", ".a", "a.", "a..b", "[0]", "a[", "a[x]", "a[0]b", #"a\"#])
    func malformedPathsAreRefusedAtRegistration(path: String) {
        #expect(Plain.problems(["key": .string.json(path)]).count == 1)
    }

    @Test(.row("C106", "C107", "C195"), arguments: ["@id", "@type", "@self", "@count"])
    func namesWithAnAtSignArePlainNames(name: String) throws {
        let adapter = try Plain.adapter(["value": .integer.json(name), "deep": .integer.json("a.\(name)")])
        let text = #"{"\#(name)":1,"a":{"\#(name)":2}}"#
        let model = try adapter.model(from: text)
        #expect(model["value", as: Int.self] == 1)
        #expect(model["deep", as: Int.self] == 2)
        #expect(try adapter.text(of: model) == text)
    }

    @Test(.row("C107")) func theWholeObjectHasNoName() throws {
        let model = try Plain.adapter(["value": .jsonValue.json("@self")]).model(from: #"{"a":1}"#)
        #expect(try model.state(of: "value") == .unset)
    }

    // MARK: Elements of arrays

    @Test func bracketsStepIntoArrays() throws {
        let adapter = try Plain.adapter([
            "first": .string.json("labels[0].name").readOnly, "second": .string.json("labels[1].name").readOnly,
        ])
        let model = try adapter.model(from: #"{"labels":[{"name":"bug"},{"name":"urgent"}]}"#)
        #expect(model["first", as: String.self] == "bug")
        #expect(model["second", as: String.self] == "urgent")
    }

    @Test(arguments: [
        ("{}", "unset"), (#"{"labels":[]}"#, "unset"), (#"{"labels":[{}]}"#, "unset"),
        (#"{"labels":null}"#, "null"), (#"{"labels":[null]}"#, "null"), (#"{"labels":[{"name":null}]}"#, "null"),
    ]) func aMissingElementIsAbsentAndANullOneNull(text: String, state: String) throws {
        let model = try Plain.adapter(["first": .string.json("labels[0].name").readOnly]).model(from: text)
        #expect(try model.state(of: "first").rawValue == state)
    }

    @Test func aBracketWantsAnArray() throws {
        let adapter = try Plain.adapter(["first": .string.json("labels[0]").readOnly])
        #expect(
            adapter.sentence(of: #"{"labels":{"0":"bug"}}"#)
                == #"expected an array on the key path "labels[0]" but found an object at /labels (1:11)"#)
    }

    @Test func theErrorBehindABracketNamesTheElement() throws {
        let adapter = try Plain.adapter(["first": .string.json("labels[1].name").readOnly])
        #expect(adapter.problem(of: #"{"labels":[{},{"name":5}]}"#)?.pointer?.description == "/labels/1/name")
    }

    // MARK: Paths that meet

    @Test func twoPropertiesMayReadOneMember() throws {
        let adapter = try Plain.adapter(["text": .string.json("id"), "number": .jsonValue.json("id").readOnly])
        let model = try adapter.model(from: #"{"id":"7"}"#)
        #expect(model["text", as: String.self] == "7")
        #expect(model["number", as: JSONValue.self] == "7")
        #expect(try adapter.text(of: model) == #"{"id":"7"}"#)
    }

    @Test func theWrongOneOfTwoReadersIsNamed() throws {
        let adapter = try Plain.adapter(["text": .string.json("id"), "number": .integer.json("id").readOnly])
        let problem = adapter.problem(of: #"{"id":"7"}"#)
        #expect(problem?.property == "number")
        #expect(problem?.pointer?.description == "/id")
    }

    @Test func aMemberAndAPathThroughItMayBothBeRead() throws {
        let adapter = try Plain.adapter([
            "whole": .jsonValue.json("user"), "login": .string.json("user.login").readOnly,
        ])
        let model = try adapter.model(from: #"{"user":{"login":"octocat","id":1}}"#)
        #expect(model["login", as: String.self] == "octocat")
        #expect(model["whole", as: JSONValue.self] == ["login": "octocat", "id": 1])
        #expect(try adapter.text(of: model) == #"{"user":{"login":"octocat","id":1}}"#)
    }

    @Test func memberNamesAreComparedAsBytes() throws {
        // A letter with an accent in one and in two code points: equal as Swift strings, different as JSON members.
        let adapter = try Plain.adapter(["composed": .integer.json("\u{E9}"), "decomposed": .integer.json("e\u{301}")])
        let model = try adapter.bytesOnly.model(from: "{\"\u{E9}\":1,\"e\u{301}\":2}")
        #expect(model["composed", as: Int.self] == 1)
        #expect(model["decomposed", as: Int.self] == 2)
    }

    @Test(arguments: [#"{"\u0061":1}"#, #"{"a":1}"#]) func escapedNamesAreTheSameNames(text: String) throws {
        let model = try Plain.adapter(["a": .integer]).model(from: text)
        #expect(model["a", as: Int.self] == 1)
    }

    /// A key is a name: nothing in it is syntax.
    @Test func aKeyWithDotsBracketsAndBackslashesIsOneMember() throws {
        let adapter = try Plain.adapter(["a.b": .integer, "c[0]": .integer, #"d\e"#: .integer])
        let model = try adapter.model(from: #"{"a.b":1,"c[0]":2,"d\\e":3,"a":{"b":4},"c":[5]}"#)
        #expect(["a.b", "c[0]", #"d\e"#].map { model[$0, as: Int.self] } == [1, 2, 3])
        #expect(try adapter.text(of: model) == #"{"a.b":1,"c[0]":2,"d\\e":3}"#)
    }
}
