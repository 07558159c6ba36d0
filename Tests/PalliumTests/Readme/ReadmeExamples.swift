import Foundation
import Pallium

// The README's shorter examples, word for word; `ReadmeTests` compares the texts and runs them.

enum ReadmeExamples {
    final class User: DynamicModel {}

    final class Event: DynamicModel {}

    final class Issue: DynamicModel {
        var title: String? {
            get { value() }
            set { set(newValue) }
        }
        var labels: [String]? { value() }

        static let schema = ModelSchema(
            Issue.self,
            ["number": .integer.required, "title": .string, "state": .string, "labels": .array(of: .string)],
            identity: ["number"])
    }

    static func loading(_ folder: URL) throws {
        try SchemaRegistry.shared.load(contentsOf: folder, classes: [Event.self, User.self])
    }

    static func adapting(_ data: Data, issue: Issue) throws -> [DecodingReport<Issue>] {
        var options = JSONAdapterOptions()
        options.unknownMembers = .keep  // or .refuse, .ignore
        options.elements = .skip  // one bad element does not lose the list
        options.leniency = [.numbersAsText]  // "7" where a number is due
        options.transformersByKind = ["date": UnixMillisecondsTransformerName]
        let adapter = JSONAdapter(Issue.self, options: options)

        let issues = try adapter.models(from: data)  // a root array
        let report = adapter.report(from: data)  // everything that could be built, and every problem
        let patch = try adapter.data(from: issue, only: ["title", "assignee.login"])
        let object = try adapter.jsonObject(from: issue)  // [String: Any] for others

        return issues.count == report.models.count && !patch.isEmpty && !object.isEmpty ? [report] : []
    }

    static func transforming() throws {
        let cents = Transformer(from: Double.self, to: Int.self) { amount, _ in
            Int((amount * 100).rounded())
        } reverse: { cents, _ in
            Double(cents) / 100
        }
        try TransformerRegistry.shared.register(cents, as: "Cents")
    }

    static func merging(
        _ adapter: JSONAdapter<Issue>, _ issue: Issue, newer: Data, old: JSONValue, new: JSONValue
    ) throws -> ModelChanges {
        issue.trackChanges()
        issue.title = "Crash on launch"  // an edit of the user
        let changes = try adapter.rebase(issue, onto: newer)  // what the server has now
        print(changes, issue.changedKeys)  // the edit is still to be sent
        let body = try adapter.jsonPatch(for: issue).jsonValue  // as JSON Patch, or mergePatch(for:)
        let reverted = try JSONPatch(from: new, to: old).applied(to: new)  // of any two documents

        return reverted == old && body.arrayValue?.count == 1 ? changes : ModelChanges()
    }

    static func archiving(
        _ models: [DynamicModel], to file: URL, unarchiver: ModelUnarchiver
    ) throws -> [DynamicModel] {
        try ModelArchiver().write(models, to: file)
        let again = try unarchiver.read(arrayOf: DynamicModel.self, from: file)

        return again
    }

    static func streaming(
        _ adapter: JSONAdapter<Event>, arriving: AsyncStream<Data>, handle: (Event) -> Void
    ) async throws {
        for try await event in adapter.models(fromArray: arriving) {
            handle(event)
        }
    }

    static func choosing(_ issue: ModelSchema, registry: SchemaRegistry) throws -> JSONAdapter<DynamicModel> {
        let new = try JSONAdapter(schema: issue, profile: "v2", registry: registry)

        return new
    }

    static func sharing(_ issue: Issue) throws -> Data {
        let body = try JSONEncoder().encode(issue)
        let frozen = issue.frozen()
        Task.detached { print(frozen.title ?? "", frozen.labels ?? []) }

        return body
    }
}
