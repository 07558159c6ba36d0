import Foundation
import Pallium

/// Models to archives and back, against binary property lists, the fastest keyed format of Foundation.
func archiveWorkloads(_ context: BenchmarkContext) -> [Workload] {
    let archives = ArchiveDocuments(context)
    return [
        Workload(name: "archive, write", unit: .nanoseconds(per: "issue"), goal: .atLeast(75, reach: 80)) {
            let (issues, codableIssues) = (try context.issues.get(), try context.codableIssues.get())
            let encoder = ArchiveDocuments.encoder
            return .timed(
                ours: .operation(units: issues.count) { try ModelArchiver().archive(issues) },
                baseline: .operation(units: issues.count) { try encoder.encode(codableIssues) },
                configuration: archives.configuration, proof: archives.areEqual)
        },
        Workload(name: "archive, read", unit: .nanoseconds(per: "issue"), goal: .atLeast(33, reach: 38)) {
            let (archive, propertyList) = (try archives.archive.get(), try archives.propertyList.get())
            let (unarchiver, decoder) = (archives.unarchiver, PropertyListDecoder())
            return .timed(
                ours: .operation(units: context.issueCount) {
                    try unarchiver.unarchive(arrayOf: Issue.self, from: archive)
                },
                baseline: .operation(units: context.issueCount) {
                    try decoder.decode([CodableIssue].self, from: propertyList)
                },
                configuration: archives.configuration, proof: archives.areEqual)
        },
        Workload(name: "archive, size against JSON", unit: .bytes, goal: .atMost(0.8), dependsOnHeap: false) {
            .measured(
                ours: Double(try archives.archive.get().count), baseline: Double(context.document.count),
                configuration: archives.configuration, proof: archives.areEqual)
        },
    ]
}

/// The issues as an archive and as a property list.
private final class ArchiveDocuments {
    static var encoder: PropertyListEncoder {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        return encoder
    }

    private let context: BenchmarkContext
    let unarchiver: ModelUnarchiver
    private(set) lazy var archive = Result { try ModelArchiver().archive(context.issues.get()) }
    private(set) lazy var propertyList = Result { try Self.encoder.encode(context.codableIssues.get()) }

    /// Models come from JSON, which must be as strict as ever; archives prove themselves by their checksums.
    var configuration: Configuration { context.arrayConfiguration }

    init(_ context: BenchmarkContext) {
        self.context = context
        unarchiver = ModelUnarchiver(registry: context.registry)
    }

    /// Whether both sides bring back what was decoded.
    func areEqual() throws -> Bool {
        let expected = Digest.of(try context.codableIssues.get())
        let ours = try unarchiver.unarchive(arrayOf: Issue.self, from: archive.get())
        let theirs = try PropertyListDecoder().decode([CodableIssue].self, from: propertyList.get())
        return Digest.of(ours) == expected && Digest.of(theirs) == expected
    }
}
