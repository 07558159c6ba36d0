import Foundation
import Pallium
import TestSupport
import Testing

/// What a document says twice about a model is merged in its order: several mentions in one document come to the same as
/// documents of one mention each, one after another.
@Suite("The law of mentions")
struct MentionLawTests {
    /// Adapters of things and of people.
    ///
    /// - Parameter isTracked: A value that is new has no state before the document, so that its policies have nothing to
    ///   tell from what came. It has none then.
    private static func adapters(
        isTracked: Bool
    ) throws -> (things: JSONAdapter<DynamicModel>, people: JSONAdapter<DynamicModel>) {
        let registry = SchemaRegistry()
        try registry.register(
            ModelSchema(
                "Home",
                [
                    "city": .string, "zip": .string.merge(isTracked ? .skipNull : .keep),
                    "tags": .array(of: .string).merge(isTracked ? .replace : .union),
                ]),
            ModelSchema(
                "Person", ["id": .integer, "name": .string, "home": .model("Home").merge(.recurse)], identity: ["id"]),
            ModelSchema(
                "Thing",
                [
                    "id": .integer, "plain": .string, "keep": .string.merge(.keep), "max": .integer.merge(.max),
                    "min": .integer.merge(.min), "stamp": .integer, "body": .string.merge(.newest(by: "stamp")),
                    "def": .integer.default(4), "skip": .string.merge(.skipNull),
                    "log": .array(of: .integer).merge(.append), "tags": .set(of: .integer).merge(.union),
                    "table": .dictionary(of: .integer).merge(.union), "value": .model("Home"),
                    "home": .model("Home").merge(.recurse), "owner": .model("Person"),
                    "other": .model("Person").merge(.recurse),
                    "people": .array(of: .model("Person")).merge(.byIdentifier(missing: .remove)),
                    "lines": .array(of: .model("Home")).merge(.byIdentifier("city")),
                    "dict": .dictionary(of: .array(of: .model("Person"))),
                    "replaced": .array(of: .model("Home")).merge(.replace),
                ], identity: ["id"]))
        return try (
            JSONAdapter(schema: registry.schema(named: "Thing"), registry: registry),
            JSONAdapter(schema: registry.schema(named: "Person"), registry: registry)
        )
    }

    /// Random parts of things.
    private struct Mentions {
        var generator: SeededGenerator

