import PalliumCore
import PalliumDocuments
import PalliumJSON

// Reads objects back, to find what an adapter would refuse.
extension SampleMaker {
    /// Returns the problems with an object that is read as a model.
    ///
    /// Nested models are trusted if they are the values that were put there.
    ///
    /// - Parameter placed: The values that were put at the paths of the properties, if they are known.
    func problems(with object: JSONObject, _ leaf: Int, _ placed: [JSONValue?]? = nil) -> [SampleProblem] {
        var problems: [SampleProblem] = []
        var read: [JSONValue?] = []
        for (position, property) in models[leaf].properties.enumerated() {
            var value: JSONValue?
            var tokens: [String] = []
            switch property.place.content(in: object) {
            case .absent: break
            case .value(let found, let path): (value, tokens) = (found, path?.tokens ?? [])
            case .blocked(let path, let position):
                problems.append(SampleProblem(code: .typeMismatch, tokens: Array(path.tokens[..<position])))
                read.append(nil)
                continue
            }
            read.append(value)
            switch value {
            case nil:
                if property.isRequired { problems.append(SampleProblem(code: .missingProperty, tokens: [])) }
            case .null? where !property.acceptsNull:
                problems.append(SampleProblem(code: .nullNotAllowed, tokens: tokens))
            case .null?: break
            case let value?:
                if let trial = property.trial {
                    problems += trial.problems(with: value).map { $0.under(tokens) }
                } else if let placed, placed[position] != value {
                    problems.append(SampleProblem(code: .typeMismatch, tokens: tokens))
                }
            }
        }
        if problems.isEmpty, !models[leaf].rules.isEmpty {
            problems += brokenRules(of: leaf, read).map(\.problem)
        }
        return problems
    }

    /// Returns the rules about several properties that some values break, with their problems.
    func brokenRules(
        of leaf: Int, _ values: [JSONValue?]
    ) -> [(rule: ModelSchema.Rule, compiled: ModelRules, problem: SampleProblem)] {
        guard let model = trialModel(of: leaf, values) else { return [] }
        let properties = models[leaf].properties
        return models[leaf].rules.flatMap { rule in
            rule.compiled.problems(with: model) { slot in
                guard let property = properties.first(where: { $0.slot == slot }) else { return [] }
                return property.paths[0].tokens
            }.map { (rule.rule, rule.compiled, SampleProblem(code: $0.code, tokens: $0.pointer?.tokens ?? [])) }
        }
    }

    /// Makes a model with some values in JSON, for rules about several properties. Nested models are empty.
    func trialModel(of leaf: Int, _ values: [JSONValue?]) -> DynamicModel? {
        let layout = models[leaf].layout
        let model = layout.makeEmptyModel()
        for (position, property) in models[leaf].properties.enumerated() {
            let slot = model.slot(at: property.slot)
            do throws(ModelError) {
                switch (values[position], property.content) {
                case (nil, _): break
                case (.null?, _):
                    if let trial = property.trial, !property.nullMeansDefault {
                        try slot.store(json: .null, transformers: trial.transformers)
                    }
                case (let value?, _) where property.trial != nil:
                    try slot.store(json: value, transformers: registry.transformers)
                case (_, .model?): try slot.description.model?.makeEmptyModel()._store(slot)
                case (_, .dictionary?): try slot.store(json: [:], transformers: nil)
                case (_, _): try slot.store(json: [], transformers: nil)
                }
            } catch { return nil }
        }
        for slot in layout.defaultedSlots where model.slot(at: slot).slotState.isUnset {
            model.slot(at: slot).takeDefault(layout.defaultSlot(slot), marked: false)
        }
        return model
    }
}
