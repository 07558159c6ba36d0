import Foundation
import Pallium
import PalliumContracts
import PalliumTrials

/// The Swift examples of the section *Language models* of the article *Contracts*, word for word; `ArticleTests` runs them and compares the texts.
struct LanguageModelExamples {
    let registry: SchemaRegistry
    let schema: ModelSchema

    func exportedContract() throws -> JSONValue {
        let contract = try registry.strictJSONSchema(of: schema)
        return contract
    }

    func strictAdapter(answer: String) throws -> (triage: JSONAdapter<DynamicModel>, problems: [String]) {
        var options = JSONAdapterOptions()
        options.unknownMembers = .refuse
        let triage = try JSONAdapter(
            schema: schema, registry: registry, options: options)
        let report = triage.report(from: answer)
        let problems = report.problems.map(\.description)

        return (triage, problems)
    }

    func correctedAnswer(
        _ triage: JSONAdapter<DynamicModel>, _ contract: JSONValue, question: String,
        ask: (String, JSONValue) async throws -> String
    ) async throws -> DynamicModel? {
        var prompt = question
        for _ in 1...3 {
            let answer = try await ask(prompt, contract)
            let report = triage.report(from: answer)
            if let model = report.model, report.problems.isEmpty {
                return model
            }
            let problems = report.problems.map(\.description)
            prompt = """
                \(question)
                Your last answer was:
                \(answer)
                Correct these problems:
                \(problems.joined(separator: "\n"))
                """
        }
        return nil
    }

    func answersWithMistakes(_ triage: JSONAdapter<DynamicModel>, log: (String) -> Void) throws {
        let samples = try SampleDocuments(of: schema, registry: registry)
        for sample in samples.invalid() {
            let report = triage.report(from: sample.document)
            log("\(sample.mistake): \(report.problems[0])")
        }
    }
}
