// Runs validators, rules and hooks.
//
// Safety: a temporary slot has the descriptor of the slot whose value it takes.
extension DynamicModel {
    /// Checks the whole model: required properties, validators, then rules.
    ///
    /// The validators and rules of properties run in schema order, then the rules of the schema and ``validateModel()``.
    ///
    /// Validators may correct values. If any problem is found, corrections are undone (conformance C074).
    ///
    /// A rule may call this for its own model. Such a call checks only the properties, so that rules run once.
    ///
    /// - Throws: ``ModelError`` with every problem.
    public final func validate() throws(ModelError) {
        let companion = ensureCompanion()
        let isOutermost = !companion.isValidating
        companion.isValidating = true
        defer {
            if isOutermost {
                companion.isValidating = false
                dropUnusedCompanion()
            }
        }
        // Rules must see corrected values, so corrections happen in place and are undone on failure. Rules may change
        // any property.
        try WriteTransaction.run { transaction throws(ModelError) in
            transaction.add(self)
            let problems = collectProblems(runningRules: isOutermost) { [layout.properties[$0].key] }
            if !problems.isEmpty { throw ModelError(problems) }
        }
    }

    /// Returns every problem of the model, with the path by which the caller knows the property. Corrections stay.
    ///
    /// - Parameter selects: Whether a property is sound. Rules about others are not checked.
    package final func collectProblems(
        runningRules: Bool = true, selecting selects: (_ slot: Int) -> Bool = { _ in true },
        path: (_ slot: Int) -> [String]
    ) -> [ModelError] {
        if !runningRules { return problemsOfProperties(selects, path).problems }
        let problems = problems(ofSelected: selects, path: path)
        if !problems.isEmpty { return problems }
        do throws(ModelError) { try runModelValidators() } catch { return error.problems }
        return []
    }

    /// Returns the problems of a new model of which only some properties were read.
    ///
    /// Code for the whole model does not run, because it may read any property. A rule over several properties is checked
    /// if each of them has no problem of its own.
    package final func problems(
        ofSelected selects: (_ slot: Int) -> Bool, path: (_ slot: Int) -> [String]
    ) -> [ModelError] {
        let (problems, unsound) = problemsOfProperties(selects, path)
        if layout.modelRules.isEmpty || isAllowedStub { return problems }
        return problems
            + layout.modelRules.problems(
                with: self, selecting: { selects($0) && !unsound.contains($0) }, path: path)
    }

    /// Runs the validators of some properties, and checks their rules and that required ones have a value. Returns the
    /// problems, and the slots that have one.
    private final func problemsOfProperties(
        _ selects: (_ slot: Int) -> Bool, _ path: (_ slot: Int) -> [String]
    ) -> (problems: [ModelError], slots: Set<Int>) {
        let layout = layout
        var problems: [ModelError] = []
        var slots: Set<Int> = []
        for index in layout.checkedSlots where selects(index) {
            do throws(ModelError) {
                try checkProperty(at: index)
                if layout.properties[index].schema.isRequired, slot(at: index).isMissing, !isAllowedStub {
                    throw missing(layout.properties[index])
                }
            } catch {
                let property = layout.properties[index]
                slots.insert(index)
                problems += error.problems.map {
                    $0.at(path(index), of: property.schema).inSchema(layout.schema.name, property: property.key)
                }
            }
        }
        return (problems, slots)
    }

    /// Runs the validators of one property, then checks its rules.
    package final func checkProperty(at index: Int) throws(ModelError) {
        let layout = layout
        for validator in layout.properties[index].schema.validators {
            let property = layout.properties[index]
            let context = PropertySchema.ValidationContext(schema: layout.schema.name, property: property.key)
            let slot = slot(at: index)
            try change(slot) { () throws(ModelError) in
                do { try validator.content.run(slot, context) } catch {
                    throw hookError(.validationFailed, error, property: property, found: slot.naturalValue)
                }
            }
        }
        guard let rules = layout.rules(at: index), !rules.areKept(by: slot(at: index)) else { return }
        throw ModelError(rules.problems(with: slot(at: index)))
    }

    /// Whether the model keeps all rules that are data.
    package final var keepsRules: Bool {
        let layout = layout
        for (index, test) in layout.ruleTests {
            let slot = slot(at: index)
            if slot.hasValue, !test.isKept(by: slot) { return false }
        }
        return layout.modelRules.isEmpty || isAllowedStub
            || layout.modelRules.problems(with: self) { _ in [] }.isEmpty
    }

