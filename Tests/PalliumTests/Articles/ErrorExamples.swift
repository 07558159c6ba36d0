import Foundation
import ModelTestSupport
import Pallium

// The examples of the article about errors, word for word, like those in `ArticleExamples.swift`.

func errorExample(_ adapter: JSONAdapter<DynamicModel>, document: Data, log: (String) -> Void) throws {
    do {
        _ = try adapter.model(from: document)
    } catch {
        switch error.category {
        case .malformedInput, .unexpectedData: log("\(error)")
        default: throw error
        }
    }
}

func errorBodyExample(_ error: ModelError) throws -> Data {
    let body = try JSONEncoder().encode(error)

    return body
}

func reportExample(_ adapter: JSONAdapter<DynamicModel>, document: Data, log: (String) -> Void) -> Int {
    var handled: [DynamicModel] = []
    func handle(_ model: DynamicModel) { handled.append(model) }

    let report = adapter.report(from: document)
    for problem in report.problems { log("\(problem)") }
    for model in report.models { handle(model) }

    return handled.count
}

func skippingExample(_ adapter: JSONAdapter<DynamicModel>) -> JSONAdapter<DynamicModel> {
    let skipping = adapter.with { $0.elements = .skip }

    return skipping
}

func schemaErrorExample(_ registry: SchemaRegistry, schemas: [ModelSchema], log: (String) -> Void) {
    do {
        try registry.register(schemas)
    } catch {
        for problem in error.problems { log("\(problem)") }
    }
}

struct FormServer {
    let adapter: JSONAdapter<DynamicModel>
    let isGerman: Bool

    func sentence(_ parameters: ModelError.Parameters) -> String? {
        switch parameters {
        case .rule(.minLength(let count), _):
            isGerman
                ? "mindestens \(count) Zeichen"
                : "at least \(count) characters"
        case .rule(.format("email"), _):
            isGerman ? "eine E-Mail-Adresse" : "an email address"
        case .modelRule(.before(_, let end)):
            isGerman ? "vor dem Feld \(end)" : "before \(end)"
        case .member: isGerman ? "fehlt" : "is missing"
        case .kind("integer", _):
            isGerman ? "eine ganze Zahl" : "a whole number"
        default: nil
        }
    }

    typealias Answer = (status: Int, fields: [String: [String]])

    func answer(_ body: Data) -> Answer {
        let report = adapter.report(from: body)
        if report.problems.isEmpty { return (200, [:]) }
        var fields: [String: [String]] = [:]
        for problem in report.problems {
            if problem.category == .malformedInput {
                return (400, [:])
            }
            let text = problem.message { sentence($0) }
            fields[problem.property ?? "", default: []].append(text)
        }
        return (422, fields)
    }
}
