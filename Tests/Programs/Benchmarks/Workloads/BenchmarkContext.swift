import Foundation
import Pallium

/// What several rows share: documents, coders and decoded models, made at first use.
final class BenchmarkContext {
    /// How many issues most rows handle.
    let issueCount: Int
    let coders = FoundationCoders()
    let registry = SchemaRegistry()
    /// Decodes and encodes issues with the default options.
    let adapter: JSONAdapter<Issue>

    private(set) lazy var document = IssueGenerator.document(issueCount)
    private(set) lazy var issues = Result { try adapter.models(from: document) }
    private(set) lazy var sameIssues = Result { try adapter.models(from: document) }
    private(set) lazy var codableIssues = Result { try coders.decoder.decode([CodableIssue].self, from: document) }
    private(set) lazy var sameCodableIssues = Result { try coders.decoder.decode([CodableIssue].self, from: document) }

    /// Issues as bytes, in an array.
    private(set) lazy var arrayConfiguration = issueConfiguration("bytes of an array") { [adapter] data in
        blackHole(try adapter.models(from: Self.array(of: data)))
    }
    /// An issue as bytes.
    private(set) lazy var singleConfiguration = issueConfiguration("bytes of one issue") { [adapter] data in
        blackHole(try adapter.model(from: data))
    }

    init(issueCount: Int) throws {
        self.issueCount = issueCount
        try registry.register(Issue.schemas)
        adapter = JSONAdapter(Issue.self, registry: registry)
    }

    /// A way to decode issues.
    func issueConfiguration(_ name: String, decode: @escaping (Data) throws -> Void) -> Configuration {
        Configuration(
            name, document: IssueGenerator.complete(),
            optionalMembers: ["assignee", "milestone", "closed_at", "pull_request"], decode: decode)
    }

    /// The document as the only element of an array.
    static func array(of document: Data) -> Data { Data("[".utf8) + document + Data("]".utf8) }
}
