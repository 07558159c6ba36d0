import Foundation
import TestSupport
import Testing

/// `pallium store import`: the section *Stores* of the article *CommandLine*.
@Suite struct StoreImportTests {
    private let store: StoreFolder
    private static let command = "import --schemas S --model Issue"

    init() throws { store = try StoreFolder() }

    private func run(_ words: String, input: String = "") async throws -> ToolRun {
        try await store.run("\(Self.command) \(words)", input: input)
    }

    private func dumped() async throws -> [String] {
        try await store.run("dump --schemas S --model Issue a.store").outputLines
    }

    @Test func documentsAreMergedIntoRows() async throws {
        let first = try await run("a.store issues.json")
        #expect(first == ToolRun(status: 0, output: "", errors: "pallium: 4 inserted, 0 updated\n"))
        // An absent member keeps, null clears, the policy of votes takes the greater.
        let again = try await run("a.store -", input: #"{"number": 7, "title": null, "votes": 2, "labels": ["x"]}"#)
        #expect(again.errors == "pallium: 0 inserted, 1 updated\n" && again.status == 0)
        let lines = try await dumped()
        #expect(
            lines.first
                == #"{"number":7,"title":null,"state":"open","updated_at":"2026-01-31T12:00:00Z","votes":3,"labels":["x"],"assignee":{"id":1}}"#
        )
        let same = try await run("a.store issues.json -", input: #"{"number": 10}"#)
        #expect(same.errors == "pallium: 1 inserted, 1 updated\n")
    }

    @Test func aFileWithAProblemIsNotStoredAtAll() async throws {
        try store.folder.write("bad.json", "[{\"number\": 1},\n {\"number\": 2, \"title\": 5}]")
        let run = try await run("a.store bad.json issues.json")
        #expect(
            run.errorLines == [
                "bad.json:2:25: expected a string but found the number 5 at /1/title", "pallium: 0 inserted, 0 updated",
            ])
        #expect(run.status == 1)
        #expect(try await dumped().isEmpty)
    }

    @Test func withCollectTheOtherFilesAreStored() async throws {
        try store.folder.write("bad.json", #"{"number": "x"}"#)
        let run = try await run("--collect a.store bad.json issues.json")
        #expect(
            run.errorLines == [
                #"bad.json:1:12: expected an integer but found "x" at /number"#, "pallium: 4 inserted, 0 updated",
            ])
        #expect(run.status == 1)
        let missing = try await self.run("--collect a.store missing.json -", input: #"{"number": 1}"#)
        #expect(
            missing.errorLines == [
                "pallium: cannot read missing.json: No such file or directory", "pallium: 1 inserted, 0 updated",
            ])
        #expect(missing.status == 2)
    }

    /// 600 lines, of which the 300th has a problem, and blank ones.
    private static let lines = (1...600).map { number in
        number == 300 ? #" {"number": 300, "title": 5}"# : number == 2 ? " \t" : "{\"number\": \(number)}"
    }

    @Test func ofLinesWholeTransactionsAreStored() async throws {
        let run = try await run("--lines a.store -", input: Self.lines.joined(separator: "\n"))
        #expect(
            run.errorLines == [
                "<stdin>:300:27: expected a string but found the number 5 at /title",
                "pallium: 256 lines stored: 256 inserted, 0 updated",
            ])
        #expect(run.status == 1)
        #expect(try await dumped().count == 256)
    }

    @Test func withCollectAllOtherLinesAreStored() async throws {
        let more = Self.lines + ["{\"number\"", "[{\"number\": 601}, {\"number\": 602}]", "[]", "5"]
        let run = try await run("--lines --collect a.store -", input: more.joined(separator: "\r\n"))
        #expect(
            run.errorLines == [
                "<stdin>:300:27: expected a string but found the number 5 at /title",
                "<stdin>:602:1: expected ':' but found the end of the text at the root",
                "<stdin>:604:1: expected an object but found the number 5 at the root",
                "pallium: 600 lines stored: 600 inserted, 0 updated",
            ])
        #expect(run.status == 1)
        #expect(try await dumped().count == 600)
    }

    @Test func problemsCanBeObjects() async throws {
        let run = try await run("--lines --errors json a.store -", input: "{\"number\": 1}\n{\"title\": \"x\"}\n")
        #expect(run.errorLines.count == 1 && run.status == 1)
        let problem = try object(try #require(run.errorLines.first))
        #expect(problem["file"] as? String == "<stdin>" && problem["code"] as? String == "missingProperty")
        #expect(problem["line"] as? Int == 2 && problem["column"] as? Int == 1 && problem["offset"] as? Int == 14)
    }

    @Test func aValueThatAnotherRowHasIsSaidWithItsPlace() async throws {
        _ = try await run("a.store issues.json")
        let run = try await run(
            "a.store -", input: "[{\"number\": 1},\n {\"number\": 2, \"assignee\": {\"id\": 3, \"login\": \"ada\"}}]")
        #expect(
            run.errorLines.first?.hasPrefix(
                #"<stdin>:2:47: expected a value that no other row has but found "ada" of User 1"#) == true,
            "\(run.errors)")
        #expect(run.errorLines.first?.contains(" at /1/assignee") == true)
        let one = try await self.run(
            "--lines a.store -", input: "\n{\"number\": 2, \"assignee\": {\"id\": 3, \"login\": \"ada\"}}")
        #expect(
            one.errorLines.first?.hasPrefix("<stdin>:2:46: ") == true && one.errors.contains(" at /assignee"),
            "\(one.errors)")
        #expect(run.status == 1 && one.status == 1)
    }

    @Test func unknownMembersAreSkippedRefusedOrKept() async throws {
        let input = #"{"number": 1, "more": [1]}"#
        let refused = try await run("--unknown refuse a.store -", input: input)
        #expect(
            refused.errorLines.first?.hasPrefix(#"<stdin>:1:23: expected a member that Issue knows but found "more""#)
                == true)
        _ = try await run("--unknown keep a.store -", input: input)
        #expect(try await dumped() == [#"{"number":1,"more":[1]}"#])
    }

    @Test(arguments: [
        ("--model Isue a.store issues.json", #"pallium: there is no schema "Isue" in S; did you mean Issue?"#),
        (
            "--model Loose a.store issues.json",
            "pallium: --model: expected a schema with an identity but found Loose, which has none"
        ),
    ])
    func whatCannotBeDoneMakesNoStore(_ words: String, _ line: String) async throws {
        let run = try await store.run("import --schemas S \(words)")
        #expect(run.errorLines == [line] && run.status == 2)
        #expect(!store.hasFile("a.store"))
    }

    @Test func anotherFileIsNotTakenForAStore() async throws {
        let run = try await run("issues.json -", input: #"{"number": 1}"#)
        #expect(
            run.errorLines.first?.hasPrefix("issues.json: expected a store but found a file that is no database")
                == true)
        #expect(run.status == 1)
        #expect(try store.folder.read("issues.json") == StoreFolder.issues)
    }
}
