import Foundation
import Pallium

/// New documents for models that live on, against decoding them by `JSONDecoder` and merging by hand.
func mergingWorkloads(_ context: BenchmarkContext) -> [Workload] {
    [
        Workload(
            name: "merge documents into live issues", unit: .nanoseconds(per: "issue"), goal: .atLeast(4, reach: 5)
        ) {
            let (live, codable) = (try LiveIssues(context), try LiveCodableIssues(context))
            return .timed(
                ours: .operation(units: context.issueCount) { try live.next(live.merge) },
                baseline: .operation(units: context.issueCount) { try codable.next(codable.merge) },
                configuration: live.configuration
            ) { try mergesEqually(live, live.merge, codable, codable.merge) }
        },
        Workload(
            name: "import a document into an identity map", unit: .nanoseconds(per: "issue"),
            goal: .atLeast(2, reach: 3.5)
        ) {
            let (live, codable) = (try ImportedIssues(context), try ImportedCodableIssues(context))
            return .timed(
                ours: .operation(units: context.issueCount) { try live.next(live.import) },
                baseline: .operation(units: context.issueCount) { try codable.next(codable.import) },
                configuration: live.configuration
            ) { try mergesEqually(live, live.import, codable, codable.import) }
        },
    ]
}

/// Models that live on while their documents change: to a state of some time later, back, and so on.
class LiveModels<Model: IssueFields> {
    fileprivate(set) var issues: [Model] = []
    private var state = 0

    /// Gives the issues the other state and returns how many changes there were.
    func next(_ merge: (_ state: Int) throws -> Int) rethrows -> Int {
        state = 1 - state
        return try merge(state)
    }
}

/// Whether both sides say the same after each state, and count the changes alike that are expected.
private func mergesEqually<Ours, Theirs>(
    _ live: LiveModels<Ours>, _ merge: (Int) throws -> Int, _ codable: LiveModels<Theirs>,
    _ mergeByHand: (Int) throws -> Int
) throws -> Bool {
    // Measuring leaves either state behind.
    _ = (try merge(0), try mergeByHand(0))
    let expected = live.issues.indices.reduce(0) { $0 + 2 + ($1 % 4 == 0 ? 1 : 0) + ($1 % 8 == 0 ? 1 : 0) }
    var digest = Digest.of(live.issues)
    for state in [1, 0] {
        let former = digest
        guard try merge(state) == expected, try mergeByHand(state) == expected else { return false }
        digest = Digest.of(live.issues)
        guard digest != former, digest == Digest.of(codable.issues) else { return false }
    }
    return true
}

/// Both states of the issues, each issue a document of its own.
private func statesOfIssues(_ count: Int) -> [[Data]] {
    [IssueGenerator.documents(count), IssueGenerator.laterDocuments(count)]
}

/// Both states of the issues, each state a document.
private func statesOfArrays(_ count: Int) -> [Data] {
    statesOfIssues(count).map { Data("[".utf8) + $0.joined(separator: Data(",".utf8)) + Data("]".utf8) }
}

/// Issues that get a document each.
final class LiveIssues: LiveModels<Issue> {
    private let adapter: JSONAdapter<Issue>
    private let documents: [[Data]]

    init(_ context: BenchmarkContext) throws {
        adapter = context.adapter
        documents = statesOfIssues(context.issueCount)
        super.init()
        issues = try documents[0].map { [adapter] in try adapter.model(from: $0) }
    }

    /// Merges its document of the state into every issue.
    func merge(_ state: Int) throws -> Int {
        var count = 0
        for (issue, document) in zip(issues, documents[state]) {
            count += try adapter.merge(document, into: issue).count
        }
        return count
    }

    /// Keeps the state of every issue as the base of a rebase.
    func track() { for issue in issues { issue.trackChanges() } }

    /// Rebases every issue onto its document of the state.
    func rebase(_ state: Int) throws -> Int {
        var count = 0
        for (issue, document) in zip(issues, documents[state]) {
            count += try adapter.rebase(issue, onto: document).count
        }
        return count
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

/// The same by `JSONDecoder` and by hand.
private final class LiveCodableIssues: LiveModels<CodableIssue> {
    private let decoder: JSONDecoder
    private let documents: [[Data]]

    init(_ context: BenchmarkContext) throws {
        decoder = context.coders.decoder
        documents = statesOfIssues(context.issueCount)
        super.init()
        issues = try documents[0].map { [decoder] in try decoder.decode(CodableIssue.self, from: $0) }
    }

    func merge(_ state: Int) throws -> Int {
        var count = 0
        for (issue, document) in zip(issues, documents[state]) {
            count += issue.merge(try decoder.decode(CodableIssue.self, from: document))
        }
        return count
    }
}

/// Issues, their accounts, labels and milestones, each once, which get one document.
final class ImportedIssues: LiveModels<Issue> {
    private let adapter: JSONAdapter<Issue>
    private let documents: [Data]
    private let map = IdentityMap()
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
        documents = statesOfArrays(context.issueCount)
        configuration = context.issueConfiguration("bytes for an identity map") { data in
            blackHole(try IdentityMap().import(data, using: adapter))
        }
        super.init()
        issues = Array(try map.import(documents[0], using: adapter))
    }

    /// Imports the document of the state.
    func `import`(_ state: Int) throws -> Int { try map.import(documents[state], using: adapter).changes.count }
}

/// The same by `JSONDecoder`, dictionaries and by hand.
private final class ImportedCodableIssues: LiveModels<CodableIssue> {
    private let decoder: JSONDecoder
    private let documents: [Data]
    private let map = CodableIdentityMap()

    init(_ context: BenchmarkContext) throws {
        decoder = context.coders.decoder
        documents = statesOfArrays(context.issueCount)
        super.init()
        issues = map.import(try decoder.decode([CodableIssue].self, from: documents[0])).issues
    }

    func `import`(_ state: Int) throws -> Int {
        map.import(try decoder.decode([CodableIssue].self, from: documents[state])).changes
    }
}
