import Foundation
import ModelTestSupport
import Pallium
import Testing

/// A format and its coder.
enum Format: String, CaseIterable, Sendable {
    case json, xmlPropertyList, binaryPropertyList, tree

    /// Writes a value and reads it again as another type.
    func pass<Value: Decodable>(
        _ value: some Encodable, as type: Value.Type, registry: SchemaRegistry = .shared
    ) throws -> Value {
        switch self {
        case .json:
            let (encoder, decoder) = (JSONEncoder(), JSONDecoder())
            encoder.userInfo[.schemaRegistry] = registry
            decoder.userInfo[.schemaRegistry] = registry
            return try decoder.decode(type, from: encoder.encode(value))
        case .xmlPropertyList, .binaryPropertyList:
            let (encoder, decoder) = (PropertyListEncoder(), PropertyListDecoder())
            encoder.outputFormat = self == .xmlPropertyList ? .xml : .binary
            encoder.userInfo[.schemaRegistry] = registry
            decoder.userInfo[.schemaRegistry] = registry
            return try decoder.decode(type, from: encoder.encode(value))
        case .tree:
            let info: [CodingUserInfoKey: Any] = [.schemaRegistry: registry]
            return try TreeCoder.decode(type, from: TreeCoder.encode(value, userInfo: info), userInfo: info)
        }
    }
}

@Suite("Models through Codable")
struct ModelCodableTests {
    private static func encoder(_ registry: SchemaRegistry) -> JSONEncoder {
        let encoder = JSONEncoder()
        encoder.userInfo[.schemaRegistry] = registry
        return encoder
    }

    private static func decoder(_ registry: SchemaRegistry) -> JSONDecoder {
        let decoder = JSONDecoder()
        decoder.userInfo[.schemaRegistry] = registry
        return decoder
    }

    /// Reads a text with the adapter and the coders; all must make the same model and write the same value.
    private func check<Model: DynamicModel>(_ type: Model.Type, _ text: String, _ registry: SchemaRegistry) throws {
        let adapter = JSONAdapter(type, registry: registry)
        let model = try adapter.model(from: text)
        let value = try adapter.jsonValue(from: model)
        let decoded = try Self.decoder(registry).decode(type, from: Data(text.utf8))
        #expect(picture(of: decoded) == picture(of: model))
        let written = try Self.encoder(registry).encode(model)
        #expect(try JSONValue(parsing: [UInt8](written)) == value)
        for format in Format.allCases {
            let copy = try format.pass(model, as: type, registry: registry)
            #expect(copy == model, "\(format)")
            #expect(Swift.type(of: copy) == Swift.type(of: model), "\(format)")
            #expect(try adapter.jsonValue(from: copy) == value, "\(format)")
        }
    }

