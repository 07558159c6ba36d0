import Foundation
import ModelTestSupport
import Pallium
import Testing

/// What is written of properties whose value is split over several members.
struct WrittenPartTests {
    /// Places, users and folders, all of whose values are split.
    private static let schemas = [
        ModelSchema("Place", ["position": .dictionary(of: .double).json(allOf: ["lat", "at.lon"]).required]),
        ModelSchema(
            "User",
            [
                "name": .model("Name").json(allOf: ["first", "last"]),
                "parents": .dictionary(of: .model("Name")).json(allOf: ["mother", "family.father"]),
            ]),
        ModelSchema(
            "Name", ["first": .string, "last": .string, "title": .string, "odd": .string.transformer("OneWay")]),
        ModelSchema("Folder", ["name": .string, "inner": .dictionary(of: .model("Folder")).json(allOf: ["l", "r"])]),
    ]
    private static let user = """
        {"first":"Ada","last":"King","mother":{"first":"Anne","last":"Byron"},"family":{"father":{"last":"Byron"}}}
        """

    private let registry: SchemaRegistry

    init() throws {
        registry = try SchemaRegistry.of(
            Self.schemas,
            transformers: ["OneWay": Transformer(from: String.self, to: String.self) { text, _ in text }])
    }

    private func adapter(
        _ schema: Int, _ change: (inout JSONAdapterOptions) -> Void = { _ in }
    ) throws -> JSONAdapter<DynamicModel> {
        try JSONAdapter(schema: Self.schemas[schema], registry: registry, options: .with(change))
    }

    private func model(_ schema: Int) -> DynamicModel { DynamicModel(schema: Self.schemas[schema], registry: registry) }

    // MARK: Chosen properties

