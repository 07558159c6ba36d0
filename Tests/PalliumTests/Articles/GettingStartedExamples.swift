import Foundation
import Pallium

// The examples of the article for beginners, word for word, like those in `ArticleExamples.swift`.

enum GettingStarted {
    final class Person: DynamicModel {
        var login: String { value() }
    }

    final class Ticket: DynamicModel {
        enum State: String, PropertyEnumeration { case open, closed }

        var number: Int { value() }
        var title: String? {
            get { value() }
            set { set(newValue) }
        }
        var state: State { value() }
        var htmlURL: URL? { value() }
        var labels: [String]? { value() }
        var assignee: Person? { value() }
    }

    final class Release: DynamicModel {
        var summary: String? {
            get { value("description") }
            set { set(newValue, "description") }
        }
    }

    nonisolated final class Comment: DynamicModel {
        var body: String? { value() }
    }

    /// What the examples print or write.
    static func example() throws -> [String] {
        try SchemaRegistry.shared.register(
            ModelSchema(Person.self, ["login": .string.required]),
            ModelSchema(
                Ticket.self,
                [
                    "number": .integer.required,
                    "title": .string,
                    "state": .enumeration(Ticket.State.self)
                        .default(Ticket.State.open),
                    "htmlURL": .url.json("html_url"),
                    "labels": .array(of: .string).json("meta.labels"),
                    "assignee": .model(Person.self),
                ])
        )

        let adapter = JSONAdapter(Ticket.self)
        let ticket = try adapter.model(
            from: """
                {"number": 7, "title": "Crash", "meta": {"labels": ["bug"]},
                 "assignee": {"login": "mona"}}
                """)
        ticket.title = "Crash on launch"
        let text = try adapter.data(from: ticket)
        // {"number":7,"title":"Crash on launch","meta":{"labels":["bug"]},
        //  "assignee":{"login":"mona"}}

        var printed: [String] = []
        func print(_ error: any Error) { printed.append("\(error)") }

        do {
            _ = try adapter.model(
                from: #"{"number": 8, "meta": {"labels": ["bug", 1]}}"#)
        } catch {
            print(error)
        }
        // expected a string but found the number 1 at /meta/labels/1 (1:42)

        try ticket.setValue(9, forKey: "number")
        let login = try ticket.value(forKeyPath: "assignee.login")
        let state = try ticket.state(of: "state")  // .defaulted

        let note = ModelSchema(
            "Note", ["text": .string.required, "stars": .integer.default(0)])
        try SchemaRegistry.shared.register(note)
        let notes = try JSONAdapter(schema: note)
        let plain = try notes.model(from: #"{"text": "hello"}"#)
        plain["stars"] = 5

        let twin = ticket.copy()
        let same = ticket == twin && Set([ticket, twin]).count == 1

        return [String(decoding: text, as: UTF8.self)] + printed
            + ["\(ticket.number) \(login ?? "") \(state) \(plain) \(same)"]
    }
}
