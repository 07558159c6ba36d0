import Foundation
import Pallium

/// Bytes to models.
func decodingWorkloads(_ context: BenchmarkContext) -> [Workload] {
    [
        Workload(name: "decode", unit: .nanoseconds(per: "issue"), goal: .atLeast(14, reach: 15)) {
            decoding(context.document, context)
        },
        Workload(
            name: "decode, every URL and date read once", unit: .nanoseconds(per: "issue"),
            goal: .atLeast(5.2, reach: 6)
        ) {
            let (adapter, decoder, document) = (context.adapter, context.coders.decoder, context.document)
            func ours() throws -> [Issue] {
                let issues = try adapter.models(from: document)
                for issue in issues { issue.touchURLsAndDates() }
                return issues
            }
            func baseline() throws -> [CodableIssue] {
                let issues = try decoder.decode([CodableIssue].self, from: document)
                for issue in issues { issue.touchURLsAndDates() }
                return issues
            }
            return .timed(
                ours: .operation(units: context.issueCount, ours),
                baseline: .operation(units: context.issueCount, baseline),
                configuration: context.arrayConfiguration
            ) { Digest.of(try ours()) == Digest.of(try baseline()) }
        },
        Workload(
            name: "decode, members shuffled", unit: .nanoseconds(per: "issue"), goal: .atLeast(10, reach: 12)
        ) {
            decoding(IssueGenerator.shuffledDocument(context.issueCount), context)
        },
        Workload(
            name: "decode through dictionaries, parsing included", unit: .nanoseconds(per: "issue"),
            goal: .atLeast(1, reach: 1.2)
        ) {
            let (adapter, document) = (context.adapter, context.document)
            @Sendable func decode(_ data: Data) throws -> [Issue] {
                guard let array = try JSONSerialization.jsonObject(with: data) as? [Any] else {
                    throw WrongValue(key: "")
                }
                return try adapter.models(from: array)
            }
            return .timed(
                ours: .operation(units: context.issueCount) { try decode(document) },
                baseline: .operation(units: context.issueCount) {
                    try CodableIssue.issues(throughDictionaries: document)
                },
                configuration: context.issueConfiguration("dictionaries") { data in
                    blackHole(try decode(BenchmarkContext.array(of: data)))
                }
            ) {
                Digest.of(try decode(document)) == Digest.of(try CodableIssue.issues(throughDictionaries: document))
            }
        },
        Workload(
            name: "decode one small document", unit: .nanoseconds(per: "document"), goal: .atLeast(11, reach: 13)
        ) {
            let (adapter, decoder) = (context.adapter, context.coders.decoder)
            let documents = IssueGenerator.documents(200)
            return .timed(
                ours: .operation(units: documents.count) {
                    for document in documents { blackHole(try adapter.model(from: document)) }
                },
                baseline: .operation(units: documents.count) {
                    for document in documents { blackHole(try decoder.decode(CodableIssue.self, from: document)) }
                },
                configuration: context.singleConfiguration
            ) {
                Digest.of(try documents.map { try adapter.model(from: $0) })
                    == Digest.of(try documents.map { try decoder.decode(CodableIssue.self, from: $0) })
            }
        },
    ]
}

/// A document of issues, against `JSONDecoder`.
private func decoding(_ document: Data, _ context: BenchmarkContext) -> Workload.Preparation {
    let (adapter, decoder) = (context.adapter, context.coders.decoder)
    func ours() throws -> [Issue] { try adapter.models(from: document) }
    func baseline() throws -> [CodableIssue] { try decoder.decode([CodableIssue].self, from: document) }
    return .timed(
        ours: .operation(units: context.issueCount, ours),
        baseline: .operation(units: context.issueCount, baseline),
        configuration: context.arrayConfiguration
    ) { Digest.of(try ours()) == Digest.of(try baseline()) }
}
