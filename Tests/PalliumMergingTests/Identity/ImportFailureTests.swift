import Foundation
import ModelTestSupport
import Pallium
import Testing

/// An import that fails leaves no trace.
struct ImportFailureTests {
    /// Hooks that refuse what says so, and note what they saw.
    private static func refusing(_ schema: ModelSchema) -> ModelSchema {
        switch schema.name {
        case "Person":
            schema.didDecode { person in
                if person["name", as: String.self] == "refused" { throw FixtureError.refused }
                // A hook may change what the import brought.
                if person["name", as: String.self] == "shout" { try person.setValue("SHOUT", forKey: "name") }
            }
        default: schema
        }
    }

    @Test(
        .threat(.throwingUserCode),
        arguments: [
            // A hook, on a new model behind others that are fine, and on a known one.
            "[{'id': 1, 'title': 'X', 'comments': [{'id': 5}, {'id': 6, 'text': 'n'}]}, {'id': 3, 'assignee': {'id': 9, 'name': 'refused'}}]",
            "[{'id': 2, 'comments': [{'id': 5, 'text': 'Y'}]}, {'id': 1, 'assignee': {'id': 7, 'name': 'refused'}}]",
            "[{'id': 1, 'assignee': {'id': 7, 'name': 'shout'}}, {'id': 4, 'assignee': {'id': 7, 'name': 'refused'}}]",
            // A new parent takes a comment away, then something else is wrong.
            "[{'id': 4, 'comments': [{'id': 5}]}, {'id': 1, 'assignee': {'id': 9, 'name': 'refused'}}]",
            // Something is missing, of the wrong kind, null, or twice in a list that is matched by identity.
            "[{'id': 1, 'title': 'X'}, {'id': 4, 'comments': [{'id': 8}]}]",
            "[{'id': 1, 'title': 'X'}, {'id': 2, 'title': 3}]", "[{'id': 1, 'title': 'X'}, {'id': 'two'}]",
            "[{'id': 1, 'title': 'X', 'comments': [{'id': 5, 'text': null}]}]",
            "[{'id': 1, 'title': 'X', 'watchers': [{'id': 7}, {'id': 7}]}]",
            "[{'id': 1, 'title': 'X'}, null]",
            "[{'id': 1, 'title': 'X'}, {'title': 'Y'}]", "[{'id': 1, 'title': 'X'}",
        ])
    func nothingChanges(text: String) throws {
        let fixtures = try IdentityFixtures(Self.refusing)
        let issues = try fixtures.load(
            "Issue",
            """
            [{'id': 1, 'title': 'A', 'assignee': {'id': 7, 'name': 'Ada'}, 'comments': [{'id': 5, 'text': 't'}]},
             {'id': 2, 'watchers': [{'id': 7}]}]
            """)
        let comment = try #require(issues[0].models("comments").first)
        let before = issues.map(\.description)
        let entries = fixtures.map.entryCount
        let problem = try #require(try fixtures.problem("Issue", text))
        #expect(problem.pointer != nil || problem.location != nil)
        #expect(issues.map(\.description) == before)
        #expect(comment.model("issue") === issues[0])
        #expect(fixtures.map.entryCount == entries)
        // The map still works.
        #expect(try fixtures.load("Comment", "{'id': 5, 'text': 'u'}")[0] === comment)
    }

    @Test func aHookSeesTheWholeGraph() throws {
        let fixtures = try IdentityFixtures { schema in
            guard schema.name == "Page" else { return schema }
            return schema.didDecode { page in
                let issue = page["issues", as: [DynamicModel].self]?.first
                guard issue?["title", as: String.self] == "A" else { throw FixtureError.refused }
            }
        }
        let issue = try fixtures.load("Issue", "{'id': 1, 'title': 'A'}")[0]
        let page = try fixtures.load("Page", "{'issues': [{'id': 1}]}")[0]
        #expect(page.models("issues")[0] === issue)
        #expect(try fixtures.problem("Page", "{'issues': [{'id': 1, 'title': 'B'}]}")?.code == .hookFailed)
        #expect(issue["title", as: String.self] == "A")
    }

    @Test(.threat(.deepGraphs)) func deepDocumentsNeedNoStack() throws {
        let failures = Journal()
        onStack(kilobytes: 512) {
            do {
                let fixtures = try IdentityFixtures()
                let text =
                    (0..<500).map { "{'id': \($0), 'friend': " }.joined() + "null" + String(repeating: "}", count: 500)
                var person: DynamicModel? = try fixtures.load("Person", text)[0]
                let again = try fixtures.load("Person", text)
                if again[0] !== person || !again.changes.isEmpty { failures.add("imported twice") }
                for id in 0..<500 {
                    if person?["id", as: Int.self] != id { failures.add("\(id)") }
                    person = person?.model("friend")
                }
            } catch { failures.add("\(error)") }
        }
        #expect(failures.all.isEmpty)
    }
}
