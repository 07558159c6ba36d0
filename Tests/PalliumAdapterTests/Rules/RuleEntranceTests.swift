import Foundation
import ModelTestSupport
import Pallium
import Synchronization
import Testing

/// Rules are checked where the article says, and nowhere else.
struct RuleEntranceTests {
    private static let schema = ModelSchema(
        "Ticket",
        [
            "number": .integer.rules(.minimum(1)), "title": .string.rules(.maxLength(5)),
            "state": .string, "closedAt": .string,
        ]
    ).rules(.required(["closedAt"], when: ["state": "closed"]))

    private let registry: SchemaRegistry
    private let adapter: JSONAdapter<DynamicModel>

    init() throws {
        registry = try .of(Self.schema)
        adapter = try JSONAdapter(schema: Self.schema, registry: registry)
    }

    private static let brokenTexts = [
        (#"{"number": 0}"#, "/number"), (#"{"title": "longer"}"#, "/title"), (#"{"state": "closed"}"#, "/closedAt"),
    ]

    /// A model that breaks rules, as only single properties can make it.
    private func broken(_ values: [String: any PropertyValue]) throws -> DynamicModel {
        let model = DynamicModel(schema: Self.schema, registry: registry)
        for (key, value) in values { try model.setValue(value, forKey: key) }
        return model
    }

    @Test(arguments: brokenTexts) func decodingChecks(text: String, pointer: String) throws {
        let entrances = Entrances(adapter)
        #expect(places(entrances.problem(of: text)) == ["ruleBroken at \(pointer)"])
        #expect(
            places(problem { () throws(ModelError) in try adapter.models(from: "[\(text)]") }) == [
                "ruleBroken at /0\(pointer)"
            ])
    }

    @Test(arguments: brokenTexts) func streamsCheck(text: String, pointer: String) throws {
        let bytes = Array(#"{"number": 1}"#.utf8) + [10] + Array(text.utf8) + [10]
        var lines = adapter.models(fromLines: bytes.map { [$0] })
        #expect(try lines.next() != nil)
        let error = #expect(throws: ModelError.self) { try lines.next() }
        #expect(places(error) == ["ruleBroken at \(pointer)"])
        #expect(error?.location?.line == 2)
        var array = adapter.models(fromArray: Array("[{}, \(text)]".utf8).map { [$0] })
        #expect(try array.next() != nil)
        let second = #expect(throws: ModelError.self) { try array.next() }
        #expect(places(second) == ["ruleBroken at /1\(pointer)"])
    }

    private final class Coded: DynamicModel {
        static let schema = ModelSchema(
            Coded.self, ["n": .integer.rules(.minimum(1)), "m": .integer]
        ).rules(.before("n", "m"))
    }

    @Test func codableChecks() throws {
        let registry = try SchemaRegistry.of(Coded.schema)
        let decoder = JSONDecoder()
        decoder.userInfo[.schemaRegistry] = registry
        #expect(throws: Never.self) { try decoder.decode(Coded.self, from: Data(#"{"n": 1, "m": 2}"#.utf8)) }
        for text in [#"{"n": 0}"#, #"{"n": 1, "m": 1}"#] {
            let error = #expect(throws: (any Error).self) { try decoder.decode(Coded.self, from: Data(text.utf8)) }
            #expect("\(String(describing: error))".contains("expected"), "\(text)")
        }
    }

    @Test func modelsMadeOfValuesAreChecked() throws {
        func problem(_ values: [String: (any PropertyValue)?]) -> ModelError? {
            PalliumAdapterTests.problem { () throws(ModelError) in
                try DynamicModel(schema: Self.schema, values: values, registry: registry)
            }
        }
        #expect(problem(["number": 1, "title": "abcde", "state": "closed", "closedAt": "x"]) == nil)
        #expect(problem([:]) == nil)
        #expect(problem(["number": nil]) == nil)
        #expect(places(problem(["number": 0])) == ["ruleBroken at /number"])
        #expect(places(problem(["title": "abcdef"])) == ["ruleBroken at /title"])
        // Only the rules of the given properties are checked.
        #expect(problem(["state": "closed"]) == nil)
        #expect(
            Set(places(problem(["number": 0, "title": "abcdef"]))) == ["ruleBroken at /number", "ruleBroken at /title"])
    }

    @Test func settingAPropertyChecksNothingAndValidatingChangesNothing() throws {
        let model = try broken(["number": 0, "title": "abcdef", "state": "closed"])
        #expect(model["number", as: Int.self] == 0)
        let before = picture(of: model)
        let error = try #require(problem { () throws(ModelError) in try model.validate() })
        #expect(picture(of: model) == before)
        #expect(places(error).prefix(2) == ["ruleBroken at /number", "ruleBroken at /title"])
        model["number"] = 1
        model["title"] = "abc"
        #expect(places(problem { () throws(ModelError) in try model.validate() }) == ["ruleBroken at /closedAt"])
        model["closedAt"] = "now"
        try model.validate()
    }

