import Foundation
import Pallium
import PalliumStore

/// One operation alone, for a profiler: the difference of two runs with different counts is free of start-up and
/// generation.
enum OperationMode {
    enum Kind: String, CaseIterable {
        case decode, single, encode, transcode, project, select, compare, copy, merge, rebase, `import`, archive,
            unarchive,
            read, write, find, save, update
    }

    static let issueCount = 1000

    /// Three of the 17 properties of an issue.
    private static var selection: PropertySelection { ["number", "title", "user.login"] }

    static func run(_ kind: Kind, count: Int) throws {
        let context = try BenchmarkContext(issueCount: issueCount)
        let document = context.document
        switch kind {
        case .decode:
            for _ in 0..<count { blackHole(try context.adapter.models(from: document)) }
        case .single:
            let documents = IssueGenerator.documents(issueCount)
            for _ in 0..<count { for document in documents { blackHole(try context.adapter.model(from: document)) } }
        case .encode:
            let issues = try context.issues.get()
            for _ in 0..<count { blackHole(try context.adapter.data(from: issues)) }
        case .transcode:
            for _ in 0..<count { blackHole(try context.adapter.data(from: context.adapter.models(from: document))) }
        case .project:
            let adapter = try context.adapter.projected(to: selection)
            for _ in 0..<count { blackHole(try adapter.data(from: adapter.models(from: document))) }
        case .select:
            let issues = try context.issues.get()
            for _ in 0..<count { blackHole(try context.adapter.data(from: issues, only: selection)) }
        case .compare:
            let (issues, sameIssues) = (try context.issues.get(), try context.sameIssues.get())
            for _ in 0..<count { blackHole(equalCount(issues, sameIssues)) }
        case .copy:
            let issues = try context.issues.get()
            for _ in 0..<count { blackHole(issues.map { $0.copy() }) }
        case .archive:
            let issues = try context.issues.get()
            for _ in 0..<count { blackHole(try ModelArchiver().archive(issues)) }
        case .unarchive:
            let archive = try ModelArchiver().archive(context.issues.get())
            let unarchiver = ModelUnarchiver(registry: context.registry)
            for _ in 0..<count { blackHole(try unarchiver.unarchive(arrayOf: Issue.self, from: archive)) }
        case .merge:
            let live = try LiveIssues(context)
            for _ in 0..<count { blackHole(try live.next(live.merge)) }
        case .rebase:
            let live = try LiveIssues(context)
            live.track()
            for _ in 0..<count { blackHole(try live.next(live.rebase)) }
        case .read, .write:
            let counters = try Counter.make(issueCount, Counter.self)
            for pass in 0..<count { blackHole(try kind == .read ? read(counters) : write(pass, to: counters)) }
        case .find:
            let stored = try StoredIssues(registry: StoredIssues.registry())
            let issues = try stored.adapter.models(from: document)
            try stored.store.save(issues)
            for _ in 0..<count {
                for issue in issues { blackHole(try stored.store.first(Issue.self, identity: issue.number)) }
            }
        case .save:
            let registry = try StoredIssues.registry()
            let issues = try JSONAdapter(Issue.self, registry: registry).models(from: document)
            for _ in 0..<count {
                // Its file is there as long as it is.
                let stored = try StoredIssues(registry: registry)
                try withExtendedLifetime(stored) { blackHole(try stored.store.save(issues)) }
            }
        case .update:
            let partial = try PartialIssues(StoreDocuments(context))
            for _ in 0..<count { blackHole(try partial.importNext()) }
        case .import:
            let live = try ImportedIssues(context)
            for _ in 0..<count { blackHole(try live.next(live.import)) }
        }
    }

    /// Reads a property by accessor and by key.
    private static func read(_ counters: [Counter]) throws -> Int {
        try counters.reduce(0) {
            $0 &+ $1.count &+ ($1["count", as: Int.self] ?? 0) &+ (try $1.value(forKey: "count") == nil ? 0 : 1)
        }
    }

    /// Writes a property by accessor and by key.
    private static func write(_ value: Int, to counters: [Counter]) throws -> Int {
        for counter in counters {
            counter.count = value
            try counter.setValue(value &+ 1, forKey: "count")
        }
        return counters.count
    }
}
