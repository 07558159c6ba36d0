import PalliumCore

/// Finishes a graph whose objects are all filled: sets parents, runs rules and hooks, drops failed models.
///
/// Safety: numbers of objects are below `count` when they index the memory of the reader; a slot that has a value holds
/// the type of its kind.
extension GraphReader {
    /// Links children to their parents, then runs the validators, rules and hooks of each model, as after decoding.
    /// Nested models come before the models that hold them, as far as numbers show. Every model is filled by now.
    ///
    /// - Parameter runsHooks: Whether `didDecode` runs.
    mutating func finish(hooks runsHooks: Bool) throws(ModelError) {
        var holders = FailedModels(total)
        holders.spread(&self)
        removeRepeatedModels()
        linkChildren()
        let hooks = plans.map { $0.layout.map { Hooks($0) } ?? .none }
        for number in (0..<total).reversed() {
            let hooks = number < count ? hooks[Int(schemas[number])] : Hooks(made.models[number - count].layout)
            if hooks == .none || problems.hasFailed(number) { continue }
            guard let model = requestedObject(number) else { continue }
            if holders.isDirty(number) { holders.clean(number, &self) }
            do throws(ModelError) { try check(model, number, runsHooks) } catch {
                try fail(number, error)
                holders.spread(number, &self)
            }
        }
        holders.cleanAll(&self)
    }

    /// Keeps one of several equal models in each set; they can be compared only now.
    private mutating func removeRepeatedModels() {
        let slots = plans.map { $0.layout?.slotsWithSetsOfModels ?? [] }
        if made.models.isEmpty, slots.allSatisfy(\.isEmpty) { return }
        for number in (0..<total).reversed() where !problems.hasFailed(number) {
            let slots =
                number < count
                ? slots[Int(schemas[number])] : made.models[number - count].layout.slotsWithSetsOfModels
            guard !slots.isEmpty, let model = requestedObject(number) else { continue }
            for index in slots { Self.removeRepeatedModels(from: model.slot(at: index)) }
        }
    }

    /// Models that are left out hold no others, so none stays alive by a cycle. Recursion is bounded by the nesting of
    /// kinds.
    private static func removeRepeatedModels(from slot: PropertySlot) {
        guard slot.hasValue, let element = slot.description.element else { return }
        let list = slot.list
        if element.element != nil {
            for index in 0..<list.count { removeRepeatedModels(from: list.slot(at: index)) }
        }
        guard slot.description.kind == .set, isQuicklyCompared(slot) else { return }
        let unique = list.removingDuplicates()
        if unique !== list { slot.replace(with: unique) }
    }

    /// Whether comparing the elements takes no longer than reading them. Models that hold other models lead to graphs,
    /// and a hostile archive could make each comparison as long as it wants.
    private static func isQuicklyCompared(_ slot: PropertySlot) -> Bool {
        var result = true
        slot.forEachModel { if $0.layout.holdsModels { result = false } }
        return result
    }

    private func linkChildren() {
        for number in 0..<total where !problems.hasFailed(number) { requestedObject(number)?.linkChildren() }
    }

    /// The hooks of yours that run on models of a layout.
    private enum Hooks {
        case none, some

        init(_ layout: ModelLayout) {
            let hasOwn = layout.hasRules || !layout.decodingHooks.isEmpty
            self = hasOwn || layout.modelClass != DynamicModel.self ? .some : .none
        }
    }

    /// Checks a model and runs its hooks, as far as the options require.
    private mutating func check(
        _ model: DynamicModel, _ number: Int, _ runsHooks: Bool
    ) throws(ModelError) {
        let validation = problems.options.validation
        if validation != .none {
            do throws(ModelError) { try checkRules(of: model) } catch {
                guard validation == .report else { throw error }
                problems.record(error.at(["objects", "\(number)"]).located())
            }
        }
        guard runsHooks else { return }
        do throws(ModelError) { try model.runDecodingHooks() } catch {
            if validation == .enforce { throw error }
            if validation == .report { problems.record(error.at(["objects", "\(number)"]).located()) }
        }
    }

    private func checkRules(of model: DynamicModel) throws(ModelError) {
        let layout = model.layout
        func path(_ slot: Int) -> [String] { [layout.properties[slot].key] }
        guard layout.hasRules else { return try model.runModelRules(path: path) }
        var found = model.collectProblems(path: path)
        // Missing properties were recorded when the model was filled.
        if problems.options.validation == .report { found.removeAll { $0.code == .missingProperty } }
        if !found.isEmpty { throw ModelError(found) }
    }

    /// Returns the roots without failed models and releases everything else.
    mutating func dropFailed(_ roots: [Int]) -> ReadModels {
        var models: [DynamicModel] = []
        models.reserveCapacity(roots.count)
        var missing: ModelError?
        for root in roots {
            if let error = problems.error(ofRoot: root) {
                if missing == nil { missing = error }
            } else if let model = requestedObject(root) {
                models.append(model)
            }
        }
        if !problems.failed.isEmpty {
            // Models that only failed models hold may form cycles, so their slots are cleared.
            var kept: Set<ObjectIdentifier> = Set(models.map { ObjectIdentifier($0) })
            var pending = models
            while let model = pending.popLast() {
                for index in model.layout.properties.indices {
                    model.slot(at: index).forEachModel { held in
                        if kept.insert(ObjectIdentifier(held)).inserted { pending.append(held) }
                    }
                }
            }
            for number in 0..<total {
                if let model = requestedObject(number), !kept.contains(ObjectIdentifier(model)) { model.clearSlots() }
            }
        }
        return ReadModels(models: models, problems: problems.all, rootCount: roots.count, missing: missing)
    }
}

extension ModelLayout {
    fileprivate var holdsModels: Bool { properties.contains { $0.descriptor.holdsModels } }

    fileprivate var slotsWithSetsOfModels: [Int] {
        properties.indices.filter { properties[$0].descriptor.holdsSetsOfModels }
    }
}

extension ValueDescriptor {
    fileprivate var holdsSetsOfModels: Bool {
        guard holdsModels else { return false }
        var descriptor = self
        while let element = descriptor.element {
            if descriptor.kind == .set { return true }
            descriptor = element
        }
        return false
    }
}
