import Foundation
import Pallium

/// What is done with models once they exist.
func modelOperationWorkloads(_ context: BenchmarkContext) -> [Workload] {
    [
        Workload(name: "copy", unit: .nanoseconds(per: "issue"), goal: .atLeast(0.85)) {
            let issues = try context.issues.get()
            let codableIssues = try context.codableIssues.get()
            return .timed(
                ours: .operation(units: issues.count) { issues.map { $0.copy() } },
                baseline: .operation(units: issues.count) { codableIssues.map { $0.copy() } },
                configuration: context.arrayConfiguration
            ) {
                let copies = issues.map { $0.copy() }
                return Digest.of(copies) == Digest.of(codableIssues.map { $0.copy() })
                    && zip(copies, issues).allSatisfy { $0 == $1 && $0 !== $1 }
            }
        },
        Workload(name: "==", unit: .nanoseconds(per: "issue"), goal: .atLeast(6.5)) {
            let (issues, sameIssues) = (try context.issues.get(), try context.sameIssues.get())
            let (codableIssues, sameCodableIssues) = (
                try context.codableIssues.get(), try context.sameCodableIssues.get()
            )
            return .timed(
                ours: .operation(units: issues.count) { equalCount(issues, sameIssues) },
                baseline: .operation(units: issues.count) { equalCount(codableIssues, sameCodableIssues) },
                configuration: context.arrayConfiguration
            ) {
                equalCount(issues, sameIssues) == issues.count
                    && equalCount(codableIssues, sameCodableIssues) == issues.count
                    && equalCount(issues, sameIssues.reversed()) == equalCount(codableIssues, codableIssues.reversed())
            }
        },
        Workload(name: "hash", unit: .nanoseconds(per: "issue"), goal: .atLeast(1.6)) {
            let (issues, sameIssues) = (try context.issues.get(), try context.sameIssues.get())
            let codableIssues = try context.codableIssues.get()
            return .timed(
                ours: .operation(units: issues.count) { combinedHash(issues) },
                baseline: .operation(units: issues.count) { combinedHash(codableIssues) },
                configuration: context.arrayConfiguration
            ) {
                combinedHash(issues) == combinedHash(sameIssues)
                    && Set(issues.map(\.hashValue)).count == Set(codableIssues.map(\.hashValue)).count
            }
        },
        Workload(name: "release of a decoded array", unit: .nanoseconds(per: "issue"), goal: .atLeast(4, reach: 5)) {
            let (adapter, decoder, document) = (context.adapter, context.coders.decoder, context.document)
            return .timed(
                ours: .release(units: context.issueCount) { try adapter.models(from: document) },
                baseline: .release(units: context.issueCount) {
                    try decoder.decode([CodableIssue].self, from: document)
                },
                configuration: context.arrayConfiguration
            ) {
                Digest.of(try adapter.models(from: document))
                    == Digest.of(try decoder.decode([CodableIssue].self, from: document))
            }
        },
    ]
}

func equalCount<Model: Equatable>(_ left: [Model], _ right: [Model]) -> Int {
    var count = 0
    for index in left.indices where left[index] == right[index] { count += 1 }
    return count
}

private func combinedHash(_ models: [some Hashable]) -> Int {
    var hash = 0
    for model in models { hash = hash &* 31 &+ model.hashValue }
    return hash
}
