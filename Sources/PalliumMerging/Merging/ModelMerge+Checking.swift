import PalliumCore

/// Runs validators, rules and hooks once everything is merged; inner models first.
extension ModelMerge {
    /// Runs the validators and rules of new models and of what changed in others. If they accept all, the hooks of a document's
    /// models run.
    ///
    /// - Throws: ``ModelError`` with all problems.
    func check() throws(ModelError) {
        try refuse(
            attached.reversed().flatMap { attached in
                attached.model.brokenRules { options.path(attached.model.layout, $0) }
                    .map { located($0, at: attached.path) }
            }
                + transaction.modified.reversed().filter(\.isReported).flatMap { entry in
                    brokenRules(of: entry).map { located($0, at: entry.path) }
                })
        guard options.isPartial else { return }
        let modified = transaction.modified.lazy.filter(\.isReported).map { ($0.model, $0.path) }
        let models = attached.lazy.filter(\.isVisible).map { ($0.model, $0.path) }.reversed() + modified.reversed()
        try refuse(
            models.flatMap { model, path in
                do throws(ModelError) { try model.runDecodingHooks() } catch {
                    return located(error, at: path).problems
                }
                return []
            })
    }

    private func brokenRules(of entry: MergeTransaction.Modified) -> [ModelError] {
        let (model, layout) = (entry.model, entry.model.layout)
        do throws(ModelError) {
            for slot in layout.validatedSlots where entry.notes[slot] != nil {
                do throws(ModelError) { try model.checkProperty(at: slot) } catch {
                    throw error.at(options.path(layout, slot), of: layout.properties[slot].schema)
                }
            }
            try model.runModelRules { options.path(layout, $0) }
            return []
        } catch {
            // Of several each has its path.
            return error.problems
        }
    }

    private func refuse(_ problems: [ModelError]) throws(ModelError) {
        if !problems.isEmpty { throw ModelError(problems) }
    }
}
