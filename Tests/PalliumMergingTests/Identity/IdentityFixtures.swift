import Foundation
import Pallium
import TestSupport

/// Models that refer to one another in every way there is.
struct IdentityFixtures {
    static let person = ModelSchema(
        "Person",
        [
            "id": .integer, "name": .string, "age": .integer.default(0), "friend": .model("Person"),
            "address": .model("Address"), "home": .model("Address").merge(.recurse),
            "peers": .set(of: .model("Person")),
        ],
        identity: ["id"])

    /// A value: it has no identity.
    static let address = ModelSchema(
        "Address", ["city": .string.required, "zip": .string, "floor": .integer.default(1), "host": .model("Person")])

    static let comment = ModelSchema(
        "Comment", ["id": .integer.required, "text": .string.required, "issue": .model("Issue").weak],
        identity: ["id"])

    static let issue = ModelSchema(
        "Issue",
        [
            "id": .integer.required, "title": .string, "assignee": .model("Person"),
            "comments": PropertySchema.array(of: .model("Comment")).inverse("issue"),
            "watchers": .array(of: .model("Person")).merge(.byIdentifier()),
            "people": .dictionary(of: .model("Person")), "parent": .model("Issue").json("links.parent"),
            "updated": .integer, "state": .string.merge(.newest(by: "updated")), "views": .integer.merge(.max),
            "first": .integer.merge(.min), "tags": .set(of: .string).merge(.union), "note": .string.merge(.keep),
        ],
        identity: ["id"])

    /// A root without an identity.
    static let page = ModelSchema("Page", ["issues": .array(of: .model("Issue")), "owner": .model("Person")])

    static let accounts = [
        ModelSchema(
            "Account", ["login": .string, "url": .string], identity: ["login"],
            cluster: .discriminator("kind", ["user": "User", "group": "Group"], default: "Account")),
        ModelSchema("User", ["email": .string], extends: "Account"),
        ModelSchema("Group", ["members": .array(of: .model("Account"))], extends: "Account"),
        ModelSchema("Event", ["id": .integer, "actor": .model("Account"), "target": .model("Account")]),
    ]

    /// Without policies, as most schemas are.
    static let plain = [
        ModelSchema(
            "Team",
            [
                "id": .integer, "name": .string, "link": .url, "lead": .model("Member"),
                "members": .array(of: .model("Member")),
                "labels": .array(of: .model("Label")),
                "place": .model("Place"),
                "places": .array(of: .model("Place")),
            ], identity: ["id"]),
        ModelSchema(
            "Member", ["id": .integer, "name": .string, "mentor": .model("Member"), "place": .model("Place")],
            identity: ["id"]),
        ModelSchema("Label", ["key": .string, "text": .string], identity: ["key"]),
        ModelSchema("Place", ["city": .string, "host": .model("Member")]),
    ]

    let registry: SchemaRegistry
    let map = IdentityMap()

    init(_ change: (ModelSchema) -> ModelSchema = { $0 }) throws {
        registry = SchemaRegistry()
        let schemas = [Self.person, Self.address, Self.comment, Self.issue, Self.page]
        try registry.register((schemas + Self.accounts + Self.plain).map(change))
    }

    func adapter(_ schema: String) throws -> JSONAdapter<DynamicModel> {
        try JSONAdapter(schema: registry.schema(named: schema), registry: registry)
    }

    /// Imports a document; single quotes stand for double ones.
    @discardableResult
    func load(_ schema: String, _ text: String) throws -> IdentityMap.ImportedModels<DynamicModel> {
        try map.import(text.replacingOccurrences(of: "'", with: "\""), using: adapter(schema))
    }

    /// The problem of importing a document.
    func problem(_ schema: String, _ text: String) throws -> ModelError? {
        let adapter = try adapter(schema)
        do throws(ModelError) {
            try map.import(text.replacingOccurrences(of: "'", with: "\""), using: adapter)
            return nil
        } catch { return error }
    }
}
