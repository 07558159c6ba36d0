import Foundation
import Pallium
import PalliumCore
import ModelTestSupport
import Testing

/// Archives for readers that have an earlier version of a schema: what single steps do backwards, and what they refuse.
@Suite struct FormerVersionTests {
    @Test(arguments: SchemaChange.described + SchemaChange.coded)
    func aFormerReaderGetsWhatItWouldHaveWritten(change: SchemaChange) throws {
        let (former, present) = (try change.registry(change.former), try change.registry(change.present))
        let model = try JSONAdapter(schema: change.present, registry: present).model(from: change.presentText)
        let expected = try JSONAdapter(schema: change.former, registry: former).model(from: change.formerText)
        let bytes = try ModelArchiver(targetVersions: ["Record": 1]).archive(model)
        let read = try ModelUnarchiver(registry: former).unarchive(change.former, from: bytes)
        #expect(picture(of: read) == picture(of: expected))
        guard change.keepsEverything else { return }
        // Programs with the present schema read the archive, too.
        let again = try ModelUnarchiver(registry: present).unarchive(change.present, from: bytes)
        #expect(picture(of: again) == picture(of: model))
    }

    /// A schema of version 3 with two steps.
    private static func record(
        _ first: SchemaUpgrade, _ second: SchemaUpgrade, _ properties: KeyValuePairs<String, PropertySchema>
    ) -> ModelSchema {
        var schema = ModelSchema("Record", properties, version: 3)
        schema.upgrades = [first, second]
        return schema
    }

    private func archive(
        _ schema: ModelSchema, _ values: [String: (any PropertyValue)?] = [:], targets: [String: Int],
        to file: URL? = nil
    ) throws -> Data {
        let registry = try SchemaRegistry.of(schema, transformers: SchemaChange.transformers)
        let model = try DynamicModel(schema: schema, values: values, registry: registry)
        guard let file else { return try ModelArchiver(targetVersions: targets).archive(model) }
        try ModelArchiver(targetVersions: targets).write(model, to: file)
        return Data()
    }

    // MARK: Targets

    @Test func onlyTheStepsAfterTheTargetRun() throws {
        let schema = Self.record(
            SchemaUpgrade(from: 1, removed: ["gone"]), SchemaUpgrade(from: 2, renamed: ["b": "c"]), ["c": .string])
        let bytes = try archive(schema, ["c": "x"], targets: ["Record": 2])
        let former = ModelSchema("Record", ["b": .string], version: 2)
        #expect(try reopen(bytes, as: former)["b", as: String.self] == "x")
    }

    @Test func withoutAnEarlierTargetTheBytesAreTheSame() throws {
        let schema = Self.record(SchemaUpgrade(from: 1), SchemaUpgrade(from: 2, removed: ["a"]), ["c": .string])
        let registry = try SchemaRegistry.of(schema, ModelSchema("Other", [:]))
        let model = try DynamicModel(schema: schema, values: ["c": "x"], registry: registry)
        let plain = try ModelArchiver().archive(model)
        for targets in [[:], ["Record": 3], ["Other": 1], ["Record": 3, "Other": 1]] {
            #expect(try ModelArchiver(targetVersions: targets).archive(model) == plain)
        }
        #expect(try ModelArchiver(targetVersions: ["Record": 1]).archive([]) == ModelArchiver().archive([]))
    }

