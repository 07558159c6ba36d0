import Foundation
import Pallium

/// Reading properties, in a loop over objects that fit the caches, against stored properties.
func accessorWorkloads(_ context: BenchmarkContext) -> [Workload] {
    let passes = 50

    /// One property read from many objects, again and again.
    func row<Value: Equatable>(
        _ name: String, _ goal: Double, _ ours: @escaping ([Issue]) -> Value,
        _ baseline: @escaping ([CodableIssue]) -> Value
    ) -> Workload {
        Workload(name: name, unit: .nanoseconds(per: "read"), goal: .atMost(goal)) {
            let issues = Array(try context.issues.get().prefix(500))
            let codableIssues = Array(try context.codableIssues.get().prefix(500))
            return .timed(
                ours: .operation(units: issues.count * passes) { for _ in 0..<passes { blackHole(ours(issues)) } },
                baseline: .operation(units: issues.count * passes) {
                    for _ in 0..<passes { blackHole(baseline(codableIssues)) }
                },
                configuration: context.arrayConfiguration
            ) { ours(issues) == baseline(codableIssues) }
        }
    }

    // Not a literal where it is used: the key is known at run time only.
    let key = String(decoding: Array("number".utf8), as: UTF8.self)
    return [
        row("read an Int by accessor, against a stored property", 4) { issues in
            issues.reduce(0) { $0 &+ $1.number }
        } _: { issues in
            issues.reduce(0) { $0 &+ $1.number }
        },
        row("read a String by accessor, against a stored property", 3) { issues in
            issues.reduce(0) { $0 &+ $1.title.utf8.count }
        } _: { issues in
            issues.reduce(0) { $0 &+ $1.title.utf8.count }
        },
        row("read an Int by run-time key, typed", 15) { issues in
            issues.reduce(0) { $0 &+ ($1[key, as: Int.self] ?? 0) }
        } _: { issues in
            issues.reduce(0) { $0 &+ $1.number }
        },
        row("read an Int by run-time key, value(forKey:)", 15) { issues in
            issues.reduce(0) { $0 &+ ((try? $1.value(forKey: key) as? Int) ?? 0) }
        } _: { issues in
            issues.reduce(0) { $0 &+ $1.number }
        },
    ]
}
