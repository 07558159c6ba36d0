import Foundation
import TestSupport
import Testing

/// `pallium store query`: the section *Stores* of the article *CommandLine*.
@Suite struct StoreQueryTests {
    private static let command = "query --schemas S --model Issue"

    /// Conditions, and the numbers of the issues that meet them.
    static let conditions: [([String], [Int])] = [
        ([], [7, 8, 9]),
        (["number = 7"], [7]), (["number=7"], [7]), (["  number  =  7  "], [7]), (["number != 7"], [8, 9]),
        (["number < 8"], [7]), (["number<=8"], [7, 8]), (["number > 8"], [9]), (["number >= 8"], [8, 9]),
        (["number > -1"], [7, 8, 9]),
        (["number in [7, 9]"], [7, 9]), (["number in 7,9"], [7, 9]), (["number in 7 , 10"], [7]),
        (["number in []"], []),
        (["title = Crash"], [7]), ([#"title = "Crash""#], [7]), (["title = crash"], []),
        // A text that looks like a number, and one that does not.
        (["title = 5"], [8]), ([#"title = "5""#], [8]), (["title contains ras"], [7]), (["title contains 5"], [8]),
        (["title starts-with Cr"], [7]), (["title starts-with ra"], []), ([#"title starts-with "5""#], [8]),
        (["title = null"], [9]), (["title != null"], [7, 8]), ([#"title = "null""#], []),
        (["state = open"], [7]), (["state in open,closed"], [7, 8]), (["state = null"], [9]),
        (["updatedAt < 2026-02-01T00:00:00Z"], [7]), ([#"updatedAt >= "2026-01-31T13:00:00+01:00""#], [7, 8]),
        (["labels contains bug"], [7]), (["labels contains b"], []),
        (["assignee.login = ada"], [7]), (["assignee.id in 1,2"], [7, 9]), (["assignee = null"], [8]),
        (["assignee.login = null"], [8, 9]),
        (["any(labels) = bug"], [7]), (["all(labels) starts-with b"], [8, 9]), (["none(labels) = ui"], [8, 9]),
        (["count(labels) > 1"], [7]), (["count(labels)=0"], [8, 9]),
        (["nocase(title) = cRASH"], [7]), (["nocase(title) contains RAS"], [7]), (["nocase(title)!=crash"], [8, 9]),
        (["nocase(labels) contains BUG"], [7]), (["nocase(assignee.login) starts-with AD"], [7]),
        (["number > 7", "title != null"], [8]), (["number > 7", "number < 7"], []),
    ]

    @Test(arguments: conditions)
    func aConditionFindsModels(_ conditions: [String], _ numbers: [Int]) async throws {
        let store = try await StoreFolder.withIssues()
        let options = conditions.flatMap { ["--where", $0] }
        let run = try await store.run("\(Self.command) --only number --order number a.store", options)
        #expect(run.outputLines == numbers.map { "{\"number\":\($0)}" })
        #expect(run.errors.isEmpty && run.status == 0)
        #expect(try await store.run("\(Self.command) --count a.store", options).output == "\(numbers.count)\n")
    }

    @Test func modelsAreLines() async throws {
        let store = try await StoreFolder.withIssues()
        let run = try await store.run("\(Self.command) a.store")
        #expect(
            run.output == """
                {"number":7,"title":"Crash","state":"open","updated_at":"2026-01-31T12:00:00Z","votes":3,\
                "labels":["bug","ui"],"assignee":{"id":1}}
                {"number":8,"title":"5","state":"closed","updated_at":"2026-02-01T08:30:00Z","token":"t"}
                {"number":9,"title":null,"assignee":{"id":2}}

                """)
    }

    @Test(arguments: [
        ("--order -number", [9, 8, 7]), ("--order number --limit 2", [7, 8]), ("--limit 1 --offset 1", [8]),
        ("--order -votes,-number", [7, 9, 8]), ("--limit 0", []), ("--offset 2", [9]),
        ("--order assignee.id --limit 1", [8]), ("--order number --limit 1 --after number=7", [8]),
        ("--order -votes,-number --after number=9", [8]), ("--after title=5", [9]),
        ("--after number>7 --after number<9", [9]), ("--after number=9", []),
    ])
    func modelsAreOrderedAndCut(_ options: String, _ numbers: [Int]) async throws {
        let store = try await StoreFolder.withIssues()
        let run = try await store.run("\(Self.command) --only number \(options) a.store")
        #expect(run.outputLines == numbers.map { "{\"number\":\($0)}" })
    }

    @Test(arguments: [
        ("--count-by state", [#"[null,1]"#, #"["closed",1]"#, #"["open",1]"#]),
        ("--count-by state --order -state --limit 2", [#"["open",1]"#, #"["closed",1]"#]),
        ("--count-by assignee.login,updatedAt --where number=7", [#"["ada","2026-01-31T12:00:00Z",1]"#]),
        ("--count-by state --where number>9", []),
        (
            "--count-by state --max number --sum votes,number --min title",
            [#"[null,1,null,9,null,9]"#, #"["closed",1,null,8,"5",8]"#, #"["open",1,3,7,"Crash",7]"#]
        ),
        ("--sum number", ["[3,24]"]), ("--max updatedAt --where number>9", ["[0,null]"]),
    ])
    func groupsOfModelsAreCountedAndMeasured(_ options: String, _ lines: [String]) async throws {
        let store = try await StoreFolder.withIssues()
        let run = try await store.run("\(Self.command) \(options) a.store")
        #expect(run.outputLines == lines && run.status == 0)
    }

    @Test func aPageBeginsBehindOneModel() async throws {
        let store = try await StoreFolder.withIssues()
        for (condition, found) in [("number=1", "none"), ("number>7", "several")] {
            let run = try await store.run("\(Self.command) --after \(condition) a.store")
            #expect(run.status == 1 && run.output.isEmpty)
            #expect(run.errors.contains("expected one model for --after but found \(found)"))
        }
    }

    @Test func referencesAreIncludedWhereThatIsAsked() async throws {
        let store = try await StoreFolder.withIssues()
        for include in ["assignee", "all"] {
            let run = try await store.run(
                "\(Self.command) --where number=7 --only assignee --include \(include) a.store")
            #expect(run.output == #"{"assignee":{"id":1,"login":"ada"}}"# + "\n")
        }
    }

    @Test func modelsAreWrittenAsOtherCommandsWriteThem() async throws {
        let store = try await StoreFolder.withIssues()
        let run = try await store.run(
            "\(Self.command) --where number=8 --redact secret --only title,token --pretty -o out a.store")
        #expect(run == ToolRun(status: 0, output: "", errors: ""))
        #expect(try store.folder.read("out") == "{\n  \"title\": \"5\",\n  \"token\": \"•••\"\n}\n")
    }

    @Test func thePlanNamesTheIndex() async throws {
        let store = try await StoreFolder.withIssues()
        let indexed = try await store.run("\(Self.command) --explain a.store", ["--where", "state = open"])
        #expect(indexed.output.hasPrefix("SELECT ") && indexed.output.contains("SEARCH t0 USING INDEX"))
        let read = try await store.run("\(Self.command) --explain a.store", ["--where", "title = Crash"])
        #expect(read.output.contains("SCAN t0") && read.status == 0)
    }

    /// Mistakes are known before the store is opened, so there need not be one.
    @Test(arguments: [
        (["--where", "number = abc"], #"--where "number = abc": expected an integer but found "abc""#),
        (["--where", "number < null"], #"--where "number < null": expected an integer but found "null""#),
        (["--where", "number in [1, \"x\"]"], #"--where "number in [1, "x"]": expected an integer but found "x""#),
        (["--where", "number in [1, null]"], #"--where "number in [1, null]": expected an integer but found null"#),
        (["--where", "updatedAt > monday"], #"--where "updatedAt > monday": expected a date but found "monday""#),
        (
            ["--where", "state = opn"],
            #"--where "state = opn": expected one of "open", "closed" but found "opn"; did you mean "open"?"#
        ),
        (
            ["--where", "number = 1", "--where", "titel = a"],
            #"--where "titel = a": expected a key of Issue but found "titel"; did you mean "title"?"#
        ),
        (
            ["--where", "assignee.logn = a"],
            #"--where "assignee.logn = a": expected a key of User but found "logn"; did you mean "login"?"#
        ),
        (
            ["--where", "labels = bug"],
            #"--where "labels = bug": expected a kind whose values SQLite can compare but found the kind array"#
        ),
        (["--order", "-updated"], #"--order: expected a key of Issue but found "updated"; did you mean "updatedAt"?"#),
        (
            ["--include", "asignee"],
            #"--include: expected a key of Issue but found "asignee"; did you mean "assignee"?"#
        ),
        (
            ["--after", "numer = 1"],
            #"--after "numer = 1": expected a key of Issue but found "numer"; did you mean "number"?"#
        ),
        (["--count-by", "sate"], #"--count-by: expected a key of Issue but found "sate"; did you mean "state"?"#),
        (["--min", "votse"], #"--min: expected a key of Issue but found "votse"; did you mean "votes"?"#),
        (["--sum", "title"], "--sum: expected integers or floating-point numbers in a sum but found the kind string"),
        (["--max", "labels"], "--max: expected a kind whose values SQLite can compare but found the kind array"),
        (
            ["--count-by", "state", "--order", "number"],
            #"--order: expected an order by columns of the groups but found "number""#
        ),
        (["--include", "title"], "--include: expected a property that holds models but found a string"),
        (["--only", "titel"], #"--only: Issue: expected a key of Issue but found "titel"; did you mean "title"?"#),
        (["--redact", "secert"], #"--redact: no property has the label "secert"; did you mean secret?"#),
    ])
    func aMistakeInAnOptionIsSaid(_ options: [String], _ text: String) async throws {
        let run = try await StoreFolder().run("\(Self.command) a.store", options)
        #expect(run.errorLines == ["pallium: \(text)"])
        #expect(run.status == 2 && run.output.isEmpty)
    }

    @Test func aStoreThatNeverHadSuchModelsHasNone() async throws {
        let store = try StoreFolder()
        _ = try await store.run("import --schemas S --model User a.store -", input: #"{"id": 1}"#)
        #expect(try await store.run("\(Self.command) a.store") == ToolRun(status: 0, output: "", errors: ""))
        #expect(try await store.run("\(Self.command) --count a.store").output == "0\n")
    }
}
