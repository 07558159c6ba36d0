import Foundation
import Pallium

/// One operation alone, for a profiler: the difference of two runs with different counts is free of start-up and
/// generation.
enum OperationMode {
    enum Kind: String {
        case decode, encode
    }

    static let issueCount = 1000

    static func run(_ kind: Kind, count: Int) throws {
        let context = try BenchmarkContext(issueCount: issueCount)
        let document = context.document
        switch kind {
        case .decode:
            for _ in 0..<count { blackHole(try context.adapter.models(from: document)) }
        case .encode:
            let issues = try context.issues.get()
            for _ in 0..<count { blackHole(try context.adapter.data(from: issues)) }
        }
    }
}
