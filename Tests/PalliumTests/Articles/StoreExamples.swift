import Foundation
import Pallium
import PalliumStore

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
