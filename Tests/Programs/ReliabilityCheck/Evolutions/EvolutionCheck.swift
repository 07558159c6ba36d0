import Foundation
import Pallium
import PalliumStore

/// Archives, documents and rows of earlier programs: they read as the same model in a later one, which is the one that a
/// reference on plain dictionaries expects.
enum EvolutionCheck {
    static func run(_ arguments: Arguments, _ tally: inout Tally) throws {
        guard let text = arguments.operands.first, let count = Int(text), count > 0 else {
            throw Arguments.Mistake(description: "how many evolutions?")
        }
        let folder = try StoreFolder()
        var refused = 0
        for number in 0..<count {
            folder.remove("store")
            let seed = arguments.seed &+ UInt64(number)
            do {
                if try check(EvolutionFamily(seed: seed), folder.file("store"), seed, &tally) { refused += 1 }
            } catch {
                let family = EvolutionFamily(seed: seed)
                tally.fail("evolutions 1 --seed \(seed): \(error)\n\(family)")
            }
        }
        print("\(count) evolutions, \(refused) of which are refused")
    }

    /// Reads the model of a family in all forms. Returns whether it is refused, as it should be.
    private static func check(
        _ family: EvolutionFamily, _ file: URL, _ seed: UInt64, _ tally: inout Tally
    ) throws -> Bool {
        var values = EvolutionValues(family)
        let model = values.root()
        let writer = family.programs[family.writer]
        var reference = EvolutionReference(family.present, writtenBy: writer)
        let expected = reference.read(model)
        let forms = try EvolutionForms(model, of: writer, as: family.entrance, store: file)
        let models = try EvolutionModels(family.present)
        let outcomes = try forms.read(models, as: family.entrance)
        var failures: [String] = []
        if reference.problems.isEmpty {
            for (name, outcome) in zip(EvolutionForms.names, outcomes) where outcome.values != expected {
                failures.append("the \(name) is not the model that the steps leave")
            }
            for (name, outcome) in zip(EvolutionForms.names, outcomes) where outcome.model != outcomes[0].model {
                failures.append("the \(name) does not equal the archive")
            }
            if failures.isEmpty, let model = outcomes.first?.model {
                for (name, outcome) in zip(
                    EvolutionForms.names, try EvolutionForms.again(model, models, as: family.entrance))
                where outcome.values != expected {
                    failures.append("the present \(name) reads as \(outcome)")
                }
            }
        } else {
            for (name, outcome) in zip(EvolutionForms.names, outcomes) where outcome.error == nil {
                failures.append("the \(name) should be refused")
            }
            if let pointer = outcomes.last?.error?.pointer?.description,
                !models.program.names.values.contains(where: { pointer.hasPrefix("/\($0)/") })
            {
                failures.append("the pointer of the row's error does not begin with a row")
            }
            let codes = Set(outcomes.map { $0.error?.code })
            if reference.problems.count == 1 {
                if codes.count > 1 { failures.append("the forms are refused with several codes") }
                if let code = reference.problems.first ?? nil, codes != [code] {
                    failures.append("the code is not \(code)")
                }
            }
        }
        tally.check(failures.isEmpty, description(seed, family, model, forms, failures, expected, reference, outcomes))
        return !reference.problems.isEmpty
    }

    private static func description(
        _ seed: UInt64, _ family: EvolutionFamily, _ model: EvolvedModel, _ forms: EvolutionForms, _ failures: [String],
        _ expected: EvolvedModel, _ reference: EvolutionReference, _ outcomes: [EvolutionOutcome]
    ) -> String {
        let read = zip(EvolutionForms.names, outcomes).map { "\($0): \($1)" }
        let problems = reference.problems.map { $0.map { "\($0)" } ?? "any code" }.sorted()
        return """
            evolutions 1 --seed \(seed): \(failures.joined(separator: "; "))
            \(family)
            program \(family.writer) wrote \(model)
            as \(String(decoding: forms.document, as: UTF8.self))
            expected: \(problems.isEmpty ? "\(expected)" : problems.joined(separator: ", "))
            \(read.joined(separator: "\n"))

            """
    }
}
