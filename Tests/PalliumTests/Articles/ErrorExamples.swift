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

enum Language { case english, german }

func sentence(_ parameters: ModelError.Parameters, _ language: Language) -> String? {
    switch (parameters, language) {
    case (.rule(.minLength(let count), _), .german): "mindestens \(count) Zeichen"
    case (.rule(.minLength(let count), _), .english): "at least \(count) characters"
    case (.rule(.format("email"), _), .german): "eine E-Mail-Adresse"
    case (.rule(.format("email"), _), .english): "an email address"
    case (.modelRule(.before(_, let end)), .german): "vor dem Feld \(end)"
    case (.modelRule(.before(_, let end)), .english): "before the field \(end)"
    case (.member, .german): "fehlt"
    case (.member, .english): "is missing"
    case (.kind("integer", _), .german): "eine ganze Zahl"
    case (.kind("integer", _), .english): "a whole number"
    default: nil
    }
}

func answer(
    _ body: Data, _ adapter: JSONAdapter<DynamicModel>, _ language: Language
) -> (status: Int, fields: [String: [String]]) {
    let report = adapter.report(from: body)
    if report.problems.isEmpty { return (200, [:]) }
    var fields: [String: [String]] = [:]
    for problem in report.problems {
        if problem.category == .malformedInput { return (400, [:]) }
        let text = problem.message { sentence($0, language) }
        fields[problem.property ?? "", default: []].append(text)
    }
    return (422, fields)
}
