import Foundation
import Pallium

// The Swift examples of the article about identity, word for word; `ArticleTests` runs them and compares the texts.

func identitySchemaExample() -> [ModelSchema] {
    let user = ModelSchema(
        "User", ["id": .integer.required, "login": .string],
        identity: ["id"])
    let issue = ModelSchema(
        "Issue",
        [
            "id": .integer.required, "title": .string,
            "assignee": .model("User"),
            "votes": .integer.merge(.max), "parent": .model("Issue"),
        ],
        identity: ["id"])

    return [user, issue]
}

func identityExample(
    issues: JSONAdapter<DynamicModel>, users: JSONAdapter<DynamicModel>, document: Data
) throws -> [String] {
    var lines: [String] = []
    func print(_ change: ModelChange) { lines.append(change.description) }

    let map = IdentityMap()
    let page = try map.import(document, using: issues)
    let update = try map.import(
        #"{"id": 7, "login": "grace"}"#, using: users)
    for change in update.changes { print(change) }
    // /login: "ada" → "grace" (taken)

    return lines + page.compactMap { $0["assignee", as: DynamicModel.self]?["login", as: String.self] }
}
