import Foundation
import Pallium

/// Reading properties, in a loop over all objects as they were decoded, against stored properties.
func accessorWorkloads(_ context: BenchmarkContext) -> [Workload] {
    // A pass is repeated, so that a run is long enough to be timed.
    let passes = 10

    /// Some properties read from many objects, again and again.
    func row<Value: Equatable>(
        _ name: String, _ goal: Double, reads: Int, _ ours: @escaping ([Issue]) -> Value,
        _ baseline: @escaping ([CodableIssue]) -> Value
    ) -> Workload {
        Workload(name: name, unit: .nanoseconds(per: "read"), goal: .atMost(goal)) {
            let issues = try context.issues.get()
            let codableIssues = try context.codableIssues.get()
            return .timed(
                ours: .operation(units: issues.count * passes * reads) {
                    for _ in 0..<passes { blackHole(ours(issues)) }
                },
                baseline: .operation(units: issues.count * passes * reads) {
                    for _ in 0..<passes { blackHole(baseline(codableIssues)) }
                },
                configuration: context.arrayConfiguration
            ) { ours(issues) == baseline(codableIssues) }
        }
    }

    // Not literals where they are used: the keys are known at run time only.
    let keys = ["id", "number", "comments"].map { String(decoding: Array($0.utf8), as: UTF8.self) }
    let (id, number, comments) = (keys[0], keys[1], keys[2])
    return [
        row("read an Int by accessor, against a stored property", 4, reads: 3) { issues in
            issues.reduce(0) { $0 &+ $1.id &+ $1.number &+ $1.comments }
        } _: { issues in
            issues.reduce(0) { $0 &+ $1.id &+ $1.number &+ $1.comments }
        },
        row("read a String by accessor, against a stored property", 3, reads: 2) { issues in
            issues.reduce(0) { $0 &+ length(of: $1.title) &+ length(of: $1.body) }
        } _: { issues in
            issues.reduce(0) { $0 &+ length(of: $1.title) &+ length(of: $1.body) }
        },
        row("read an Int by run-time key, typed", 15, reads: 3) { issues in
            issues.reduce(0) { total, issue in
                total &+ (issue[id, as: Int.self] ?? 0) &+ (issue[number, as: Int.self] ?? 0)
                    &+ (issue[comments, as: Int.self] ?? 0)
            }
        } _: { issues in
            issues.reduce(0) { $0 &+ $1.id &+ $1.number &+ $1.comments }
        },
        row("read an Int by run-time key, value(forKey:)", 15, reads: 3) { issues in
            func read(_ issue: Issue, _ key: String) -> Int { (try? issue.value(forKey: key) as? Int) ?? 0 }
            return issues.reduce(0) { $0 &+ read($1, id) &+ read($1, number) &+ read($1, comments) }
        } _: { issues in
            issues.reduce(0) { $0 &+ $1.id &+ $1.number &+ $1.comments }
        },
    ]
}

/// Looks at a string that was read, without keeping it: if only the length were asked for in place, the optimiser would
/// take it from where the stored property stands and never read the string. Keeping it would cost both sides the same and
/// make the ratio look better than it is.
@inline(never)
private func length(of text: String) -> Int { text.utf8.count }
