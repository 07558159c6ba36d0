import Foundation
import Pallium
import Testing

/// Documents that say of which version they are go through the same steps as archives.
@Suite struct VersionedDocumentTests {
    private func adapter(_ schema: ModelSchema) throws -> JSONAdapter<DynamicModel> {
        let registry = SchemaRegistry()
        try registry.register(schema)
        return try JSONAdapter(schema: schema, registry: registry)
    }

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
        let adapter = try adapter(schema)
        let model = try adapter.model(
            from: Data(#"{"long_name": "x", "login_name": "y", "user": {"id": 1}, "old_thing": 1}"#.utf8),
            versionMember: "v")
        #expect(model["fullName", as: String.self] == "x")
        #expect(model["userLogin", as: String.self] == "y")
        #expect(model["itemCount", as: Int.self] == 3)
    }

    @Test func aKeyCanChangeWhileItsMemberStays() throws {
        var schema = ModelSchema("Model", ["handle": .string.json("login")], version: 2)
        schema.upgrades = [SchemaUpgrade(from: 1, renamed: ["login": "handle"])]
        let model = try adapter(schema).model(from: Data(#"{"login": "x"}"#.utf8), versionMember: "v")
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
}
