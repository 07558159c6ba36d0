import Foundation
import Pallium

// 1. Register schemas at start-up: values in code, or documents with `load(contentsOf:classes:)`.
try SchemaRegistry.shared.register(
    ModelSchema(
        User.self,
        [
            "login": .string.required,
            "avatarURL": .url.json("avatar_url"),
        ]),
    ModelSchema(
        Issue.self,
        [
            "number": .integer.required,
            "title": .string,
            "state": .enumeration(Issue.State.self).default(Issue.State.open),
            "htmlURL": .url.json("html_url"),
            "reporterLogin": .string.json("user.login"),
            "assignee": .model(User.self),
            "labels": .array(of: .string).json("meta.labels"),
            "updatedAt": .date.json("updated_at").transformer(ISO8601DateTransformerName),
            "retrievedAt": .date.local.storage(.transitory),
        ])
)

// 2. Subclass DynamicModel; the accessor's own name is the key.
final class User: DynamicModel {
    var login: String { value() }
}

final class Issue: DynamicModel {
    enum State: String, PropertyEnumeration { case open, closed }

    var number: Int { value() }
    var title: String? {
        get { value() }
        set { set(newValue) }
    }
    var state: State { value() }
    var htmlURL: URL? { value() }
    var assignee: User? { value() }
    var labels: [String]? { value() }
}

// 3. JSON → models → JSON.
let data = Data(
    """
    {"number": 7, "title": "Crash", "html_url": "https://example.org/7", "user": {"login": "mona"},
     "assignee": {"login": "hubot"}, "meta": {"labels": ["bug"]}, "updated_at": "2026-01-31T12:00:00Z"}
    """.utf8)
let adapter = JSONAdapter(Issue.self)
let issue = try adapter.model(from: data)  // bytes
let other = try adapter.model(from: ["number": 8])  // or a dictionary someone else parsed
let json = try adapter.data(from: issue)
print(issue.number, issue.state, issue.assignee?.login ?? "nobody", issue.labels ?? [], json.count)

// 4. String keys when the name is known only at run time.
try issue.setValue("Crash on launch", forKey: "title")
print(issue.title ?? "", try issue.value(forKeyPath: "assignee.login") ?? "none", try issue.state(of: "state"))
let named = DynamicModel(schema: try SchemaRegistry.shared.schema(named: "Issue"))
named["number"] = 9

// 5. Transformers by name.
let transformer = try TransformerRegistry.shared.transformer(named: URLTransformerName)
let url = try transformer.transform("https://example.org", as: URL.self)

// 6. Equality, copying, hashing and descriptions come from the schema.
let twin = issue.copy()
print(issue == twin, Set([issue, twin, other]).count, url.absoluteString, named)

// 7. Merging: a model, or a partial document, into another; archives: bytes that open after the schemas have changed.
try issue.merge(from: other)
let changes = try adapter.merge(Data(#"{"state": "closed", "title": null}"#.utf8), into: issue)
print(changes)
let bytes = try ModelArchiver().archive(issue)
let back = try ModelUnarchiver().unarchive(Issue.self, from: bytes)
print(back == issue, bytes.count)

// 8. Errors say what was expected, what was found, and where.
do {
    _ = try adapter.model(from: Data(#"{"number": 7, "meta": {"labels": ["bug", 1]}}"#.utf8))
} catch {
    print(error)
}
