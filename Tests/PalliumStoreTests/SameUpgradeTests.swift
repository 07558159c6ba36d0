import Foundation
import Pallium
import Testing

/// Archives, documents and rows take steps in the same way: the rows of the table "Everywhere the same".
struct SameUpgradeTests {
    /// Schemas of two programs, a document of the former one, and what the later one makes of it in every form.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let upgrade: SameUpgrade
        let document: String
        /// The results of archives, documents and rows.
        let expected: [String]

        /// - Parameter row: What rows read, in which a date is a number; nil for the same as the others.
        init(
            _ name: String, _ former: [ModelSchema], _ present: [ModelSchema], _ document: String, _ expected: String,
            row: String? = nil
        ) {
            testDescription = name
            upgrade = SameUpgrade(former, present)
            self.document = document
            self.expected = SameUpgrade.everywhere(expected).dropLast() + [SameUpgrade.everywhere(row ?? expected)[2]]
        }
    }

    private static func root(
        _ properties: KeyValuePairs<String, PropertySchema>, extends parent: ModelReference? = nil,
        keys: ModelSchema.KeyStrategy = .identity
    ) -> ModelSchema {
        var schema = ModelSchema("Root", properties, extends: parent, keys: keys, identity: parent == nil ? ["id"] : [])
        if parent == nil { schema.properties.insert(.init("id", .integer.required), at: 0) }
        return schema
    }

    @Test(arguments: rows) func everyFormReadsTheSame(row: Row) throws {
        for (found, expected) in zip(try row.upgrade.texts(row.document), row.expected) {
            #expect(found == expected)
        }
    }

    static let rows: [Row] = order + inside + clusters + made + references + hooks + values + formerKeys

    // MARK: Order

    private static let order = [
        Row(
            "ancestors first, then hooks",
            [
                root(["first": .string], extends: "Base"),
                ModelSchema("Base", ["id": .integer.required, "name": .string], identity: ["id"]),
            ],
            [
                root(
                    [
                        "label": .string,
                        "loud": .string.unarchived { stored in
                            stored["label"]?.text.map { .string($0.uppercased()) }
                        },
                    ], extends: "Base"
                ).later(
                    SchemaUpgrade(from: 1, renamed: ["first": "label"]) { model in
                        let (title, label) = (model["title"]?.text ?? "none", model["label"]?.text ?? "none")
                        model["label"] = .string("\(label) \(title)")
                    }),
                ModelSchema("Base", ["id": .integer.required, "title": .string], identity: ["id"])
                    .later(
                        SchemaUpgrade(from: 1, renamed: ["name": "heading"]),
                        SchemaUpgrade(from: 2, renamed: ["heading": "title"])),
            ],
            #"{"id": 1, "name": "n", "first": "f"}"#, #"{"id":1,"title":"n","label":"f n","loud":"F N"}"#),
        Row(
            "renames at once, transformers, code, defaults, removals",
            [root(["a": .string, "b": .string, "c": .string])],
            [
                root(["a": .string, "b": .string, "d": .string, "e": .string]).later(
                    SchemaUpgrade(
                        from: 1, renamed: ["a": "b", "b": "a"], removed: ["c"],
                        defaults: ["d": "never", "e": "default"],
                        transformed: ["b": ["Upper"]]
                    ) { model in model["d"] = .string((model["b"]?.text ?? "") + (model["c"]?.text ?? "")) })
            ],
            #"{"id": 1, "a": "x", "b": "y", "c": "z"}"#, #"{"id":1,"a":"y","b":"X","d":"Xz","e":"default"}"#),
    ]

    // MARK: Models

    private static let inside = [
        Row(
            "models inside as they were",
            [
                root(["home": .model("Place"), "all": .array(of: .model("Place"))]),
                ModelSchema("Place", ["town": .string]),
            ],
            [
                root(["home": .model("Place"), "all": .array(of: .model("Place")), "town": .string]).later(
                    SchemaUpgrade(from: 1) { $0["town"] = $0["home"]?.model?["town"] }),
                ModelSchema("Place", ["city": .string]).later(
                    SchemaUpgrade(from: 1, renamed: ["town": "city"], transformed: ["city": ["Upper"]])),
            ],
            #"{"id": 1, "home": {"town": "Bern"}, "all": [{"town": "Wien"}, {"town": null}]}"#,
            #"{"id":1,"home":{"city":"BERN"},"all":[{"city":"WIEN"},{"city":null}],"town":"Bern"}"#),
        Row(
            "a list moves out of a model whose schema no longer exists",
            [
                root(["basket": .model("Basket")]), ModelSchema("Basket", ["items": .array(of: .model("Line"))]),
                ModelSchema("Line", ["name": .string]),
            ],
            [
                root(["items": .array(of: .model("Line"))]).later(
                    SchemaUpgrade(from: 1, removed: ["basket"]) { $0["items"] = $0["basket"]?.model?["items"] }),
                ModelSchema("Line", ["title": .string]).later(SchemaUpgrade(from: 1, renamed: ["name": "title"])),
            ],
            #"{"id": 1, "basket": {"items": [{"name": "a"}, {"name": "b"}]}}"#,
            #"{"id":1,"items":[{"title":"a"},{"title":"b"}]}"#),
    ]

    private static let circle = ModelSchema("Circle", ["radius": .integer], extends: "Shape")

    private static let clusters = [
        Row(
            "a cluster chooses by the values that steps leave",
            [
                root(["shape": .model("Shape")]),
                ModelSchema("Shape", ["type": .string], cluster: .discriminator("type", ["circle": "Circle"])), circle,
            ],
            [
                root(["shape": .model("Shape")]),
                ModelSchema("Shape", ["kind": .string], cluster: .discriminator("kind", ["CIRCLE": "Circle"]))
                    .later(
                        SchemaUpgrade(from: 1, renamed: ["type": "kind"]),
                        SchemaUpgrade(from: 2, transformed: ["kind": ["Upper"]])),
                ModelSchema("Circle", ["size": .integer], extends: "Shape")
                    .later(SchemaUpgrade(from: 1, renamed: ["radius": "size"])),
            ],
            #"{"id": 1, "shape": {"type": "circle", "radius": 2}}"#,
            #"{"id":1,"shape":{"kind":"CIRCLE","size":2}}"#),
        Row(
            "the cluster of the root",
            [
                ModelSchema(
                    "Shape", ["id": .integer.required, "type": .string], identity: ["id"],
                    cluster: .discriminator("type", ["circle": "Circle"])), circle,
            ],
            [
                ModelSchema(
                    "Shape", ["id": .integer.required, "kind": .string], identity: ["id"],
                    cluster: .discriminator("kind", ["circle": "Circle"])
                ).later(SchemaUpgrade(from: 1, renamed: ["type": "kind"])),
                ModelSchema("Circle", ["size": .string], extends: "Shape")
                    .later(SchemaUpgrade(from: 1, renamed: ["radius": "size"], transformed: ["size": ["Digits"]])),
            ],
            #"{"id": 1, "type": "circle", "radius": 2}"#, #"{"id":1,"kind":"circle","size":"2"}"#),
    ]

    private static let made = [
        Row(
            "a model that a step makes takes the later steps of its schema",
            [root(["street": .string, "town": .string])],
            [
                root(["home": .model("Place")]).later(
                    SchemaUpgrade(from: 1, removed: ["street", "town"]) { model in
                        var place = FormerModel("Place", version: 2)
                        place["street"] = model["street"]
                        place["town"] = model["town"]
                        model["home"] = .model(place)
                    }),
                ModelSchema("Place", ["streetName": .string, "city": .string, "land": .string], keys: .snakeCase).later(
                    // Not the step before its version.
                    SchemaUpgrade(from: 1, transformed: ["street": ["Upper"]]),
                    SchemaUpgrade(from: 2, renamed: ["town": "city"], defaults: ["land": "CH"]),
                    SchemaUpgrade(from: 3, renamed: ["street": "streetName"], transformed: ["city": ["Upper"]])),
            ],
            #"{"id": 1, "street": "Gasse", "town": "Bern"}"#,
            #"{"id":1,"home":{"street_name":"Gasse","city":"BERN","land":"CH"}}"#),
        Row(
            "a model with an identity that a step makes", [root(["login": .string, "age": .integer])],
            [
                root(["user": .model("Account")]).later(
                    SchemaUpgrade(from: 1, removed: ["login", "age"]) { model in
                        var user = FormerModel("User", version: 1)
                        user["login"] = model["login"]
                        user["age"] = model["age"]
                        model["user"] = .model(user)
                    }),
                ModelSchema("Account", ["name": .string.required, "age": .integer], identity: ["name"]).later(
                    SchemaUpgrade(from: 1, renamed: ["login": "name"], oldSchemaName: "User")),
            ],
            #"{"id": 1, "login": "ada", "age": 36}"#, #"{"id":1,"user":{"name":"ada","age":36}}"#),
    ]

    private static let user = ModelSchema("User", ["id": .string.required, "login": .string], identity: ["id"])

    private static let references = [
        Row(
            "an identity is renamed and transformed", [root(["user": .model("User")]), user],
            [
                root(["user": .model("User")]),
                ModelSchema("User", ["number": .integer.required, "login": .string], identity: ["number"]).later(
                    SchemaUpgrade(from: 1, renamed: ["id": "key"]),
                    SchemaUpgrade(from: 2, renamed: ["key": "number"], transformed: ["number": ["IntegerText"]])),
            ],
            #"{"id": 1, "user": {"id": "7", "login": "ada"}}"#, #"{"id":1,"user":{"number":7,"login":"ada"}}"#),
        Row(
            "a step needs more than the identity", [root(["user": .model("User")]), user],
            [
                root(["user": .model("User"), "userID": .string]).later(
                    SchemaUpgrade(from: 1) { $0["userID"] = $0["user"]?.model?["id"] }),
                user.later(
                    SchemaUpgrade(from: 1) { model in
                        guard let login = model["login"]?.text else { throw CancellationError() }
                        model["login"] = .string(login + "!")
                    }),
            ],
            #"{"id": 1, "user": {"id": "7", "login": "ada"}}"#,
            #"{"id":1,"user":{"id":"7","login":"ada!"},"userID":"7"}"#),
        Row(
            "a step that needs more than the identity, which it renames", [root(["user": .model("User")]), user],
            [
                root(["user": .model("User")]),
                ModelSchema("User", ["number": .string.required, "login": .string], identity: ["number"]).later(
                    SchemaUpgrade(from: 1, renamed: ["id": "number"]) { model in
                        guard let login = model["login"]?.text else { throw CancellationError() }
                        model["login"] = .string(login + "!")
                    }),
            ],
            #"{"id": 1, "user": {"id": "7", "login": "ada"}}"#, #"{"id":1,"user":{"number":"7","login":"ada!"}}"#),
        Row(
            "a schema of references has another name", [root(["users": .array(of: .model("User"))]), user],
            [
                root(["users": .array(of: .model("Person"))]),
                ModelSchema("Person", ["id": .string.required, "name": .string], identity: ["id"]).later(
                    SchemaUpgrade(from: 1, renamed: ["login": "name"], oldSchemaName: "User")),
            ],
            #"{"id": 1, "users": [{"id": "7", "login": "ada"}, {"id": "8", "login": "bob"}]}"#,
            #"{"id":1,"users":[{"id":"7","name":"ada"},{"id":"8","name":"bob"}]}"#),
    ]

    // MARK: Hooks and values

    private static let loud = PropertySchema.string.unarchived { stored in
        stored["title"]?.text.map { .string($0.uppercased()) }
    }

    private static let hooks = [
        Row(
            "a hook of the present version", [root(["title": loud])], [root(["title": loud])],
            #"{"id": 1, "title": "abc"}"#, #"{"id":1,"title":"ABC"}"#),
        Row(
            "a hook of the present version in a model inside",
            [root(["part": .model("Part")]), ModelSchema("Part", ["title": loud])],
            [root(["part": .model("Part")]), ModelSchema("Part", ["title": loud])],
            #"{"id": 1, "part": {"title": "abc"}}"#, #"{"id":1,"part":{"title":"ABC"}}"#),
        Row(
            "a hook reads a former key", [root(["name": .string, "born": .date])],
            [
                root([
                    "title": .string.unarchived { $0["title"] ?? $0["name"] },
                    "birth": .date.unarchived { $0["birth"] ?? $0["born"] },
                ])
            ],
            #"{"id": 1, "name": "abc", "born": "1815-12-10T00:00:00.5Z"}"#,
            #"{"id":1,"title":"abc","birth":"1815-12-10T00:00:00.5Z"}"#),
    ]

    private static let values = [
        Row(
            "a transformer gets the type that it takes",
            [
                root([
                    "date": .date, "uuid": .uuid, "url": .url, "amount": .decimal, "data": .data, "flag": .bool,
                    "state": .enumeration("open", "closed"), "day": .string,
                ])
            ],
            [
                root([
                    "date": .integer, "uuid": .string, "url": .string, "amount": .string, "data": .integer,
                    "flag": .string, "state": .string, "day": .date,
                ]).later(
                    SchemaUpgrade(
                        from: 1,
                        transformed: [
                            "date": ["Year"], "uuid": ["IdentifierText"], "url": ["Address"], "amount": ["Amount"],
                            "data": ["Count"], "flag": ["YesNo"], "state": ["Upper"], "day": [DateOnlyTransformerName],
                        ]))
            ],
            #"{"id": 1, "date": "2026-01-31T12:00:00Z", "uuid": "4A275FBD-8217-4397-964B-403F4C2B8545", "#
                + #""url": "https://example.org/a", "amount": 1.25, "data": "AAEC", "flag": true, "state": "open", "#
                + #""day": "1815-12-10"}"#,
            #"{"id":1,"date":2026,"uuid":"4A275FBD-8217-4397-964B-403F4C2B8545","url":"https://example.org/a","#
                + #""amount":"1.25","data":3,"flag":"yes","state":"OPEN","day":"1815-12-10T00:00:00Z"}"#),
        Row(
            "a value that moves is the same", [root(["born": .date, "part": .model("Part")]), dated],
            [
                root(["from": .date, "to": .date, "part": .model("Part")]).later(
                    SchemaUpgrade(from: 1, removed: ["born"]) { model in
                        model["from"] = model["born"]
                        model["to"] = model["part"]?.model?["at"]
                    }), dated,
            ],
            #"{"id": 1, "born": "1815-12-10T00:00:00Z", "part": {"at": "2026-01-31T12:00:00.5Z"}}"#,
            #"{"id":1,"from":"1815-12-10T00:00:00Z","to":"2026-01-31T12:00:00.5Z","part":{"at":"2026-01-31T12:00:00.5Z"}}"#
        ),
        Row(
            "any property may become json",
            [root(["born": .date, "data": .data, "state": .enumeration("open", "closed")])],
            [root(["born": .jsonValue, "data": .jsonValue, "state": .jsonValue])],
            #"{"id": 1, "born": "1815-12-10T00:00:00Z", "data": "AAEC", "state": "open"}"#,
            #"{"id":1,"born":"1815-12-10T00:00:00Z","data":"AAEC","state":"open"}"#,
            row: #"{"id":1,"born":-5840035200,"data":"AAEC","state":"open"}"#),
        Row(
            "dates in a list become json", [root(["days": .array(of: .date)])], [root(["days": .jsonValue])],
            #"{"id": 1, "days": ["2026-01-31T12:00:00Z"]}"#, #"{"id":1,"days":["2026-01-31T12:00:00Z"]}"#,
            row: #"{"id":1,"days":[791553600]}"#),
        Row(
            "a model becomes an object", [root(["part": .model("Part")]), dated], [root(["part": .jsonValue])],
            #"{"id": 1, "part": {"at": "2026-01-31T12:00:00Z"}}"#, #"{"id":1,"part":{"at":"2026-01-31T12:00:00Z"}}"#,
            row: #"{"id":1,"part":{"at":791553600}}"#),
        Row(
            "a transformer gets its type of a value that code moved", [root(["key": .uuid])],
            [
                root(["text": .string]).later(
                    SchemaUpgrade(from: 1, removed: ["key"]) { $0["copy"] = $0["key"] },
                    SchemaUpgrade(from: 2, renamed: ["copy": "text"], transformed: ["text": ["IdentifierText"]]))
            ],
            #"{"id": 1, "key": "4A275FBD-8217-4397-964B-403F4C2B8545"}"#,
            #"{"id":1,"text":"4A275FBD-8217-4397-964B-403F4C2B8545"}"#),
        Row(
            "a transformer gets its type of a value in a model that a step made", [root(["born": .date])],
            [
                root(["part": .model("Part")]).later(
                    SchemaUpgrade(from: 1, removed: ["born"]) { model in
                        var part = FormerModel("Part", version: 1)
                        part["at"] = model["born"]
                        model["part"] = .model(part)
                    }),
                ModelSchema("Part", ["at": .integer]).later(SchemaUpgrade(from: 1, transformed: ["at": ["Year"]])),
            ],
            #"{"id": 1, "born": "2026-01-31T12:00:00Z"}"#, #"{"id":1,"part":{"at":2026}}"#),
        Row(
            "a transformer gets its type of a default of an earlier step", [root([:])],
            [
                root(["year": .integer]).later(
                    SchemaUpgrade(from: 1, defaults: ["born": "2026-01-31T12:00:00Z"]),
                    SchemaUpgrade(from: 2, renamed: ["born": "year"], transformed: ["year": ["Year"]]))
            ],
            #"{"id": 1}"#, #"{"id":1,"year":2026}"#),
        Row(
            "a transformer takes a list", [root(["tags": .array(of: .string)])],
            [
                root(["tags": .string]).later(SchemaUpgrade(from: 1, transformed: ["tags": ["Joined"]]))
            ],
            #"{"id": 1, "tags": ["a", "b"]}"#, #"{"id":1,"tags":"a+b"}"#),
    ]

    private static let dated = ModelSchema("Part", ["at": .date])

    private static let formerKeys = [
        Row(
            "a former key stands for the member of the key strategy",
            [root(["fullName": .string, "userLogin": .string, "oldThing": .string], keys: .snakeCase)],
            [
                root(["longName": .string, "login": .string, "newThing": .string], keys: .snakeCase).later(
                    SchemaUpgrade(
                        from: 1, renamed: ["fullName": "longName", "userLogin": "login"], removed: ["oldThing"],
                        defaults: ["newThing": "x"]))
            ],
            #"{"id": 1, "full_name": "a", "user_login": "b", "old_thing": "c"}"#,
            #"{"id":1,"long_name":"a","login":"b","new_thing":"x"}"#),
        Row(
            "code reads former keys", [root(["fullName": .string], keys: .snakeCase)],
            [
                root(["longName": .string], keys: .snakeCase).later(
                    SchemaUpgrade(from: 1) { model in
                        model["longName"] = model["fullName"]
                        model["fullName"] = nil
                    })
            ],
            #"{"id": 1, "full_name": "a"}"#, #"{"id":1,"long_name":"a"}"#),
        Row(
            "a hook reads former keys", [root(["fullName": .string], keys: .snakeCase)],
            [root(["longName": .string.unarchived { $0["longName"] ?? $0["fullName"] }], keys: .snakeCase)],
            #"{"id": 1, "full_name": "a"}"#, #"{"id":1,"long_name":"a"}"#),
    ]
}
