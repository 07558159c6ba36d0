import Foundation
import Pallium

/// The examples of the article for those who come from `Codable`, like those in `ArticleExamples.swift`.
enum CodableExamples {
    struct CodableTicket: Codable {
        enum State: String, Codable { case open, closed }

        var number: Int
        var title: String?
        var state: State?
    }

    final class Ticket: DynamicModel {
        enum State: String, PropertyEnumeration { case open, closed }

        var number: Int { value() }
        var title: String? { value() }
        var state: State? { value() }
        var priority: Int { value() }
    }

    static func adapter(_ registry: SchemaRegistry) throws -> JSONAdapter<Ticket> {
        try registry.register(
            ModelSchema(
                Ticket.self,
                [
                    "number": .integer.required,
                    "title": .string,
                    "state": .enumeration(Ticket.State.self, unknown: .keep),
                    "priority": .integer.default(3),
                    "labels": .array(of: .string),
                ]))
        let adapter = JSONAdapter(Ticket.self, registry: registry)
        return adapter
    }

    static func withCodable() throws -> [String?] {
        let absent = Data(#"{"number": 7}"#.utf8)
        let null = Data(#"{"number": 7, "title": null}"#.utf8)
        let first = try JSONDecoder().decode(CodableTicket.self, from: absent)
        let second = try JSONDecoder().decode(CodableTicket.self, from: null)
        // Both titles are nil. Which of them did the server clear?
        return [first.title, second.title]
    }

    static func withCodableEnumerations() -> [CodableTicket]? {
        let list = Data(
            #"[{"number": 7}, {"number": 8, "state": "locked"}]"#.utf8)
        let tickets = try? JSONDecoder().decode(
            [CodableTicket].self, from: list)  // nil
        return tickets
    }

    static func partialUpdates(_ adapter: JSONAdapter<Ticket>) throws -> Ticket {
        let ticket = try adapter.model(
            from: #"{"number": 7, "title": "Crash", "state": "open"}"#)
        try adapter.merge(#"{"title": null}"#, into: ticket)
        let title = try ticket.state(of: "title")  // .null: cleared
        let state = try ticket.state(of: "state")  // .value: kept
        guard (title, state) == (.null, .value) else { return Ticket() }
        return ticket
    }

    static func newCases(_ adapter: JSONAdapter<Ticket>) throws -> String {
        let locked = try adapter.model(
            from: #"{"number": 8, "state": "locked"}"#)
        let state = locked.state  // nil, as the type has no such case
        let text = try adapter.data(from: locked)
        // {"number":8,"state":"locked"}
        return "\(state == nil) \(String(decoding: text, as: UTF8.self))"
    }

    static func allProblems(_ adapter: JSONAdapter<Ticket>) -> [String] {
        var lines: [String] = []
        func print(_ problem: ModelError) { lines.append("\(problem)") }

        let report = adapter.report(
            from: #"[{"number": "7", "labels": [1]}, {"number": 8}]"#)
        for problem in report.problems { print(problem) }
        // expected an integer but found "7" at /0/number (1:13)
        // expected a string but found the number 1 at /0/labels/0 (1:29)

        return lines
    }

    static func unknownMembers(_ registry: SchemaRegistry) throws -> String {
        var options = JSONAdapterOptions()
        options.unknownMembers = .keep
        let proxy = JSONAdapter(
            Ticket.self, registry: registry, options: options)
        let ticket = try proxy.model(from: #"{"number": 7, "votes": 5}"#)
        let text = try proxy.data(from: ticket)  // {"number":7,"votes":5}
        return String(decoding: text, as: UTF8.self)
    }

    static func migration() -> ModelSchema {
        var person = ModelSchema(
            "Person", ["fullName": .string.required], version: 2)
        person.upgrades = [
            SchemaUpgrade(from: 1, renamed: ["name": "fullName"])
        ]
        return person
    }

    static func polymorphism(_ registry: SchemaRegistry) throws -> [String] {
        let event = ModelSchema(
            "Event", ["id": .integer.required],
            cluster: .discriminator(
                "type", ["push": "Push"], default: "Event"))
        let push = ModelSchema(
            "Push", ["ref": .string.required], extends: "Event")
        try registry.register(event, push)
        let events = try JSONAdapter(schema: event, registry: registry)
        let list = try events.models(
            from: """
                [{"type": "push", "id": 1, "ref": "main"},
                 {"type": "star", "id": 2}]
                """)
        let names = list.map(\.schema.name)  // ["Push", "Event"]
        return names
    }

    static func badElements(_ registry: SchemaRegistry) throws -> [Ticket] {
        var options = JSONAdapterOptions()
        options.elements = .skip
        let lenient = JSONAdapter(
            Ticket.self, registry: registry, options: options)
        let tickets = try lenient.models(
            from: #"[{"number": 7}, {"number": "eight"}]"#)
        let priority = tickets[0].priority  // 3, the default
        return tickets.count == 1 && priority == 3 ? tickets : []
    }

    static func files(_ tickets: [Ticket], _ registry: SchemaRegistry, file: URL) throws -> Bool {
        try ModelArchiver().write(tickets, to: file)
        let unarchiver = ModelUnarchiver(registry: registry)
        let again = try unarchiver.unarchive(arrayOf: Ticket.self, from: file)
        return again == tickets
    }

    static func answers(_ adapter: JSONAdapter<Ticket>, answer: String) -> String {
        let report = adapter.report(from: answer)
        let feedback = report.problems.map { "\($0)" }.joined(separator: "\n")
        return feedback
    }

    static func contracts(_ registry: SchemaRegistry, folder: URL, document: Data) throws -> DynamicModel {
        try registry.load(contentsOf: folder)
        let invoice = try registry.schema(named: "Invoice")
        let invoices = try JSONAdapter(schema: invoice, registry: registry)
        let model = try invoices.model(from: document)
        return model
    }
}
