import Foundation
import ModelTestSupport
import Pallium
import Testing

@testable import PalliumStore

/// Documents that are imported into rows.
struct ImportTests {
    private let world: StoreWorld
    private let issues: JSONAdapter<DynamicModel>

    init() throws {
        world = try StoreWorld()
        issues = try world.adapter("Issue")
    }

    private func issue(_ number: Int) throws -> DynamicModel {
        try #require(try world.store.first(world.schema("Issue"), identity: number, including: .all))
    }

    @Test func absentKeepsNullClearsAndPoliciesDecide() throws {
        let first = #"""
            {"number": 1, "title": "a", "state": "open", "votes": 5, "labels": ["x"], "created_at": "2026-01-31T12:00:00Z",
             "assignee": {"id": 1, "login": "ada"}}
            """#
        #expect(try world.store.import(first, using: issues) == StoreChanges(inserted: 2))
        let second = #"{"number": 1, "title": null, "votes": 3, "labels": ["y"]}"#
        #expect(try world.store.import(second, using: issues) == StoreChanges(updated: 1))
        let found = try issue(1)
        #expect(try found.state(of: "title") == .null)
        #expect(found["votes", as: Int.self] == 5)
        #expect(found["labels", as: [String].self] == ["y"])
        #expect(found["state", as: String.self] == "open")
        #expect(found["createdAt", as: Date.self] == Date(timeIntervalSince1970: 1_769_860_800))
        #expect(found["assignee", as: DynamicModel.self]?["login", as: String.self] == "ada")
        #expect(try world.store.import(second, using: issues).isEmpty)
    }

    @Test func propertiesThatAreNotInJSONSurvive() throws {
        try world.store.save(world.make("Issue", ["number": 1, "notes": "mine"]))
        try world.store.import(#"{"number": 1, "title": "a"}"#, using: issues)
        #expect(try issue(1)["notes", as: String.self] == "mine")
    }

    @Test func referencesBecomeRowsOrStubs() throws {
        let document = #"""
            [{"number": 1, "milestone": {"title": "1.0"}}, {"number": 2, "milestone": {"title": "2.0", "due": null}},
             {"number": 3, "related": [{"number": 1, "title": "one"}]}]
            """#
        #expect(try world.store.import(document, using: issues) == StoreChanges(inserted: 4))
        #expect(try world.store.count(world.query("Milestone")) == 1)
        #expect(try issue(1)["title", as: String.self] == "one")
        // A reference to an existing row needs no more than the identity, although users have required properties.
        try world.store.save(world.make("User", ["id": 7, "login": "ada"]))
        try world.store.import(#"{"number": 1, "assignee": {"id": 7}}"#, using: issues)
        #expect(try issue(1)["assignee", as: DynamicModel.self]?["login", as: String.self] == "ada")
    }

    @Test func aDocumentMayBringAnotherClassOrOnlyChangeARow() throws {
        let bugs = try world.adapter("Bug")
        try world.store.import(#"{"number": 1, "severity": 1}"#, using: bugs)
        try world.store.import(#"{"number": 1, "title": "a"}"#, using: issues)
        let found = try issue(1)
        #expect(
            found.schema.name == "Bug" && found["severity", as: Int.self] == 1 && found["title", as: String.self] == "a"
        )
        try world.store.import(#"{"number": 2}"#, using: issues)
        #expect(throws: ModelError.self) { try world.store.import(#"{"number": 2, "severity": 1}"#, using: bugs) }
    }

    @Test(
        arguments: [
            (#"[{"number": 1, "title": "new"}, {"number": 2, "title": 5}]"#, ModelError.Code.typeMismatch, "/1/title"),
            (#"[{"number": 1, "title": "new"}, {"title": "a"}]"#, .missingProperty, "/1"),
            (#"{"number": 1, "title": "new", "assignee": {"id": 9}}"#, .missingProperty, "/assignee"),
            (#"{"number": 1, "title": "new""#, .malformedJSON, ""),
        ] as [(String, ModelError.Code, String)])
    func whatCannotBeImportedChangesNothing(document: String, code: ModelError.Code, pointer: String) throws {
        let before = try world.make("Issue", ["number": 1, "title": "old"])
        try world.store.save(before)
        let error = #expect(throws: ModelError.self) { try world.store.import(document, using: issues) }
        #expect(error?.code == code && error?.pointer?.description ?? "" == pointer, "\(error?.description ?? "")")
        #expect(try world.fetch("Issue") == [before])
        let foreign = try StoreWorld()
        #expect(throws: ModelError.self) {
            try world.store.import(#"{"number": 1}"#, using: foreign.adapter("Issue"))
        }
    }

    @Test(
        arguments: [
            (#"{"number": 1, "assignee": {"id": 2, "login": "ada"}}"#, "/assignee/login", 46),
            (#"[{"number": 1}, {"number": 2, "assignee": {"id": 2, "login": "ada"}}]"#, "/1/assignee/login", 62),
        ])
    func aValueThatAnotherRowHasIsFoundInTheDocument(document: String, pointer: String, column: Int) throws {
        try world.store.save(world.makeAda())
        let error = #expect(throws: ModelError.self) { try world.store.import(document, using: issues) }
        #expect(error?.code == .conflict && error?.pointer?.description == pointer)
        #expect(error?.location?.column == column)
    }

    @Test func elementsCanBeSkipped() throws {
        let skipping = issues.with { $0.elements = .skip }
        let document = #"[{"number": 1, "title": "a"}, {"number": 2, "title": 5}, {"number": 3}]"#
        #expect(try world.store.import(document, using: skipping).inserted == 2)
    }
}
