import Foundation
import Pallium
import Testing

@testable import PalliumStore

/// Rows that become those of another descendant, and stubs whose rows are of one.
struct SessionDescendantTests {
    private let scene: SessionWorld

    init() throws {
        scene = try SessionWorld()
        try scene.put("Issue", ["number": 1, "title": "one"])
        try scene.put("Bug", ["number": 4, "title": "four", "severity": 2])
        try scene.put("Issue", ["number": 2, "related": [["number": 1], ["number": 4]]])
    }

    private func related(_ holder: DynamicModel) throws -> [DynamicModel] {
        try #require(holder["related", as: [DynamicModel].self])
    }

    @Test(arguments: ["refresh", "fetch", "first"]) func aRowThatBecomesAnotherDescendantGetsANewObject(way: String)
        throws
    {
        let issues = try scene.objects("Issue")
        let (one, holder) = (issues[0], issues[1])
        #expect(try related(holder)[0] === one)
        try scene.put("Bug", ["number": 1, "title": "bug", "severity": 9])
        switch way {
        case "refresh": try scene.session.refresh()
        case "fetch": _ = try scene.objects("Issue")
        default: _ = try scene.object("Issue", 1)
        }
        let new = try scene.object("Issue", 1)
        #expect(new !== one && new.schema.name == "Bug" && new["severity", as: Int.self] == 9)
        #expect(try related(holder)[0] === new)
        #expect(!scene.session.hasChanges)
        #expect(try scene.session.save().rows.isEmpty)
        new["title"] = "edited"
        #expect(try scene.session.save().rows == StoreChanges(updated: 1))
        #expect(try scene.document("Bug", 1)?["title"] == "edited")
    }

    @Test func aReferenceInANewObjectLeadsToItToo() throws {
        let issues = try scene.objects("Issue")
        let inserted = try scene.world.make("Issue", ["number": 9, "related": [issues[0]]])
        try scene.session.insert(inserted)
        try scene.put("Bug", ["number": 1, "severity": 9])
        try scene.session.refresh()
        let new = try scene.object("Issue", 1)
        #expect(try related(inserted)[0] === new)
        #expect(try scene.session.save().rows == StoreChanges(inserted: 1))
    }

    @Test func aStubWhoseRowIsOfADescendantGetsTheObjectOfTheRow() throws {
        let holder = try scene.object("Issue", 2)
        #expect(try related(holder)[1]["number", as: Int.self] == 4)
        let bug = try scene.object("Bug", 4)
        #expect(bug.schema.name == "Bug" && bug["severity", as: Int.self] == 2)
        #expect(try related(holder)[1] === bug)
        #expect(try scene.object("Issue", 4) === bug)
        #expect(!scene.session.hasChanges)
    }

    @Test func aStubInAFetchOfManyIsReplacedEverywhere() throws {
        let holder = try scene.object("Issue", 2)
        let all = try scene.objects("Issue", including: .all)
        #expect(all.map(\.schema.name) == ["Issue", "Issue", "Bug"])
        #expect(try related(holder)[0] === all[0])
        #expect(try related(holder)[1] === all[2])
    }

    @Test func whatBecameAnotherDescendantIsNoDeletion() throws {
        _ = try scene.objects("Issue")
        try scene.put("Bug", ["number": 1])
        #expect(try scene.session.refresh().deleted.isEmpty)
    }
}
