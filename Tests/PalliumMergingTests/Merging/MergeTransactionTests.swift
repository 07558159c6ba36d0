import Pallium
import TestSupport
import Testing

/// A merge writes at once: later parts of it see earlier ones, and a refusal restores everything.
@Suite("Merges as transactions")
struct MergeTransactionTests {
    let registry: SchemaRegistry

    init() throws {
        registry = try SchemaRegistry.of(
            ModelSchema(
                "Team",
                [
                    "id": .integer, "name": .string,
                    "lead": .model("Person").merge(.recurse), "deputy": .model("Person").merge(.recurse),
                    "people": PropertySchema.array(of: .model("Person")).inverse("team").merge(.byIdentifier()),
                    "last": .integer.merge(MergePolicy("refuse")),
                ], identity: ["id"]),
            ModelSchema(
                "Person",
                [
                    "id": .integer, "name": .string, "age": .integer.default(30), "team": .model("Team").weak,
                    "home": .model("Home").merge(.recurse), "peers": .set(of: .model("Person")).merge(.union),
                    "log": .array(of: .string).merge(.append), "size": .integer.merge(MergePolicy("countLog")),
                ], identity: ["id"]),
            ModelSchema("Home", ["city": .string, "zip": .string, "floor": .integer.default(1)]),
            mergers: [
                "refuse": Merger(Int.self) { _ in throw ModelError(.conflict, expected: "nothing", found: "a value") },
                "countLog": Merger(Int.self) { $0.targetModel["log", as: [String].self]?.count },
            ])
    }

    private func adapter(_ schema: String) throws -> JSONAdapter<DynamicModel> {
        try JSONAdapter(schema: registry.schema(named: schema), registry: registry)
    }

    @Test func aRefusalRestoresWhatEarlierPartsWrote() throws {
        let adapter = try adapter("Team")
        let team = try adapter.model(from: #"{"id":1,"name":"a","lead":{"id":1,"name":"ada"},"people":[{"id":2}]}"#)
        let (lead, person) = (try #require(team.model("lead")), team.models("people")[0])
        let before = team.deepCopy()
        let error = #expect(throws: ModelError.self) {
            try adapter.merge(
                #"{"name":"b","lead":{"id":1,"name":"grace"},"people":[{"id":3}],"last":1}"#, into: team)
        }
        #expect(error?.pointer?.description == "/last")
        #expect(team == before)
        #expect(team.model("lead") === lead && team.models("people").map { $0 === person } == [true])
        #expect(person.model("team") === team)
    }

    @Test func aNestedRefusalRestoresTheHolder() throws {
        let team = try adapter("Team").model(from: #"{"id":1,"people":[{"id":2}]}"#)
        let person = team.models("people")[0]
        let source = try adapter("Team").model(from: #"{"name":"b","people":[{"id":3},{"id":3}]}"#)
        #expect(throws: ModelError.self) { try team.merge(from: source) }
        #expect(try team.state(of: "name") == .unset)
        #expect(person.model("team") === team)
    }

    /// Instances change while the set waits for the next occurrence.
    @Test func aUnionHoldsAnInstanceThatChangedInBetweenOnce() throws {
        let person = try IdentityMap().import(
            #"""
            [{"id":1,"peers":[{"id":2}]}, {"id":2,"name":"a"}, {"id":1,"peers":[{"id":2},{"id":3}]},
             {"id":3,"name":"b","peers":[{"id":2,"name":"c"}]}, {"id":1,"peers":[{"id":3},{"id":2}]}]
            """#, using: adapter("Person"))[0]
        #expect(person.models("peers").map { $0["id", as: Int.self] } == [2, 3])
    }

    @Test func aListThatAMergerReadIsExtendedByTheNextOccurrence() throws {
        let occurrences = (0..<5).map { #"{"id":1,"log":["\#($0)"],"size":0}"# }.joined(separator: ",")
        let person = try IdentityMap().import("[\(occurrences)]", using: adapter("Person"))[0]
        #expect(person["log", as: [String].self] == ["0", "1", "2", "3", "4"])
    }

    @Test func aNewInstanceThatOccursTwiceIsNotReported() throws {
        let map = IdentityMap()
        let document = #"[{"id":1,"name":"a"},{"id":1,"name":"b"}]"#
        let first = try map.import(document, using: adapter("Person"))
        #expect(first.changes.isEmpty)
        #expect(first.map { $0["name", as: String.self] } == ["b", "b"])
        // The map does not keep the instance alive; `first` is used after the next import and so does.
        #expect(try map.import(#"{"id":1,"name":"c"}"#, using: adapter("Person")).changes.map(\.key) == ["name"])
        #expect(first[0]["name", as: String.self] == "c")
    }

    @Test func aNewModelThatOccursTwiceIsReportedOnce() throws {
        let adapter = try adapter("Team")
        let team = try adapter.model(from: #"{"id":1,"lead":{"id":1}}"#)
        team["deputy"] = team.model("lead")
        let changes = try adapter.merge(
            #"{"lead":{"home":{"city":"Rome"}},"deputy":{"home":{"zip":"N1"}}}"#, into: team)
        #expect(changes.pointers == ["/lead/home"])
        #expect(team.model("lead")?.model("home")?.description == #"Home(city: "Rome", zip: "N1", floor: 1)"#)
    }
}
