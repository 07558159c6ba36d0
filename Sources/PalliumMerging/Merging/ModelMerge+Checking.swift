import PalliumCore

/// Runs validators, rules and hooks once everything is merged; inner models first.
extension ModelMerge {
    /// Runs the validators and rules of new models and of what changed in others. If they accept all, the hooks of a
    /// document's models run.
    ///
    /// - Throws: ``ModelError`` with all problems.
    func check() throws(ModelError) {
        var problems: [ModelError] = []
        for number in attached.indices.reversed() {
            let (model, path) = (attached[number].model, attached[number].path)
            for problem in model.brokenRules(path: { options.path(model.layout, $0) }) {
                problems.append(located(problem, at: path))
            }
        }
        for number in transaction.modified.indices.reversed() where transaction.modified[number].isReported {
            do throws(ModelError) { try checkChanges(number) } catch {
                // Of several each has its path.
                problems += located(error, at: transaction.modified[number].path).problems
            }
        }
        if problems.isEmpty, options.isPartial { problems = runHooks() }
        if !problems.isEmpty { throw ModelError(problems) }
    }

    private func checkChanges(_ number: Int) throws(ModelError) {
        let model = transaction.modified[number].model
        let layout = model.layout
        for slot in layout.validatedSlots where transaction.modified[number].notes[slot] != nil {
            do throws(ModelError) { try model.checkProperty(at: slot) } catch {
                throw error.at(options.path(layout, slot), of: layout.properties[slot].schema)
            }
        }
        try model.runModelRules { options.path(layout, $0) }
    }

    /// Runs the hooks of models that are new or changed; returns the problems.
    private func runHooks() -> [ModelError] {
        var problems: [ModelError] = []
        func run(_ model: DynamicModel, _ path: Int) {
            do throws(ModelError) { try model.runDecodingHooks() } catch {
                problems += located(error, at: path).problems
            }
        }
        for number in attached.indices.reversed() where attached[number].isVisible {
            run(attached[number].model, attached[number].path)
        }
        for number in transaction.modified.indices.reversed()
        where transaction.modified[number].isReported && transaction.modified[number].isChanged {
            run(transaction.modified[number].model, transaction.modified[number].path)
        }
        return problems
    }
}