    @Test func copiesWithoutEndAreRefused() throws {
        let registry = SchemaRegistry()
        var node = ModelSchema("Node", ["peer": .model("Node"), "depth": .integer], version: 2)
        node.upgrades = [
            SchemaUpgrade(from: 1) { _ in
            } downgrade: { node in
                guard var peer = node["peer"]?.model else { return }
                peer["depth"] = .integer(1)
                node["peer"] = .model(peer)
            }
        ]
        try registry.register(node)
        let first = DynamicModel(schema: node, registry: registry)
        let second = DynamicModel(schema: node, registry: registry)
        try first.setValue(second, forKey: "peer")
        try second.setValue(first, forKey: "peer")
        let error = #expect(throws: ModelError.self) {
            try ModelArchiver(targetVersions: ["Node": 1]).archive(first)
        }
        #expect(error?.code == .limitExceeded)
    }

    @Test func aTargetThatDoesNotExistIsRefused() throws {
        var schema = ModelSchema("Record", ["c": .string], version: 3)
        schema.upgrades = [SchemaUpgrade(from: 2)]
        let rows: [([String: Int], ModelError.Code, String)] = [
            (
                ["Recrod": 2], .unknownSchema,
                #"expected the name of a registered schema but found "Recrod"; did you mean "Record"?"#
            ),
            (
                ["Record": .min], .olderVersion,
                "expected Record of version 2 or later but found version \(Int.min), for which the schema declares no "
                    + "upgrade"
            ),
            (["Record": 4], .newerVersion, "expected Record of at most version 3 but found version 4"),
            (
                ["Record": 1], .olderVersion,
                "expected Record of version 2 or later but found version 1, for which the schema declares no upgrade"
            ),
        ]
        for (targets, code, sentence) in rows {
            let error = try #require(throws: ModelError.self) { try archive(schema, targets: targets) }
            #expect(error.code == code && error.description == sentence)
        }
    }

    // MARK: Steps that cannot run backwards

    private static let irreversible: [(step: SchemaUpgrade, found: String, key: String?)] = [
        (
            SchemaUpgrade(from: 1, removed: ["a"]),
            #"one that removes "a"; restore a value for it, or add a downgrade"#, "a"
        ),
        (SchemaUpgrade(from: 1) { _ in }, "one with code; add a downgrade that does the reverse", nil),
        (
            SchemaUpgrade(from: 1, transformed: ["c": ["Half", "Negative"]]),
            #"one that transforms "c" without a reverse; give the transformer a reverse, or add a downgrade"#, "c"
        ),
        (
            SchemaUpgrade(from: 1, renamed: ["a": "c", "b": "d"], removed: ["c"]) { _ in
            } downgrade: { _ in
            },
            #"one that replaces "c"; restore a value for it"#, "c"
        ),
    ]

    @Test(arguments: irreversible.indices)
    func aStepThatCannotRunBackwardsIsRefusedBeforeAnythingIsWritten(row: Int) throws {
        let (step, found, key) = Self.irreversible[row]
        let schema = Self.record(step, SchemaUpgrade(from: 2), ["c": .integer, "d": .integer])
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("former-\(UUID().uuidString)")
        let error = try #require(throws: ModelError.self) { try archive(schema, targets: ["Record": 1], to: file) }
        #expect(error.code == .notReversible && error.schema == "Record" && error.property == key)
        #expect(error.expected == "an upgrade of Record from version 1 that can run backwards")
        #expect(error.found == found)
        #expect(!FileManager.default.fileExists(atPath: file.path))
        // Nobody asks for that step.
        _ = try archive(schema, targets: ["Record": 2])
    }

    @Test func everyReasonIsReportedOnce() throws {
        var base = ModelSchema("Base", ["c": .string], version: 2)
        base.upgrades = [SchemaUpgrade(from: 1, renamed: ["x": "c", "y": "c"], removed: ["a", "b"]) { _ in }]
        let children = ["One", "Two"].map { ModelSchema($0, [:], extends: "Base") }
        let registry = try SchemaRegistry.of([base] + children)
        let models = children.map { DynamicModel(schema: $0, registry: registry) }
        let error = try #require(throws: ModelError.self) {
            try ModelArchiver(targetVersions: ["Base": 1]).archive(models)
        }
        #expect(
            error.problems.map(\.found) == [
                #"one that removes "a"; restore a value for it, or add a downgrade"#,
                #"one that removes "b"; restore a value for it, or add a downgrade"#,
                "one with code; add a downgrade that does the reverse",
                #"one that renames "x" and others to "c"; add a downgrade"#,
                #"one that renames "y" and others to "c"; add a downgrade"#,
            ])
    }

    @Test func problemsOfStepsHaveTheirPlace() throws {
        struct Refusal: Error {}
        let refusing = Self.record(
            SchemaUpgrade(from: 1),
            SchemaUpgrade(from: 2) { _ in
            } downgrade: { _ in
                throw Refusal()
            }, ["c": .string])
        var error = try #require(throws: ModelError.self) { try archive(refusing, targets: ["Record": 1]) }
        #expect(
            error.code == .upgradeFailed && error.pointer?.description == "/objects/0" && error.underlying is Refusal)
        #expect(error.expected == "a stored model that the downgrade to version 2 accepts")
        let transforming = Self.record(
            SchemaUpgrade(from: 1), SchemaUpgrade(from: 2, transformed: ["c": ["Half"]]), ["c": .string])
        error = try #require(throws: ModelError.self) { try archive(transforming, ["c": "x"], targets: ["Record": 1]) }
        #expect(error.code == .typeMismatch && error.pointer?.description == "/objects/0/c")
        let colliding = Self.record(
            SchemaUpgrade(from: 1),
            SchemaUpgrade(from: 2, renamed: ["b": "c"]) { _ in
            } downgrade: {
                $0["b"] = .string("y")
            }, ["c": .string])
        error = try #require(throws: ModelError.self) { try archive(colliding, ["c": "x"], targets: ["Record": 1]) }
        #expect(error.code == .upgradeFailed && error.pointer?.description == "/objects/0/c")
        #expect(error.expected == #"no value "b" beside "c""#)
        let deep = Self.record(
            SchemaUpgrade(from: 1),
            SchemaUpgrade(from: 2) { _ in
            } downgrade: { record in
                record["c"] = (0..<64).reduce(.null) { value, _ in .array([value]) }
            }, ["c": .string])
        error = try #require(throws: ModelError.self) { try archive(deep, targets: ["Record": 1]) }
        #expect(error.code == .depthLimit && error.pointer?.description == "/objects/0/c")
        let endless = Self.record(
            SchemaUpgrade(from: 1),
            SchemaUpgrade(from: 2) { _ in
            } downgrade: {
                $0["c"] = .array([.double(.nan), .string("x")])
            },
            ["c": .string])
        error = try #require(throws: ModelError.self) { try archive(endless, targets: ["Record": 1]) }
        #expect(error.code == .notConvertible && error.pointer?.description == "/objects/0/c/0")
    }

    @Test func registrationRefusesToRestoreWhatIsNotRemoved() {
        var schema = ModelSchema("Record", ["c": .string], version: 2)
        schema.upgrades = [SchemaUpgrade(from: 1, removed: ["a"], restored: ["a": 1, "b": 2])]
        let error = #expect(throws: SchemaError.self) { try SchemaRegistry.of(schema) }
        #expect(
            error?.problems.map(\.description) == [
                #"Record: the upgrade from version 1 restores "b", which it does not remove; name a key that the step removes"#
            ])
    }

    // MARK: Values

    private static var everything: ModelSchema {
        var schema = Everything.schema
        schema.version = 2
        schema.properties.append(.init("now", .bool))
        schema.upgrades = [SchemaUpgrade(from: 1, renamed: ["then": "now"])]
        return schema
    }

    /// A step that has nothing to do with a value leaves it as it is.
    @Test func valuesOfEveryKindAreCopied() throws {
        let schema = Self.everything
        let present = try SchemaRegistry.of(schema, transformers: ["Point": Point.transformer])
        let former = try Everything.registry()
        for (key, value) in Everything.values {
            let model = try DynamicModel(schema: schema, values: [key: value, "now": true], registry: present)
            let same = try DynamicModel(schema: Everything.schema, values: [key: value], registry: former)
            let bytes = try ModelArchiver(targetVersions: ["Everything": 1]).archive(model)
            let read = try ModelUnarchiver(registry: former).unarchive(Everything.schema, from: bytes)
            #expect(picture(of: read) == picture(of: same), "\(key)")
        }
    }

    /// Code may give a property values of any kind; an archive has one type for them.
    @Test func valuesOfSeveralKindsAreWrittenAsJSON() throws {
        var schema = ModelSchema("Record", ["n": .integer], version: 2)
        let values: [StoredModel.Value] = [
            .string("a"), .integer(1), .array([.string("b"), .null, .integer(2)]), .array([]), .null,
            .dictionary([.init("k", .bool(true))]), .unsigned(7), .decimal(Decimal(string: "1.50") ?? 0),
            .double(0.5),
            .date(Date(timeIntervalSinceReferenceDate: 0)), .enumeration(.text("red")), .url("https://a.b"),
        ]
        schema.upgrades = [
            SchemaUpgrade(from: 1) { _ in
            } downgrade: { record in
                guard let number = record["n"]?.integer else { return }
                record["one"] = values[Int(number)]
                record["list"] = .array([values[Int(number)]])
            }
        ]
        let registry = try SchemaRegistry.of(schema)
        let models = try values.indices.map { try DynamicModel(schema: schema, values: ["n": $0], registry: registry) }
        let former = ModelSchema("Record", ["one": .json, "list": .array(of: .json.nullable)])
        let expected: [JSONValue] = [
            "a", 1, ["b", nil, 2], [], nil, ["k": true], 7, 1.5, 0.5, "2001-01-01T00:00:00Z",
            "red", "https://a.b",
        ]
        let all = try ModelUnarchiver(registry: .of(former)).unarchive(
            arrayOf: former, from: ModelArchiver(targetVersions: ["Record": 1]).archive(models))
        #expect(all.map { $0["one", as: JSONValue.self] ?? nil } == expected)
        // Alone, each has its own type.
        for (model, value) in zip(models, expected) {
            let bytes = try ModelArchiver(targetVersions: ["Record": 1]).archive(model)
            let read = try ModelUnarchiver(registry: .of(former)).unarchive(former, from: bytes)
            #expect(read["one", as: JSONValue.self] ?? nil == value)
            #expect(read["list", as: [JSONValue?].self]?.map { $0 ?? nil } == [value])
        }
    }

    @Test func secretsStaySecrets() throws {
        var schema = ModelSchema("Record", ["code": .string.secret, "name": .string], version: 2)
        schema.upgrades = [
            SchemaUpgrade(from: 1, renamed: ["pin": "code"]) { _ in
            } downgrade: {
                $0["copy"] = $0["code"]
            }
        ]
        let bytes = try archive(schema, ["code": "1234", "name": "a"], targets: ["Record": 1])
        let graph = try bytes.withUnsafeBytes { try unsafe StoredGraph($0) }
        #expect(graph.schemas[0].levels.map(\.version) == [1])
        #expect(graph.schemas[0].properties.map(\.key) == ["pin", "name", "copy"])
        #expect(graph.schemas[0].properties.map(\.isSensitive) == [true, false, true])
        #expect(graph.schemas[0].properties.map(\.kind) == ["string", "string", "string"])
    }

    /// The name and the size of a schema, by bytes: é in two spellings is two names.
    @Test func targetsAreFoundByTheBytesOfTheirNames() throws {
        var schema = ModelSchema("\u{e9}", ["b": .string], version: 2)
        schema.upgrades = [SchemaUpgrade(from: 1, renamed: ["a": "b"])]
        let error = try #require(throws: ModelError.self) { try archive(schema, targets: ["e\u{301}": 1]) }
        #expect(error.code == .unknownSchema)
    }
}
