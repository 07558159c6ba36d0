import Foundation
import Pallium

/// Reading properties, in a loop over all objects as they were decoded or over a few, against stored properties.
func accessorWorkloads(_ context: BenchmarkContext) -> [Workload] {
    let count = context.issueCount
    // A pass is repeated, so that a run is long enough to be timed.
    let passes = 10

    /// Some properties read from objects, again and again; from a few of them as often as from all.
    func row<Value: Equatable>(
        _ name: String, _ goal: Goal, reads: Int, of objects: Int, _ ours: @escaping ([Issue]) -> Value,
        _ baseline: @escaping ([CodableIssue]) -> Value
    ) -> Workload {
        Workload(name: name, unit: .nanoseconds(per: "read"), goal: goal) {
            let issues = Array(try context.issues.get().prefix(objects))
            let codableIssues = Array(try context.codableIssues.get().prefix(objects))
            let passes = passes * count / issues.count
            let units = passes * issues.count * reads
            return .timed(
                ours: .operation(units: units) { for _ in 0..<passes { blackHole(ours(issues)) } },
                baseline: .operation(units: units) { for _ in 0..<passes { blackHole(baseline(codableIssues)) } },
                configuration: context.arrayConfiguration
            ) { ours(issues) == baseline(codableIssues) }
        }
    }
    func sum(_ issues: [Issue]) -> Int { issues.reduce(0) { $0 &+ $1.id &+ $1.number &+ $1.comments } }
    func sum(_ issues: [CodableIssue]) -> Int { issues.reduce(0) { $0 &+ $1.id &+ $1.number &+ $1.comments } }

    // Not literals where they are used: the keys are known at run time only.
    let keys = ["id", "number", "comments"].map { String(decoding: Array($0.utf8), as: UTF8.self) }
    let (id, number, comments) = (keys[0], keys[1], keys[2])
    let (ourTexts, theirTexts) = (KeptTexts(count: count * 2), KeptTexts(count: count * 2))
    return [
        row("read an Int by accessor, 10 warm models", .atMostAmount(1.8), reads: 3, of: 10, sum, sum),
        row("read an Int by accessor, all models", .atMostAmount(5), reads: 3, of: count, sum, sum),
        row("read a String by accessor, not kept", .atMost(3), reads: 2, of: count) { issues in
            issues.reduce(0) { $0 &+ length(of: $1.title) &+ length(of: $1.body) }
        } _: { issues in
            issues.reduce(0) { $0 &+ length(of: $1.title) &+ length(of: $1.body) }
        },
        row("read a String by accessor, kept in an array", .atMost(3), reads: 2, of: count) { issues in
            ourTexts.refill { texts in
                for issue in issues {
                    texts.append(issue.title)
                    texts.append(issue.body)
                }
            }
        } _: { issues in
            theirTexts.refill { texts in
                for issue in issues {
                    texts.append(issue.title)
                    texts.append(issue.body)
                }
            }
        },
        row("read an Int by run-time key, typed", .atMost(15), reads: 3, of: count) { issues in
            issues.reduce(0) { total, issue in
                total &+ (issue[id, as: Int.self] ?? 0) &+ (issue[number, as: Int.self] ?? 0)
                    &+ (issue[comments, as: Int.self] ?? 0)
            }
        } _: { issues in
            sum(issues)
        },
        row("read an Int by run-time key, value(forKey:)", .atMostAmount(12), reads: 3, of: count) { issues in
            func read(_ issue: Issue, _ key: String) -> Int { isPresent((try? issue.value(forKey: key)) ?? nil) }
            return issues.reduce(0) { $0 &+ read($1, id) &+ read($1, number) &+ read($1, comments) }
        } _: { issues in
            issues.reduce(0) { $0 &+ isPresent($1.id) &+ isPresent($1.number) &+ isPresent($1.comments) }
        },
        row("read an Int by run-time key, value(forKey:) as? Int", .atMostAmount(25), reads: 3, of: count) { issues in
            func read(_ issue: Issue, _ key: String) -> Int { (try? issue.value(forKey: key) as? Int) ?? 0 }
            return issues.reduce(0) { $0 &+ read($1, id) &+ read($1, number) &+ read($1, comments) }
        } _: { issues in
            sum(issues)
        },
    ]
}

// Look at a value that was read, without keeping it: if it were asked in place, the optimiser would take the answer from
// where the stored property stands and never read the value.

@inline(never)
private func length(of text: String) -> Int { text.utf8.count }

@inline(never)
private func isPresent(_ value: (any PropertyValue)?) -> Int { value == nil ? 0 : 1 }

@inline(never)
private func isPresent(_ value: Int) -> Int { value == .min ? 0 : 1 }

/// Strings that a reader keeps until the next pass, in memory that is there already.
private final class KeptTexts: Equatable {
    private var texts: [String] = []

    init(count: Int) { texts.reserveCapacity(count) }

    /// Lets go of the strings of the former pass and keeps those of this one.
    func refill(_ read: (inout [String]) -> Void) -> KeptTexts {
        texts.removeAll(keepingCapacity: true)
        read(&texts)
        return self
    }

    static func == (left: KeptTexts, right: KeptTexts) -> Bool { left.texts == right.texts }
}