    @Test func archivesAreCheckedWhenTheyAreWrittenAndRead() throws {
        for (values, pointer) in [
            (["number": 0] as [String: any PropertyValue], "/number"), (["title": "abcdef"], "/title"),
            (["state": "closed"], "/closedAt"),
        ] {
            let model = try broken(values)
            #expect(
                places(problem { () throws(ModelError) in try ModelArchiver().archive(model) }) == [
                    "ruleBroken at /objects/0\(pointer)"
                ])
            let bytes = try ModelArchiver(validates: false).archive(model)
            let reader = ModelUnarchiver(registry: registry)
            let error = problem { () throws(ModelError) in try reader.unarchive(Self.schema, from: bytes) }
            #expect(error?.code == .ruleBroken)
            #expect(error?.pointer?.description.hasSuffix(pointer) == true)
            let report = reader.report(Self.schema, from: bytes)
            #expect(report.models.isEmpty && report.problems.map(\.code) == [.ruleBroken])
            var options = ModelUnarchiverOptions()
            options.validation = .none
            let lenient = ModelUnarchiver(registry: registry, options: options)
            #expect(try lenient.unarchive(Self.schema, from: bytes) == model)
            options.validation = .report
            let telling = ModelUnarchiver(registry: registry, options: options).report(Self.schema, from: bytes)
            #expect(telling.models == [model] && telling.problems.map(\.code) == [.ruleBroken])
        }
        let good = try DynamicModel(schema: Self.schema, values: ["number": 1], registry: registry)
        #expect(try roundTrip(good, registry) == good)
    }

    @Test func aStricterRuleRefusesOldArchives() throws {
        let old = ModelSchema("Plain", ["n": .integer, "m": .array(of: .integer)])
        let bytes = try archived(old, ["n": 5, "m": [1, 2]])
        #expect(throws: Never.self) {
            try reopen(bytes, as: ModelSchema("Plain", ["n": .integer.rules(.minimum(5)), "m": .array(of: .integer)]))
        }
        for strict in [
            ModelSchema("Plain", ["n": .integer.rules(.minimum(6)), "m": .array(of: .integer)]),
            ModelSchema("Plain", ["n": .integer, "m": .array(of: .integer.rules(.maximum(1)))]),
            ModelSchema("Plain", ["n": .integer, "m": .array(of: .integer)]).rules(.exactlyOneOf(["n", "m"])),
        ] {
            let error = #expect(throws: ModelError.self) { try reopen(bytes, as: strict) }
            #expect(error?.code == .ruleBroken)
        }
    }

    @Test func importsCheckAndLeaveTheMapAsItWas() throws {
        let schema = ModelSchema(
            "Item", ["id": .integer, "n": .integer.rules(.minimum(1)), "m": .integer], identity: ["id"]
        )
        .rules(.before("n", "m"))
        let registry = try SchemaRegistry.of(schema)
        let adapter = try JSONAdapter(schema: schema, registry: registry)
        let map = IdentityMap()
        let item = try #require(try map.import(#"{"id": 7, "n": 1, "m": 5}"#, using: adapter).first)
        for (text, pointer) in [
            (#"{"id": 7, "n": 0}"#, "/n"), (#"{"id": 7, "n": 5}"#, "/n"), (#"{"id": 7, "m": 1}"#, "/n"),
            (#"{"id": 8, "n": -1}"#, "/n"),
        ] {
            let error = problem { () throws(ModelError) in try map.import(text, using: adapter) }
            #expect(places(error) == ["ruleBroken at \(pointer)"], "\(text)")
            #expect(item.values["n"] as? Int == 1 && item.values["m"] as? Int == 5, "\(text)")
        }
        #expect(try map.import(#"{"id": 7, "n": 4}"#, using: adapter).first === item)
        #expect(item["n", as: Int.self] == 4)
    }

    private final class Log: Sendable {
        private let entries = Mutex<[String]>([])
        var all: [String] { entries.withLock { $0 } }
        func add(_ entry: String) { entries.withLock { $0.append(entry) } }
    }

    @Test func validatorsComeBeforeRulesAndThoseBeforeSwiftRules() throws {
        let log = Log()
        let schema = ModelSchema(
            "Plain",
            [
                "a": .string.rules(.maxLength(3)).validate { (text: inout String?, _) in
                    log.add("validator")
                    text = text.map { $0.trimmingCharacters(in: .whitespaces) }
                },
                "b": .integer, "c": .integer,
            ]
        ).rules(.before("b", "c")).validate { _ in log.add("swift") }
        let registry = try SchemaRegistry.of(schema)
        let adapter = try JSONAdapter(schema: schema, registry: registry)
        // The rule sees what the validator corrected.
        #expect(try adapter.model(from: #"{"a": "   abc   "}"#)["a", as: String.self] == "abc")
        #expect(log.all == ["validator", "swift"])
        #expect(
            places(problem { () throws(ModelError) in try adapter.model(from: #"{"a": "abcd"}"#) }) == [
                "ruleBroken at /a"
            ])
        #expect(log.all == ["validator", "swift", "validator"])
        // Rules about several properties come after those of single ones.
        #expect(
            places(problem { () throws(ModelError) in try adapter.model(from: #"{"a": "abcd", "b": 2, "c": 1}"#) })
                .first == "ruleBroken at /a")
        // A Swift rule does not run where a rule about several properties is broken.
        #expect(problem { () throws(ModelError) in try adapter.model(from: #"{"b": 2, "c": 1}"#) }?.code == .ruleBroken)
        #expect(log.all.filter { $0 == "swift" }.count == 1)
        let model = DynamicModel(schema: schema, registry: registry)
        model["a"] = "  x  "
        (model["b"], model["c"]) = (1, 1)
        #expect(problem { () throws(ModelError) in try model.validate() }?.code == .ruleBroken)
        // Corrections are undone when something is broken.
        #expect(model["a", as: String.self] == "  x  ")
    }
}
