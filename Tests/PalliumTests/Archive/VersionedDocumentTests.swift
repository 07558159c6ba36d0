import Foundation
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
        let seen = Mutex<[StoredValue?]>([])
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
        func number(_ text: String) -> StoredValue? { JSONNumber(text: text).map { .json(.number($0)) } }
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
                "login": .string.json("user.login"), "at": .date, "both": .json.json(allOf: ["l", "r"]), "any": .json,
            ], version: 2)
        schema.upgrades = [
            SchemaUpgrade(from: 1, renamed: ["name": "login"]).converting { model in
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
}
