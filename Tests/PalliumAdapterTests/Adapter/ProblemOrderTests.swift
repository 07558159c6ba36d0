import ModelTestSupport
import Pallium
import Testing

private struct Refused: Error {}

/// Which of several problems is thrown, and where problems are: the article *Errors*.
struct ProblemOrderTests {
    private static let person = ModelSchema(
        "Person",
        [
            "first": .integer.json(firstOf: ["a.x", "b"]), "second": .integer.json(firstOf: ["c", "d"]),
            "third": .integer.json("list[0]").readOnly, "plain": .integer, "required": .string.required,
            "friend": .model("Person"),
        ])

    private func adapter(
        _ change: (inout JSONAdapterOptions) -> Void = { _ in }
    ) throws -> Entrances<DynamicModel> { try Plain.adapter([Self.person], options: .with(change)) }

    @Test(arguments: [
        (#"{"c":"x","plain":"x"}"#, "/c", 6), (#"{"plain":"x","c":"x"}"#, "/plain", 10),
        (#"{"c":"x","b":"x"}"#, "/c", 6), (#"{"b":"x","c":"x"}"#, "/b", 6),
        (#"{"a":{"x":"x"},"plain":"x"}"#, "/a/x", 11), (#"{"a":1,"plain":"x"}"#, "/a", 6),
        (#"{"list":["x"],"plain":"x"}"#, "/list/0", 10), (#"{"list":{},"plain":"x"}"#, "/list", 9),
        (#"{"required":"","friend":{"c":"x","plain":1},"plain":"x"}"#, "/friend/c", 30),
        (#"{"c":"x","friend":{"required":"","plain":"x"}}"#, "/c", 6),
        // Required members that are missing come after everything in their object.
        (#"{"friend":{"c":"x"}}"#, "/friend/c", 16),
    ]) func theFirstProblemInTheDocumentIsThrown(text: String, pointer: String, column: Int) throws {
        let problem = try #require(try adapter().problem(of: text))
        #expect(problem.code == .typeMismatch)
        #expect(problem.pointer?.description == pointer)
        #expect(problem.location?.column == column)
    }

    @Test func theFirstProblemOfAnElementIsThrownFromStreams() throws {
        let adapter = try adapter().adapter
        let text = #"[{"required":""},{"c":"x","plain":"x"}]"#
        var stream = adapter.models(fromArray: [Array(text.utf8)])
        _ = try stream.next()
        var streamed: ModelError?
        do throws(ModelError) { _ = try stream.next() } catch { streamed = error }
        let whole = #expect(throws: ModelError.self) { try adapter.models(from: text) }
        #expect(streamed?.pointer?.description == "/1/c")
        #expect(streamed?.description == whole?.description)
    }

    @Test func problemsOfElementsThatAreLeftOutAreNotThrown() throws {
        let list = ModelSchema(
            "List",
            ["people": .array(of: .model("Person")), "late": .integer, "early": .integer.json(firstOf: ["e", "f"])])
        let adapter = try Plain.adapter([list, Self.person], options: .with { $0.elements = .skip })
        let text = #"{"people":[{"c":"x"}],"e":1,"late":"x"}"#
        #expect(adapter.problem(of: text)?.pointer?.description == "/late")
        #expect(adapter.problem(of: #"{"people":[{"c":"x"}],"e":"x","late":"x"}"#)?.pointer?.description == "/e")
    }

    /// Code of the program may read another document, whose places are none of this one.
    @Test(arguments: ["1", "-1"]) func anErrorOfAnotherDocumentKeepsItsPlace(name: String) throws {
        let other = try Plain.adapter(["n": .integer.json(name)]).adapter
        let list = PropertySchema.array(of: .string).validate { (_: inout [String]?, _) in
            _ = try other.model(from: "{\"\(name)\":\"x\"}")
        }
        let adapter = try Plain.adapter(["list": list, "late": .integer.json(firstOf: ["e", "f"])]).adapter
        let error = #expect(throws: ModelError.self) { try adapter.model(from: #"{"e":1,"list":["x"]}"#) }
        #expect(error?.code == .typeMismatch)
        #expect(error?.pointer?.tokens == ["list", name])
    }

    @Test func brokenTextComesFirst() throws {
        #expect(try adapter().bytesOnly.problem(of: #"{"c":"x","plain":}"#)?.code == .malformedJSON)
    }

    @Test(arguments: [
        (#"{"plain":"x"}"#, ["typeMismatch /plain", "missingProperty "]),
        (
            #"{"plain":"x","friend":{"plain":1}}"#,
            ["typeMismatch /plain", "missingProperty /friend", "missingProperty "]
        ),
        (#"{"required":1}"#, ["typeMismatch /required"]), (#"{"required":null}"#, ["nullNotAllowed /required"]),
    ]) func reportsTellEveryMissingMember(text: String, problems: [String]) throws {
        let report = try adapter().report(from: text)
        #expect(report.problems.map { "\($0.code) \($0.pointer?.description ?? "")" } == problems)
    }

    @Test func reportsTellMissingMembersBesideOtherRequiredOnes() throws {
        let both = try Plain.adapter(["a": .integer.required, "b": .string.required])
        let report = both.report(from: #"{"a":null}"#)
        #expect(
            report.problems.map { "\($0.code) \($0.pointer?.description ?? "")" } == [
                "nullNotAllowed /a", "missingProperty ",
            ])
        #expect(report.model == nil)
    }

    @Test(arguments: [
        (PropertySchema.integer.json("x.y").required, "/x"), (.integer.json(firstOf: ["x.y", "b"]).required, "/x"),
        (.integer.json("x.y[0]").readOnly.required, "/x"),
    ]) func aNullOnTheWayIsTheProblem(property: PropertySchema, pointer: String) throws {
        let problem = try Plain.adapter(["p": property]).problem(of: #"{"x":null}"#)
        #expect(problem?.code == .nullNotAllowed)
        #expect(problem?.pointer?.description == pointer)
    }

    @Test(arguments: [(#"{"d":{"k":"bad"}}"#, "/d/k"), (#"{"c":"bad"}"#, "/c"), (#"{"d":{},"c":"bad"}"#, "/c")])
    func aValidatorsProblemIsWhereTheValueStands(text: String, pointer: String) throws {
        let property = PropertySchema.string.json(firstOf: ["d.k", "c"]).validate { (value: inout String?, _) in
            if value == "bad" { throw Refused() }
        }
        let problem = try Plain.adapter(["p": property]).problem(of: text)
        #expect(problem?.code == .validationFailed)
        #expect(problem?.pointer?.description == pointer)
    }
}
