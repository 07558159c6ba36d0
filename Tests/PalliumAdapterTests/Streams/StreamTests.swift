import Foundation
import ModelTestSupport
import Pallium
import Testing

/// What streams hand out, refuse and hold.
struct StreamTests {
    private func adapter(
        _ change: (inout JSONAdapterOptions) -> Void = { _ in }
    ) throws -> JSONAdapter<DynamicModel> {
        try Plain.adapter(["id": .integer.required, "tags": .array(of: .string)], options: .with(change)).adapter
    }

    private func chunks(_ text: String) -> [[UInt8]] { Array(text.utf8).singly }

    private func ids(_ models: [DynamicModel]) -> [Int?] { models.map { $0.value("id") } }

    // MARK: Lines

    @Test func everyLineIsAModel() throws {
        let text = "{\"id\":1}\n\n  \r\n{\"id\":2}\r\n{\"id\":3}"
        #expect(ids(try adapter().models(fromLines: Data(text.utf8))) == [1, 2, 3])
        #expect(try adapter().models(fromLines: Data()).isEmpty)
    }

    @Test func linesInMemoryMayBeText() throws {
        let text = "{\"id\":1}\n{\"id\":true}\n[{\"id\":3}]\n"
        let adapter = try adapter { $0.elements = .skip }
        #expect(ids(try adapter.models(fromLines: text)) == [1])
        #expect(ids(try adapter.models(fromLines: text.dropFirst(9))) == [])
        let reports = Array(adapter.models(fromLines: [Data(text.utf8)]).reports)
        #expect(reports.map { ids($0.models) } == [[1], [], [3]])
        #expect(reports.map { $0.problems.count } == [0, 1, 0])
    }

    @Test func problemsOfLinesHaveThePlaceInTheStream() throws {
        let text = "{\"id\":1}\n\n{\"id\":\"2\"}\n"
        let problem = #expect(throws: ModelError.self) { try adapter().models(fromLines: Data(text.utf8)) }
        #expect(problem?.description == #"expected an integer but found "2" at /id (3:7)"#)
        #expect(problem?.location?.byteOffset == 16)
    }

    @Test func modelsBeforeTheProblemAreHandedOutAndNothingAfterIt() throws {
        var stream = try adapter().models(fromLines: chunks("{\"id\":1}\n{\"id\":x}\n{\"id\":3}\n"))
        let first = try #require(try stream.next())
        #expect(throws: ModelError.self) { try stream.next() }
        #expect(try stream.next() == nil)
        #expect(ids([first]) == [1])
    }

    @Test func brokenLinesAreLeftOutWhereThePolicySaysSo() throws {
        let text = "{\"id\":1}\n{\"id\":\n[]\nnull\n{}\n{\"id\":2,\"tags\":[1,\"a\"]}\n"
        let models = try adapter { $0.elements = .skip }.models(fromLines: Data(text.utf8))
        #expect(ids(models) == [1, 2])
        let tags: [String]? = models.last?.value("tags")
        #expect(tags == ["a"])
    }