    @Test func whatIsChosenIsChosenInsidePartsToo() throws {
        let adapter = try adapter(1)
        let user = try adapter.model(from: Self.user)
        #expect(
            try adapter.jsonValue(from: user, except: ["name.last", "parents.first"])
                == ["first": "Ada", "mother": ["last": "Byron"], "family": ["father": ["last": "Byron"]]])
        #expect(
            try adapter.jsonValue(from: user, only: ["name.first", "parents.last"], except: ["parents.first"])
                == ["first": "Ada", "mother": ["last": "Byron"], "family": ["father": ["last": "Byron"]]])
        #expect(try adapter.jsonValue(from: user, only: ["name"]) == ["first": "Ada", "last": "King"])
        var asked: [String] = []
        let chosen = try adapter.jsonValue(
            from: user,
            only: .where { model, key in
                asked.append("\(model.schema.name).\(key)")
                return key != "parents" && key != "last"
            })
        #expect(chosen == ["first": "Ada"])
        #expect(asked == ["User.name", "User.parents", "Name.first", "Name.last", "Name.title", "Name.odd"])
    }

    // MARK: Required values

    @Test(arguments: [nil, [:]] as [[String: Double]?])
    func aRequiredValueWithoutPartsIsRefused(position: [String: Double]?) throws {
        let place = model(0)
        if let position { place["position"] = position }
        let adapter = try adapter(0)
        let problem = try #require(throws: ModelError.self) { try adapter.data(from: [place]) }
        #expect(problem.code == .missingProperty)
        #expect(problem.property == "position")
        #expect(problem.pointer?.description == "/0/lat")
        #expect(try adapter.jsonValue(from: place, except: ["position"]) == [:])
        #expect(try self.adapter(0) { $0.writesIncompleteModels = true }.jsonValue(from: place) == [:])
        place["position"] = ["at.lon": 2.0]
        #expect(try adapter.jsonValue(from: place) == ["at": ["lon": 2]])
        #expect(try adapter.model(from: adapter.data(from: place)) == place)
    }

    @Test func whatIsLeftOutOfARequiredValueMayBeAllOfIt() throws {
        let schemas = [ModelSchema("User", ["name": .model("Name").json(allOf: ["first"]).required]), Self.schemas[2]]
        let adapter = try Plain.adapter(
            schemas, transformers: ["OneWay": Transformer(from: String.self, to: String.self) { text, _ in text }]
        ).adapter
        let user = try adapter.model(from: #"{"first":"Ada"}"#)
        #expect(try adapter.jsonValue(from: user, except: ["name.first"]) == [:])
        user["name", as: DynamicModel.self]?["first"] = nil as String?
        #expect(throws: ModelError.self) { try adapter.jsonValue(from: user) }
    }

    // MARK: Other keys

    @Test func aKeyThatIsNoPartIsRefused() throws {
        let place = model(0)
        place["position"] = ["lat": 1.0, "alt": 5.0]
        let problem = try #require(throws: ModelError.self) { try adapter(0).data(from: place) }
        #expect(problem.code == .notConvertible)
        #expect(
            problem.description
                == #"expected no part of Place.position but lat, at.lon but found "alt" at /lat"#)
        let user = try adapter(1).model(from: Self.user)
        user["name", as: DynamicModel.self]?["title"] = "Countess"
        #expect(throws: ModelError.self) { try adapter(1).data(from: user) }
    }

    @Test func aPropertyWithoutValueIsNoOtherPart() throws {
        let user = try adapter(1).model(from: #"{"first":"Ada","last":"King"}"#)
        #expect(
            try adapter(1) { $0.nilPolicy = .write }.jsonValue(from: user, only: ["name"])
                == ["first": "Ada", "last": "King"])
    }

    // MARK: Code of the program

    @Test func theLastWordOnModelsInPartsIsHeardOnce() throws {
        let journal = Journal()
        let adapter = try adapter(1) {
            $0.didWrite = { model, object in
                journal.add("\(model.schema.name) \(object.keys.joined(separator: " "))")
                if let last = object["last"]?.stringValue { object["last"] = .string(last.uppercased()) }
            }
        }
        let user = try adapter.model(from: Self.user)
        #expect(
            try adapter.jsonValue(from: user) == [
                "first": "Ada", "last": "KING", "mother": ["first": "Anne", "last": "BYRON"],
                "family": ["father": ["last": "BYRON"]],
            ])
        #expect(
            journal.all == ["Name first last", "Name last", "Name first last", "User first last mother family"])
        let marking = try self.adapter(1) { $0.didWrite = { $1["@type"] = .string($0.schema.name) } }
        #expect(try marking.jsonValue(from: user, only: ["parents"])["mother"]?["@type"] == "Name")
        let problem = #expect(throws: ModelError.self) { try marking.jsonValue(from: user, only: ["name"]) }
        #expect(problem?.found == #""@type""#)
    }

    @Test func transformersRunOnceForAllParts() throws {
        let journal = Journal()
        let adapter = try Plain.adapter(
            ["n": .integer.json(allOf: ["a", "b", "c.d"]).transformer("Split")],
            transformers: [
                "Split": Transformer(from: JSONValue.self, to: Int.self) { parts, _ in
                    parts["a"]?.intValue ?? 0
                } reverse: { number, _ in
                    journal.add("\(number)")
                    return ["a": .number(JSONNumber(Int64(number))), "b": 2, "c.d": 3]
                }
            ]
        ).adapter
        let models = try adapter.models(from: #"[{"a":1},{"a":1},{"a":2}]"#)
        let written = String(decoding: try adapter.data(from: models + [models[0]]), as: UTF8.self)
        let objects = [1, 1, 2, 1].map { #"{"a":\#($0),"b":2,"c":{"d":3}}"# }
        #expect(written == "[\(objects.joined(separator: ","))]")
        #expect(journal.all == ["1", "1", "2", "1"])
    }

    /// Parts are those of the object that they stand in, whatever the objects around it and before it have.
    @Test(arguments: [
        #"{"lat":1,"lon":2,"near":{"lat":3,"lon":4,"near":{"lat":5}}}"#, #"{"lat":1,"lon":2,"near":{"name":"x"}}"#,
        #"{"lat":1,"lon":2,"all":[{"lat":3},{"lon":4},{"name":"x"},{"lat":1,"lon":5,"near":{"lon":6}}]}"#,
    ]) func modelsInModelsHavePartsOfTheirOwn(text: String) throws {
        let adapter = try Plain.adapter([
            ModelSchema(
                "Spot",
                [
                    "position": .dictionary(of: .double).json(allOf: ["lat", "lon"]), "name": .string,
                    "near": .model("Spot"), "all": .array(of: .model("Spot")),
                ])
        ])
        #expect(try adapter.roundTrip(text) == text)
    }

    @Test func aProblemInsideAPartHasItsPlace() throws {
        let user = try adapter(1).model(from: #"{"family":{"father":{"odd":"x"}}}"#)
        let problem = #expect(throws: ModelError.self) { try adapter(1).data(from: [user]) }
        #expect(problem?.code == .notReversible)
        #expect(problem?.pointer?.description == "/0/family/father/odd")
        let refusing = try adapter(1) {
            $0.didWrite = { model, _ in if model.schema.name == "Name" { throw FixtureError.refused } }
        }
        let refused = #expect(throws: ModelError.self) {
            try refusing.data(from: refusing.model(from: Self.user), only: ["parents"])
        }
        #expect(refused?.code == .hookFailed)
        #expect(refused?.pointer?.description == "/family/father")
    }

    @Test func aProblemInsideAPartOfAPartHasItsPlace() throws {
        let adapter = try Plain.adapter(
            [
                ModelSchema(
                    "Folder",
                    [
                        "odd": .string.transformer("OneWay"),
                        "inner": .dictionary(of: .model("Folder")).json(allOf: ["in.l", "r"]),
                    ])
            ], transformers: ["OneWay": Transformer(from: String.self, to: String.self) { text, _ in text }])
        for (text, pointer) in [
            (#"{"in":{"l":{"r":{"odd":"x"}}}}"#, "/in/l/r/odd"), (#"{"r":{"in":{"l":{"odd":"x"}}}}"#, "/r/in/l/odd"),
            (#"{"r":{"r":{"in":{"l":{"odd":"x"}}}}}"#, "/r/r/in/l/odd"),
        ] {
            let folder = try adapter.model(from: text)
            let problem = #expect(throws: ModelError.self) { try adapter.text(of: folder) }
            #expect(problem?.pointer?.description == pointer)
        }
    }

    // MARK: Depth

    @Test(.threat(.deepNesting)) func partsInPartsAreWrittenOnceEach() throws {
        let adapter = try adapter(3)
        let text =
            String(repeating: #"{"r":{},"l":"#, count: 60) + #"{"name":"x"}"# + String(repeating: "}", count: 60)
        #expect(try adapter.jsonValue(from: adapter.model(from: text)) == JSONValue(parsing: text))
    }

    /// On a stack as secondary threads have it on Apple systems.
    @Test(.threat(.deepNesting)) func partsInPartsAreReadAndWrittenUpToSixtyFourLevels() throws {
        let adapter = try adapter(3)
        let outcomes = Journal()
        let text = String(repeating: #"{"l":"#, count: 64) + "{}" + String(repeating: "}", count: 64)
        onStack(kilobytes: 512) {
            do throws(ModelError) {
                let model = try adapter.model(from: text)
                model["name"] = "a"
                let written = String(decoding: try adapter.data(from: model), as: UTF8.self)
                outcomes.add("\(written == #"{"name":"a","l":"# + text.dropFirst(5))")
                let outer = DynamicModel(schema: Self.schemas[3], registry: registry)
                outer["inner"] = ["l": model]
                _ = try adapter.data(from: outer)
            } catch { outcomes.add("\(error.code.rawValue): \(error.expected) at \(error.pointer?.tokens.count ?? 0)") }
            do throws(ModelError) { _ = try adapter.model(from: "{\"l\":\(text)}") } catch {
                outcomes.add("\(error.code.rawValue): \(error.expected)")
            }
        }
        #expect(
            outcomes.all == [
                "true", "depthLimit: at most 64 levels of allOf at 65", "limitExceeded: at most 64 levels of allOf",
            ])
    }

    @Test func aCycleThroughPartsIsRefused() throws {
        let adapter = try adapter(3)
        let codes = Journal()
        onStack(kilobytes: 512) {
            let folder = DynamicModel(schema: Self.schemas[3], registry: registry)
            folder["inner"] = ["l": folder]
            do throws(ModelError) { _ = try adapter.data(from: folder) } catch { codes.add(error.code.rawValue) }
            folder["inner"] = nil as [String: DynamicModel]?
        }
        #expect(codes.all == ["depthLimit"])
    }
}
