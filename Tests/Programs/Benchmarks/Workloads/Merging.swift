import Foundation
import Pallium

/// New documents for models that live on, against making new models of them. Both sides are Pallium's.
func mergingWorkloads(_ context: BenchmarkContext) -> [Workload] {
    [
        Workload(
            name: "merge documents into live issues, against decoded ones in their place",
            unit: .nanoseconds(per: "issue"),
            goal: .atMost(1.5)
        ) {
            let live = try LiveIssues(context)
            return .timed(
                ours: .operation(units: context.issueCount, live.merge),
                baseline: .operation(units: context.issueCount, live.decode),
                configuration: live.configuration, proof: live.isRight)
        },
        Workload(
            name: "import a document into an identity map, against decoded issues in place of those",
            unit: .nanoseconds(per: "issue"),
            goal: .atMost(1.5)
        ) {
            let live = try ImportedIssues(context)
            return .timed(
                ours: .operation(units: context.issueCount, live.import),
                baseline: .operation(units: context.issueCount, live.decode),
                configuration: live.configuration, proof: live.isRight)
        },
    ]
}

/// Issues that get their documents of some time later, then the former ones again, and so on.
final class LiveIssues {
    private let adapter: JSONAdapter<Issue>
    private let documents: [[Data]]
    private let issues: [Issue]
    private var others: [Issue]
    private var turn = 0

    init(_ context: BenchmarkContext) throws {
        adapter = context.adapter
        documents = [
            IssueGenerator.documents(context.issueCount), IssueGenerator.laterDocuments(context.issueCount),
        ]
        issues = try documents[0].map { [adapter] in try adapter.model(from: $0) }
        others = issues
    }

    /// Merges the next document into every issue and answers how many changes there were.
    func merge() throws -> Int {
        turn += 1
        var count = 0
        for (issue, document) in zip(issues, documents[turn % 2]) {
            count += try adapter.merge(document, into: issue).count
        }
        return count
    }

    /// Keeps the state of every issue as the base of a rebase.
    func track() { for issue in issues { issue.trackChanges() } }

    /// Rebases every issue onto its next document and returns how many changes there were.
    func rebase() throws -> Int {
        turn += 1
        var count = 0
        for (issue, document) in zip(issues, documents[turn % 2]) {
            count += try adapter.rebase(issue, onto: document).count
        }
        return count
    }

    /// What a program does that cannot merge: it puts a new issue in the place of every old one.
    func decode() throws {
        for (index, document) in documents[1].enumerated() { others[index] = try adapter.model(from: document) }
    }

    /// Whether merging gives what decoding gives, and reports what is different.
    func isRight() throws -> Bool {
        for _ in 0..<2 {
            let before = Digest.of(issues)
            let count = try merge()
            let fresh = try documents[turn % 2].map { try adapter.model(from: $0) }
            let changes = issues.indices.reduce(0) { $0 + 2 + ($1 % 4 == 0 ? 1 : 0) + ($1 % 8 == 0 ? 1 : 0) }
            guard Digest.of(issues) == Digest.of(fresh), Digest.of(issues) != before, count == changes else {
                return false
            }
        }
        return true
    }

    /// A document for a live issue. Every member may be missing; what is there must be right.
    var configuration: Configuration {
        let document = IssueGenerator.complete()
        return Configuration("bytes of a part", document: document, optionalMembers: document.memberNames) {
            [adapter] data in
            let issue = try adapter.model(from: document.data)
            blackHole(try adapter.merge(data, into: issue))
        }
    }
}

/// Issues, their accounts, labels and milestones, each once, which get a document of some time later and back.
final class ImportedIssues {
    private let adapter: JSONAdapter<Issue>
    private let documents: [Data]
    private let map = IdentityMap()
    private let issues: [Issue]
    private var others: [Issue]
    private var turn = 0
    let configuration: Configuration

    init(_ context: BenchmarkContext) throws {
        let registry = SchemaRegistry()
        try registry.register(
            Issue.schemas.map { schema in
                var schema = schema
                if schema.name != "PullRequest" { schema.identity = ["id"] }
                return schema
            })
        let adapter = JSONAdapter(Issue.self, registry: registry)
        self.adapter = adapter
        func array(_ documents: [Data]) -> Data {
            Data("[".utf8) + documents.joined(separator: Data(",".utf8)) + Data("]".utf8)
        }
        documents = [
            array(IssueGenerator.documents(context.issueCount)),
            array(IssueGenerator.laterDocuments(context.issueCount)),
        ]
        issues = Array(try map.import(documents[0], using: adapter))
        others = try adapter.models(from: documents[0])
        configuration = context.issueConfiguration("bytes for an identity map") { data in
            blackHole(try IdentityMap().import(data, using: adapter))
        }
    }

    /// Imports the next document and answers how many changes there were.
    func `import`() throws -> Int {
        turn += 1
        return try map.import(documents[turn % 2], using: adapter).changes.count
    }

    /// What a program does that has no such map: it puts new issues in the place of the old ones.
    func decode() throws { others = try adapter.models(from: documents[1]) }

    /// Whether importing gives what decoding gives.
    func isRight() throws -> Bool {
        for _ in 0..<2 {
            let count = try self.import()
            let fresh = try adapter.models(from: documents[turn % 2])
            guard Digest.of(issues) == Digest.of(fresh), count > issues.count * 2 else { return false }
        }
        return true
    }
}
