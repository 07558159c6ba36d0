import Foundation
import ModelTestSupport
import Pallium
import Synchronization
import TestSupport
import Testing

/// Documents that say of which version they are go through the same steps as archives.
@Suite struct VersionedDocumentTests {
    private func contacts() throws -> JSONAdapter<DynamicModel> {
        try JSONAdapter(schema: Contacts.schema(version: 3), registry: Contacts.registry(version: 3))
    }

    @Test(arguments: [
        #"{"name": "Ada King", "mail": "a@b.c", "born": "  1815-12-10", "tags": ["x"]}"#,
        #"{"version": 1, "name": "Ada King", "mail": "a@b.c", "born": "1815-12-10"}"#,
        #"{"name": "Ada King", "email": "a@b.c", "born": "1815-12-10T00:00:00Z", "favourite": true, "version": 2}"#,
        #"{"version": 3, "firstName": "Ada", "lastName": "King", "email": "a@b.c", "born": "1815-12-10T00:00:00Z", "favourite": true}"#,
    ])
    func documentsOfEveryVersionAreRead(text: String) throws {
        let adapter = try contacts()
        let ada = try adapter.model(from: Data(text.utf8), versionMember: "version")
        #expect(
            try String(decoding: adapter.data(from: ada, versionMember: "version"), as: UTF8.self)
                == #"{"version":3,"firstName":"Ada","lastName":"King","email":"a@b.c","born":"1815-12-10T00:00:00Z","favourite":true}"#
        )
    }

    @Test func keysStandForTheMembersTheyAreMappedTo() throws {
        var schema = ModelSchema(
            "Model", ["fullName": .string, "userLogin": .string.json("user.login"), "itemCount": .integer],
            keys: .snakeCase, version: 2)
        schema.upgrades = [
            SchemaUpgrade(
                from: 1, renamed: ["longName": "fullName", "loginName": "userLogin"], removed: ["oldThing"],
                defaults: ["itemCount": 3])
        ]
        let adapter = try Plain.adapter([schema]).adapter
        let model = try adapter.model(
            from: Data(#"{"long_name": "x", "login_name": "y", "user": {"id": 1}, "old_thing": 1}"#.utf8),
            versionMember: "v")
        #expect(model["fullName", as: String.self] == "x")
        #expect(model["userLogin", as: String.self] == "y")
        #expect(model["itemCount", as: Int.self] == 3)
    }

    @Test func aKeyMovesIntoAnObjectThatHoldsOthers() throws {
        var schema = ModelSchema(
            "Model",
            [
                "id": .integer.json("user.id"), "login": .string.json("user.login"),
                "mail": .string.json("user.at.mail"),
            ],
            version: 2)
        schema.upgrades = [SchemaUpgrade(from: 1, renamed: ["loginName": "login", "address": "mail"])]
        let adapter = try Plain.adapter([schema]).adapter
        for user in [#"{"id":1}"#, #"{"at":null,"id":1}"#, #"{"at":{"phone":2},"id":1}"#] {
            let text = #"{"loginName":"x","user":\#(user),"address":"a@b.c"}"#
            let model = try adapter.model(from: Data(text.utf8), versionMember: "v")
            #expect(model["id", as: Int.self] == 1)
            #expect(model["login", as: String.self] == "x")
            #expect(model["mail", as: String.self] == "a@b.c")
        }
        for (text, key) in [
            (#"{"loginName":"x","user":7}"#, "login"), (#"{"address":"a@b.c","user":{"at":[]}}"#, "mail"),
            // Of several problems it is the same in every run: the one with the first key.
            (#"{"loginName":"x","address":"a@b.c","user":[]}"#, "mail"),
        ] {
            let error = try #require(throws: ModelError.self) {
                try adapter.model(from: Data(text.utf8), versionMember: "v")
            }
            #expect(error.code == .upgradeFailed)
            #expect(error.pointer?.description == "/\(key)")
        }
    }

    @Test(.threat(.numberRange)) func numbersReachStepsExactly() throws {
        let seen = Mutex<[FormerModel.Value?]>([])
        var schema = ModelSchema(
            "Model", ["small": .integer, "large": .unsigned, "exact": .decimal, "double": .double, "flag": .bool],
            version: 2)
        schema.upgrades = [
            SchemaUpgrade(from: 1) { model in
                for key in model.keys { seen.withLock { $0.append(model[key]) } }
                // Whatever it is, it goes on as it is.
                for key in model.keys { model[key] = model[key] }
            }
        ]
        let text =
            #"{"small":-9223372036854775808,"large":18446744073709551615,"exact":0.12345678901234567890123,"double":1.5,"flag":true}"#
        let model = try Plain.adapter([schema]).adapter.model(from: Data(text.utf8), versionMember: "v")
        func number(_ text: String) -> FormerModel.Value? { JSONNumber(text: text).map { .json(.number($0)) } }
        #expect(
            seen.withLock { $0 } == [
                .integer(.min), number("18446744073709551615"), number("0.12345678901234567890123"), number("1.5"),
                .bool(true),
            ])
        #expect(model["small", as: Int.self] == .min)
        #expect(model["large", as: UInt.self] == .max)
        #expect(model["exact", as: Decimal.self] == Decimal(string: "0.12345678901234567890123"))
        #expect(model["double", as: Double.self] == 1.5)
    }

    @Test func aKeyCanChangeWhileItsMemberStays() throws {
        var schema = ModelSchema("Model", ["handle": .string.json("login")], version: 2)
        schema.upgrades = [SchemaUpgrade(from: 1, renamed: ["login": "handle"])]
        let model = try Plain.adapter([schema]).adapter.model(from: Data(#"{"login": "x"}"#.utf8), versionMember: "v")
        #expect(model["handle", as: String.self] == "x")
    }

    @Test func versionsThatCannotBeReadAreErrors() throws {
        let adapter = try contacts()
        let cases: [(String, ModelError.Code)] = [
            (#"{"version": 4}"#, .newerVersion), (#"{"version": "1"}"#, .typeMismatch),
            (#"{"version": 0}"#, .typeMismatch),
            (#"{"version": 2}"#, .upgradeFailed), (#"{"version": 2"#, .malformedJSON), (#"[]"#, .typeMismatch),
        ]
        for (text, code) in cases {
            let error = try #require(throws: ModelError.self) {
                try adapter.model(from: Data(text.utf8), versionMember: "version")
            }
            #expect(error.code == code, "\(text): \(error)")
        }
        let ada = try adapter.model(from: #"{"firstName": "Ada"}"#)
        #expect(throws: ModelError.self) { try adapter.data(from: ada, versionMember: "firstName") }
    }

    private func nested() throws -> JSONAdapter<DynamicModel> {
        var schema = ModelSchema(
            "Model",
            [
                "login": .string.json("user.login"), "at": .date, "both": .jsonValue.json(allOf: ["l", "r"]),
                "any": .jsonValue,
            ], version: 2)
        schema.upgrades = [
            SchemaUpgrade(from: 1, renamed: ["name": "login"]) { model in
                if model["at"]?.text == "never" { model["at"] = .date(Date(timeIntervalSinceReferenceDate: 1e300)) }
            }
        ]
        return try Plain.adapter([schema]).adapter
    }

    @Test func aMemberMovesIntoAnObjectThatIsThereOrNot() throws {
        for user in ["", #","user":null"#, #","user":{"id":1}"#] {
            let text = #"{"name":"x","any":[1.5,null],"l":1,"r":null,"at":null\#(user)}"#
            let model = try nested().model(from: Data(text.utf8), versionMember: "v")
            #expect(model["login", as: String.self] == "x")
            #expect(model["any", as: JSONValue.self] == [1.5, nil])
            #expect(try model.state(of: "at") == .null)
            #expect(model["both", as: JSONValue.self] == ["l": 1, "r": nil])
        }
        let large = try nested().model(from: Data(#"{"any":1e30}"#.utf8), versionMember: "v")
        #expect(large["any", as: JSONValue.self]?.numberValue?.double == 1e30)
    }

    @Test(arguments: [
        (#"{"name":"x","user":5}"#, ModelError.Code.upgradeFailed, "/login"),
        (#"{"at":"never"}"#, .notConvertible, "/at"),
    ])
    func whatCannotBeMovedNamesItsKey(text: String, code: ModelError.Code, pointer: String) throws {
        let error = try #require(throws: ModelError.self) {
            try nested().model(from: Data(text.utf8), versionMember: "v")
        }
        #expect(error.code == code && error.pointer?.description == pointer)
    }

    // MARK: Where values stand

    /// Reads a document of version 1 with a schema of version 2 and one step.
    private func read(
        _ text: String, _ properties: KeyValuePairs<String, PropertySchema>, _ step: SchemaUpgrade,
        keys: ModelSchema.KeyStrategy = .identity, profiles: [ModelSchema.Profile] = [],
        options: JSONAdapterOptions = JSONAdapterOptions()
    ) throws -> (model: DynamicModel, adapter: JSONAdapter<DynamicModel>) {
        var schema = ModelSchema("Model", properties, keys: keys, version: 2)
        schema.profiles = profiles
        schema.upgrades = [step]
        let adapter = try JSONAdapter(
            schema: schema, profile: profiles.first?.name, registry: .of(schema), options: options)
        return (try adapter.model(from: text, versionMember: "v"), adapter)
    }

    @Test func aMemberThatNothingStandsForIsNotTakenForAPropertyOfItsName() throws {
        var options = JSONAdapterOptions()
        options.unknownMembers = .keep
        for text in [#"{"title":"A","name":"B"}"#, #"{"name":"B","title":"A"}"#] {
            let (model, adapter) = try read(
                text, ["name": .string.json("title")], SchemaUpgrade(from: 1), options: options)
            #expect(model["name", as: String.self] == "A")
            #expect(try adapter.jsonValue(from: model) == ["title": "A", "name": "B"])
        }
        let hidden = try read(
            #"{"name":"B"}"#, ["name": .string.json("title"), "none": .string.json(.none)],
            SchemaUpgrade(from: 1, defaults: ["name": "C", "none": "D"]), options: options)
        #expect(try hidden.adapter.jsonValue(from: hidden.model) == ["title": "C", "name": "B"])
    }

    @Test func whatAStepMakesWithoutAPropertyDoesNotBecomeOne() throws {
        let (model, _) = try read(
            #"{"extra":1}"#, ["name": .string.json("title"), "extra": .integer],
            SchemaUpgrade(from: 1) { $0["title"] = .string("made") })
        #expect(try model.state(of: "name") == .unset)
        #expect(model["extra", as: Int.self] == 1)
    }

    @Test func whatAStepMakesWithoutAPropertyIsAnUnknownMember() throws {
        var options = JSONAdapterOptions()
        options.unknownMembers = .keep
        let (model, adapter) = try read(
            #"{"extra":1}"#, ["extra": .integer], SchemaUpgrade(from: 1) { $0["fresh"] = .string("made") },
            options: options)
        #expect(try adapter.jsonValue(from: model) == ["extra": 1, "fresh": "made"])
    }

    @Test func stepsSeeAndChangeValuesAtTheEndOfPaths() throws {
        let properties: KeyValuePairs<String, PropertySchema> = ["login": .string.json("user.login")]
        let document = #"{"user":{"id":1,"login":"real"}}"#
        let kept = try read(document, properties, SchemaUpgrade(from: 1, defaults: ["login": "x"]))
        #expect(kept.model["login", as: String.self] == "real")
        for other in [#"{"user":{"id":1}}"#, #"{"user":null}"#, "{}"] {
            let (model, _) = try read(other, properties, SchemaUpgrade(from: 1, defaults: ["login": "x"]))
            #expect(model["login", as: String.self] == "x", "\(other)")
        }
        let converted = try read(
            document, properties,
            SchemaUpgrade(from: 1) { $0["login"] = .string(($0["login"]?.text ?? "").uppercased()) })
        #expect(converted.model["login", as: String.self] == "REAL")
        let trimmed = try read(
            #"{"user":{"login":"  "}}"#, properties,
            SchemaUpgrade(from: 1, transformed: ["login": [EmptyTextAsNullTransformerName]]))
        #expect(try trimmed.model.state(of: "login") == .value)
        let empty = try read(
            #"{"user":{"login":""}}"#, properties,
            SchemaUpgrade(from: 1, transformed: ["login": [EmptyTextAsNullTransformerName]]))
        #expect(try empty.model.state(of: "login") == .null)
    }

    @Test(arguments: [JSONAdapterOptions.UnknownMembers.refuse, .keep, .ignore])
    func whatAStepRemovesIsNoUnknownMember(policy: JSONAdapterOptions.UnknownMembers) throws {
        let (model, adapter) = try read(
            #"{"old":1,"a":2}"#, ["a": .integer], SchemaUpgrade(from: 1, removed: ["old"]),
            options: .with { $0.unknownMembers = policy })
        #expect(try adapter.jsonValue(from: model) == ["a": 2])
    }

    @Test func ofSeveralPathsStepsSeeTheOneThatIsRead() throws {
        let properties: KeyValuePairs<String, PropertySchema> = ["k": .integer.json(firstOf: ["a", "x.b"])]
        func value(_ text: String, _ step: SchemaUpgrade) throws -> Int? {
            try read(text, properties, step).model["k", as: Int.self]
        }
        let standard = SchemaUpgrade(from: 1, defaults: ["k": 2])
        #expect(try value(#"{"x":{"b":1}}"#, standard) == 1)
        #expect(try value("{}", standard) == 2)
        let increment = SchemaUpgrade(from: 1) { model in
            if case .integer(let number)? = model["k"] { model["k"] = .integer(number + 10) }
        }
        #expect(try value(#"{"x":{"b":1}}"#, increment) == 11)
        #expect(try value(#"{"x":{"b":1},"a":5}"#, increment) == 15)
        // A path that a null ends is the one that is read; where it ends with nothing, the next one is.
        let nested: KeyValuePairs<String, PropertySchema> = ["k": .integer.json(firstOf: ["x.b", "a"])]
        for (text, expected) in [(#"{"x":null,"a":5}"#, 2), (#"{"x":{},"a":5}"#, 5), (#"{"a":5}"#, 5)] {
            #expect(try read(text, nested, standard).model["k", as: Int.self] == expected, "\(text)")
        }
        // Nothing is left of what a step removed.
        #expect(try value(#"{"x":{"b":1},"a":5}"#, SchemaUpgrade(from: 1) { $0["k"] = nil }) == nil)
    }

    @Test func stepsSeeTheObjectOfSeveralParts() throws {
        let properties: KeyValuePairs<String, PropertySchema> = ["both": .jsonValue.json(allOf: ["l", "at.r"])]
        func value(_ text: String, _ step: SchemaUpgrade) throws -> JSONValue? {
            try read(text, properties, step).model["both", as: JSONValue.self]
        }
        let standard = SchemaUpgrade(from: 1, defaults: ["both": ["l": 0, "at.r": 1]])
        #expect(try value(#"{"at":{"r":5}}"#, standard) == ["at.r": 5])
        #expect(try value("{}", standard) == ["l": 0, "at.r": 1])
        // Nothing but nulls is null, as where it is read.
        let copying = SchemaUpgrade(from: 1) { $0["seen"] = $0["both"] }
        for (text, state, seen) in [
            (#"{"l":1,"at":{"r":null}}"#, .value, ["l": 1, "at.r": nil]),
            (#"{"l":null,"at":{"r":null}}"#, .null, nil), (#"{"l":null}"#, .null, nil),
            (#"{"l":1}"#, .value, ["l": 1]), (#"{"at":{}}"#, .unset, nil),
        ] as [(String, PropertyState, [String: Int?]?)] {
            let both = PropertySchema.jsonValue.json(allOf: ["l", "at.r"])
            let model = try read(text, ["both": both, "seen": .dictionary(of: .integer.nullable)], copying).model
            #expect(try model.state(of: "seen") == state, "\(text)")
            #expect(model["seen", as: [String: Int?].self] == seen, "\(text)")
        }
        let error = #expect(throws: ModelError.self) { try value("{}", SchemaUpgrade(from: 1, defaults: ["both": 7])) }
        #expect(error?.expected == #"an object with the members "l", "at.r""# && error?.pointer?.description == "/both")
    }

    @Test func stepsGoThroughArraysWhereTheReaderDoes() throws {
        let name = PropertySchema.string.json("labels[0].name").readOnly
        func value(_ text: String, _ step: SchemaUpgrade) throws -> String? {
            try read(text, ["name": name], step).model["name", as: String.self]
        }
        let standard = SchemaUpgrade(from: 1, defaults: ["name": "x"])
        #expect(try value(#"{"labels":[{"name":"a"}]}"#, standard) == "a")
        #expect(try value(#"{"labels":[{}]}"#, standard) == "x")
        #expect(throws: ModelError.self) { try value(#"{"labels":[]}"#, standard) }
    }

    @Test func aNewValueStandsWhereItWouldBeWritten() throws {
        func value(_ paths: [String], _ text: String) throws -> String? {
            let properties: KeyValuePairs<String, PropertySchema> = ["name": .string.json(firstOf: paths).readOnly]
            let step = SchemaUpgrade(from: 1, defaults: ["name": "x"])
            return try read(text, properties, step).model["name", as: String.self]
        }
        // Through an array only where it has the element.
        #expect(try value(["labels[0]", "title"], "{}") == "x")
        #expect(try value(["labels[0]", "at.title", "title"], #"{"labels":[],"at":{}}"#) == "x")
        #expect(try value(["labels[0]", "title"], #"{"labels":["a"]}"#) == "a")
        #expect(try value(["title", "labels[0]"], #"{"labels":["a"]}"#) == "a")
    }

    @Test func theProfileSaysWhereValuesStand() throws {
        let (model, _) = try read(
            #"{"l":"a","login":"b"}"#, ["login": .string], SchemaUpgrade(from: 1, defaults: ["login": "x"]),
            profiles: [ModelSchema.Profile("short", ["login": .path("l")])])
        #expect(model["login", as: String.self] == "a")
    }

    @Test func aFormerKeyWithoutAMemberNameStandsForItsOwn() throws {
        let (model, _) = try read(
            #"{"old":"a"}"#, ["name": .string.json("title")], SchemaUpgrade(from: 1, renamed: ["old": "name"]),
            keys: .explicit)
        #expect(model["name", as: String.self] == "a")
    }

    // MARK: Descendants

    @Test func theVersionsOfAllSchemasAreWritten() throws {
        let animal = ModelSchema(
            "Animal", ["kind": .string], cluster: .discriminator("kind", ["dog": "Dog"]))
        var dog = ModelSchema("Dog", ["barks": .bool], extends: "Animal", version: 2)
        dog.upgrades = [SchemaUpgrade(from: 1, defaults: ["barks": true])]
        let registry = SchemaRegistry()
        try registry.register(animal, dog)
        let animals = try JSONAdapter(schema: animal, registry: registry)
        let model = try animals.model(from: #"{"kind":"dog"}"#, versionMember: "v")
        #expect(model.schema.name == "Dog")
        #expect(model["barks", as: Bool.self] == true)
        let written = try animals.data(from: model, versionMember: "v")
        #expect(String(decoding: written, as: UTF8.self) == #"{"v":{"Dog":2},"kind":"dog","barks":true}"#)
        #expect(try animals.model(from: written, versionMember: "v") == model)
        let dogs = try JSONAdapter(schema: dog, registry: registry)
        #expect(
            try String(decoding: dogs.data(from: model, versionMember: "v"), as: UTF8.self)
                == #"{"v":2,"kind":"dog","barks":true}"#)
        #expect(try dogs.model(from: written, versionMember: "v") == model)
    }

    /// A document in which a model takes steps is at most 64 models deep; others are as deep as reading allows.
    @Test(arguments: [(63, 1, true), (64, 1, false), (1000, 1, false), (1000, 2, true)])
    func theDepthOfModelsThatTakeStepsIsLimited(depth: Int, version: Int, isRead: Bool) throws {
        var schema = ModelSchema("Node", ["next": .model("Node"), "title": .string], version: 2)
        schema.upgrades = [SchemaUpgrade(from: 1, renamed: ["name": "title"])]
        var options = JSONAdapterOptions()
        options.reading.maximumDepth = 1024
        let adapter = try JSONAdapter(schema: schema, registry: .of(schema), options: options)
        let member = version == 1 ? "name" : "title"
        let text =
            String(repeating: #"{"next":"#, count: depth) + #"{"\#(member)":"x"}"#
            + String(repeating: "}", count: depth)
        let document = #"{"v":\#(version),"# + text.dropFirst()
        func title() throws(ModelError) -> String? {
            try onStack { () throws(ModelError) in
                var model = try adapter.model(from: document, versionMember: "v")
                while let next = model["next", as: DynamicModel.self] { model = next }
                return model["title", as: String.self]
            }
        }
        if isRead {
            #expect(try title() == "x")
        } else {
            let error = #expect(throws: ModelError.self) { try title() }
            #expect(error?.code == .depthLimit)
        }
    }

    // MARK: Errors

    @Test(arguments: [
        ("{\n \"v\": 2,\n \"name\": 7}", 3, 10), ("{\n \"v\": 3}", 2, 7), ("{\n \"v\": \"1\"}", 2, 7),
        ("{\n \"v\" 1}", 2, 6),
    ])
    func errorsHaveLinesUntilAStepChangesSomething(_ text: String, _ line: Int, _ column: Int) throws {
        let properties: KeyValuePairs<String, PropertySchema> = ["name": .string]
        let error = #expect(throws: ModelError.self) { try read(text, properties, SchemaUpgrade(from: 1)) }
        #expect(error?.location?.line == line && error?.location?.column == column, "\(String(describing: error))")
        let unchanged = #expect(throws: ModelError.self) {
            try read(#"{"v": 1, "name": 7}"#, properties, SchemaUpgrade(from: 1))
        }
        #expect(unchanged?.location?.column == 18)
        let upgraded = #expect(throws: ModelError.self) {
            try read(#"{"v": 1, "old": 7}"#, properties, SchemaUpgrade(from: 1, renamed: ["old": "name"]))
        }
        #expect(upgraded?.location == nil && upgraded?.pointer?.description == "/name")
    }
}
