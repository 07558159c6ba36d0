import Foundation
import TestSupport
import Testing

/// `pallium store delete`, what it leaves behind, and `pallium check --store`: the section *Stores* of the article
/// *CommandLine*.
@Suite struct StoreDeleteTests {
    private func numbers(_ store: StoreFolder) async throws -> [String] {
        try await store.run("query --schemas S --model Issue --only number --order number a.store").outputLines
    }

    @Test func modelsThatMeetAllConditionsAreDeleted() async throws {
        let store = try await StoreFolder.withIssues()
        let run = try await store.run(
            "delete --schemas S --model Issue a.store", ["--where", "number > 7", "--where", "state = closed"])
        #expect(run == ToolRun(status: 0, output: "", errors: "pallium: 1 model deleted\n"))
        #expect(try await numbers(store) == [#"{"number":7}"#, #"{"number":9}"#])
        let none = try await store.run("delete --schemas S --model Issue a.store", ["--where", "number > 100"])
        #expect(none.errors == "pallium: no models deleted\n" && none.status == 0)
    }

    @Test(arguments: [
        (["--where", "nmber = 7"], #"did you mean "number"?"#), (["--where", "number = x"], "--where"),
    ])
    func aMistakeDeletesNothing(options: [String], message: String) async throws {
        let store = try await StoreFolder.withIssues()
        let run = try await store.run("delete --schemas S --model Issue a.store", options)
        #expect(run.status == 2 && run.errors.contains(message), "\(run.errors)")
        #expect(try await numbers(store).count == 3)
        let missing = try await store.run("delete --schemas S --model Issue b.store", ["--where", "number = 7"])
        #expect(missing.status == 2 && !store.hasFile("b.store"))
    }

    /// The login becomes required, so that there are no stubs of users.
    @Test func modelsThatCannotBeReadAreLeftOut() async throws {
        let store = try await StoreFolder.withIssues()
        try store.folder.write(
            "S/User.json",
            StoreFolder.user.replacing(#""kind": "string""#, with: #""kind": "string", "required": true"#))
        _ = try await store.run("delete --schemas S --model User a.store", ["--where", "id = 1"])
        #expect(try await store.run("query --schemas S --model Issue a.store").status == 1)
        for command in ["query --schemas S --model Issue", "dump --schemas S --model Issue"] {
            let run = try await store.run("\(command) --skip-unreadable a.store")
            #expect(run.outputLines.count == 1 && run.status == 1)
            #expect(run.errorLines.count == 2 && run.errors.contains("at /Issue/7/assignee"), "\(run.errors)")
        }
        let check = try await store.run("check --schemas S a.store")
        #expect(check.errorLines.count == 3 && check.status == 1, "\(check.errors)")
    }

    @Test func aDumpOfALongTextCanBeImported() async throws {
        let store = try await StoreFolder.withIssues()
        let run = try await store.shell(
            """
            awk 'BEGIN { printf "{\\"number\\":1,\\"title\\":\\""; for (i = 0; i < 70000; i++) printf "%01000d", 0;
                print "\\"}" }' > long.json &&
            "$0" store import --schemas S --model Issue b.store long.json &&
            "$0" store dump --schemas S --model Issue b.store > dump.jsonl &&
            "$0" store import --schemas S --model Issue --lines c.store dump.jsonl
            """)
        #expect(
            run.status == 0 && run.errorLines.last == "pallium: 1 line stored: 1 inserted, 0 updated",
            "\(run.errors.prefix(500))")
    }

    @Test func schemasThatStoresCannotHaveAreProblems() async throws {
        let store = try StoreFolder()
        #expect(try await store.shell(#""$0" check --store S"#).status == 0)
        try store.folder.write(
            "S/Price.json",
            #"{"name": "Price", "identity": ["p"], "properties": {"p": {"kind": "decimal", "required": true}}}"#)
        #expect(try await store.shell(#""$0" check S"#).status == 0)
        let run = try await store.shell(#""$0" check --store S"#)
        #expect(run.status == 1 && run.errors.contains("an identity of kinds that have columns"), "\(run.errors)")
    }
}