    @Test func theModelsOfTheFixturesAreTheAdapters() throws {
        let registry = try SchemaRegistry.ofFixtures()
        try check(EmptyModel.self, "{}", registry)
        try check(TestModel.self, #"{"username": "a", "count": "5", "nested": {"name": null}}"#, registry)
        try check(SubTestModel.self, #"{"username": "\u00e9", "count": "5", "role": "r", "generation": 3}"#, registry)
        try check(SelfValidatingModel.self, #"{"name": null}"#, registry)
        try check(URLModel.self, #"{"URL": "http://example.org/"}"#, registry)
        try check(URLSubModel.self, #"{"URL": null}"#, registry)
        try check(UUIDSubModel.self, #"{"otherUUID": "4A275FBD-8217-4397-964B-403F4C2B8545"}"#, registry)
        try check(BoolModel.self, #"{"flag": true}"#, registry)
        try check(AnyModel.self, #"{"anyObject": {"a": [null, 1, 1.5, -0.1, true, "x", [], {}]}}"#, registry)
        try check(MultiPathModel.self, #"{"location": 1, "length": 2, "nested": {"location": 0}}"#, registry)
        try check(User.self, #"{"name": "n", "groups": [{"owner": {"name": "n"}, "users": []}, {}]}"#, registry)
        try check(NestedDefaultModel.self, #"{"property": "p", "conforming": {"username": "a"}}"#, registry)
        try check(Node.self, #"{"next": {"next": {"next": null}}}"#, registry)
        try check(ChocolateModel.self, #"{"flavor": "chocolate", "chocolate_bitterness": "3"}"#, registry)
    }

    /// Values of every kind in models without a class, which are written by coders but not read.
    @Test(arguments: AcceptedValueTests.numbers + AcceptedValueTests.texts)
    func everyKindIsWrittenAsTheAdapterDoes(row: AcceptedValueTests.Row) throws {
        let adapter = try Plain.adapter(["a": row.property]).adapter
        let model = try adapter.model(from: #"{"a": \#(row.text)}"#)
        let value = try adapter.jsonValue(from: model)
        #expect(try JSONValue(parsing: [UInt8](JSONEncoder().encode(model))) == value)
        for format in Format.allCases {
            let copy = try adapter.model(from: format.pass(model, as: JSONValue.self))
            #expect(copy == model, "\(format)")
        }
    }

    @Test func theExampleModelsAreTheAdapters() throws {
        let registry = try GitHub.registry()
        let issues = try #require(JSONValue(parsing: [UInt8](GitHub.sample("issues"))).arrayValue)
        for issue in issues { try check(GitHub.User.self, #require(issue["user"]).description, registry) }
        var milestone = try #require(issues[0]["milestone"]?.objectValue)
        milestone["creator"] = issues[0]["user"]
        try check(GitHub.Milestone.self, JSONValue.object(milestone).description, registry)
    }

    @Test func aClusterGivesTheSubclassThatItChooses() throws {
        let registry = try SchemaRegistry.ofFixtures()
        let text = #"{"a": {"flavor": "strawberry", "strawberry_freshness": 1}, "b": {"flavor": "chocolate"}}"#
        let decoded = try Self.decoder(registry).decode([String: ClusterModel].self, from: Data(text.utf8))
        #expect((decoded["a"] as? StrawberryModel)?.freshness == 1)
        #expect(decoded["b"] is ChocolateModel)
        let again = try Format.binaryPropertyList.pass(decoded, as: [String: ClusterModel].self, registry: registry)
        #expect(again == decoded)
    }

    /// What a web framework does: it knows `Encodable` and `Decodable`, no models.
    private func respond<Body: Encodable>(_ body: Body, _ encoder: JSONEncoder) throws -> Data {
        try encoder.encode(body)
    }

    private struct Page<Item: Codable>: Codable {
        let items: [Item]
        let next: Item?
    }

    @Test func modelsStandInsideOtherCodableValues() throws {
        let registry = try SchemaRegistry.ofFixtures()
        let adapter = JSONAdapter(User.self, registry: registry)
        let users = try adapter.models(from: #"[{"name": "a"}, {"groups": [{"users": [{"name": "b"}]}]}]"#)
        let page = Page(items: users, next: users[0])
        let data = try respond(page, Self.encoder(registry))
        #expect(
            try JSONValue(parsing: [UInt8](data))
                == [
                    "items": [adapter.jsonValue(from: users[0]), adapter.jsonValue(from: users[1])],
                    "next": ["name": "a"],
                ])
        let again = try Self.decoder(registry).decode(Page<User>.self, from: data)
        #expect(again.items == users)
        #expect(again.next == users[0])
    }

    @Test func theSharedRegistryIsUsedUnlessAnotherIsGiven() throws {
        final class SharedCodableModel: DynamicModel {
            var name: String? { value() }
        }
        try SchemaRegistry.shared.register(ModelSchema(SharedCodableModel.self, ["name": .string.json("n")]))
        let model = try JSONDecoder().decode(SharedCodableModel.self, from: Data(#"{"n": "x"}"#.utf8))
        #expect(model.name == "x")
        #expect(try String(decoding: JSONEncoder().encode(model), as: UTF8.self) == #"{"n":"x"}"#)
    }

    @Test func aClassWithoutASchemaIsTheProgramsMistake() {
        final class Unregistered: DynamicModel {}
        for type in [Unregistered.self, DynamicModel.self] {
            let error = #expect(throws: ModelError.self) {
                try Self.decoder(SchemaRegistry()).decode(type, from: Data("{}".utf8))
            }
            #expect(error?.code == .unknownSchema)
        }
    }

    // MARK: Bad input

    @Test(arguments: [
        (#"{"users": [{"name": 5}]}"#, "users.0.name", "/users/0/name"),
        (#"{"users": [null]}"#, "users.0", "/users/0"), ("[]", "", ""),
        (#"{"users": {}}"#, "users", "/users"),
    ])
    func refusedDataIsADecodingErrorAroundTheModelError(text: String, path: String, pointer: String) throws {
        let registry = try SchemaRegistry.ofFixtures()
        for isNested in [false, true] {
            do {
                if isNested {
                    let text = #"{"a": [\#(text)]}"#
                    _ = try Self.decoder(registry).decode([String: [Group]].self, from: Data(text.utf8))
                } else {
                    _ = try Self.decoder(registry).decode(Group.self, from: Data(text.utf8))
                }
                Testing.Issue.record("decoded")
            } catch DecodingError.dataCorrupted(let context) {
                let outer = isNested ? ["a", "0"] : []
                let tokens = context.codingPath.map { $0.intValue.map { "\($0)" } ?? $0.stringValue }
                #expect(tokens == outer + path.split(separator: ".").map(String.init))
                let error = try #require(context.underlyingError as? ModelError)
                #expect(error.pointer?.description == (isNested ? "/a/0" : "") + pointer)
                #expect(context.debugDescription == error.description)
            }
        }
    }

    @Test(.threat(.cycles)) func aCycleIsATypedErrorWithItsPlace() throws {
        let registry = try SchemaRegistry.ofFixtures()
        let group = Group(registry: registry)
        let user = User(registry: registry)
        group.owner = user
        user.groups = [group]
        defer { user.groups = nil }
        for format in Format.allCases {
            let error = problem { try format.pass(["a": user], as: [String: User].self, registry: registry) }
            #expect(error?.code == .cycle, "\(format)")
            #expect(error?.pointer?.description == "/a/groups/0/owner")
        }
    }

    @Test(.threat(.deepGraphs)) func deepChainsAreATypedErrorOnASmallStack() throws {
        let registry = try SchemaRegistry.ofFixtures()
        let failures = Journal()
        onStack(kilobytes: 512) {
            var chain = Node(registry: registry)
            for _ in 0..<1_000_000 {
                let node = Node(registry: registry)
                node.next = chain
                chain = node
            }
            for format in Format.allCases {
                let error = problem { try format.pass(chain, as: Node.self, registry: registry) }
                if error?.code != .depthLimit { failures.add("\(format)") }
            }
        }
        #expect(failures.all == [])
    }
}

/// The model error that coding throws; the encoder of property lists puts those of others into its own.
private func problem(_ body: () throws -> some Any) -> ModelError? {
    do {
        _ = try body()
        return nil
    } catch EncodingError.invalidValue(_, let context) {
        return context.underlyingError as? ModelError
    } catch { return error as? ModelError }
}
