import Foundation
import TestSupport
import Testing

/// `store query` with `--count-by`, `--after` and `nocase`: the section *Stores* of the article *CommandLine*.
@Suite struct StoreGroupTests {
    private func query(_ store: StoreFolder, _ arguments: String...) async throws -> ToolRun {
        try await store.run("query --schemas S --model Issue a.store", arguments)
    }

    // MARK: Counting

    @Test(arguments: [
        (["--count-by", "state"], ["[null,1]", #"["closed",1]"#, #"["open",1]"#]),
        (["--count-by", "state", "--order", "-state"], [#"["open",1]"#, #"["closed",1]"#, "[null,1]"]),
        (["--count-by", "votes"], ["[null,2]", "[3,1]"]),
        (["--count-by", "assignee.login"], ["[null,2]", #"["ada",1]"#]),
        (["--count-by", "updatedAt"], ["[null,1]", #"["2026-01-31T12:00:00Z",1]"#, #"["2026-02-01T08:30:00Z",1]"#]),
        (["--count-by", "votes,title"], ["[null,null,1]", #"[null,"5",1]"#, #"[3,"Crash",1]"#]),
        (["--count-by", "state", "--where", "number > 7"], ["[null,1]", #"["closed",1]"#]),
        (["--count-by", "state", "--where", "number > 70"], []),
        (["--count-by", "state", "--limit", "1"], ["[null,1]"]),
        (["--count-by", "state", "--offset", "2"], [#"["open",1]"#]), (["--count"], ["3"]),
        (["--count", "--where", "number > 70"], ["0"]), (["--count", "--after", "number = 7"], ["2"]),
    ])
    func modelsAreCounted(arguments: [String], lines: [String]) async throws {
        let store = try await StoreFolder.withIssues()
        let run = try await store.run("query --schemas S --model Issue a.store", arguments)
        #expect(run == ToolRun(status: 0, output: lines.map { $0 + "\n" }.joined(), errors: ""))
    }

    @Test(arguments: [
        (["--count-by", "stat"], "did you mean \"state\"?"), (["--count-by", "labels"], "--count-by"),
        (["--count-by", "assignee"], "--count-by"), (["--count-by", "labels.name"], "--count-by"),
        (["--count-by", ""], "--count-by"),
        (["--count-by", "state", "--count"], "exclude each other"),
        (["--count-by", "state", "--only", "state"], "exclude each other"),
        (["--count-by", "state", "--after", "number = 7"], "exclude each other"),
        (["--count-by", "state", "--order", "number"], "number"),
        (["--count-by", "count(labels)"], "--count-by"), (["--count-by", "nocase(title)"], "--count-by"),
        (["--after", "nmber = 7"], "--after"), (["--after", "number"], "--after"),
        (["--after", "number = x"], "--after"),
        (["--where", "nocase(number) = 7"], "nocase"), (["--where", "nocase(state) = open"], "nocase"),
        (["--where", "nocase(titel) = a"], "did you mean \"title\"?"), (["--where", "nocase() = a"], "--where"),
        (["--where", "nocase(title = a"], "--where"), (["--where", "nocase(assignee) = a"], "nocase"),
    ])
    func wrongUsageWritesNothing(arguments: [String], message: String) async throws {
        let store = try await StoreFolder.withIssues()
        let run = try await store.run("query --schemas S --model Issue a.store", arguments)
        #expect(run.status == 2 && run.output.isEmpty && run.errors.contains(message), "\(run)")
    }

    // MARK: Pages

    @Test(arguments: [
        (["--after", "number = 7"], [8, 9]), (["--after", "number = 9"], []),
        (["--after", "number = 9", "--order", "-number"], [8, 7]),
        (["--after", "title = Crash", "--order", "title"], []),
        (["--after", "title = null", "--order", "title"], [8, 7]),
        (["--after", "state = open", "--order", "state,-number"], []),
        (["--after", "state = closed", "--order", "-state"], [9]),
        (["--after", "number = 7", "--limit", "1", "--offset", "1"], [9]),
        (["--after", "number > 6", "--after", "number < 8"], [8, 9]),
        (["--after", "number = 7", "--where", "number != 8"], [9]), (["--after", "nocase(title) = CRASH"], [8, 9]),
        (["--after", "assignee.login = ada", "--order", "-assignee.login", "--include", "assignee"], [8, 9]),
    ])
    func aPageBeginsBehindAModel(arguments: [String], numbers: [Int]) async throws {
        let store = try await StoreFolder.withIssues()
        let run = try await store.run("query --schemas S --model Issue --only number a.store", arguments)
        #expect(run.status == 0 && run.outputLines == numbers.map { "{\"number\":\($0)}" }, "\(run)")
    }

    @Test(arguments: ["number > 7", "number > 70"])
    func aPageBeginsBehindOneModel(_ condition: String) async throws {
        let store = try await StoreFolder.withIssues()
        let run = try await query(store, "--after", condition)
        #expect(run.status == 1 && run.output.isEmpty && run.errors.contains("--after"), "\(run)")
    }

    // MARK: Texts without case

    @Test(arguments: [
        ("nocase(title) = cRASH", [7]), ("nocase(title) contains RAS", [7]), ("nocase(title) starts-with CR", [7]),
        ("nocase(title) in crash,5", [7, 8]), (#"nocase(title) in ["CRASH"]"#, [7]),
        ("nocase(title) != crash", [8, 9]),
        ("nocase(title) = null", [9]), ("nocase(title) != null", [7, 8]), (#"nocase(title) contains """#, [7, 8]),
        ("nocase(labels) contains BUG", [7]), ("nocase(assignee.login) = ADA", [7]), (#"nocase("title") = crash"#, [7]),
        ("nocase(title) = 5", [8]), (#"nocase(title) = "5""#, [8]), ("title = crash", []), ("nocase(title)=crash", [7]),
    ])
    func theDifferenceOfCaseIsLeftOut(condition: String, numbers: [Int]) async throws {
        let store = try await StoreFolder.withIssues()
        let run = try await query(store, "--only", "number", "--order", "number", "--where", condition)
        #expect(run.status == 0 && run.outputLines == numbers.map { "{\"number\":\($0)}" }, "\(run)")
    }

    /// Conditions on elements are written out, and so are those without the difference of case.
    @Test(arguments: [
        "any(labels) = bug", "labels contains bug", "none(labels) = UI", "count(labels) = 2", "all(labels) != x",
    ])
    func conditionsOnElements(_ condition: String) async throws {
        let store = try await StoreFolder.withIssues()
        let run = try await query(store, "--only", "number", "--order", "number", "--where", condition)
        #expect(run.status == 0 && run.outputLines.contains(#"{"number":7}"#), "\(run)")
    }
}
