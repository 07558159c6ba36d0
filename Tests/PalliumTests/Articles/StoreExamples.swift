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
            "assignee": .model("User"),
        ],
        identity: ["number"])

    return [user, issue]
}

func storeExample(
    file: URL?, registry: SchemaRegistry, issue: ModelSchema, page: Data
) throws -> (text: String, found: Int, left: Int) {
    let issues = try JSONAdapter(schema: issue, registry: registry)
    var text = ""
    func print(_ changes: StoreChanges) { text = changes.description }

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

    let found = try store.count(withPeople)

    try store.transaction { store in
        let open = try store.fetch(
            ModelQuery(schema: issue, where: Key("state") == "open"))
        for issue in open { issue["state"] = "closed" }
        try store.save(open)
    }

    return (text, found, try store.count(withPeople))
}
