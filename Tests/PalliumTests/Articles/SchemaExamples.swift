import Foundation
import Pallium
import PalliumTrials

// The examples of the articles about schemas and their documents, word for word, like those in `ArticleExamples.swift`.

struct RangeIsReversed: Error {}

func schemaExample() -> ModelSchema {
    let issue = ModelSchema(
        "Issue",
        [
            "id": .integer.required,
            "state": .enumeration("open", "closed"),
            "labels": .array(of: .string).json("meta.labels"),
            "owner": .model("User"),
            "homepage": .url.json(firstOf: ["html_url", "url"]),
            "opened": .date.json("created_at"),
            "token": .string.secret.archive(.excluded),
            "fetchedAt": .date.local.storage(.transitory),
        ],
        ignored: ["node_id"])

    return issue
}

func checkedSchemaExample() -> ModelSchema {
    let range = ModelSchema(
        "Range",
        [
            "name": .string.validate { (name: inout String?, _) in
                name = name?.trimmingCharacters(in: .whitespaces)
            },
            "from": .integer.required,
            "to": .integer.required,
            "length": .integer.local.storage(.transitory),
        ]
    )
    .validate { model in
        let from = model["from", as: Int.self] ?? 0
        let to = model["to", as: Int.self] ?? 0
        if from > to { throw RangeIsReversed() }
    }
    .didDecode { model in
        let from = model["from", as: Int.self] ?? 0
        let to = model["to", as: Int.self] ?? 0
        model["length"] = to - from
    }

    return range
}

func clusterExample(_ registry: SchemaRegistry) throws -> ModelSchema {
    let shape = ModelSchema(
        "Shape", ["kind": .string.required],
        cluster: .discriminator(
            "kind", ["circle": "Circle", "square": "Square"]))
    let circle = ModelSchema(
        "Circle", ["radius": .double.required], extends: "Shape")
    let square = ModelSchema(
        "Square", ["side": .double.required], extends: "Shape")
    try registry.register(shape, circle, square)

    return shape
}

func schemaDocumentExample(_ registry: SchemaRegistry, folder: URL) throws -> String {
    enum Plan: String, PropertyEnumeration { case free, pro }
    final class User: DynamicModel {
        var login: String { value() }
        var avatarURL: URL? { value() }
        var plan: Plan? { value() }
    }

    let schemas = try registry.load(
        contentsOf: folder, classes: [User.self])

    try registry.verifyAccessors(
        of: User.self, \.login, \.avatarURL, \.plan)

    let text = try registry.document(of: schemas).text()

    return text
}

final class Tenant {
    private(set) var adapter: JSONAdapter<DynamicModel>

    init(_ schema: ModelSchema) throws {
        adapter = try Self.adapter(schema)
    }

    func reload(_ schema: ModelSchema) throws {
        adapter = try Self.adapter(schema)
    }

    private static func adapter(
        _ schema: ModelSchema
    ) throws -> JSONAdapter<DynamicModel> {
        let registry = SchemaRegistry()
        try registry.register(schema)
        return try JSONAdapter(schema: schema, registry: registry)
    }
}

func inferenceExample(_ registry: SchemaRegistry, files: [URL]) throws -> [ModelSchema] {
    var inference = SchemaInference(name: "Issue")
    for file in files {
        try inference.add(Data(contentsOf: file))
    }
    let schemas = try inference.schemas()
    try registry.register(schemas)

    return schemas
}
