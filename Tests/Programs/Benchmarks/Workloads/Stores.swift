import Foundation
import Pallium
import PalliumStore
import RunSupport

/// Issues in files of SQLite, against SQLite alone, which has the text ready, and against `Codable` beside SQLite.
func storeWorkloads(_ context: BenchmarkContext) -> [Workload] {
    let stores = StoreDocuments(context)
    return [
        Workload(name: "store, insert, against SQLite alone", unit: .nanoseconds(per: "issue"), goal: .atMost(1.15)) {
            let (issues, documents) = (try stores.issues.get(), stores.storedDocuments)
            return .timed(
                ours: .operation(units: issues.count, on: stores.emptyStore) { try $0.store.save(issues) },
                baseline: .operation(units: issues.count, on: IssueTable.init) { try $0.insert(documents.get()) },
                configuration: stores.configuration, proof: stores.areEqual)
        },
        Workload(name: "store, insert, against Codable", unit: .nanoseconds(per: "issue"), goal: .atLeast(2.3)) {
            let (issues, codableIssues) = (try stores.issues.get(), try context.codableIssues.get())
            return .timed(
                ours: .operation(units: issues.count, on: stores.emptyStore) { try $0.store.save(issues) },
                baseline: .operation(units: issues.count, on: IssueTable.init) { table in
                    try table.insert(codableIssues, context.coders)
                }, configuration: stores.configuration, proof: stores.areEqual)
        },
        Workload(name: "store, fetch all", unit: .nanoseconds(per: "issue"), goal: .atLeast(5)) {
            let (filled, table) = (try stores.filled.get(), try stores.table.get())
            return .timed(
                ours: .operation(units: context.issueCount) { try filled.store.fetch(ModelQuery<Issue>()) },
                baseline: .operation(units: context.issueCount) { try table.issues(context.coders) },
                configuration: stores.configuration, proof: stores.areEqual)
        },
        Workload(
            name: "store, one by identity, against SQLite alone", unit: .nanoseconds(per: "issue"), goal: .atMost(1.8)
        ) {
            let (filled, table) = (try stores.filled.get(), try stores.table.get())
            let numbers = stores.shuffledNumbers
            return .timed(
                ours: .operation(units: numbers.count) {
                    for number in numbers { blackHole(try filled.store.first(Issue.self, identity: number)) }
                },
                baseline: .operation(units: numbers.count) {
                    for number in numbers { blackHole(try table.withDocument(number) { Data($0) }) }
                }, configuration: stores.configuration, proof: stores.areEqual)
        },
        Workload(name: "store, partial documents", unit: .nanoseconds(per: "issue"), goal: .atLeast(5)) {
            let partial = try PartialIssues(stores)
            return .timed(
                ours: .operation(units: context.issueCount) { try partial.importNext() },
                baseline: .operation(units: context.issueCount) { try partial.updateNext(context.coders) },
                configuration: stores.configuration, proof: partial.areEqual)
        },
    ]
}

/// The issues in a store and in a table, made at first use.
final class StoreDocuments {
    let context: BenchmarkContext
    private(set) lazy var registry = Result { try StoredIssues.registry() }
    private(set) lazy var issues = Result {
        try JSONAdapter(Issue.self, registry: registry.get()).models(from: context.document)
    }
    private(set) lazy var filled = Result {
        let stored = try emptyStore()
        try stored.store.save(issues.get())
        return stored
    }
    private(set) lazy var table = Result {
        let table = try IssueTable()
        try table.insert(context.codableIssues.get(), context.coders)
        return table
    }
    /// The texts as the store writes them.
    private(set) lazy var storedDocuments = Result {
        let file = try filled.get().file.url
        let database = try SQLiteFile(file, creation: [])
        let query = try database.query("SELECT _document FROM Issue ORDER BY number")
        var documents: [IssueTable.Row] = []
        for issue in try issues.get() {
            guard try query.step() else { break }
            documents.append(IssueTable.Row(number: issue.number, state: issue.state, document: Array(query.text(0))))
        }
        return documents
    }

    init(_ context: BenchmarkContext) { self.context = context }

    func emptyStore() throws -> StoredIssues { try StoredIssues(registry: registry.get()) }

    var shuffledNumbers: [Int] {
        var random = SeededGenerator(seed: 4)
        return random.shuffled(Array(1...context.issueCount))
    }

