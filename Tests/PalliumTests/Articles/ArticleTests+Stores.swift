import Foundation
import ModelTestSupport
import Pallium
import PalliumRecords
import PalliumStore
import Testing

// Stores, sessions and managed objects.
extension ArticleTests {
    /// A store of the article's schemas in memory, with issues.
    private func exampleStore(
        holding issues: String = "[]"
    ) throws -> (store: ModelStore, schemas: [ModelSchema], adapter: JSONAdapter<DynamicModel>) {
        var options = ModelStoreOptions()
        options.busyTimeout = Patience.duration
        let registry = SchemaRegistry()
        let schemas = storeSchemaExample()
        try registry.register(schemas)
        let store = try ModelStore(at: nil, registry: registry, options: options)
        let adapter = try JSONAdapter(schema: schemas[1], registry: registry)
        try store.import(issues, using: adapter)
        return (store, schemas, adapter)
    }

    /// Writes issues with rising numbers until it is cancelled.
    private func writingTask(
        into store: ModelStore, using adapter: JSONAdapter<DynamicModel>,
        document: @escaping @Sendable (_ number: Int) -> String
    ) -> Task<Void, any Error> {
        Task {
            // A filter would go on asking for numbers when the task ends.
            var number = 0
            while !Task.isCancelled {
                number += 1
                try store.import(document(number), using: adapter)
                try await Task.sleep(for: .milliseconds(1))
            }
        }
    }

