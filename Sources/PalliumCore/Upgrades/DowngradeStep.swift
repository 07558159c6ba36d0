import PalliumJSON

/// An upgrade step that runs backwards, for readers of the version it starts from.
///
/// Its parts run in the opposite order: removed keys are cleared, your code runs, transformers are reversed, renamed
/// keys get their old names, and removed keys their values. Values of keys that the step gives a default stay: the
/// earlier version may have had the key, and readers skip keys that they do not know.
struct DowngradeStep {
    let schema: String
    let step: SchemaUpgrade
    private let transformers: TransformerRegistry
    /// The keys that no model has after the step. If a model has one, it belongs to a later property.
    private let absentKeys: Set<UTF8Key>
    /// The renames that can be reversed, new key to old. Two keys that became one cannot be told apart.
    private let renames: [UTF8Key: (from: String, to: String)]
    /// Keys that several keys became, and that were moved away by the same step: their value was another one.
    private let replacedKeys: Set<UTF8Key>
    /// The keys that the step renames, and those whose values it restores or expects.
    private let movedKeys: Set<UTF8Key>
    private let givenKeys: Set<UTF8Key>
    private let reversibleTransforms: [String: [TransformerName]]

    /// Prepares a step.
    ///
    /// - Throws: ``ModelError`` with the code `notReversible` and every reason why the step cannot run backwards.
    init(_ step: SchemaUpgrade, of schema: String, _ transformers: TransformerRegistry) throws(ModelError) {
        self.step = step
        self.schema = schema
        self.transformers = transformers
        let made = Dictionary(grouping: step.renamed) { UTF8Key($0.value) }
        renames = made.filter { $0.value.count == 1 }.mapValues { (from: $0[0].value, to: $0[0].key) }
        movedKeys = Set(step.renamed.keys.map { UTF8Key($0) })
        givenKeys = Set(step.restored.keys.map { UTF8Key($0) }).union(step.when.keys.map { UTF8Key($0) })
        replacedKeys = movedKeys.intersection(made.filter { $0.value.count > 1 }.keys)
        absentKeys = Set((step.removed + step.renamed.keys).map { UTF8Key($0) }).subtracting(made.keys)
        var reversible: [String: [TransformerName]] = [:]
        for (key, names) in step.transformed {
            var isReversible = true
            for name in names where !(try transformers.transformer(named: name)).isReversible { isReversible = false }
            if isReversible { reversible[key] = names }
        }
        reversibleTransforms = reversible
        let obstacles = self.obstacles
        guard obstacles.isEmpty else { throw ModelError(obstacles) }
    }

    /// The reasons why the step cannot run backwards.
    private var obstacles: [ModelError] {
        var obstacles: [ModelError] = []
        func add(_ found: String, _ key: String? = nil) {
            obstacles.append(
                ModelError(
                    .notReversible,
                    expected: "an upgrade of \(schema) from version \(step.from) that can run backwards", found: found,
                    schema: schema, property: key))
        }
        for key in step.removed where !givenKeys.contains(UTF8Key(key)) {
            if !absentKeys.contains(UTF8Key(key)) {
                // Code cannot set the value, because the renamed one still has the key.
                add("one that replaces \(ModelError.quote(key)); restore a value for it", key)
            } else if step.reversal == nil, !movedKeys.contains(UTF8Key(key)) {
                add("one that removes \(ModelError.quote(key)); restore a value for it, or add a downgrade", key)
            }
        }
        if step.reversal != nil { return obstacles }
        if step.conversion != nil { add("one with code; add a downgrade that does the reverse") }
        for key in step.transformed.keys.sorted(by: UTF8Text.precedes) where reversibleTransforms[key] == nil {
            add(
                "one that transforms \(ModelError.quote(key)) without a reverse; "
                    + "give the transformer a reverse, or add a downgrade", key)
        }
        for (old, new) in step.renamed.sorted(by: { UTF8Text.precedes($0.key, $1.key) })
        where renames[UTF8Key(new)] == nil {
            add(
                "one that renames \(ModelError.quote(old)) and others to \(ModelError.quote(new)); add a downgrade", old
            )
        }
        return obstacles
    }

