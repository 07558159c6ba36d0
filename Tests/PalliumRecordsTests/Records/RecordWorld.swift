import Foundation
import ModelTestSupport
import Pallium
import PalliumRecords
import PalliumStore

/// Schemas of issues, and entities for them that differ as entities of another program do.
struct RecordWorld {
    let registry = SchemaRegistry()
    let context: MemoryContext
    let adapter: RecordAdapter

    static let schemas = [
        ModelSchema("User", ["id": .integer.required, "login": .string.required], identity: ["id"]),
        ModelSchema("Label", ["name": .string.required, "color": .string], identity: ["name"]),
        ModelSchema("Comment", ["text": .string.required, "author": .model("User")]),
        ModelSchema(
            "Issue",
            [
                "number": .integer.required, "title": .string.rules(.minLength(1)),
                "state": .enumeration("open", "closed"), "htmlURL": .url,
                "updatedAt": .date, "votes": .integer.merge(.max).default(0), "tags": .array(of: .string).merge(.union),
                "assignee": .model("User"), "labels": .array(of: .model("Label")), "watchers": .set(of: .model("User")),
                "reviewers": .dictionary(of: .model("Label")), "pinned": .model("Comment").merge(.recurse),
                "comments": .array(of: .model("Comment")), "blockedBy": .array(of: .model("Issue")).merge(.union),
                "notes": .string.local, "token": .string.archive(.excluded),
            ],
            identity: ["number"]),
        ModelSchema("Bug", ["severity": .integer], extends: "Issue"),
        ModelSchema(
            "Vote", ["issue": .integer.required, "user": .string.required, "value": .integer],
            identity: ["issue", "user"]),
    ]

    static let entities: [String: RecordEntity] = [
        "CDUser": RecordEntity(attributes: ["id": .integer(0), "login": .string("")]),
        "Label": RecordEntity(attributes: ["name": .string(""), "color": .string(""), "role": .string("")]),
        "Comment": RecordEntity(attributes: ["text": .string("")], relationships: ["author": .toOne]),
        "Issue": RecordEntity(
            attributes: [
                "number": .integer(0), "title": .string(""), "state": .string(""), "link": .string(""),
                "updatedAt": .integer(0), "votes": .integer(0), "tags": .string(""), "notes": .string(""),
            ],
            relationships: [
                "assignee": .toOne, "labels": .ordered, "watchers": .unordered, "reviewers": .unordered,
                "pinned": .toOne, "comments": .ordered, "blockedBy": .ordered,
            ]),
        "Bug": RecordEntity(parent: "Issue", attributes: ["severity": .integer(0)]),
        "Vote": RecordEntity(attributes: ["issue": .integer(0), "user": .string(""), "value": .integer(0)]),
    ]

    static let mappings = [
        "User": RecordMapping(entity: "CDUser"),
        "Issue": RecordMapping(
            keys: ["htmlURL": "link"],
            transformers: ["updatedAt": UnixMillisecondsTransformerName, "htmlURL": URLTransformerName],
            dictionaryKeys: ["reviewers": "role"]),
    ]

    init() throws {
        try registry.register(RecordWorld.schemas)
        context = MemoryContext(RecordWorld.entities)
        adapter = try RecordAdapter(registry: registry, mappings: RecordWorld.mappings)
    }

    func make(_ name: String, _ values: [String: any PropertyValue]) throws -> DynamicModel {
        let model = DynamicModel(schema: try registry.schema(named: name), registry: registry)
        for (key, value) in values { try model.setValue(value, forKey: key) }
        return model
    }

    /// An issue whose relationships are known to be empty, as those of a record always are.
    func issue(_ values: [String: any PropertyValue], _ name: String = "Issue") throws -> DynamicModel {
        let empty: [String: any PropertyValue] = [
            "labels": [DynamicModel](), "watchers": [DynamicModel](), "reviewers": [String: DynamicModel](),
            "comments": [DynamicModel](), "blockedBy": [DynamicModel](),
        ]
        return try make(name, empty.merging(values) { $1 })
    }

    func decode(_ name: String, _ document: JSONValue) throws -> DynamicModel {
        try JSONAdapter(schema: registry.schema(named: name), registry: registry).model(from: document)
    }

    func user(_ id: Int, _ login: String) throws -> DynamicModel { try make("User", ["id": id, "login": login]) }

    /// Writes a model and returns its record.
    @discardableResult
    func write(_ model: DynamicModel) throws -> MemoryRecord {
        guard let record = try adapter.write([model], to: context).first as? MemoryRecord else {
            throw RecordFailure.refused("no record")
        }
        return record
    }

    func read(_ records: [MemoryRecord]) throws -> [DynamicModel] {
        try adapter.models(DynamicModel.self, from: records, in: context)
    }

    /// All values and relationships of the records, to see that nothing changed.
    func snapshot() -> [String] {
        context.records.map { record in
            let description = context.description(record.recordEntity)
            let values = description.attributes.keys.sorted().map { "\($0): \(record[$0].map { "\($0)" } ?? "nil")" }
            let related = description.relationships.keys.sorted().map { key in
                "\(key): \(record.all(key).map { ObjectIdentifier($0).hashValue })"
            }
            return "\(record.recordEntity) \(values) \(related)"
        }
    }
}
