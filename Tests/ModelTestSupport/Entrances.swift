import Foundation
package import Pallium
import TestSupport
package import Testing

/// An adapter that is used through all its entrances at once: bytes, on one thread and on several, a `JSONValue`, and what
/// `JSONSerialization` makes of the text.
///
/// Every call decodes the text each way, once stopping at the first problem and once collecting them all, and records an
/// issue unless all agree: equal states and values everywhere, or the same problems at the same places. The answer is
/// that of the bytes, which also has line and column.
package struct Entrances<Model: DynamicModel> {
    package let adapter: JSONAdapter<Model>
    /// Documents that only bytes can hold, with duplicate members or numbers beyond `NSNumber`, have no other entrance.
    package var others: Set<Entrance> = [.tree, .foundation]

    package enum Entrance: String { case tree, foundation }

    package init(_ adapter: JSONAdapter<Model>) { self.adapter = adapter }

    /// The same adapter, with documents that only bytes can hold.
    package var bytesOnly: Entrances {
        var copy = self
        copy.others = []
        return copy
    }

    /// The same adapter, with documents whose numbers Foundation changes.
    package var withoutFoundation: Entrances {
        var copy = self
        copy.others = [.tree]
        return copy
    }

    // MARK: One model

    package func model(from text: String, sourceLocation: SourceLocation = #_sourceLocation) throws(ModelError) -> Model
    {
        let bytes = Array(text.utf8)
        let result = outcome { () throws(ModelError) in try adapter.model(from: bytes) }
        let expected = summary(result) { picture(of: $0) }
        let report = adapter.report(from: bytes)
        checkReport(report, agreesWith: expected, sourceLocation)
        if let value = tree(bytes) {
            let other = outcome { () throws(ModelError) in try adapter.model(from: value) }
            #expect(summary(other) { picture(of: $0) } == expected, "tree", sourceLocation: sourceLocation)
            #expect(summary(adapter.report(from: value)) == summary(report), "tree", sourceLocation: sourceLocation)
        }
        if let dictionary = foundation(bytes) as? [String: Any] {
            // A dictionary has no order, so another of the problems may be met first.
            let other = outcome { () throws(ModelError) in try adapter.model(from: dictionary) }
            if case .success = other {
                #expect(summary(other) { picture(of: $0) } == expected, "dictionary", sourceLocation: sourceLocation)
            } else {
                let problems = summary(other) { picture(of: $0) }
                #expect(
                    problems.allSatisfy(report.problems.map(place).contains), "dictionary: \(problems)",
                    sourceLocation: sourceLocation)
            }
            #expect(
                withoutOrder(adapter.report(from: dictionary)) == withoutOrder(report), "dictionary",
                sourceLocation: sourceLocation)
        }
        return try result.get()
    }

    /// The problem that a text has; records an issue when it has none.
    package func problem(of text: String, sourceLocation: SourceLocation = #_sourceLocation) -> ModelError? {
        do throws(ModelError) {
            let model = try model(from: text, sourceLocation: sourceLocation)
            Issue.record("decoded \(model)", sourceLocation: sourceLocation)
            return nil
        } catch { return error }
    }

    /// The sentence of the problem that a text has.
    package func sentence(of text: String, sourceLocation: SourceLocation = #_sourceLocation) -> String? {
        problem(of: text, sourceLocation: sourceLocation)?.description
    }

    /// Everything that is wrong with a text, and what could be built.
    package func report(from text: String, sourceLocation: SourceLocation = #_sourceLocation) -> DecodingReport<Model> {
        let bytes = Array(text.utf8)
        let report = adapter.report(from: bytes)
        if let value = tree(bytes) {
            #expect(summary(adapter.report(from: value)) == summary(report), "tree", sourceLocation: sourceLocation)
        }
        switch foundation(bytes) {
        case let dictionary as [String: Any]:
            #expect(
                withoutOrder(adapter.report(from: dictionary)) == withoutOrder(report), "dictionary",
                sourceLocation: sourceLocation)
        case let array as [Any]:
            #expect(
                withoutOrder(adapter.report(from: array)) == withoutOrder(report), "array",
                sourceLocation: sourceLocation)
        default: break
        }
        return report
    }

    // MARK: Many models

    package func models(from text: String, sourceLocation: SourceLocation = #_sourceLocation) throws(ModelError)
        -> [Model]
    {
        let bytes = Array(text.utf8)
        let result = outcome { () throws(ModelError) in try adapter.models(from: bytes) }
        let expected = summary(result) { picture(of: $0) }
        if let value = tree(bytes) {
            let other = outcome { () throws(ModelError) in try adapter.models(from: value) }
            #expect(summary(other) { picture(of: $0) } == expected, "tree", sourceLocation: sourceLocation)
        }
        if let array = foundation(bytes) as? [Any] {
            let other = outcome { () throws(ModelError) in try adapter.models(from: array) }
            let found = summary(other) { picture(of: $0) }
            let problems = adapter.report(from: bytes).problems.map(place)
            #expect(
                found == expected || Set(found).isSubset(of: problems), "array: \(found)",
                sourceLocation: sourceLocation)
        }
        return try result.get()
    }

    /// The sentence of the problem that an array has.
    package func sentence(ofMany text: String, sourceLocation: SourceLocation = #_sourceLocation) -> String? {
        do throws(ModelError) {
            let models = try models(from: text, sourceLocation: sourceLocation)
            Issue.record("decoded \(models.count) models", sourceLocation: sourceLocation)
            return nil
        } catch { return error.description }
    }

    // MARK: Writing

    /// The text of a model.
    package func text(
        of model: Model, only: PropertySelection? = nil, except: PropertySelection? = nil
    ) throws(ModelError) -> String {
        String(decoding: try adapter.data(from: model, only: only, except: except), as: UTF8.self)
    }

    /// Reads a text and writes the model again.
    package func roundTrip(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) throws(ModelError)
        -> String
    {
        try self.text(of: model(from: text, sourceLocation: sourceLocation))
    }

    // MARK: How

    private func tree(_ bytes: [UInt8]) -> JSONValue? {
        others.contains(.tree) ? try? JSONValue(parsing: bytes, options: adapter.options.reading) : nil
    }

    private func foundation(_ bytes: [UInt8]) -> Any? {
        // Foundation accepts texts that are no JSON; only what the reader accepts is compared.
        guard others.contains(.foundation), tree(bytes) != nil || others == [.foundation] else { return nil }
        return try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
    }

    private func outcome<Value>(_ body: () throws(ModelError) -> Value) -> Result<Value, ModelError> {
        do throws(ModelError) { return .success(try body()) } catch { return .failure(error) }
    }

    private func summary<Value>(_ result: Result<Value, ModelError>, _ draw: (Value) -> [String]) -> [String] {
        switch result {
        case .success(let value): draw(value)
        case .failure(let error): error.problems.map(place)
        }
    }

    private func summary(_ report: DecodingReport<Model>) -> [String] {
        picture(of: report.models) + report.problems.map(place)
    }

    private func withoutOrder(_ report: DecodingReport<Model>) -> [String] {
        picture(of: report.models) + report.problems.map(place).sorted()
    }

    /// The report has no problem where decoding has none, and otherwise, among others, the one that decoding stops at.
    /// Where bad elements are skipped, decoding succeeds and the report alone tells of them.
    private func checkReport(
        _ report: DecodingReport<Model>, agreesWith summary: [String], _ sourceLocation: SourceLocation
    ) {
        let problems = report.problems.map(place)
        if adapter.options.elements == .skip, !problems.isEmpty { return }
        if let model = report.model, problems.isEmpty {
            #expect(picture(of: model) == summary, "report", sourceLocation: sourceLocation)
        } else {
            #expect(!problems.isEmpty, "a report without a model tells why", sourceLocation: sourceLocation)
            #expect(summary.allSatisfy(problems.contains), "report: \(problems)", sourceLocation: sourceLocation)
        }
    }
}

/// Code and pointer of a problem: what every entrance agrees on.
private func place(_ problem: ModelError) -> String {
    "\(problem.code.rawValue) at \(problem.pointer?.description ?? "no place")"
}

/// All entrances of an adapter for a class of the fixtures.
package func entrances<Model: DynamicModel>(
    _ modelClass: Model.Type, registry: SchemaRegistry? = nil, options: JSONAdapterOptions = JSONAdapterOptions()
) throws -> Entrances<Model> {
    Entrances(JSONAdapter(modelClass, registry: try registry ?? .ofFixtures(), options: options))
}
