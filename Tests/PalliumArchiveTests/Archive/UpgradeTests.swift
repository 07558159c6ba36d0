import Foundation
import ModelTestSupport
import Pallium
import Testing

/// Archives of earlier versions open in later ones.
@Suite struct UpgradeTests {
    private static let fixtures = SharedData.repository.appendingPathComponent(
        "Tests/PalliumArchiveTests/Archive/Fixtures")

    private static func fixture(_ version: Int, isPresent: Bool = false) -> URL {
        // Before, dates had no spelling.
        fixtures.appendingPathComponent("contacts-\(version)\(isPresent && version > 1 ? "-20" : "").pallium")
    }

    private func open(_ bytes: Data, version: Int) throws -> [DynamicModel] {
        try ModelUnarchiver(registry: Contacts.registry(version: version))
            .unarchive(arrayOf: Contacts.schema(version: version), from: bytes)
    }

    /// Frozen archives are never written again. Set PALLIUM_WRITE_FIXTURES to write one that is missing.
    @Test(.threat(.archiveVersions), .row("C322"), arguments: 1...3) func frozenArchivesOfEveryVersionOpen(version: Int)
        throws
    {
        let (file, present) = (Self.fixture(version), Self.fixture(version, isPresent: true))
        if ProcessInfo.processInfo.environment["PALLIUM_WRITE_FIXTURES"] != nil,
            !FileManager.default.fileExists(atPath: present.path)
        {
            try Contacts.archive(version: version).write(to: present)
        }
        let people = try ModelUnarchiver(registry: Contacts.registry(version: 3))
            .unarchive(arrayOf: Contacts.schema(version: 3), from: file)
        #expect(people.count == 2)
        let (ada, charles) = (people[0], people[1])
        #expect(ada["firstName", as: String.self] == "Ada")
        #expect(ada["lastName", as: String.self] == "King Lovelace")
        #expect(ada["email", as: String.self] == "ada@example.org")
        #expect(ada["born", as: Date.self]?.timeIntervalSince1970 == -4861728000)
        #expect(ada["favourite", as: Bool.self] == true)
        #expect(ada["boss", as: DynamicModel.self] === charles)
        #expect(charles["firstName", as: String.self] == "Charles")
        #expect(try charles.state(of: "lastName") == .null)
        #expect(try charles.state(of: "born") == .null)
        #expect(try charles.state(of: "email") == .unset)
        #expect(charles["favourite", as: Bool.self] == true)
    }

    @Test(arguments: 1...3) func theBytesOfTheFormatAreTheSameAsEver(version: Int) throws {
        #expect(try Contacts.archive(version: version) == Data(contentsOf: Self.fixture(version, isPresent: true)))
    }

    @Test func everyVersionOpensInEveryLaterOne() throws {
        for written in 1...3 {
            for read in written...3 {
                let models = try open(Contacts.archive(version: written), version: read)
                let expected = try open(Contacts.archive(version: read), version: read)
                #expect(models == expected, "\(written) in \(read)")
            }
        }
    }

    @Test(.threat(.archiveVersions), .row("C321")) func anArchiveOfTheFutureIsRefusedWithBothVersions() throws {
        let bytes = try Contacts.archive(version: 2)
        let error = try #require(throws: ModelError.self) { try open(bytes, version: 1) }
        #expect(error.code == .newerVersion)
        #expect(error.description == "expected Contact of at most version 1 but found version 2")
        // The body is not even looked at.
        var damaged = bytes
        damaged[60] ^= 1
        #expect(throws: error) { try open(damaged, version: 1) }
    }

