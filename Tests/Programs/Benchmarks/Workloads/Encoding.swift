import Foundation
import Pallium

/// Models to bytes.
///
/// The texts differ in two ways that cost nothing: `JSONEncoder` orders members by chance, and it leaves out nil where
/// Pallium writes back the null it read. So both are decoded again for the proof.
func encodingWorkloads(_ context: BenchmarkContext) -> [Workload] {
    [
        Workload(name: "encode", unit: .nanoseconds(per: "issue"), goal: .atLeast(30, reach: 34)) {
            let (adapter, encoder, decoder) = (context.adapter, context.coders.encoder, context.coders.decoder)
            let document = context.document
            let issues = try context.issues.get()
            let codableIssues = try context.codableIssues.get()
            return .timed(
                ours: .operation(units: issues.count) { try adapter.data(from: issues) },
                baseline: .operation(units: issues.count) { try encoder.encode(codableIssues) },
                configuration: context.arrayConfiguration
            ) {
                let ours = try adapter.data(from: issues)
                let readBack = try decoder.decode([CodableIssue].self, from: ours)
                let theirs = try adapter.models(from: try encoder.encode(codableIssues))
                let expected = Digest.of(codableIssues)
                return ours == document && Digest.of(readBack) == expected && Digest.of(theirs) == expected
            }
        }
    ]
}
