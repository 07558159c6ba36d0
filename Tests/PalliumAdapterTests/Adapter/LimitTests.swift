import Foundation
import ModelTestSupport
import Pallium
import Testing

/// Limits of documents, and models as deep as they allow.
struct LimitTests {
    /// A chain of nodes: `depth` objects in one another.
    private static func chain(_ depth: Int) -> String {
        String(repeating: #"{"next":"#, count: depth - 1) + "{}" + String(repeating: "}", count: depth - 1)
    }

    @Test(.threat(.deepNesting)) func theDepthLimitIsExact() throws {
        let adapter = try entrances(Node.self)
        let text = Self.chain(512)
        let model = try adapter.adapter.model(from: text)
        #expect(try adapter.text(of: model) == text)
        let problem = #expect(throws: ModelError.self) { try adapter.adapter.model(from: Self.chain(513)) }
        #expect(problem?.code == .limitExceeded)
        #expect(problem?.category == .malformedInput)
        // Trees have the same limit.
        let tree = try JSONValue(parsing: text)
        #expect(throws: Never.self) { try adapter.adapter.model(from: tree) }
        let deeper = JSONValue.object(["next": tree])
        let treeProblem = #expect(throws: ModelError.self) { try adapter.adapter.model(from: deeper) }
        #expect(treeProblem?.code == .limitExceeded)
        #expect(adapter.adapter.report(from: deeper).problems.map(\.code) == [.limitExceeded])
        #expect(adapter.adapter.report(from: Array(Self.chain(513).utf8)).problems.map(\.code) == [.limitExceeded])
    }

    @Test(.threat(.deepNesting)) func dictionariesHaveTheSameLimit() throws {
        func nested(_ depth: Int) -> [String: Any] { (1..<depth).reduce([:]) { inner, _ in ["next": inner] } }
        let adapter = try entrances(Node.self).adapter
        #expect(throws: Never.self) { try adapter.model(from: nested(512)) }
        let problem = #expect(throws: ModelError.self) { try adapter.model(from: nested(513)) }
        #expect(problem?.code == .limitExceeded)
    }

    @Test(.threat(.deepNesting)) func containersInADictionaryCountInEveryEntrance() throws {
        let adapter = try Plain.adapter(["json": .jsonValue], options: .with { $0.reading.maximumDepth = 4 }).adapter
        let arrays: [String: Any] = ["json": [[[[] as [Any]] as [Any]] as [Any]] as [Any]]
        let objects: [String: Any] = ["json": ["a": ["a": ["a": [:] as [String: Any]]]]]
        for document in [arrays, objects] {
            #expect(throws: ModelError.self) { try adapter.model(from: document) }
            #expect(adapter.report(from: document).problems.map(\.code) == [.limitExceeded])
        }
        let allowed: [String: Any] = ["json": ["a": [[] as [Any]] as [Any]]]
        #expect(adapter.report(from: allowed).problems.isEmpty)
    }

    @Test(.threat(.deepNesting)) func everyContainerCounts() throws {
        let adapter = try Plain.adapter(
            [
                "list": .array(of: .dictionary(of: .array(of: .integer))), "deep": .integer.json("a.b.c"),
                "json": .jsonValue,
            ],
            options: .with { $0.reading.maximumDepth = 4 })
        #expect(throws: Never.self) {
            try adapter.model(from: #"{"list":[{"k":[1]}],"json":[[[]]],"a":{"b":{"c":1}}}"#)
        }
        #expect(adapter.bytesOnly.problem(of: #"{"json":[[[[]]]]}"#)?.code == .limitExceeded)
        #expect(adapter.bytesOnly.problem(of: #"{"unknown":[[[[]]]]}"#)?.code == .limitExceeded)
    }

    /// The arguments are short because they are printed.
    @Test(
        .threat(.deepNesting),
        arguments: [
            ("", #"{"next":"#), ("", #"{"x":"#), (#"{"x":"#, "["), ("", "["), (#"{"next":"#, "["),
        ]) func hostileDepthIsRefusedOnASmallStack(start: String, repeated: String) throws
    {
        let text = start + String(repeating: repeated, count: 100_000)
        let registry = try SchemaRegistry.ofFixtures()
        let failures = Journal()
        for unknown in JSONAdapterOptions.UnknownMembers.allCases {
            let adapter = JSONAdapter(Node.self, registry: registry, options: .with { $0.unknownMembers = unknown })
            onStack(kilobytes: 64) {
                do {
                    _ = try adapter.model(from: text)
                    failures.add("decoded")
                } catch {}
                if adapter.report(from: Array(text.utf8)).problems.isEmpty { failures.add("no problem") }
            }
        }
        #expect(failures.all == [])
    }

    /// No option makes a document deep enough to overflow the smallest stack of threads.
    @Test(
        .threat(.deepNesting),
        arguments: [
            (#"{"next":"#, "{}", "}"), (#"{"x":"#, "1", "}"), ("[", "", "]"),
        ]) func noOptionAllowsHostileDepth(opening: String, inner: String, closing: String) throws
    {
        let registry = try SchemaRegistry.ofFixtures()
        let failures = Journal()
        for count in [1000, 1025, 100_000] {
            let text =
                #"{"x":"# + String(repeating: opening, count: count) + inner
                + String(repeating: closing, count: count) + "}"
            for unknown in JSONAdapterOptions.UnknownMembers.allCases where unknown != .refuse {
                let options = JSONAdapterOptions.with {
                    $0.unknownMembers = unknown
                    ($0.reading.maximumDepth, $0.writing.maximumDepth) = (.max, .max)
                }
                let adapter = JSONAdapter(Node.self, registry: registry, options: options)
                onStack {
                    let problems = adapter.report(from: Array(text.utf8)).problems
                    if problems.map(\.code) != (count > 1024 ? [.limitExceeded] : []) { failures.add("\(problems)") }
                    guard count < 1024, let model = try? adapter.model(from: text) else { return }
                    let isKept = (try? adapter.data(from: model)) == Data(text.utf8)
                    if unknown == .keep, !isKept { failures.add("another text") }
                }
            }
        }
        #expect(failures.all == [])
    }

    @Test(.threat(.deepGraphs)) func noOptionMakesATreeThatOverflowsTheStack() throws {
        let registry = try SchemaRegistry.ofFixtures()
        let adapter = JSONAdapter(
            Node.self, registry: registry, options: .with { $0.writing.maximumDepth = .max })
        let failures = Journal()
        onStack {
            var model = Node(registry: registry)
            for _ in 0..<100_000 {
                let outer = Node(registry: registry)
                outer.next = model
                model = outer
            }
            do throws(ModelError) {
                _ = try adapter.jsonValue(from: model)
                failures.add("a tree")
            } catch { if error.code != .limitExceeded { failures.add("\(error)") } }
        }
        #expect(failures.all == [])
    }

    @Test func deepModelsNeedLittleStack() throws {
        let adapter = JSONAdapter(Node.self, registry: try .ofFixtures())
        let failures = Journal()
        let text = Self.chain(500)
        for kilobytes in [64, 128, 512] {
            onStack(kilobytes: kilobytes) {
                do {
                    let model = try adapter.model(from: text)
                    if try adapter.data(from: model) != Data(text.utf8) { failures.add("another text") }
                } catch { failures.add("\(error)") }
            }
        }
        #expect(failures.all == [])
    }

    @Test func manyThreadsDecodeDeepModelsWithOneAdapter() throws {
        let adapter = JSONAdapter(Node.self, registry: try .ofFixtures())
        let bytes = Array(Self.chain(300).utf8)
        let failures = Journal()
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for _ in 0..<5 {
                do {
                    if try [UInt8](adapter.data(from: adapter.model(from: bytes))) != bytes {
                        failures.add("another text")
                    }
                } catch { failures.add("\(error)") }
            }
        }
        #expect(failures.all == [])
    }

    @Test(
        .threat(.hugeInput),
        arguments: [
            (#"{"s":"123456789"}"#, "string"), (#"{"123456789":1}"#, "name"), (#"{"i":123456789}"#, "number"),
            (#"{"l":[1,2,3,4,5,6,7,8,9]}"#, "values"),
            (#"{"s":"1","u":"2","v":"3","i":1,"l":[]          }"#, "document"),
            (#"{"unknown":"123456789"}"#, "string"), (#"{"unknown":123456789}"#, "number"),
        ]) func everyLimitHoldsForReadAndSkippedValues(text: String, what: String) throws
    {
        let adapter = try Plain.adapter(
            ["s": .string, "i": .integer, "l": .array(of: .integer)],
            options: .with {
                $0.reading.maximumStringBytes = 8
                $0.reading.maximumNameBytes = 8
                $0.reading.maximumNumberCharacters = 8
                $0.reading.maximumValues = 9
                $0.reading.maximumDocumentBytes = 40
            }
        ).bytesOnly
        #expect(adapter.problem(of: text)?.code == .limitExceeded, "\(what)")
    }

    /// An object of two bytes makes a model of any size, so the properties of models count as values.
    @Test(.threat(.hugeInput), arguments: [10, 11]) func propertiesOfModelsCountAsValues(count: Int) throws {
        let registry = SchemaRegistry()
        var wide = ModelSchema("Wide", ["inner": .array(of: .model("Wide")), "one": .model("Wide")])
        wide.properties += (0..<98).map { .init("p\($0)", .string) }
        try registry.register(wide)
        let adapter = try JSONAdapter(
            schema: wide, registry: registry, options: .with { $0.reading.maximumValues = 1000 })
        let objects = Array(repeating: "{}", count: count - 1).joined(separator: ",")
        let list = #"{"inner":[\#(objects)]}"#
        let chain = String(repeating: #"{"one":"#, count: count - 1) + "{}" + String(repeating: "}", count: count - 1)
        func check(_ name: String, _ body: () throws -> Void) {
            var error: ModelError?
            do { try body() } catch let problem { error = problem as? ModelError }
            #expect(error?.code == (count > 10 ? .limitExceeded : nil), "\(name)")
            #expect(error.map { $0.expected == "at most 1000 values" } ?? true)
        }
        for (name, text) in [("list", list), ("chain", chain)] {
            check(name) { _ = try adapter.model(from: text) }
            check("\(name) in a tree") { _ = try adapter.model(from: JSONValue(parsing: text)) }
            check("\(name) in a report") {
                if let problem = adapter.report(from: text).problems.first { throw problem }
            }
        }
        check("an array") { _ = try adapter.models(from: "[{},\(objects)]") }
        // Each line and each element of a stream has a limit of its own.
        var lines = adapter.models(fromLines: [Array(String(repeating: "{}\n", count: count * 2).utf8)])
        for _ in 0..<count * 2 { _ = try #require(try lines.next()) }
    }

    @Test(.threat(.deepNesting, .readerWriterDepth)) func theWriterHasTheReadersLimit() throws {
        let registry = try SchemaRegistry.ofFixtures()
        var model = Node(registry: registry)
        for _ in 1..<513 {
            let outer = Node(registry: registry)
            outer.next = model
            model = outer
        }
        let adapter = JSONAdapter(Node.self, registry: registry)
        let problem = #expect(throws: ModelError.self) { try adapter.data(from: model) }
        #expect(problem?.code == .depthLimit)
        let inner = try #require(model.next)
        #expect(throws: Never.self) { try adapter.model(from: adapter.data(from: inner)) }
    }

    @Test(.threat(.readerWriterDepth), arguments: [510, 511, 512]) func pathsThatHoldNothingTakeNoLevel(depth: Int)
        throws
    {
        let schema = ModelSchema(
            "Deep", ["next": .model("Deep"), "x": .string.json("meta.inner.x"), "y": .string.json("meta.y")])
        let adapter = Entrances(try JSONAdapter(schema: schema, registry: .of(schema)))
        for end in [#"{"meta":{"inner":{"x":"a"}}}"#, #"{"meta":{"y":"b"}}"#, "{}"] {
            let own = end.filter { $0 == "{" }.count
            let text =
                String(repeating: #"{"next":"#, count: depth - own) + end + String(repeating: "}", count: depth - own)
            #expect(try adapter.text(of: adapter.adapter.model(from: text)) == text)
        }
    }

    @Test(.threat(.readerWriterDepth)) func theLevelsOfAValueCountWithThoseAroundIt() throws {
        let adapter = try Plain.adapter(["j": .jsonValue, "l": .array(of: .jsonValue)]).adapter
        func nested(_ depth: Int) -> JSONValue { (1..<depth).reduce([]) { inner, _ in [inner] } }
        let model = try adapter.model(from: JSONValue.object(["j": nested(511)]))
        #expect(throws: Never.self) { try adapter.model(from: adapter.data(from: model)) }
        model["j"] = nested(512)
        let problem = #expect(throws: ModelError.self) { try adapter.data(from: model) }
        #expect(problem?.code == .depthLimit)
        #expect(problem?.pointer?.description == "/j")
    }

    /// Also where your code sees the written object, which is then read again.
    @Test(.threat(.readerWriterDepth), arguments: [false, true])
    func theWriterMayHaveALargerLimitThanTheReader(hasHook: Bool) throws {
        let adapter = try Plain.adapter(
            ["j": .jsonValue],
            options: .with {
                $0.writing.maximumDepth = 700
                if hasHook { $0.didWrite = { _, object in object["seen"] = true } }
            }
        ).adapter
        func nested(_ depth: Int) -> JSONValue { (1..<depth).reduce([]) { inner, _ in [inner] } }
        let model = try adapter.model(from: "{}")
        model["j"] = nested(699)
        #expect(try adapter.data(from: model).count > 2 * 699)
        model["j"] = nested(700)
        let problem = #expect(throws: ModelError.self) { try adapter.data(from: model) }
        #expect(problem?.code == .depthLimit)
    }

    @Test(.threat(.readerWriterDepth)) func theLimitIsToldAsTheOptionsSayIt() throws {
        let schema = ModelSchema("Deep", ["next": .model("Deep"), "x": .string.json("meta.x")])
        let adapter = try JSONAdapter(
            schema: schema, registry: .of(schema), options: .with { $0.writing.maximumDepth = 3 })
        let deep = try adapter.model(from: #"{"next":{"next":{"meta":{"x":"a"}}}}"#)
        let problem = #expect(throws: ModelError.self) { try adapter.data(from: deep) }
        #expect(problem?.description == "expected at most 3 levels but found more at /next/next/meta")
        let fits = try #require(deep["next", as: DynamicModel.self])
        #expect(throws: Never.self) { try adapter.data(from: fits) }
        let inList = #expect(throws: ModelError.self) { try adapter.data(from: [fits]) }
        #expect(inList?.description == "expected at most 3 levels but found more at /0/next/meta")
    }

    @Test(.threat(.readerWriterDepth)) func whatWasKeptIsToldByItsNameWhereItIsTooDeep() throws {
        let schema = ModelSchema("Deep", ["next": .model("Deep"), "x": .string.json("meta.x")])
        let adapter = try JSONAdapter(
            schema: schema, registry: .of(schema),
            options: .with {
                $0.unknownMembers = .keep
                $0.writing.maximumDepth = 3
            })
        for (text, pointer) in [
            (#"{"next":{"a":1,"deep":[[]],"z":1}}"#, "/next/deep"), (#"{"meta":{"x":"1","deep":[[]]}}"#, "/meta/deep"),
            (#"{"next":{"next":{"meta":{"a":1}}}}"#, "/next/next/meta"),
        ] {
            let problem = #expect(throws: ModelError.self) { try adapter.data(from: adapter.model(from: text)) }
            #expect(problem?.code == .depthLimit)
            #expect(problem?.pointer?.description == pointer)
        }
    }

    @Test(.threat(.readerWriterDepth)) func aRequiredValueIsMissedWhereItsObjectWouldBeTooDeep() throws {
        let schema = ModelSchema("Deep", ["x": .string.json("meta.x").required])
        let registry = try SchemaRegistry.of(schema)
        let adapter = try JSONAdapter(
            schema: schema, registry: registry, options: .with { $0.writing.maximumDepth = 1 })
        let deep = DynamicModel(schema: schema, registry: registry)
        let problem = #expect(throws: ModelError.self) { try adapter.data(from: deep) }
        #expect(problem?.code == .missingProperty)
        #expect(problem?.pointer?.description == "/meta/x")
        deep["x"] = "a"
        let tooDeep = #expect(throws: ModelError.self) { try adapter.data(from: deep) }
        #expect(tooDeep?.code == .depthLimit)
        #expect(tooDeep?.pointer?.description == "/meta")
    }

    @Test func aLongListOfManyShortModels() throws {
        let adapter = try entrances(TestModel.self)
        let text = "[" + (0..<5000).map { #"{"username":"u\#($0)","count":"\#($0)"}"# }.joined(separator: ",") + "]"
        let models = try adapter.adapter.models(from: text)
        #expect(models.count == 5000)
        #expect(models.last?.count == 4999)
        #expect(String(decoding: try adapter.adapter.data(from: models), as: UTF8.self) == text)
    }

    @Test(.threat(.loneSurrogates)) func halvesOfSurrogatePairsAreReplacedWhenAskedFor() throws {
        let properties: KeyValuePairs<String, PropertySchema> = ["a": .string, "m": .dictionary(of: .integer)]
        let text = #"{"a":"x\ud800","m":{"\udc00":1}}"#
        #expect(try Plain.adapter(properties).bytesOnly.problem(of: text)?.code == .malformedJSON)
        let replacing = try Plain.adapter(properties, options: .with { $0.reading.loneSurrogates = .replace }).bytesOnly
        #expect(try replacing.roundTrip(text) == "{\"a\":\"x\u{FFFD}\",\"m\":{\"\u{FFFD}\":1}}")
    }

    @Test(.threat(.otherEncodings)) func aByteOrderMarkIsAccepted() throws {
        let adapter = try Plain.adapter(["a": .integer]).bytesOnly
        #expect(try adapter.roundTrip("\u{FEFF}{\"a\":1}") == #"{"a":1}"#)
    }
}