    @Test func storesDoWhatTheArticleShows() throws {
        let registry = SchemaRegistry()
        let schemas = storeSchemaExample()
        try registry.register(schemas)
        let page = #"""
            [{"number": 1, "title": "Crash", "state": "open", "updated_at": "2026-01-31T12:00:00Z"},
             {"number": 2, "title": "WIP: a", "state": "open", "assignee": {"id": 1, "login": "ada"}},
             {"number": 3, "title": "b", "state": "open", "assignee": {"id": 1}}]
            """#
        let result = try storeExample(file: nil, registry: registry, issue: schemas[1], page: Data(page.utf8))
        #expect(result == ("0 inserted, 1 updated, 0 deleted", 1, 0))
        #expect(try storeStartExample(file: nil, registry: registry, issue: schemas[1]) == result.text)
    }

    @Test func conditionsOnCollectionsAreAsTheArticleShows() throws {
        let (store, schemas, _) = try exampleStore(
            holding: #"""
                [{"number": 1, "labels": [{"name": "bug", "color": "red"}]}, {"number": 2, "labels": []},
                 {"number": 3, "labels": [{"name": "bug"}, {"name": "old", "color": "gray"}]}]
                """#)
        let found = try store.fetch(ModelQuery(schema: schemas[1], where: collectionConditionExample()))
        #expect(found.map { $0["number", as: Int.self] } == [1])
    }

    @Test func deleteRulesAreAppliedAsTheArticleShows() throws {
        let (store, schemas, _) = try exampleStore(
            holding: #"[{"number": 1, "assignee": {"id": 7, "login": "ada"}}, {"number": 2}]"#)
        #expect(try deleteRuleExample(store, user: schemas[0]) == "0 inserted, 1 updated, 1 deleted")
        let left = ModelQuery(schema: schemas[1], where: Key("assignee") == nil)
        #expect(try store.count(left) == 2)
    }

    @Test func pagesRowsAndSearchesAreAsTheArticleShows() throws {
        let (store, schemas, _) = try exampleStore(
            holding: #"""
                [{"number": 1, "title": "Crash", "state": "open", "assignee": {"id": 7, "login": "ada"}},
                 {"number": 2, "title": "CRASHED", "state": "open"},
                 {"number": 3, "title": "b", "state": "closed", "assignee": {"id": 7}}]
                """#)
        let pages = try storePagesExample(store, issue: schemas[1])
        #expect(pages.map { $0.compactMap { $0["number", as: Int.self] } } == [[2, 1], []])
        #expect(
            try storeRowsExample(store, issue: schemas[1]) == [
                #"[[1,"ada"],[2,null],[3,"ada"]]"#, #"[["closed",1],["open",2]]"#,
            ])
        #expect(try store.count(ModelQuery(schema: schemas[1], where: storeSearchExample())) == 3)
    }

    @MainActor
    @Test(.timeLimit(.patient)) func listsAreAsTheArticleShows() async throws {
        let (store, schemas, adapter) = try exampleStore()
        let loop = Task { @MainActor in try await storeListExample(ModelSession(store), issue: schemas[1]) }
        let writing = writingTask(into: store, using: adapter) { #"{"number": \#($0), "state": "open"}"# }
        #expect(try await loop.value.split(separator: " ").count == 2)
        writing.cancel()
    }

    @Test func filesOfStoresAreCopiedAndProtectedAsTheArticleShows() throws {
        let folder = try TemporaryFolder()
        let registry = SchemaRegistry()
        let schemas = storeSchemaExample()
        try registry.register(schemas)
        let shielded = folder.url.appendingPathComponent("shielded")
        let store = try storeProtectionExample(folder: shielded, registry: registry)
        let attributes = try FileManager.default.attributesOfItem(atPath: shielded.path)
        #expect(attributes[.posixPermissions] as? Int == 0o700)
        let issue = try DynamicModel(schema: schemas[1], values: ["number": 1], registry: registry)
        #expect(
            try severalProgramsExample(
                store, file: shielded.appendingPathComponent("a.store"), registry: registry, issue: schemas[1],
                newIssue: issue) == "1")
        let copy = folder.url.appendingPathComponent("copy.store")
        #expect(try storeBackupExample(store, copy: copy, registry: registry) == "[]")
    }

    @Test func rowsAreMigratedAsTheArticleShows() throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("a.store")
        let old = SchemaRegistry()
        let note = ModelSchema("Note", ["id": .integer.required, "text": .string], identity: ["id"])
        try old.register(note)
        try ModelStore(at: file, registry: old).save(
            DynamicModel(schema: note, values: ["id": 1, "text": "a"], registry: old))
        let registry = SchemaRegistry()
        try registry.register(storeMigrationExample())
        let found = try ModelStore(at: file, registry: registry).first(storeMigrationExample(), identity: 1)
        #expect(found?["body", as: String.self] == "a")
    }

    @Test func uniqueValuesAreSwappedAsTheArticleShows() throws {
        let registry = SchemaRegistry()
        let page = uniqueSchemaExample()
        try registry.register(page)
        let store = try ModelStore(at: nil, registry: registry)
        let adapter = try JSONAdapter(schema: page, registry: registry)
        try store.import(#"[{"id": 1, "slug": "a"}, {"id": 2, "slug": "b"}]"#, using: adapter)
        #expect(try uniqueSwapExample(store, page: page) == "0 inserted, 2 updated, 0 deleted")
    }

    @Test func sessionsDoWhatTheArticleShows() throws {
        let registry = SchemaRegistry()
        let schemas = storeSchemaExample()
        try registry.register(schemas)
        let issues = try JSONAdapter(schema: schemas[1], registry: registry)
        let store = try ModelStore(at: nil, registry: registry)
        try store.import(#"[{"number": 1, "state": "open"}, {"number": 2, "state": "open"}]"#, using: issues)
        let new = DynamicModel(schema: schemas[1], registry: registry)
        new["number"] = 3
        let result = try sessionExample(store, issue: schemas[1], newIssue: new) {
            try store.import(
                #"[{"number": 1, "title": "Crash!"}, {"number": 3, "state": "closed"}]"#, using: issues)
        }
        #expect(result.rows == "1 inserted, 1 updated, 1 deleted")
        #expect(
            result.log == [
                #"Issue 1 []"#, #"Issue 3 ["state"]"#, #"/title: "Crash at launch" → "Crash!" (kept, conflict)"#, "0",
            ])
    }

    @Test func changesOfQueriesAreAsTheArticleShows() async throws {
        let (store, schemas, adapter) = try exampleStore()
        let loop = Task { try await storeChangesExample(store, query: ModelQuery(schema: schemas[1])) }
        let writing = writingTask(into: store, using: adapter) { #"{"number": \#($0)}"# }
        #expect(try await loop.value.contains("inserted, "))
        writing.cancel()
    }

    @Test func upgradesOfStoresAreAsTheArticleShows() throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("a.store")
        var note = ModelSchema("Note", ["id": .integer.required, "text": .string], identity: ["id"])
        for version in 1...2 {
            let registry = SchemaRegistry()
            try registry.register(note)
            let store = try ModelStore(at: file, registry: registry)
            if version == 1 {
                try store.save(
                    (0..<300).map { try DynamicModel(schema: note, values: ["id": $0], registry: registry) })
                note.version = 2
                note.upgrades = [SchemaUpgrade(from: 1, defaults: ["text": "none"])]
            } else {
                #expect(
                    try storeUpgradeExample(store) == [
                        "256 of 300", "300 of 300", "0 inserted, 300 updated, 0 deleted",
                    ])
            }
        }
    }

    @Test func managedObjectsAreReplacedAsTheArticleShows() throws {
        let registry = SchemaRegistry()
        let schemas = ManagedObjectExamples.schemas()
        try registry.register(schemas)
        let page = #"""
            [{"number": 1, "title": "a", "html_url": "https://a.org/1", "votes": 3, "assignee": {"id": 1, "login": "ada"}},
             {"number": 2, "assignee": {"id": 1, "login": "ada"}}]
            """#
        let rows = ManagedObjectExamples.Rows()
        for _ in 0..<2 {
            let (stored, recorded) = try ManagedObjectExamples.keepIssues(
                schemas[1], Data(page.utf8), registry, in: nil, rows)
            #expect(stored.count == 2 && stored == recorded)
        }
        let records = rows.findRecords(of: "CDIssue", where: ["number"], in: [[.integer(1)]], relationships: [])
        #expect(records.count == 1)
        #expect(try records[0].recordValue("link") == .url(URL(string: "https://a.org/1")!))
        #expect(try records[0].relatedRecords("assignee").first?.recordEntity == "User")
    }
}