        mutating func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &generator) }

        private mutating func home() -> String {
            var members: [String] = []
            if below(2) == 0 { members.append(#""city":"\#(below(3))""#) }
            if below(2) == 0 { members.append(#""zip":"\#(below(9))""#) }
            if below(3) == 0 { members.append(#""tags":["\#(below(4))"]"#) }
            return "{\(members.joined(separator: ","))}"
        }

        private mutating func person(_ id: Int) -> String {
            var members = [#""id":\#(id)"#]
            if below(2) == 0 { members.append(#""name":"\#(below(9))""#) }
            if below(3) == 0 { members.append(#""home":\#(below(6) == 0 ? "null" : home())"#) }
            return "{\(members.joined(separator: ","))}"
        }

        private mutating func list(_ element: (inout Self, Int) -> String) -> String {
            var elements: [String] = []
            for number in 0..<3 where below(2) == 0 { elements.append(element(&self, number)) }
            return "[\(elements.joined(separator: ","))]"
        }

        private mutating func value(of key: String) -> String {
            if below(6) == 0 { return "null" }
            switch key {
            case "plain", "keep", "skip", "body": return #""\#(below(20))""#
            case "max", "min", "stamp", "def": return "\(below(20))"
            case "log", "tags": return "[\(below(5)),\(below(5) + 5)]"
            case "table": return #"{"\#(below(4))":\#(below(9))}"#
            case "value", "home": return home()
            case "owner", "other": return person(below(3))
            case "people": return list { $0.person($1) }
            case "dict": return #"{"a":[\#(person(below(3)))]}"#
            default: return list { #"{"city":"\#($1)","zip":"\#($0.below(9))","tags":["\#($0.below(4))"]}"# }
            }
        }

        mutating func next() -> String {
            var members = [#""id":1"#]
            for key in [
                "plain", "keep", "skip", "body", "max", "min", "stamp", "def", "log", "tags", "table", "value", "home",
                "owner", "other", "people", "lines", "replaced", "dict",
            ] where below(3) == 0 { members.append(#""\#(key)":\#(value(of: key))"#) }
            return "{\(members.shuffled(using: &generator).joined(separator: ","))}"
        }
    }

    /// What the thing and the people are and what waits to be sent, after imports into a thing.
    private func outcome(_ known: String, edit: String?, isTracked: Bool, _ documents: [String]) throws -> [String] {
        let map = IdentityMap()
        let (adapter, people) = try Self.adapters(isTracked: isTracked)
        let thing = try #require(try map.import(known, using: adapter).first)
        // All people are known, so that none dies between documents.
        let held = try map.import(#"[{"id":0},{"id":1},{"id":2}]"#, using: people)
        if isTracked {
            thing.trackChanges()
            for person in held { person.trackChanges() }
        }
        if let edit { thing[edit] = edit == "plain" ? "edited" : 7 }
        for document in documents { try map.import(document, using: adapter) }
        let texts = try [adapter.data(from: thing)] + held.map { try people.data(from: $0) }
        return texts.map { String(decoding: $0, as: UTF8.self) } + ["\(thing.pendingChanges)"]
    }

    @Test(.trials, arguments: [false, true])
    func mentionsTogetherComeToTheSameAsApart(isTracked: Bool) throws {
        for seed in Trials(1) {
            var mentions = Mentions(generator: SeededGenerator(seed: seed))
            let known = mentions.next()
            let edit = [nil, "plain", "max", "min", "def"][mentions.below(5)]
            let documents = (0..<2 + mentions.below(20)).map { _ in mentions.next() }
            let together = try outcome(
                known, edit: edit, isTracked: isTracked, ["[\(documents.joined(separator: ","))]"])
            let apart = try outcome(known, edit: edit, isTracked: isTracked, documents)
            let differences = zip(together, apart).filter { $0 != $1 }.map { "\($0)\n\($1)" }
            #expect(differences == [], "\(known), \(edit ?? "no edit"), then \(documents)")
            if !differences.isEmpty { return }
        }
    }

    @Test func whatCameSecondIsNoEditOfTheProgram() throws {
        let map = IdentityMap()
        let people = try Self.adapters(isTracked: true).people
        let person = try #require(try map.import(#"{"id":1,"name":"A"}"#, using: people).first)
        person.trackChanges()
        let changes = try map.import(#"[{"id":1,"name":"B"},{"id":1,"name":"C"}]"#, using: people).changes
        #expect(person["name", as: String.self] == "C")
        #expect(changes.conflicts.isEmpty)
        #expect(!person.hasChanges)
    }

    @Test func aModelInTwoPlacesIsRebasedTwice() throws {
        let registry = SchemaRegistry()
        try registry.register(
            ModelSchema("Person", ["name": .string]),
            ModelSchema(
                "Task", ["owner": .model("Person").merge(.recurse), "author": .model("Person").merge(.recurse)]))
        let adapter = try JSONAdapter(schema: registry.schema(named: "Task"), registry: registry)
        let task = try adapter.model(from: #"{"owner":{"name":"A"}}"#)
        task["author"] = task.model("owner")
        task.trackChanges()
        let changes = try adapter.rebase(task, onto: #"{"owner":{"name":"B"},"author":{"name":"C"}}"#)
        #expect(task.model("owner")?["name", as: String.self] == "C")
        #expect(changes.conflicts.isEmpty)
        #expect(!task.hasChanges)
    }
}
