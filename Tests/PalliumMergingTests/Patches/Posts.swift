import ModelTestSupport
import Pallium
import TestSupport

/// Models with every sort of property that a patch can meet.
enum Posts {
    static func registry() throws -> SchemaRegistry { try .of(post, author) }

    static func adapter(_ registry: SchemaRegistry) throws -> JSONAdapter<DynamicModel> {
        try JSONAdapter(schema: post, registry: registry, options: .with { $0.unknownMembers = .keep })
    }

    private static let author = ModelSchema(
        "Author",
        ["id": .integer.required, "name": .string.required.json("full.name"), "age": .integer.default(30)],
        identity: ["id"])

    private static let post = ModelSchema(
        "Post",
        [
            "id": .integer.required,
            "title": .string.required.validate { (title: inout String?, _) in
                if title == "refused" { throw FixtureError.refused }
            },
            "body": .string.json("content.body"), "stars": .integer.default(1),
            "author": .model("Author").merge(.recurse), "other": .model("Author"),
            "comments": .array(of: .model("Author")).merge(.byIdentifier()),
            "log": .array(of: .string).merge(.append),
            "views": .integer.merge(.max), "note": .string.merge(.keep), "token": .string.secret,
            "seen": .integer.local, "password": .string.writeOnly,
            "opened": .date.transformer(DateOnlyTransformerName),
        ])
}