    @Test func reportsTellEveryProblemOfEveryLine() throws {
        let text = "{\"id\":1,\"tags\":[5,true]}\n{\"id\":\n[{\"id\":2},{}]\n{\"id\":3}"
        let reports = Array(try adapter().models(fromLines: chunks(text)).reports)
        #expect(reports.map { ids($0.models) } == [[1], [], [2], [3]])
        #expect(reports.map(\.isArray) == [false, false, true, false])
        #expect(reports.map { $0.location?.line } == [1, 2, 3, 4])
        #expect(
            reports.flatMap(\.problems).map(\.description) == [
                "expected a string but found the number 5 at /tags/0 (1:17)",
                "expected a string but found true at /tags/1 (1:19)",
                "expected a value but found the end of the text at /id (2:7)",
                #"expected the member "id" of Plain but found none at /1 (3:11)"#,
            ])
    }

    /// A line that only has unknown members is not decoded twice. That changes nothing.
    @Test(
        arguments: [
            #"{"id":1,"ids":2}"#, #"{"x":{},"id":1,"x":2,"y":3}"#, #"{"id":1,"user":{"login":"a","name":1},"z":null}"#,
            #"{"id":1,"user":{"name":1},"kids":[{"id":2,"x":1},{"id":"q","y":1},{"z":2}]}"#, #"{"x":1,"id":"a","y":2}"#,
            #"{"x":1}"#, #"{"id":1,"x":[1,"#, #"{"id":1,"x":tru}"#, #"{"id":1,"x":1} {"#,
            #"{"id":1,"a":1,"b":2,"c":3,"d":4}"#,
            #"{"id":1,"later":1,"x":{"y":[2]},"first":"l"}"#, #"{"id":-1,"x":2}"#,
        ], [JSONAdapterOptions.ElementPolicy.fail, .skip])
    func unknownMembersOfALineAreThoseOfTheDocument(text: String, policy: JSONAdapterOptions.ElementPolicy) throws {
        let adapter = try Plain.adapter(
            [
                "id": .integer.rules(.minimum(0)).required, "login": .string.json("user.login"),
                "kids": .array(of: .model("Plain")), "name": .string.json(firstOf: ["first", "later.x"]),
            ],
            options: .with {
                $0.unknownMembers = .refuse
                $0.elements = policy
                $0.maximumProblems = 3
            }
        ).adapter
        let bytes = Array(text.utf8)
        let expected = adapter.reportOutcome(ofWholeArray: bytes)
        #expect(adapter.reportOutcome(ofLines: [bytes]) == expected)
        // As the only element of an array, but for the place.
        let array = adapter.reportOutcome(ofArray: [[UInt8(ascii: "[")] + bytes + [UInt8(ascii: "]")]])
        if expected.problems.allSatisfy({ $0.code == .unknownMember }) {
            #expect(array.models == expected.models)
            #expect(array.problems.map(\.found) == expected.problems.map(\.found))
        }
    }

    @Test func aLineMayHaveAsManyBytesAsTheOptionsSay() throws {
        let text = "{\"id\":1}\n{\"id\": 2}\n{\"id\":3}\n" + String(repeating: " ", count: 100)
        let adapter = try adapter { $0.maximumElementBytes = 8 }
        for chunks in [[Array(text.utf8)], chunks(text)] {
            let reports = Array(adapter.models(fromLines: chunks).reports)
            #expect(reports.map { $0.problems.map(\.code) } == [[], [.limitExceeded], [], [.limitExceeded]])
            #expect(
                reports[1].problems.first?.description
                    == "expected an element of at most 8 bytes but found more at the root (2:1)")
            #expect(ids(reports.flatMap(\.models)) == [1, 3])
        }
    }

    // MARK: Arrays

    @Test func elementsAreHandedOutAsSoonAsTheirEndHasCome() throws {
        var taken = 0
        let bytes = Array("[{\"id\":1}, {\"id\":2} ]".utf8)
        let lazily = bytes.lazy.map { byte in
            taken += 1
            return [byte]
        }
        var stream = try adapter().models(fromArray: lazily)
        #expect(taken == 0)
        #expect(ids([try #require(try stream.next())]) == [1])
        #expect(taken == 10)
        #expect(ids([try #require(try stream.next())]) == [2])
        #expect(try stream.next() == nil)
        #expect(taken == bytes.count)
    }

    @Test func reportsGoOnBehindABadElementUpToBrokenText() throws {
        let text = "[{\"id\":1},\n {\"id\":\"x\",\"tags\":[1]}, 7, {\"id\":2},{\"x\":tru},{\"id\":3}]"
        let reports = Array(try adapter().models(fromArray: chunks(text)).reports)
        #expect(reports.map { ids($0.models) } == [[1], [], [], [2], []])
        #expect(
            reports.flatMap(\.problems).map(\.description) == [
                #"expected an integer but found "x" at /1/id (2:8)"#,
                "expected a string but found the number 1 at /1/tags/0 (2:20)",
                "expected an object but found the number 7 at /2 (2:25)",
                "expected true but found '}' at /4 (2:45)",
            ])
        #expect(reports.map { $0.location?.column } == [2, 2, 25, 28, 37])
        #expect(reports.allSatisfy { !$0.isArray })
    }

    @Test(.threat(.hugeInput, .memoryBlowUp)) func anEndlessElementIsRefusedWithoutWaitingForItsEnd() throws {
        let adapter = try adapter { $0.maximumElementBytes = 1000 }
        for start in ["[{\"id\":1},{\"id\":\"", "[{\"id\":1},[[[", "[{\"id\":1}, ", "[{\"id\":1},1"] {
            var count = 0
            let endless = sequence(first: Array(start.utf8)) { _ in
                count += 1
                return [UInt8](repeating: start.hasSuffix("1") ? 0x31 : 0x20, count: 64)
            }
            let outcome = adapter.outcome(ofArray: endless)
            #expect(outcome.models.count == 1)
            #expect(
                outcome.problems.map(\.description) == [
                    "expected an element of at most 1000 bytes but found more at /1 (1:11)"
                ])
            #expect(count < 20)
        }
    }

    @Test func aLimitDoesNotDependOnTheCuts() throws {
        let adapter = try adapter { $0.maximumElementBytes = 11 }
        let text = Array("[{\"id\":1},{\"id\":12345},{\"id\":3}]".utf8)
        let expected = adapter.outcome(ofArray: [text])
        #expect(expected.problems.map(\.code) == [.limitExceeded])
        for chunks in text.cutOnce { #expect(adapter.outcome(ofArray: chunks) == expected) }
    }

    @Test func whatComesFirstInARootThatIsNoArrayIsEnough() throws {
        let endless = sequence(first: Array("{\"id\":".utf8)) { _ in [0x20] }
        let outcome = try adapter().outcome(ofArray: endless)
        #expect(
            outcome.problems.map(\.description) == ["expected an array but found an object at the root (1:1)"])
    }

    @Test func anEndlessRootThatIsNoArrayIsRefusedWithoutWaitingForItsEnd() throws {
        let adapter = try adapter { $0.maximumElementBytes = 1000 }
        for start in ["\"", "1", "\"x"] {
            let endless = sequence(first: Array(start.utf8)) { _ in [UInt8](repeating: 0x31, count: 64) }
            let outcome = adapter.outcome(ofArray: endless)
            #expect(
                outcome.problems.map(\.description) == [
                    "expected an element of at most 1000 bytes but found more at the root (1:1)"
                ])
        }
        let short = adapter.outcome(ofArray: [Array("\"x".utf8), Array("y\"".utf8)])
        #expect(short.problems.map(\.description) == [#"expected an array but found "xy" at the root (1:1)"#])
    }

    @Test func depthCountsTheArrayItself() throws {
        let flat = try self.adapter { $0.reading.maximumDepth = 0 }
        #expect(flat.outcome(ofArray: chunks("[]")) == flat.outcome(ofWholeArray: Array("[]".utf8)))
        #expect(flat.outcome(ofArray: chunks("[]")).problems.map(\.code) == [.limitExceeded])
        let shallow = try self.adapter { $0.reading.maximumDepth = 1 }
        for text in ["[]", "[{}]", "[{\"id\":1}]", "\u{FEFF}[]", "{}", "7", "", " "] {
            #expect(
                shallow.outcome(ofArray: chunks(text)) == shallow.outcome(ofWholeArray: Array(text.utf8)), "\(text)")
        }
        #expect(shallow.outcome(ofArray: chunks("[]")).problems.isEmpty)
        let adapter = try adapter { $0.reading.maximumDepth = 3 }
        for text in ["[{\"id\":1,\"x\":[]}]", "[{\"id\":1,\"x\":[[]]}]"] {
            #expect(
                adapter.outcome(ofArray: chunks(text)) == adapter.outcome(ofWholeArray: Array(text.utf8)), "\(text)")
        }
    }

    @Test func chunksLargerThanAPieceAreTakenWhole() throws {
        let element = #"{"id":1,"tags":["\#(String(repeating: "é", count: 70_000))"]}"#
        let text = "[" + Array(repeating: element, count: 3).joined(separator: ",") + "]"
        #expect(try adapter().outcome(ofArray: [Array(text.utf8)]).models.count == 3)
    }
}
