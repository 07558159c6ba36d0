import Foundation
import Observation
import Pallium
import PalliumStore

#if canImport(SwiftUI)
    import SwiftUI
#endif

// The Swift examples of the article about stores, word for word; `ArticleTests` runs them and compares the texts.

func storeSchemaExample() -> [ModelSchema] {
    let user = ModelSchema(
        "User", ["id": .integer.required, "login": .string.required],
        identity: ["id"])
    let issue = ModelSchema(
        "Issue",
        [
            "number": .integer.required, "title": .string,
            "state": .enumeration("open", "closed").indexed(),
            "updatedAt": .date.json("updated_at"),
            "assignee": .model("User").indexed().deleteRule(.nullify),
            "labels": .array(of: .model("Label")).indexed(),
        ],
        identity: ["number"])
    let label = ModelSchema(
        "Label", ["name": .string.required, "color": .string],
        identity: ["name"])

    return [user, issue, label]
}

func storeStartExample(file: URL?, registry: SchemaRegistry, issue: ModelSchema) throws -> String {
    var text = ""
    func print(_ changes: StoreChanges) { text = changes.description }

    let issues = try JSONAdapter(schema: issue, registry: registry)
    let store = try ModelStore(at: file, registry: registry)
    try store.import(
        #"{"number": 1, "title": "Crash", "state": "open"}"#,
        using: issues)
    try store.import(
        #"{"number": 1, "assignee": {"id": 7, "login": "ada"}}"#,
        using: issues)  // the title stays

    let session = ModelSession(store)
    let open = try session.fetch(
        ModelQuery(schema: issue, where: Key("state") == "open"))
    open[0]["title"] = "Crash on launch"
    print(try session.save().rows)  // 0 inserted, 1 updated, 0 deleted

    return text
}

func storeExample(
    file: URL?, registry: SchemaRegistry, issue: ModelSchema, page: Data
) throws -> (text: String, found: Int, left: Int) {
    let issues = try JSONAdapter(schema: issue, registry: registry)
    var text = ""
    func print(_ changes: StoreChanges) { text = changes.description }
    @Sendable func print(_ error: ModelError) {}

    let store = try ModelStore(at: file, registry: registry)
    try store.import(page, using: issues)
    let open = try store.fetch(
        ModelQuery(
            schema: issue, where: Key("state") == "open",
            order: [.descending("updatedAt")], limit: 50))
    open[0]["title"] = "Crash on launch"
    print(try store.save(open))  // 0 inserted, 1 updated, 0 deleted

    let condition =
        Key("state") == "open" && Key("assignee.login") != nil
        && !Key("title").hasPrefix("WIP")

    let withPeople = ModelQuery(
        schema: issue, where: condition,
        including: .keys(["assignee"]))  // or .depth(2), .all

    let readable = ModelQuery(
        schema: issue, where: condition,
        rows: .skip { error in print(error) })

    let found = try min(store.count(withPeople), store.fetch(readable).count)
    try registry.checkStore()

    try store.transaction { store in
        let open = try store.fetch(
            ModelQuery(schema: issue, where: Key("state") == "open"))
        for issue in open { issue["state"] = "closed" }
        try store.save(open)
    }

    return (text, found, try store.count(withPeople))
}

func collectionConditionExample() -> Condition {
    let urgent =
        Key("labels").any(Key("name") == "bug")
        && Key("labels").none(Key("color") == "gray")
        && Key("labels").count < 5

    return urgent
}

func deleteRuleExample(_ store: ModelStore, user: ModelSchema) throws -> String {
    var text = ""
    func print(_ changes: StoreChanges) { text = changes.description }

    let ada = ModelQuery(schema: user, where: Key("login") == "ada")
    print(try store.delete(ada))  // 0 inserted, 1 updated, 1 deleted

    return text
}

func uniqueSchemaExample() -> ModelSchema {
    let page = ModelSchema(
        "Page",
        ["id": .integer.required, "slug": .string.indexed(.unique)],
        identity: ["id"])

    return page
}

func uniqueSwapExample(_ store: ModelStore, page: ModelSchema) throws -> String {
    var text = ""
    func print(_ changes: StoreChanges) { text = changes.description }

    let pages = try store.fetch(ModelQuery(schema: page))
    let slug = pages[0]["slug", as: String.self]
    pages[0]["slug"] = pages[1]["slug", as: String.self]
    pages[1]["slug"] = slug
    print(try store.save(pages))  // 0 inserted, 2 updated, 0 deleted

    return text
}

func sessionExample(
    _ store: ModelStore, issue: ModelSchema, newIssue: DynamicModel, others: () throws -> Void
) throws -> (rows: String, log: [String]) {
    var log: [String] = []
    var rows = ""
    func print(_ changes: StoreChanges) { rows = changes.description }
    func print(_ identity: ModelIdentity, _ keys: [String]) { log.append("\(identity) \(keys)") }
    func print(_ change: ModelChange) { log.append(change.description) }
    func print(_ count: Int) { log.append("\(count)") }

    let session = ModelSession(store)
    let open = try session.fetch(
        ModelQuery(schema: issue, where: Key("state") == "open"))
    open[0]["title"] = "Crash at start"
    try session.insert(newIssue)
    try session.delete(open[1])
    let saved = try session.save()
    print(saved.rows)  // 1 inserted, 1 updated, 1 deleted

    try others()

    open[0]["title"] = "Crash at launch"
    let changes = try session.refresh()
    for update in changes.updated {
        print(ModelIdentity(of: update.model), update.changes.keys)
    }
    for conflict in changes.conflicts { print(conflict) }
    // /title: "Crash at launch" → "Crash!" (kept, conflict)
    print(changes.deleted.count)

    return (rows, log)
}

