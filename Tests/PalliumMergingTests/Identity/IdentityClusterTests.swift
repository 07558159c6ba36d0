import Pallium
import TestSupport
import Testing

@Suite("Identity across a class cluster")
struct IdentityClusterTests {
    let fixtures: IdentityFixtures

    init() throws { fixtures = try IdentityFixtures() }

    @Test func aReferenceOfTheBaseFindsTheDescendant() throws {
        let user = try fixtures.load("Account", "{'kind': 'user', 'login': 'ada', 'email': 'a@b.c'}")[0]
        let event = try fixtures.load("Event", "{'id': 1, 'actor': {'login': 'ada', 'url': 'x'}}")[0]
        #expect(event.model("actor") === user)
        #expect(user["url", as: String.self] == "x")
    }

    @Test func withinADocumentTheMostSpecialSchemaCounts() throws {
        let event = try fixtures.load(
            "Event",
            """
            {'id': 1, 'actor': {'login': 'ada', 'url': 'x'},
             'target': {'kind': 'user', 'login': 'ada', 'url': 'y', 'email': 'a@b.c'}}
            """)[0]
        let user = try #require(event.model("actor"))
        #expect(event.model("target") === user)
        #expect(user.schema.name == "User")
        #expect(user["email", as: String.self] == "a@b.c")
        #expect(user["url", as: String.self] == "y")
    }

    @Test(arguments: [
        "{'kind': 'user', 'login': 'ada'}", "[{'kind': 'group', 'login': 'x'}, {'kind': 'user', 'login': 'x'}]",
    ])
    func schemasThatExcludeEachOtherAreRefused(text: String) throws {
        let stub = try fixtures.load("Event", "{'actor': {'login': 'ada', 'url': 'x'}}")[0]
        let problem = try #require(try fixtures.problem("Account", text))
        #expect(problem.code == .typeMismatch)
        #expect(problem.pointer?.description == (text.hasPrefix("[") ? "/1" : ""))
        #expect(stub.model("actor")?["url", as: String.self] == "x")
    }

    @Test func otherRootsAreOtherIdentities() throws {
        let person = try fixtures.load("Person", "{'id': 1}")[0]
        let issue = try fixtures.load("Issue", "{'id': 1, 'assignee': {'id': 1}}")[0]
        #expect(issue.model("assignee") === person)
        #expect(issue !== person)
    }
}
