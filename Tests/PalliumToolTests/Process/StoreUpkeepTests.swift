import Foundation
import TestSupport
import Testing

/// `pallium store dump`, `upgrade`, `check` and `backup`: the section *Stores* of the article *CommandLine*.
@Suite struct StoreUpkeepTests {
    private static let sqlite = "/usr/bin/sqlite3"
    private static var hasSQLite: Bool { FileManager.default.fileExists(atPath: sqlite) }

    @Test(arguments: [
        "query --schemas S --model Issue a.store", "dump --schemas S a.store", "dump --schemas S --model Issue a.store",
        "upgrade --schemas S a.store", "check --schemas S a.store", "backup a.store b.store",
    ])
    func aMissingStoreIsAnErrorAndIsNotMade(_ words: String) async throws {
        let store = try StoreFolder()
        let run = try await store.run(words)
        #expect(
            run == ToolRun(status: 2, output: "", errors: "pallium: cannot read a.store: No such file or directory\n"))
        #expect(!store.hasFile("a.store") && !store.hasFile("b.store"))
    }

    @Test(arguments: [
        "query --schemas S --model Issue issues.json", "dump --schemas S issues.json", "check --schemas S issues.json",
        "upgrade --schemas S issues.json", "backup issues.json b.store",
    ])
    func anotherFileIsNoStoreAndStaysAsItIs(_ words: String) async throws {
        let store = try StoreFolder()
        let run = try await store.run(words)
        #expect(run.errors.hasPrefix("issues.json: expected a store but found a file that is no database"))
        #expect(run.status == 1 && run.output.isEmpty)
        #expect(try store.folder.read("issues.json") == StoreFolder.issues && !store.hasFile("b.store"))
    }

    // MARK: Dumping

    @Test func modelsThatReferToOneAnotherAreDumped() async throws {
        let store = try StoreFolder()
        try store.folder.write(
            "S/Page.json",
            #"""
            {"name": "Page", "identity": ["id"], "properties": {"id": {"kind": "integer", "required": true},
              "title": {"kind": "string"}, "next": {"kind": "model", "model": "Page"}}}
            """#)
        let pages = [#"{"id":1,"title":"a","next":{"id":2}}"#, #"{"id":2,"title":"b","next":{"id":1}}"#]
        _ = try await store.run(
            "import --schemas S --model Page --lines a.store -", input: pages.joined(separator: "\n"))
        for command in ["dump --schemas S --model Page", "query --schemas S --model Page"] {
            #expect(try await store.run("\(command) a.store").outputLines == pages)
        }
        let included = try await store.run("query --schemas S --model Page --where id=1 --include next a.store")
        #expect(included.outputLines == [#"{"id":1,"title":"a","next":{"id":2,"title":"b","next":{"id":1}}}"#])
    }

    @Test func aDumpHasTheModelsOfAllTables() async throws {
        let store = try await StoreFolder.withIssues()
        let run = try await store.run("dump --schemas S --redact secret a.store")
        #expect(
            run.output == """
                {"schema":"Issue","model":{"number":7,"title":"Crash","state":"open","updated_at":"2026-01-31T12:00:00Z",\
                "votes":3,"labels":["bug","ui"],"assignee":{"id":1}}}
                {"schema":"Issue","model":{"number":8,"title":"5","state":"closed","updated_at":"2026-02-01T08:30:00Z",\
                "token":"•••"}}
                {"schema":"Issue","model":{"number":9,"title":null,"assignee":{"id":2}}}
                {"schema":"User","model":{"id":1,"login":"ada"}}

                """)
        #expect(run.errors.isEmpty && run.status == 0)
    }

    @Test func importingTheDumpsOfAllSchemasGivesAnEqualStore() async throws {
        let store = try await StoreFolder.withIssues()
        let copied = try await store.shell(
            """
            for model in Issue User; do
                "$0" store dump --schemas S --model $model a.store |
                    "$0" store import --schemas S --model $model --lines b.store - || exit
            done
            """)
        #expect(
            copied.errorLines == [
                "pallium: 3 lines stored: 3 inserted, 0 updated", "pallium: 1 line stored: 1 inserted, 0 updated",
            ])
        let dumps = try await [store.run("dump --schemas S a.store"), store.run("dump --schemas S b.store")]
        #expect(dumps[0].output == dumps[1].output && dumps[0].outputLines.count == 4)
    }

    @Test func modelsOfDescendantsHaveTheirOwnSchema() async throws {
        let store = try StoreFolder()
        try store.folder.write(
            "S/Bug.json", #"{"name": "Bug", "extends": "Issue", "properties": {"severity": {"kind": "integer"}}}"#)
        _ = try await store.run("import --schemas S --model Bug a.store -", input: #"{"number": 1, "severity": 3}"#)
        #expect(
            try await store.run("dump --schemas S a.store").output
                == #"{"schema":"Bug","model":{"number":1,"severity":3}}"# + "\n")
    }

    @Test func tablesWithoutASchemaAreNamed() async throws {
        let store = try await StoreFolder.withIssues()
        try store.folder.write("User.json", StoreFolder.user)
        let run = try await store.run("dump --schemas User.json a.store")
        #expect(run.outputLines == [#"{"schema":"User","model":{"id":1,"login":"ada"}}"#])
        #expect(run.errorLines == ["pallium: tables without a schema were left out: Issue"])
        #expect(run.status == 1)
    }

    // MARK: Upgrading and checking

    @Test func rowsOfEarlierVersionsAreUpgradedOnce() async throws {
        let store = try await StoreFolder.withIssues()
        let newer = StoreFolder.issue.replacing(
            #""identity": ["number"]"#,
            with: #""identity": ["number"], "version": 2, "upgrades": [{"from": 1, "rename": {"title": "heading"}}]"#
        ).replacing(#""title": {"#, with: #""heading": {"#)
        try store.folder.write("S/Issue.json", newer)
        let run = try await store.run("upgrade --schemas S a.store")
        #expect(run == ToolRun(status: 0, output: "", errors: "pallium: a.store: 3 models upgraded\n"))
        #expect(try await store.run("upgrade --schemas S a.store").errors == "pallium: a.store: no models upgraded\n")
        #expect(
            try await store.run("query --schemas S --model Issue --limit 1 --only heading a.store").output
                == #"{"heading":"Crash"}"# + "\n")
    }

    @Test func aSoundStoreHasNoProblems() async throws {
        let store = try await StoreFolder.withIssues()
        let run = try await store.run("check --schemas S a.store")
        #expect(run == ToolRun(status: 0, output: "", errors: "pallium: a.store: no problems\n"))
        #expect(try await store.run("check --schemas S --errors json a.store").errors.isEmpty)
    }

    @Test(.needs("sqlite3", if: hasSQLite), arguments: [[], ["--errors", "json"]])
    func whatSQLiteSaysOfADamagedStoreMovesNoCursor(options: [String]) async throws {
        let store = try await StoreFolder.withIssues()
        let change = """
            CREATE TABLE "x\u{1B}[31m\u{9B}2J" (a); INSERT INTO "x\u{1B}[31m\u{9B}2J" VALUES (NULL);
            PRAGMA writable_schema = 1; UPDATE sqlite_schema SET sql = replace(sql, '(a)', '(a NOT NULL)')
            """
        try store.folder.write("change", change)
        #expect(try await store.shell("\(Self.sqlite) a.store < change").status == 0)
        let run = try await store.run("check --schemas S a.store", options)
        #expect(run.errors.contains("NULL value in x"), "\(run.errors)")
        #expect(!run.errors.unicodeScalars.contains { $0 != "\n" && $0.properties.generalCategory == .control })
        #expect(run.status == 1 && run.output.isEmpty)
    }

    @Test(.needs("sqlite3", if: hasSQLite)) func everyProblemOfAStoreIsReported() async throws {
        let store = try await StoreFolder.withIssues()
        let change = "UPDATE Issue SET _checksum = 1 WHERE number = 8; CREATE TABLE Other (x)"
        #expect(try await store.shell(#"\#(Self.sqlite) a.store "\#(change)""#).status == 0)
        let run = try await store.run("check --schemas S a.store")
        #expect(
            run.errorLines == [
                "a.store: expected a row that is as it was stored but found a damaged one at /Issue/8",
                #"a.store: expected a table of a registered schema but found "Other" at /Other"#,
                "pallium: a.store: 2 problems",
            ])
        #expect(run.status == 1 && run.output.isEmpty)
        let json = try await store.run("check --schemas S --errors json a.store")
        #expect(try json.errorLines.map { try object($0)["pointer"] as? String } == ["/Issue/8", "/Other"])
        #expect(json.status == 1)
        // What comes before the damaged row was written by then.
        let dump = try await store.run("dump --schemas S a.store")
        #expect(dump.errors.hasPrefix("a.store: expected a row that is as it was stored") && dump.status == 1)
    }

    /// A query gives all models or none; what was there is worth more than a part.
    @Test(.needs("sqlite3", if: hasSQLite), arguments: ["query --model Issue", "dump", "dump --model Issue"])
    func aFileStaysWhenNotAllModelsCanBeRead(command: String) async throws {
        let store = try StoreFolder()
        let made = try await store.shell(
            #"""
            echo old > out; seq 1000 | sed 's/.*/{"number":&}/' |
                "$0" store import --schemas S --model Issue --lines a.store - &&
                \#(Self.sqlite) a.store "UPDATE Issue SET _checksum = 1 WHERE number = 1000"
            """#)
        #expect(made.status == 0)
        let run = try await store.run("\(command) --schemas S -o out a.store")
        #expect(run.status == 1 && run.errors.contains("a row that is as it was stored"))
        #expect(try store.folder.read("out") == "old\n")
        let shown = try await store.run("\(command) --schemas S a.store")
        #expect(shown.status == 1 && shown.output.contains(#""number":7"#))
        let skipping = try await store.run("\(command) --schemas S --skip-unreadable -o out a.store")
        #expect(try skipping.status == 1 && store.folder.read("out").contains(#""number":9"#))
    }

    /// A limit for files is a full disk here.
    @Test(.threat(.failingDisk)) func aStoreThatCannotBeMadeLeavesNoFile() async throws {
        let store = try StoreFolder()
        let run = try await store.shell(
            """
            : > old.store
            for name in new old; do
                ( ulimit -f 0; "$0" store import --schemas S --model Issue $name.store issues.json; echo $? ) 2>&1 | cat
            done
            ls -A
            """)
        #expect(run.outputLines.filter { $0 == "2" }.count == 2, "\(run.output)")
        #expect(run.outputLines.suffix(3) == ["S", "issues.json", "old.store"], "\(run.output)")
    }

    // MARK: Copying

    @Test func aBackupIsAStoreWithTheSameContent() async throws {
        let store = try await StoreFolder.withIssues()
        try store.folder.write("b.store", "something else")
        #expect(try await store.run("backup a.store b.store") == ToolRun(status: 0, output: "", errors: ""))
        let dumps = try await [store.run("dump --schemas S a.store"), store.run("dump --schemas S b.store")]
        #expect(dumps[0].output == dumps[1].output && dumps[0].outputLines.count == 4)
    }

    @Test func aBackupReplacesNoStoreInUse() async throws {
        let store = try await StoreFolder.withIssues()
        let own = try await store.run("backup a.store a.store")
        #expect(own.status == 2 && own.errors.hasPrefix("a.store: ") && own.errors.contains("the store itself"))
        try store.folder.write("b.store-wal", "log")
        let run = try await store.run("backup a.store b.store")
        #expect(
            run.status == 2 && run.errors.hasPrefix("b.store: ") && run.errors.contains("a database that is in use"))
        #expect(!store.hasFile("b.store"))
        let nowhere = try await store.run("backup a.store nowhere/b.store")
        #expect(
            nowhere.errors == "pallium: cannot write nowhere/b.store: No such file or directory\n"
                && nowhere.status == 2)
    }
}
