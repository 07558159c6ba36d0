import Foundation
import Pallium
import TestSupport
import Testing

/// Merges and rebases of the library compared with a slow reference that was written from the articles alone.
@Suite("The reference of merging")
struct MergeReferenceTests {
    /// The cases of one theme and operation.
    private static let seeds = Trials(4)

    private func compare(_ operation: MergeCase.Operation, _ theme: MergeTheme, hasHooks: Bool = false) throws {
        var report = CaseReport()
        var last: (schemas: PlainSchemas, library: MergeCase.Library)?
        for seed in Self.seeds {
            var merge = MergeCase(operation, theme, seed: seed)
            merge.hasHooks = hasHooks
            let library = try last?.schemas == merge.schemas ? last?.library : merge.library()
            merge.shared = library
            last = library.map { (merge.schemas, $0) }
            report.add(try merge.outcome()) { try merge.smallest().text() }
        }
        report.finish(Self.seeds.count, "\(operation.rawValue) of \(theme)")
    }

    @Test(.trials, arguments: MergeTheme.allCases)
    func merging(_ theme: MergeTheme) throws { try compare(.merge, theme) }

    @Test(.trials, arguments: MergeTheme.allCases)
    func rebasing(_ theme: MergeTheme) throws { try compare(.rebase, theme) }

    @Test(.trials, arguments: [false, true])
    func importing(hasHooks: Bool) throws {
        var report = CaseReport()
        for seed in Self.seeds {
            var imported = ImportCase(seed: seed)
            imported.hasHooks = hasHooks
            report.add(try imported.outcome()) { try imported.smallest().text() }
        }
        report.finish(Self.seeds.count, "import")
    }

    @Test(.trials, arguments: [MergeCase.Operation.merge, .rebase])
    func hooks(_ operation: MergeCase.Operation) throws { try compare(operation, .everything, hasHooks: true) }
}

/// What came of many cases.
struct CaseReport {
    /// `PALLIUM_MERGE_SHOWN` is the number of different cases that a test shows.
    private static let shown = ProcessInfo.processInfo.environment["PALLIUM_MERGE_SHOWN"].flatMap(Int.init) ?? 3
    private var refused = 0
    private var different = 0
    private var open: [String: Int] = [:]

    mutating func add(_ outcome: MergeCase.Outcome, _ text: () throws -> String) {
        switch outcome {
        case .agreed: break
        case .refused: refused += 1
        case .open(let question): open[question, default: 0] += 1
        case .different:
            different += 1
            if different <= Self.shown { Issue.record("\((try? text()) ?? "a case without text")") }
        }
    }

    /// Most cases must be such as say something.
    func finish(_ count: Int, _ title: String) {
        if different > 0 { Issue.record("\(different) of \(count) cases differ: \(title)") }
        let unsaid = refused + open.values.reduce(0, +)
        #expect(unsaid * 2 <= count + 10, "\(title): \(refused) refused, \(open)")
        if ProcessInfo.processInfo.environment["PALLIUM_MERGE_REPORT"] != nil {
            print("\(title): \(count) cases, \(different) differ, \(refused) refused, open: \(open)")
        }
    }
}
