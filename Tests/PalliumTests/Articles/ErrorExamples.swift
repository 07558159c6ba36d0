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
