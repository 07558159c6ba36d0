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

func modelOrIdentitySchemaExample() -> [ModelSchema] {
    let customer = ModelSchema(
        "Customer",
        ["id": .string.required, "name": .string.required],
        identity: ["id"], allowsStubs: true)
    let charge = ModelSchema(
        "Charge",
        [
            "amount": .integer.required,
            "customer": .model("Customer").byIdentity,
            "payers": .array(of: .model("Customer").byIdentity),
        ])

    return [customer, charge]
}

func modelOrIdentityExample(
    charges: JSONAdapter<DynamicModel>
) throws -> (id: String?, name: String?, data: Data) {
    let charge = try charges.model(
        from: #"{"amount": 5, "customer": "cus_1"}"#)
    let customer = charge["customer", as: DynamicModel.self]
    let id =
        customer?["id", as: String.self]  // "cus_1"
    let name =
        customer?["name", as: String.self]  // nil
    let data = try charges.data(from: charge)
    // {"amount":5,"customer":"cus_1"}

    return (id, name, data)
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