    /// Checks the rules for the whole model: the schema's (a parent's first) and the class's.
    ///
    /// - Parameter path: Returns the path by which the caller knows a property.
    package final func runModelRules(path: (_ slot: Int) -> [String]) throws(ModelError) {
        let layout = layout
        if !layout.modelRules.isEmpty, !isAllowedStub {
            let broken = layout.modelRules.problems(with: self, path: path)
            if !broken.isEmpty { throw ModelError(broken) }
        }
        try runModelValidators()
    }

    /// Runs the validators of the schema and the class for the whole model.
    private final func runModelValidators() throws(ModelError) {
        if isAllowedStub { return }
        do {
            for hook in layout.validators { try hook.content(self) }
            try validateModel()
        } catch { throw hookError(.validationFailed, error, property: nil) }
    }

    /// Runs the hooks after decoding.
    package final func runDecodingHooks() throws(ModelError) {
        if isAllowedStub { return }
        do {
            for hook in layout.decodingHooks { try hook.content(self) }
            try didDecode()
        } catch { throw hookError(.hookFailed, error, property: nil) }
    }

    /// Runs the validators, the rules and, if they accept the model, the decoding hooks; returns the problems.
    ///
    /// - Parameters:
    ///   - selects: Whether a property is sound. Rules about others are not checked.
    ///   - path: Returns the path of a slot's value in the object.
    package final func problemsOfNewModel(
        selecting selects: (_ slot: Int) -> Bool = { _ in true }, path: (_ slot: Int) -> [String]
    ) -> [ModelError] {
        let problems = brokenRules(selecting: selects, path: path)
        if !problems.isEmpty { return problems }
        do throws(ModelError) { try runDecodingHooks() } catch { return error.problems }
        return []
    }

    /// Runs the validators and the rules of a new model; returns the problems.
    ///
    /// - Parameters:
    ///   - selects: Whether a property is sound. Rules about others are not checked.
    ///   - path: Returns the path of a slot's value in the object.
    package final func brokenRules(
        selecting selects: (_ slot: Int) -> Bool = { _ in true }, path: (_ slot: Int) -> [String]
    ) -> [ModelError] {
        if layout.hasRules { return collectProblems(selecting: selects, path: path) }
        do throws(ModelError) { try runModelRules(path: path) } catch { return error.problems }
        return []
    }

    /// Completes a partial model with its defaults.
    ///
    /// - Throws: ``ModelError`` when a required property is missing, unless the model is a stub that may lack it.
    package final func complete() throws(ModelError) {
        let layout = layout
        for index in layout.defaultedSlots {
            let slot = slot(at: index)
            if slot.hasValue || slot.slotState.isNull && slot.description.isNullable { continue }
            slot.takeDefault(layout.defaultSlot(index))
        }
        for index in layout.requiredSlots where slot(at: index).isMissing && !isAllowedStub {
            throw missing(layout.properties[index])
        }
    }

    /// Runs the methods that a class overrides, for schemas without rules and hooks.
    package final func runOverriddenHooks() throws(ModelError) {
        do { try validateModel() } catch { throw hookError(.validationFailed, error, property: nil) }
        do { try didDecode() } catch { throw hookError(.hookFailed, error, property: nil) }
    }

    private final func hookError(
        _ code: ModelError.Code, _ error: any Error, property: ModelLayout.Property?, found: (any PropertyValue)? = nil
    ) -> ModelError {
        if let error = error as? ModelError {
            let error = error.inSchema(layout.schema.name, property: property?.key)
            return property?.schema.isSensitive == true ? error.masked() : error
        }
        if let property {
            return ModelError(
                code, property.descriptor,
                expected: "a value of \(property.descriptor.path) that its validator accepts",
                found: ModelError.describe(found), underlying: error)
        }
        return ModelError(
            code, expected: "a model of \(layout.schema.name) that its rules accept", found: "another",
            schema: layout.schema.name, underlying: error)
    }
}

extension PropertySlot {
    /// Stores a value unless the slot holds an equal one: an accepted value is not reassigned (conformance C073).
    package func storeIfDifferent(_ value: some PropertyValue) throws(ModelError) {
        let temporary = TemporarySlot(like: self)
        try value._store(temporary.slot)
        if !ModelComparison.equal(self, temporary.slot) { takeContent(of: temporary.slot) }
    }
}
