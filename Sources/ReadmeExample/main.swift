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

let documents = Data(
    """
    [{"name": "Label", "properties": {"name": {"kind": "string", "required": true}, "color": {"kind": "string"}}}]
    """.utf8)
try SchemaRegistry.shared.load(documents, classes: [Label.self])  // or load(contentsOf: folder, classes: …)

final class Label: DynamicModel {
    var name: String { value() }
}

var options = JSONAdapterOptions()
options.unknownMembers = .keep  // or .refuse, .ignore
options.elements = .skip  // one bad element does not lose the list
options.leniency = [.numbersAsText]  // "7" where a number is due
options.transformersByKind = ["date": UnixMillisecondsTransformerName]
let lenient = JSONAdapter(Issue.self, options: options)

let arrayData = Data(#"[{"number": "1", "title": "Crash", "votes": 5}, {"number": "one"}]"#.utf8)
let issues = try lenient.models(from: arrayData)  // a root array
let report = lenient.report(from: arrayData)  // everything that could be built, and every problem
let titleAndState = try adapter.data(from: issue, only: ["title", "state"])
let object = try adapter.jsonObject(from: issue)  // [String: Any] for others
print(issues.count, report.problems.count, titleAndState.count, object.count)  // 1 1 31 8

let cents = Transformer(from: Double.self, to: Int.self) { amount, _ in
    Int((amount * 100).rounded())
} reverse: { cents, _ in
    Double(cents) / 100
}
try TransformerRegistry.shared.register(cents, as: "Cents")

let price = ModelSchema("Price", ["amount": .integer.transformer("Cents")])
try SchemaRegistry.shared.register(price)
print(try JSONAdapter(schema: price).model(from: #"{"amount": 12.5}"#))  // Price(amount: 1250)

issue.trackChanges()
issue.title = "Crash on launch"  // an edit of the user
let newer = Data(#"{"number": 8, "title": "Crash!", "state": "open"}"#.utf8)
let rebased = try adapter.rebase(issue, onto: newer)  // what the server has now
print(rebased.conflicts[0])  // /title: "Crash on launch" → "Crash!" (kept, conflict)
let body = try adapter.jsonPatch(for: issue)  // what is still to be sent; or mergePatch(for:)
print(body.jsonValue)  // [{"op":"replace","path":"/title","value":"Crash on launch"}]
let patch = JSONPatch(from: ["a": 1], to: ["a": [1, 2]])  // of any two documents
print(try patch.applied(to: ["a": 1]))  // {"a":[1,2]}

let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).issues")
try ModelArchiver().write(issues, to: file)
let again = try ModelUnarchiver().read(arrayOf: Issue.self, from: file)
try FileManager.default.removeItem(at: file)
print(again == issues)  // true

let (arriving, network) = AsyncStream.makeStream(of: Data.self)
for chunk in [#"[{"number": 1}, {"num"#, #"ber": 2}]"#] { network.yield(Data(chunk.utf8)) }
network.finish()
for try await issue in adapter.models(fromArray: arriving) {
    print(issue.number)
}

var invoice = ModelSchema("Invoice", ["number": .integer.required, "due": .date])
invoice.profiles = [JSONProfile("v2", ["number": .path("iid"), "due": .path("dates.due")])]
try SchemaRegistry.shared.register(invoice)
let invoices = try JSONAdapter(schema: invoice)
let newInvoices = try JSONAdapter(schema: invoice, profile: "v2")
print(try newInvoices.jsonValue(from: invoices.model(from: #"{"number": 7}"#)))  // {"iid":7}

let encoded = try JSONEncoder().encode(issue)
let frozen = issue.frozen()
await Task.detached { print(frozen.title ?? "", frozen.labels ?? []) }.value
print(try JSONDecoder().decode(Issue.self, from: encoded) == issue)  // true