    /// Documents come to a store through an adapter, which must be as strict as ever; rows prove themselves by checksums.
    var configuration: Configuration {
        context.issueConfiguration("bytes of one issue for a store") { [registry] data in
            let adapter = JSONAdapter(Issue.self, registry: try registry.get())
            let store = try ModelStore(at: nil, registry: registry.get())
            blackHole(try store.import(data, using: adapter))
        }
    }

    /// Whether both sides bring back what was decoded.
    func areEqual() throws -> Bool {
        let expected = Digest.of(try context.codableIssues.get())
        let ours = try filled.get().store.fetch(ModelQuery<Issue>(order: [.ascending("number")]))
        let theirs = try table.get().issues(context.coders)
        return Digest.of(ours) == expected && Digest.of(theirs) == expected
    }
}

/// Documents with the number, the comments and the time of each issue, in two states.
final class PartialIssues {
    struct Part: Codable {
        let number: Int
        let comments: Int
        let updatedAt: Date

        enum CodingKeys: String, CodingKey {
            case number, comments
            case updatedAt = "updated_at"
        }
    }

    private let stored: StoredIssues
    private let table: IssueTable
    private let stores: StoreDocuments
    private let documents: [Data]
    private var next = (ours: 0, theirs: 0)

    init(_ stores: StoreDocuments) throws {
        (stored, table, self.stores) = (try stores.filled.get(), try stores.table.get(), stores)
        let issues = try stores.context.codableIssues.get()
        documents = try (1...2).map { state in
            try stores.context.coders.encoder.encode(
                issues.map { issue in
                    Part(
                        number: issue.number, comments: issue.comments + state,
                        updatedAt: issue.updatedAt.addingTimeInterval(Double(state)))
                })
        }
    }

    @discardableResult func importNext() throws -> StoreChanges {
        next.ours = 1 - next.ours
        return try stored.store.import(documents[next.ours], using: stored.adapter)
    }

    func updateNext(_ coders: FoundationCoders) throws {
        next.theirs = 1 - next.theirs
        try table.transaction {
            for part in try coders.decoder.decode([Part].self, from: documents[next.theirs]) {
                guard let issue = try table.issue(part.number, coders) else { continue }
                issue.comments = part.comments
                issue.updatedAt = part.updatedAt
                try coders.encoder.encode(issue).withBytes { try table.update(part.number, $0) }
            }
        }
    }

    /// Whether both sides have the same issues after each state.
    func areEqual() throws -> Bool {
        next = (0, 0)
        var digests: Set<String> = []
        for _ in documents {
            try importNext()
            try updateNext(stores.context.coders)
            let ours = try stored.store.fetch(ModelQuery<Issue>(order: [.ascending("number")]))
            let theirs = try table.issues(stores.context.coders)
            guard Digest.of(ours) == Digest.of(theirs) else { return false }
            digests.insert(Digest.of(ours).text)
        }
        return digests.count == documents.count
    }
}

extension IssueTable {
    struct Row {
        let number: Int
        let state: IssueState
        let document: [UInt8]
    }

    /// Inserts texts that are ready.
    fileprivate func insert(_ rows: [Row]) throws {
        try transaction {
            for row in rows { try row.document.withUnsafeBufferPointer { try insert(row.number, row.state, $0) } }
        }
    }

    /// Encodes and inserts issues.
    fileprivate func insert(_ issues: [CodableIssue], _ coders: FoundationCoders) throws {
        try transaction {
            for issue in issues {
                try coders.encoder.encode(issue).withBytes { try insert(issue.number, issue.state, $0) }
            }
        }
    }

    fileprivate func issue(_ number: Int, _ coders: FoundationCoders) throws -> CodableIssue? {
        try withDocument(number) { text in
            try text.withData { try coders.decoder.decode(CodableIssue.self, from: $0) }
        }
    }

    fileprivate func issues(_ coders: FoundationCoders) throws -> [CodableIssue] {
        var issues: [CodableIssue] = []
        try forEachDocument { text in
            issues.append(try text.withData { try coders.decoder.decode(CodableIssue.self, from: $0) })
        }
        return issues
    }
}

extension Data {
    fileprivate func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows -> Result {
        try withUnsafeBytes { try body($0.bindMemory(to: UInt8.self)) }
    }
}
