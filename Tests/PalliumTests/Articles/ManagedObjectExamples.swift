import Foundation
import Pallium
import PalliumRecords
import PalliumStore

// The examples of the article for those who come from MTLManagedObjectAdapter, word for word, like those in
// `ArticleExamples.swift`.

enum ManagedObjectExamples {
    static func schemas() -> [ModelSchema] {
        let user = ModelSchema(
            "User", ["id": .integer.required, "login": .string.required],
            identity: ["id"])
        let issue = ModelSchema(
            "Issue",
            [
                "number": .integer.required,
                "title": .string,
                "htmlURL": .url.json("html_url"),
                "votes": .integer.merge(.max),
                "assignee": .model("User"),
            ],
            identity: ["number"])

        return [user, issue]
    }

    /// The models of the store, and those of the records.
    static func keepIssues(
        _ issue: ModelSchema, _ page: Data, _ registry: SchemaRegistry, in file: URL?, _ context: any ModelRecordContext
    ) throws -> (stored: [DynamicModel], recorded: [DynamicModel]) {
        let issues = try JSONAdapter(schema: issue, registry: registry)
        let store = try ModelStore(at: file, registry: registry)
        try store.import(page, using: issues)

        let adapter = try RecordAdapter(
            registry: registry,
            mappings: [
                "Issue": RecordMapping(
                    entity: "CDIssue", keys: ["htmlURL": "link"])
            ])
        let records = try adapter.write(
            issues.models(from: page), to: context)
        let found = try adapter.models(
            DynamicModel.self, from: records, in: context)

        return (try store.fetch(ModelQuery(schema: issue, including: .all)), found)
    }

    final class Row: ModelRecord {
        let recordEntity: String
        private var values: [String: RecordValue] = [:]
        private var related: [String: [any ModelRecord]] = [:]

        init(_ entity: String) { recordEntity = entity }

        func recordValue(_ key: String) -> RecordValue? { values[key] }

        func setRecordValue(_ value: RecordValue?, for key: String) {
            values[key] = value
        }

        func relatedRecords(_ key: String) -> [any ModelRecord] {
            related[key] ?? []
        }

        func setRelatedRecords(
            _ records: [any ModelRecord], for key: String
        ) {
            related[key] = records
        }

        func validateRecord(isNew: Bool) {}
    }

    final class Rows: ModelRecordContext {
        private var all: [Row] = []

        func performWithRecords(_ body: () -> Void) { body() }

        func insertRecord(of entity: String) -> any ModelRecord {
            let row = Row(entity)
            all.append(row)
            return row
        }

        func findRecords(
            of entity: String, where keys: [String],
            in rows: [[RecordValue]], relationships: [String]
        ) -> [any ModelRecord] {
            let wanted = Set(rows)
            return all.filter { row in
                row.recordEntity == entity
                    && wanted.contains(
                        keys.compactMap { row.recordValue($0) })
            }
        }

        func deleteRecord(_ record: any ModelRecord) {
            all.removeAll { $0 === record }
        }
    }
}
