import Foundation
import Pallium
import TestSupport
import Testing

/// Lists matched by identifiers whose model a document mentions again and again: each mention adds to what the ones before
/// made of the list.
@Suite("Lists of models that are mentioned again")
struct MentionedListTests {
    let registry = SchemaRegistry()
    let adapter: JSONAdapter<DynamicModel>

    init() throws {
        try registry.register(
            ModelSchema(
                "Line", ["name": .string, "amount": .integer.merge(.max), "note": .string],
                cluster: .discriminator("kind", ["special": "Special"], default: "Line")),
            ModelSchema("Special", ["rate": .integer], extends: "Line"),
            ModelSchema("Person", ["id": .integer, "name": .string], identity: ["id"]),
            ModelSchema(
                "Order",
                [
                    "id": .integer, "lines": .array(of: .model("Line")).merge(.byIdentifier("name")),
                    "marks": .set(of: .model("Line")).merge(.byIdentifier("name")),
                    "people": .array(of: .model("Person")).merge(.byIdentifier()),
                    "last": .array(of: .model("Line")).merge(.byIdentifier("name", missing: .remove)),
                ], identity: ["id"]))
        adapter = try JSONAdapter(schema: registry.schema(named: "Order"), registry: registry)
    }

    private func order(_ documents: [String]) throws -> DynamicModel {
        let map = IdentityMap()
        var order: DynamicModel?
        for document in documents { order = try map.import(document, using: adapter).last }
        return try #require(order)
    }