/// Ends at the first change, because the loop ends with its task.
func storeChangesExample(_ store: ModelStore, query: ModelQuery<DynamicModel>) async throws -> String {
    var text = ""
    func print(_ change: QueryChanges) {
        text = change.description
        withUnsafeCurrentTask { $0?.cancel() }
    }

    for try await change in try store.changes(of: query) {
        print(change)  // 1 inserted, 2 updated, 0 deleted
    }

    return text
}

func storeUpgradeExample(_ store: ModelStore) throws -> [String] {
    var log: [String] = []
    func print(_ completed: Int, _ of: String, _ total: Int) { log.append("\(completed) \(of) \(total)") }

    let upgraded = try store.upgrade { progress in
        print(progress.completed, "of", progress.total)
    }

    return log + [upgraded.description]
}

func storePagesExample(_ store: ModelStore, issue: ModelSchema) throws -> [[DynamicModel]] {
    func page(after last: DynamicModel?) throws -> [DynamicModel] {
        try store.fetch(
            ModelQuery(
                schema: issue, where: Key("state") == "open",
                order: [.ascending("title")], limit: 50, after: last))
    }

    let first = try page(after: nil)
    return [first, try page(after: first.last)]
}

func storeRowsExample(_ store: ModelStore, issue: ModelSchema) throws -> [String] {
    var log: [String] = []
    func print(_ rows: [[JSONValue]]) { log.append(JSONValue.array(rows.map { .array($0) }).description) }

    let all = ModelQuery(schema: issue)
    print(try store.rows(of: all, only: ["number", "assignee.login"]))
    // [[1, "ada"], [2, null], [3, "ada"]]
    print(try store.rows(of: all, only: ["state", .count]))
    // [["closed", 1], ["open", 2]]

    return log
}

func storeSearchExample() -> Condition {
    let crashes =
        Key("title").caseInsensitive.contains("crash")
        || Key("assignee.login").caseInsensitive == "Ada"

    return crashes
}

func severalProgramsExample(
    _ store: ModelStore, file: URL, registry: SchemaRegistry, issue: ModelSchema, newIssue: DynamicModel
) throws -> String {
    var text = ""
    func print(_ busy: String) {}
    func print(_ count: Int) { text = "\(count)" }

    let other = try ModelStore(at: file, registry: registry)
    do throws(ModelError) {
        try other.save(newIssue)
    } catch {
        guard error.code == .busy else { throw error }
        print("another program writes; try again")
    }
    print(try store.count(ModelQuery(schema: issue)))  // 1

    return text
}

/// Ends at the first difference, because the loop ends with its task.
@MainActor
func storeListExample(_ session: ModelSession, issue: ModelSchema) async throws -> String {
    var text = ""
    func print(_ count: Int, _ insertions: Int) {
        text = "\(count) \(insertions)"
        withUnsafeCurrentTask { $0?.cancel() }
    }

    let list = try session.list(
        ModelQuery(
            schema: issue, where: Key("state") == "open",
            order: [.ascending("title")]))
    for try await difference in list.differences {
        print(list.models.count, difference.insertions.count)
    }

    return text
}

func storeMigrationExample() -> ModelSchema {
    var note = ModelSchema(
        "Note", ["id": .integer.required, "body": .string],
        identity: ["id"], version: 2)
    note.upgrades = [
        SchemaUpgrade(from: 1, renamed: ["text": "body"])
    ]

    return note
}

func storeBackupExample(_ store: ModelStore, copy: URL, registry: SchemaRegistry) throws -> String {
    var text = ""
    func print(_ problems: [ModelError]) { text = "\(problems)" }

    try store.backup(to: copy)
    let restored = try ModelStore(at: copy, registry: registry)
    print(try restored.integrityCheck())  // []

    return text
}

func storeProtectionExample(folder: URL, registry: SchemaRegistry) throws -> ModelStore {
    try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
    let file = folder.appendingPathComponent("a.store")
    let store = try ModelStore(at: file, registry: registry)

    return store
}

#if canImport(SwiftUI)
    enum StoreListExamples {
        final class Ticket: DynamicModel, Observable {
            var number: Int { value() }
            var title: String? { value() }
        }

        struct OpenTickets: View {
            let session: ModelSession
            @State private var list: ModelList<Ticket>?

            var body: some View {
                List(list?.models ?? [], id: \.number) { ticket in
                    Text(ticket.title ?? "untitled")
                }
                .task {
                    do {
                        list = try session.list(
                            ModelQuery<Ticket>(
                                where: Key("state") == "open",
                                order: [.ascending("title")]))
                        guard let list else { return }
                        for try await _ in list.differences {}
                    } catch { print(error) }
                }
            }
        }
    }
#endif