    /// Returns the key that the values of a property had before the step; nil if there was none.
    func formerKey(of key: String) -> String? {
        if let rename = renames[UTF8Key(key)] { return rename.to }
        return absentKeys.contains(UTF8Key(key)) || replacedKeys.contains(UTF8Key(key)) ? nil : key
    }

    /// Brings the values back to the version that the step starts from.
    ///
    /// - Throws: ``ModelError`` if your code or a transformer refuses the model.
    func apply(to model: inout StoredModel) throws(ModelError) {
        for key in model.keys where absentKeys.contains(UTF8Key(key)) { model[key] = nil }
        if let reversal = step.reversal {
            try step.run(reversal, on: &model, "the downgrade to version \(step.from)")
            try checkRemovedKeys(of: model)
        }
        let schema = model.schema
        try step.transform(reversibleTransforms, of: &model) { key, names, value throws(ModelError) in
            let context = Transformer.Context(direction: .reverse, schema: schema, property: key)
            var current = try value.transformerInput
            for (position, name) in names.reversed().enumerated() {
                let transformer = try transformers.transformer(named: name)
                if position == 0 { current = try value.reversalInput(for: transformer) }
                current = try transformer.convertBack(current, context: context)
            }
            return current
        }
        try step.rename(renames.values.sorted { UTF8Text.precedes($0.from, $1.from) }, in: &model)
        for (key, value) in step.restored.sorted(by: { UTF8Text.precedes($0.key, $1.key) }) where model[key] == nil {
            model[key] = StoredModel.Value(json: value)
        }
        try selectFormerSchema(of: &model)
    }

    /// Checks that your code has given the removed keys their values.
    private func checkRemovedKeys(of model: StoredModel) throws(ModelError) {
        for key in step.removed.sorted(by: UTF8Text.precedes)
        where absentKeys.contains(UTF8Key(key)) && !movedKeys.contains(UTF8Key(key))
            && !givenKeys.contains(UTF8Key(key)) && model[key] == nil
        {
            throw ModelError(
                .notReversible,
                expected:
                    "a downgrade of \(schema) to version \(step.from) that sets \(ModelError.quote(key)), which the "
                    + "step removes, to a value or null",
                found: "none", schema: schema, property: key)
        }
    }

    /// Gives a model the values by which the step chose it among those of the old schema.
    private func selectFormerSchema(of model: inout StoredModel) throws(ModelError) {
        for (key, value) in step.when.sorted(by: { UTF8Text.precedes($0.key, $1.key) }) {
            let present = model[key] ?? .null
            if present.shallowJSON == value { continue }
            guard present == .null else {
                throw ModelError(
                    .upgradeFailed,
                    expected: "\(value.summary), the \(ModelError.quote(key)) by which an upgrade from version "
                        + "\(step.from) finds models of \(schema)",
                    found: present.summary, schema: schema, property: key
                ).under(key: key)
            }
            model[key] = StoredModel.Value(json: value)
        }
    }
}

extension StoredModel.Value {
    /// The input for the reverse of a transformer; nil is null. Elements keep their type where the transformer makes
    /// arrays.
    fileprivate func reversalInput(for transformer: Transformer) throws(ModelError) -> (any PropertyValue)? {
        guard case .array(let elements) = self, transformer.outputType is any ArrayShape.Type else {
            return try transformerInput
        }
        var values: [(any PropertyValue)?] = []
        for element in elements { values.append(try element.transformerInput) }
        guard let first = values.lazy.compactMap({ $0 }).first else { return try transformerInput }
        if let array = Self.array(of: first, values) { return array }
        return try transformerInput
    }

    /// Returns an array of the type of its first value; nil if a value has another type.
    private static func array<Element: PropertyValue>(
        of first: Element, _ values: [(any PropertyValue)?]
    ) -> (any PropertyValue)? {
        var elements: [Element?] = []
        for value in values {
            guard value == nil || value is Element else { return nil }
            elements.append(value as? Element)
        }
        return elements
    }
}
