import PalliumCore
import PalliumDocuments
import PalliumJSON

// Reads objects back, before they become parts of documents.
extension SampleMaker {
    /// Whether an object has for each property what was put there, or what the property accepts as well, and keeps the
    /// rules about several properties.
    func reads(_ object: JSONObject, _ leaf: Int, _ placed: [JSONValue?]) -> Bool {
        var read: [JSONValue?] = []
        for (property, placed) in zip(models[leaf].properties, placed) {
            switch property.place.content(in: object) {
            case .absent: read.append(nil)
            case .value(let value, _): read.append(value)
            case .blocked: return false
            }
            guard property.accepts(read[read.count - 1], placed: placed) else { return false }
        }
        return brokenRules(of: leaf, read).isEmpty
    }

    /// Returns the rules about several properties that some values break.
    func brokenRules(of leaf: Int, _ values: [JSONValue?]) -> [SampledRule] {
        guard !models[leaf].rules.isEmpty, let model = trialModel(of: leaf, values) else { return [] }
        return models[leaf].rules.filter { !$0.compiled.problems(with: model) { _ in [] }.isEmpty }
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