    @Test(.threat(.archiveVersions)) func aVersionWithoutStepsIsRefused() throws {
        var schema = Contacts.schema(version: 1)
        schema.version = 3
        schema.upgrades = [SchemaUpgrade(from: 2)]
        let unarchiver = try ModelUnarchiver(registry: .of(schema))
        let error = try #require(throws: ModelError.self) {
            try unarchiver.unarchive(arrayOf: schema, from: Contacts.archive(version: 1))
        }
        #expect(error.code == .olderVersion)
        #expect(
            error.description
                == "expected Contact of version 2 or later but found version 1, for which the schema declares no upgrade"
        )
    }

    @Test(.threat(.archiveVersions, .throwingUserCode)) func aStepThatFailsNamesTheObjectAndThrowsNothingAway() throws {
        var schema = ModelSchema("Contact", ["name": .string])
        let bytes = try archived(schema)
        schema.version = 2
        schema.upgrades = [SchemaUpgrade(from: 1) { _ in throw FixtureError.refused }]
        let error = try #require(throws: ModelError.self) { try reopen(bytes, as: schema) }
        #expect(error.code == .upgradeFailed)
        #expect(error.pointer?.description == "/objects/0")
        #expect(error.underlying as? FixtureError == .refused)
    }

    /// A step of each kind, from an archive with a: 1, b: "two", c: null.
    @Test func stepsTakeTheirPartsInOrder() throws {
        let cases: [(SchemaUpgrade, [String: JSONValue])] = [
            (SchemaUpgrade(from: 1), ["a": 1, "b": "two", "c": nil]),
            (SchemaUpgrade(from: 1, renamed: ["a": "x"]), ["x": 1, "b": "two", "c": nil]),
            (SchemaUpgrade(from: 1, renamed: ["a": "b", "b": "a"]), ["a": "two", "b": 1, "c": nil]),
            (SchemaUpgrade(from: 1, renamed: ["a": "b"], removed: ["b"]), ["b": 1, "c": nil]),
            (SchemaUpgrade(from: 1, removed: ["a", "d"]), ["b": "two", "c": nil]),
            (SchemaUpgrade(from: 1, defaults: ["a": 5, "c": 5, "d": [5]]), ["a": 1, "b": "two", "c": nil, "d": [5]]),
            (
                SchemaUpgrade(from: 1, transformed: ["a": ["Text", "Text"], "d": ["Text"]]),
                ["a": "<<1>>", "b": "two", "c": nil]
            ),
            (
                SchemaUpgrade(
                    from: 1, renamed: ["a": "x"], removed: ["b"], defaults: ["d": 1], transformed: ["x": ["Text"]]
                ) { model in model["y"] = model["x"] },
                ["x": "<1>", "y": "<1>", "c": nil, "d": 1]
            ),
        ]
        let text = Transformer(from: JSONValue.self, to: String.self) { value, _ in
            "<\(value.stringValue ?? value.description)>"
        }
        let keys: KeyValuePairs<String, PropertySchema> = [
            "a": .jsonValue, "b": .jsonValue, "c": .jsonValue, "d": .jsonValue, "x": .jsonValue, "y": .jsonValue,
        ]
        var schema = ModelSchema("Model", ["a": .integer, "b": .string, "c": .date])
        let bytes = try archived(schema, ["a": 1, "b": "two", "c": nil])
        for (step, expected) in cases {
            schema = ModelSchema("Model", keys, version: 2)
            schema.upgrades = [step]
            let back = try reopen(bytes, as: schema, transformers: ["Text": text])
            var values: [String: JSONValue] = [:]
            for property in schema.properties where try back.state(of: property.key) != .unset {
                values[property.key] = try back.value(forKey: property.key) as? JSONValue ?? .null
            }
            #expect(values == expected, "\(step)")
        }
    }

    /// Read for each of them, the long one would keep this test busy for many minutes.
    @Test func defaultsOfAStepAreAddedInTheOrderOfTheirKeys() throws {
        let bytes = try archived(ModelSchema("Model", ["a": .integer]), ["a": 1])
        let seen = Journal()
        let keys: KeyValuePairs<String, PropertySchema> = [
            "a": .integer, "z": .integer, "d": .integer, "b": .integer, "é": .integer, "c": .integer,
        ]
        var schema = ModelSchema("Model", keys, version: 3)
        schema.upgrades = [
            SchemaUpgrade(from: 1, defaults: ["z": 1, "c": 1, "b": 1, "é": 1, "d": 1]),
            SchemaUpgrade(from: 2) { model in seen.add(model.keys.joined()) },
        ]
        _ = try reopen(bytes, as: schema)
        #expect(seen.all == ["abcdzé"])
    }

    @Test func aModelThatManyStepsLookIntoIsReadOnce() throws {
        let long = ModelSchema("Long", ["numbers": .array(of: .integer)])
        var short = ModelSchema("Short", ["long": .model("Long"), "count": .integer])
        let registry = try SchemaRegistry.of(long, short)
        let shared = try DynamicModel(schema: long, values: ["numbers": Array(0..<100_000)], registry: registry)
        let models = try (0..<5_000).map { _ in
            try DynamicModel(schema: short, values: ["long": shared], registry: registry)
        }
        let bytes = try ModelArchiver().archive(models)
        short.version = 2
        short.upgrades = [
            SchemaUpgrade(from: 1) { stored in
                if case .array(let numbers)? = stored["long"]?.model?["numbers"] {
                    stored["count"] = .integer(Int64(numbers.count))
                }
            }
        ]
        let opened = try ModelUnarchiver(registry: .of(long, short)).unarchive(arrayOf: short, from: bytes)
        #expect(opened.allSatisfy { $0["count", as: Int.self] == 100_000 })
    }

    /// What transformers give in a step, as the properties of the next version hold it.
    @Test func stepsMayMakeCollectionsAndMoreOfAValue() throws {
        func giving(_ value: some PropertyValue & Sendable) -> Transformer {
            Transformer(from: String.self, to: type(of: value)) { _, _ in value }
        }
        let uuid = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
        let tables: [String: [Int]] = ["é": [3], "b": [], "a": [1, 2]]
        let transformers: [TransformerName: Transformer] = [
            "Table": giving(tables), "List": giving([1.5, 2.5]), "Huge": giving(UInt64.max), "UUIDValue": giving(uuid),
            "Case": giving(Color.green), "Half": giving(Float(0.5)), "Point": giving(Point(x: 1, y: 2)),
        ]
        let bytes = try archived(ModelSchema("Model", ["a": .string]), ["a": "x"])
        func open(_ kind: PropertySchema, _ name: TransformerName) throws -> DynamicModel {
            var schema = ModelSchema("Model", ["a": kind], version: 2)
            schema.upgrades = [SchemaUpgrade(from: 1, transformed: ["a": [name]])]
            return try reopen(bytes, as: schema, transformers: transformers)
        }
        let table = try open(.dictionary(of: .array(of: .integer)), "Table")
        #expect(table["a", as: [String: [Int]].self] == tables)
        // A Swift dictionary has no order; what is made of it has that of the bytes.
        #expect(table.description == #"Model(a: ["a": [1, 2], "b": [], "é": [3]])"#)
        let json = try open(.jsonValue, "Table")["a", as: JSONValue.self]
        #expect(try json?.text() == #"{"a":[1,2],"b":[],"é":[3]}"#)
        #expect(try open(.array(of: .double), "List")["a", as: [Double].self] == [1.5, 2.5])
        #expect(try open(.unsigned, "Huge")["a", as: UInt.self] == .max)
        #expect(try open(.uuid, "UUIDValue")["a", as: UUID.self] == uuid)
        #expect(try open(.enumeration(Color.self), "Case")["a", as: Color.self] == .green)
        #expect(try open(.double, "Half")["a", as: Double.self] == 0.5)
        let error = try #require(throws: ModelError.self) { try open(.string, "Point") }
        #expect(error.code == .notConvertible)
        #expect(error.pointer?.description == "/objects/0/a")
    }

    @Test func aRenameOntoAnotherValueIsAnError() throws {
        var schema = ModelSchema("Model", ["a": .integer, "b": .integer])
        let bytes = try archived(schema, ["a": 1, "b": 2])
        schema.version = 2
        schema.upgrades = [SchemaUpgrade(from: 1, renamed: ["a": "b"])]
        let error = try #require(throws: ModelError.self) { try reopen(bytes, as: schema) }
        #expect(error.code == .upgradeFailed && error.pointer?.description == "/objects/0/a")
    }

    @Test(.row("C331")) func everyLevelOfTheAncestorsHasAVersionOfItsOwn() throws {
        func schemas(_ version: Int) -> [ModelSchema] {
            var base = ModelSchema("Base", [version == 1 ? "old" : "new": .integer], version: version)
            if version == 2 { base.upgrades = [SchemaUpgrade(from: 1, renamed: ["old": "new"])] }
            return [base, ModelSchema("Child", ["own": .string], extends: "Base", version: 1)]
        }
        let (old, new) = (try SchemaRegistry.of(schemas(1)), try SchemaRegistry.of(schemas(2)))
        let model = try DynamicModel(schema: schemas(1)[1], values: ["old": 3, "own": "x"], registry: old)
        let bytes = try ModelArchiver().archive(model)
        let back = try ModelUnarchiver(registry: new).unarchive(schemas(2)[1], from: bytes)
        #expect(back["new", as: Int.self] == 3)
        #expect(back["own", as: String.self] == "x")
    }

    @Test func weakLinksFollowARename() throws {
        func schema(_ version: Int) -> ModelSchema {
            var schema = ModelSchema(
                "Node", [version == 1 ? "up" : "parent": .model("Node").weak, "child": .model("Node")], version: version
            )
            if version == 2 { schema.upgrades = [SchemaUpgrade(from: 1, renamed: ["up": "parent"])] }
            return schema
        }
        let old = try SchemaRegistry.of(schema(1))
        let (root, child) = (
            DynamicModel(schema: schema(1), registry: old), DynamicModel(schema: schema(1), registry: old)
        )
        try root.setValue(child, forKey: "child")
        try child.setValue(root, forKey: "up")
        let back = try reopen(ModelArchiver().archive(root), as: schema(2))
        #expect(try back.value(forKeyPath: "child.parent") as? DynamicModel === back)
    }

    @Test(.threat(.archiveTypeConfusion)) func valuesGoByKeyWhateverTheOrderAndTheWidth() throws {
        let bytes = try archived(
            ModelSchema("Model", ["a": .integer, "b": .string, "c": .unsigned, "d": .array(of: .string)]),
            ["a": 300, "b": "open", "c": 7, "d": ["x", "y", "x"]])
        func reading(_ properties: KeyValuePairs<String, PropertySchema>) throws -> DynamicModel {
            try reopen(bytes, as: ModelSchema("Model", properties))
        }
        let other = try reading([
            "d": .set(of: .string), "c": .integer, "b": .enumeration("open"),
            "a": .integer(as: Int16.self),
        ])
        #expect(other["a", as: Int.self] == 300)
        #expect(other["b", as: String.self] == "open")
        #expect(other["c", as: Int.self] == 7)
        #expect(try other.value(forKey: "d") as? [String] == ["x", "y"])
        let error = try #require(throws: ModelError.self) { try reading(["a": .integer(as: Int8.self)]) }
        #expect(error.code == .numberOutOfRange && error.pointer?.description == "/objects/0/a")
        #expect(throws: ModelError.self) { try reading(["a": .string]) }
        #expect(throws: ModelError.self) { try reading(["b": .integer]) }
    }
}
