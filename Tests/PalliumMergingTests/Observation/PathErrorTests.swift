import Pallium
import TestSupport
import Testing

/// Paths that cannot be observed are refused, whoever asks.
struct PathErrorTests {
    private static let long = Array(repeating: "friend", count: 32)

    static let refused: [(path: String, code: ModelError.Code, suggestion: String?)] = [
        ("titel", .unknownKey, "title"), ("owner.nam", .unknownKey, "name"), ("guests.nmae", .unknownKey, "name"),
        ("onwer.name", .unknownKey, "owner"), ("somethingElse", .unknownKey, nil),
        ("", .unknownKey, nil), ("owner.", .unknownKey, nil), (".owner", .unknownKey, nil),
        ("owner..name", .unknownKey, nil), ("/title", .unknownKey, nil), ("$.title", .unknownKey, nil),
        (#"title\"#, .unknownKey, nil), ("owner.[0]", .unknownKey, nil),
        ("guests[0]", .unknownKey, nil), ("guests[0].name", .unknownKey, nil), ("guests.0", .unknownKey, nil),
        ("people.name", .unknownKey, nil), ("people.x.name", .unknownKey, nil), ("title.length", .unknownKey, nil),
        ("shelf.books", .notObserved, nil), ("shelf.owner.name", .notObserved, nil),
        ("owner." + (long + ["name"]).dropFirst().joined(separator: "."), .unknownKey, nil),
    ]

    @Test(arguments: refused)
    func aPathIsRefused(path: String, code: ModelError.Code, suggestion: String?) throws {
        let room = try ObservedScene().room
        for attempt in ["changes", "changes of two", "values", "observe", "observe two"] {
            do {
                switch attempt {
                case "changes": _ = try room.changes(of: path)
                case "changes of two": _ = try room.changes(of: "title", path)
                case "values": _ = try room.values(of: path, as: String.self)
                case "observe": _ = try room.observe(path) { _ in }
                default: _ = try room.observe("count", path) { _ in }
                }
                Issue.record("\(path) is not refused by \(attempt)")
            } catch {
                #expect(error.code == code, "\(path): \(error)")
                // Values lead through no collection, whatever follows.
                if let suggestion, attempt != "values" || !path.hasPrefix("guests") {
                    #expect(error.suggestion == suggestion, "\(path): \(error)")
                }
                #expect(error.category == .misuse, "\(path): \(error)")
            }
        }
        // What was refused left nothing behind.
        #expect(try room.notices(of: []) { room.title = "Green" }.count == 1)
    }

    @Test func aPathHasUpTo32Keys() throws {
        let scene = try ObservedScene()
        let ada = try scene.person("Ada")
        ada.friend = ada
        let path = (Self.long.dropFirst() + ["name"]).joined(separator: ".")
        #expect(try ada.notices(of: [path]) { ada.name = "Ann" }.count == 1)
        #expect(throws: ModelError.self) { try ada.observe("friend." + path) { _ in } }
    }

    @Test func modelsThatAreNotObservedSaySo() throws {
        let shelf = try ObservedScene().model("Shelf", ["name": "Oak"])
        for attempt in ["changes", "changes of name", "values", "observe", "observe name"] {
            do {
                switch attempt {
                case "changes": _ = try shelf.changes()
                case "changes of name": _ = try shelf.changes(of: "name")
                case "values": _ = try shelf.values(of: "name", as: String.self)
                case "observe": _ = try shelf.observe(onChange: { _ in })
                default: _ = try shelf.observe("name", onChange: { _ in })
                }
                Issue.record("a shelf is observed")
            } catch {
                #expect(error.code == .notObserved)
                #expect(error.description.contains("Shelf"))
            }
        }
    }

    @Test func valuesAreOfOnePathThroughModels() throws {
        let scene = try ObservedScene()
        #expect(throws: ModelError.self) { try scene.room.values(of: "guests.name", as: String.self) }
        let number = #expect(throws: ModelError.self) { try scene.room.values(of: "title", as: Int.self) }
        #expect(number?.code == .typeMismatch)
        let list = #expect(throws: ModelError.self) { try scene.room.values(of: "owner.name", as: [String].self) }
        #expect(list?.code == .typeMismatch)
        #expect(throws: Never.self) { try scene.room.values(of: "guests", as: [ObservedScene.Guest].self) }
        #expect(throws: Never.self) { try scene.room.values(of: "owner.friend", as: DynamicModel.self) }
        #expect(throws: Never.self) { try scene.room.values(of: "shelf", as: DynamicModel.self) }
    }

    @Test func codeAClassOrAParentMakesModelsObserved() throws {
        let registry = try SchemaRegistry.of(
            ModelSchema("Code", ["a": .integer], isObserved: true), ModelSchema("Plain", ["a": .integer]),
            ModelSchema("Child", ["b": .integer], extends: "Code"),
            ModelSchema(ObservedScene.Person.self, ["a": .integer]))
        for (name, isObserved) in [("Code", true), ("Plain", false), ("Child", true), ("Person", true)] {
            let model = DynamicModel(schema: try registry.schema(named: name), registry: registry)
            if isObserved {
                #expect(try model.notices(of: []) { model["a"] = 1 } == ["/a: nothing → 1"], "\(name)")
                #expect(invalidations(of: { _ = model["a"] }, during: { model["a"] = 2 }) == 1, "\(name)")
            } else {
                #expect(throws: ModelError.self) { try model.observe { _ in } }
            }
        }
    }
}