    /// Lines of different names, or people of different numbers.
    private func mention(_ generator: inout SeededGenerator) -> String {
        func elements(_ count: Int, _ element: (Int) -> String) -> String {
            let names = (0..<12).shuffled(using: &generator).prefix(Int.random(in: 0...count, using: &generator))
            return "[\(names.map(element).joined(separator: ","))]"
        }
        func line(_ name: Int) -> String {
            // An object that does not say its class has that of its target, which an earlier mention may have removed.
            let kind = name % 4 == 0 ? #","kind":"special","rate":1"# : ""
            return #"{"name":"\#(name)","amount":\#(Int.random(in: 0...9, using: &generator))\#(kind)}"#
        }
        var members = [#""id":1"#]
        for key in ["lines", "marks", "last"] where Int.random(in: 0..<4, using: &generator) > 0 {
            members.append(#""\#(key)":\#(elements(4, line))"#)
        }
        if Bool.random(using: &generator) {
            members.append(
                #""people":\#(elements(3) { #"{"id":\#($0),"name":"\#(Int.random(in: 0...9, using: &generator))"}"# })"#
            )
        }
        if Int.random(in: 0..<8, using: &generator) == 0 { members.append(#""lines":null"#) }
        return "{\(members.shuffled(using: &generator).joined(separator: ","))}"
    }

    /// What is known before is not one of the mentions, so that both ways begin with a model in the map.
    @Test(.trials) func mentionsInOneDocumentAreMergedAsThoseInSeveral() throws {
        for seed in Trials(3) {
            var generator = SeededGenerator(seed: seed)
            let mentions = (0..<Int.random(in: 2...40, using: &generator)).map { _ in mention(&generator) }
            let known = [#"{"id":1}"#, mention(&generator)][Int.random(in: 0...1, using: &generator)]
            let together = try order([known, "[\(mentions.joined(separator: ","))]"])
            let apart = try order([known] + mentions)
            #expect(together == apart, "\(known), \(mentions)")
            #expect(together.models("lines") == apart.models("lines"))
        }
    }

    @Test func eachMentionAddsItsOwn() throws {
        let mentions = (0..<20_000).map { #"{"id":1,"lines":[{"name":"\#($0 / 2)","amount":\#($0)}]}"# }
        let order = try order(["[\(mentions.joined(separator: ","))]"])
        #expect(order.models("lines").count == 10_000)
        #expect(order.models("lines").last?["amount", as: Int.self] == 19_999)
    }

    @Test func theListOfTheModelStaysWhereNothingComesOrGoes() throws {
        let map = IdentityMap()
        let order = try #require(
            try map.import(#"{"id":1,"lines":[{"name":"b","amount":1},{"name":"a","amount":1}]}"#, using: adapter).first
        )
        let copy = order.copy()
        let lines = order.models("lines")
        let changes = try map.import(
            #"[{"id":1,"lines":[{"name":"a","note":"x"}]},{"id":1,"lines":[{"name":"b","amount":3}]}]"#, using: adapter
        ).changes
        #expect(Set(changes.map(\.pointer.description)) == ["/0/lines/1/note", "/1/lines/0/amount"])
        #expect(zip(order.models("lines"), lines).allSatisfy { $0 === $1 })
        // The third mention makes the list one of the merge, the copy keeps the former.
        try map.import(
            #"[{"id":1,"lines":[]},{"id":1,"lines":[{"name":"c"}]},{"id":1,"lines":[{"name":"d"},{"name":"c","note":"y"}]}]"#,
            using: adapter)
        #expect(order.models("lines").map { $0["name", as: String.self] } == ["b", "a", "c", "d"])
        #expect(order.models("lines")[2]["note", as: String.self] == "y")
        #expect(copy.models("lines").count == 2)
    }

    @Test(arguments: [
        (#"[{"name":"a"},{"name":"c"},{"name":"a"}]"#, #""a" as in element 0"#, "/2/lines/2"),
        (#"[{"name":"d"},{"name":"d"}]"#, #""d" as in element 0"#, "/2/lines/1"),
        (#"[null]"#, "null", "/2/lines/0"),
    ])
    func anElementThatCannotBeMatchedIsRefused(_ elements: String, _ found: String, _ pointer: String) throws {
        let map = IdentityMap()
        let order = try #require(
            try map.import(#"{"id":1,"lines":[{"name":"a","amount":1}]}"#, using: adapter).first)
        let document =
            #"[{"id":1,"lines":[{"name":"a","amount":5}]},{"id":1,"lines":[{"name":"b"}]},{"id":1,"lines":\#(elements)}]"#
        let error = #expect(throws: ModelError.self) { try map.import(document, using: adapter) }
        #expect(error?.pointer?.description == pointer)
        #expect(error?.found == found)
        #expect(order.models("lines").map { $0["amount", as: Int.self] } == [1])
    }

    /// What the own list repeats has no place in the document.
    @Test func elementsThatTheModelRepeatsAreToldAtTheList() throws {
        let lines = #"[{"name":"b"},{"name":"a"},{"name":"a"}]"#
        let document = #"[{"id":1,"lines":\#(lines)},{"id":1,"lines":[{"name":"c"}]}]"#
        let error = #expect(throws: ModelError.self) { try IdentityMap().import(document, using: adapter) }
        #expect(error?.pointer?.description == "/1/lines")
        #expect(error?.found == #""a" twice in the model"#)
    }
}

/// Lists of instances, matched by something else than their identity.
@Suite("Instances matched by another property")
struct InstanceListTests {
    let adapter: JSONAdapter<DynamicModel>
    let map = IdentityMap()

    init() throws {
        let registry = SchemaRegistry()
        try registry.register(
            ModelSchema("User", ["id": .integer, "name": .string], identity: ["id"]),
            ModelSchema(
                "Team",
                [
                    "id": .integer, "lead": .model("User"),
                    "users": .array(of: .model("User")).merge(.byIdentifier("name")),
                ], identity: ["id"]))
        adapter = try JSONAdapter(schema: registry.schema(named: "Team"), registry: registry)
    }

    private func users(_ documents: String...) throws -> [String?] {
        var team: DynamicModel?
        for document in documents { team = try map.import(document, using: adapter).first }
        return try #require(team).models("users").map { $0["name", as: String.self] }
    }

    @Test func whatIsSaidOfAnInstanceMayStandElsewhere() throws {
        #expect(
            try users(
                #"{"id":1,"users":[]}"#, #"{"id":1,"lead":{"id":5},"users":[{"id":5,"name":"ada"}]}"#,
                #"{"id":1,"lead":{"id":5,"name":"Ada"},"users":[{"id":5}]}"#) == ["Ada"])
    }

    @Test func aNameMayGoToAnotherInstance() throws {
        #expect(
            try users(
                #"{"id":1,"users":[{"id":5,"name":"a"}]}"#,
                #"{"id":1,"users":[{"id":5,"name":"b"},{"id":6,"name":"a"}]}"#) == ["b", "a"])
    }

    @Test func valuesAreMatchedByTheProperty() throws {
        #expect(
            try users(
                #"{"id":1,"users":[{"name":"a"},{"id":5,"name":"b"}]}"#, #"{"id":1,"users":[{"name":"a"}]}"#)
                == ["a", "b"])
    }
}
