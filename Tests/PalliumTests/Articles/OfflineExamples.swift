import Foundation
import Pallium
import PalliumStore

// The program of the article about work without a network, word for word; `OfflineTests` runs it.

enum OfflineSchemas {
    static let user = ModelSchema(
        "User", ["id": .integer.required, "login": .string],
        identity: ["id"])
    static let issue = ModelSchema(
        "Issue",
        [
            "number": .integer.required, "title": .string,
            "state": .enumeration("open", "closed").indexed(),
            "votes": .integer.merge(.max),
            "assignee": .model("User"),
        ],
        identity: ["number"])
    static let draft = ModelSchema(
        "Draft", ["number": .integer.required, "patch": .jsonValue],
        identity: ["number"])
}

/// Issues of a server, which can be read and edited without it.
final class OfflineTracker {
    private let store: ModelStore
    private let session: ModelSession
    private let adapter: JSONAdapter<DynamicModel>
    private let registry: SchemaRegistry

    /// Opens the store. What was edited and not sent comes back.
    init(file: URL, registry: SchemaRegistry) throws {
        store = try ModelStore(at: file, registry: registry)
        session = ModelSession(store)
        self.registry = registry
        adapter = try JSONAdapter(
            schema: OfflineSchemas.issue, registry: registry)
        for draft in try drafts() {
            let patch = JSONMergePatch(draft.patch)
            try adapter.apply(patch, to: issue(draft.number))
        }
    }

    /// Takes what the server sends; edits stay. Returns conflicts.
    func receive(_ page: Data) throws -> [ModelChange] {
        try store.import(page, using: adapter)
        return try session.refresh().conflicts
    }

    func issues(
        where condition: Condition? = nil
    ) throws -> [DynamicModel] {
        try session.fetch(
            ModelQuery(
                schema: OfflineSchemas.issue, where: condition,
                order: [.descending("votes")], including: .all))
    }

    /// Edits an issue and keeps the edit as a draft.
    func edit(
        _ number: Int, _ change: (DynamicModel) throws -> Void
    ) throws {
        let issue = try issue(number)
        try change(issue)
        let draft = DynamicModel(
            schema: OfflineSchemas.draft, registry: registry)
        draft["number"] = number
        draft["patch"] = try adapter.mergePatch(for: issue).jsonValue
        try store.save(draft)
    }

    /// Sends each draft, and takes the answers of the server.
    func synchronize(
        _ send: (_ number: Int, _ patch: Data) throws -> Data
    ) throws {
        for (number, _) in try drafts() {
            let issue = try issue(number)
            // It may differ from the draft: the server has sent more.
            let patch = try adapter.mergePatch(for: issue).jsonValue
            let body = Data(patch.description.utf8)
            let answer = try send(number, body)
            try store.transaction { store in
                try store.import(answer, using: adapter)
                try store.delete(
                    ModelQuery(
                        schema: OfflineSchemas.draft,
                        where: Key("number") == number))
            }
            // What was sent is in the row, as the server has it.
            try session.revert(issue)
            try session.refresh()
        }
    }

    private typealias Draft = (number: Int, patch: JSONValue)

    private func drafts() throws -> [Draft] {
        let query = ModelQuery(schema: OfflineSchemas.draft)
        return try store.fetch(query).map { draft in
            (
                draft["number", as: Int.self] ?? 0,
                draft["patch", as: JSONValue.self] ?? [:]
            )
        }
    }

    private func issue(_ number: Int) throws -> DynamicModel {
        guard
            let issue = try session.first(
                OfflineSchemas.issue, identity: number)
        else { throw UnknownIssue(number: number) }
        return issue
    }

    struct UnknownIssue: Error { let number: Int }
}
