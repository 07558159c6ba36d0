import Foundation
import Observation
import Pallium
import PalliumStore

struct CodableTicket: Codable {
    enum Reason: String, Codable { case fixed, reopened }
    var number: Int
    var title: String?
    var reason: Reason?
}

// 1. The server has a new reason. Apps that have shipped lose the whole page.
let page = Data(#"[{"number": 7, "title": "A"}, {"number": 8, "reason": "spam"}]"#.utf8)
print((try? JSONDecoder().decode([CodableTicket].self, from: page)) == nil)  // true

// 2. The response to a PATCH has the changed members only. The title is lost.
let response = Data(#"{"number": 7, "reason": "fixed"}"#.utf8)
let stored = try JSONDecoder().decode(CodableTicket.self, from: response)
print(stored.title ?? "no title")  // no title

// 3. A tool loads schemas that its author has never seen. There is no type to declare.

let schemas = SchemaRegistry()
try schemas.load(contentsOf: URL(fileURLWithPath: "Schemas/tickets"))
let tickets = try JSONAdapter(schema: schemas.schema(named: "Ticket"), registry: schemas)

// 1. The unknown reason is kept, and written back.
let all = try tickets.models(from: page)
print(try tickets.jsonValue(from: all[1]))  // {"number":8,"reason":"spam"}

// 2. Properties that are missing from the response keep their values.
let ticket = all[0]
print(try tickets.merge(response, into: ticket))  // /reason: nothing → fixed (taken)
print(ticket["title"] ?? "no title")  // A

// 3. Keys are strings. The schema checks the values that you set, and each document.
try ticket.setValue(["bug"], forKey: "labels")
let bad = tickets.report(from: #"{"number": 7, "meta": {"labels": ["bug", 1]}}"#)
print(bad.problems[0])  // expected a string but found the number 1 at /meta/labels/1 (1:42)

final class Ticket: DynamicModel, Observable {
    enum Reason: String, PropertyEnumeration { case fixed, reopened }

    var number: Int { value() }
    var reason: Reason? { value() }
    var title: String? {
        get { value() }
        set { set(newValue) }
    }
}

try SchemaRegistry.shared.load(
    contentsOf: URL(fileURLWithPath: "Schemas/tickets"), classes: [Ticket.self])
let adapter = JSONAdapter(Ticket.self)
let mine = try adapter.model(from: #"{"number": 7, "title": "Crash"}"#)

mine.trackChanges()
mine.title = "Crash on launch"  // an edit that the server does not have yet
let changes = try adapter.rebase(mine, onto: #"{"title": "Crash!", "reason": "reopened"}"#)
print(changes.conflicts[0])  // /title: "Crash on launch" → "Crash!" (kept, conflict)
print(try adapter.mergePatch(for: mine).jsonValue)  // {"title":"Crash on launch"}

let observation = try mine.observe("title") { changes in
    print(changes)  // /title: "Crash on launch" → "Crash at start"
}
mine.title = "Crash at start"
observation.cancel()

let store = try ModelStore(at: nil)  // in memory; or the URL of a file
try store.import(#"[{"number": 7, "title": "Crash"}, {"number": 8}]"#, using: adapter)
try store.import(#"{"number": 7, "reason": "reopened"}"#, using: adapter)  // the title stays
let session = ModelSession(store)
let reopened = try session.fetch(ModelQuery<Ticket>(where: Key("reason") == "reopened"))
reopened[0].title = "Crash on launch"
print(try session.save().rows)  // 0 inserted, 1 updated, 0 deleted

let invoice = ModelSchema(
    "Invoice",
    ["paidAt": .date.json("payment.at").transformer(.unixMilliseconds)])
try SchemaRegistry.shared.register(invoice)
let paid = try JSONAdapter(schema: invoice).model(from: #"{"payment": {"at": 1000}}"#)
print(paid)  // Invoice(paidAt: 1970-01-01T00:00:01Z)
