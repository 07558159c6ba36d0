import Pallium
import RunSupport

/// Documents for the schemas of a set: right ones, and such that are wrong in a place or two.
struct DocumentGenerator {
    let set: SchemaSet

    /// A document for models of a schema.
    func document(_ name: String, _ bits: inout SeededGenerator) -> JSONValue {
        var document = object(name, depth: 3, &bits)
        // Two of five are right, or so the generator means.
        for _ in 0..<bits.pick([0, 0, 1, 1, 2]) { document = changed(document, &bits) }
        return document
    }

    // MARK: Right ones

    private func object(_ asked: String, depth: Int, _ bits: inout SeededGenerator) -> JSONValue {
        var result = JSONValue.object(JSONObject())
        var name = asked
        while let next = choose(name, &result, &bits) { name = next }
        for property in set.schema(name).properties {
            if property.schema.isWeak || property.schema.storage == .notStored { continue }
            let isNeeded = property.schema.isRequired
            if !isNeeded, bits.once(in: 4) { continue }
            if !isNeeded && depth <= 0 || depth < -4, case .model = property.schema.kind { continue }
            switch property.mapping {
            case .none: continue
            case .first(let paths):
                let path = bits.once(in: 3) ? bits.pick(paths) : paths[0]
                let value = !isNeeded && bits.once(in: 6) ? nil : self.value(property.schema, depth: depth, &bits)
                result = put(value, at: path.steps[...], into: result)
                if bits.once(in: 6) {
                    result = put(
                        self.value(property.schema, depth: min(depth, 0), &bits), at: bits.pick(paths).steps[...],
                        into: result)
                }
            case .all(let paths):
                for path in paths where !bits.once(in: 6) {
                    var value =
                        bits.once(in: 3) ? GeneratedInputs.any(depth: 1, &bits) : .number(JSONNumber(bits.below(9)))
                    if case .dictionary(let element) = property.schema.kind {
                        value = self.value(element, depth: min(depth, 0), &bits)
                    }
                    result = put(value, at: path.steps[...], into: result)
                }
            }
        }
        if bits.once(in: 5) {
            result = put(
                GeneratedInputs.any(depth: 2, &bits), at: [.member(GeneratedNames.next(&bits))], into: result)
        }
        if case .object(let members) = result, bits.once(in: 3) {
            return .object(JSONObject(members.map { ($0.key, $0.value) }.shuffled(using: &bits)))
        }
        return result
    }

    /// Writes what a cluster looks at, and returns the schema that it then chooses; nil where there is nothing to choose.
    private func choose(_ name: String, _ result: inout JSONValue, _ bits: inout SeededGenerator) -> String? {
        switch set.schema(name).schema.cluster {
        case .discriminator(let path, let models, let fallback)?:
            let entry = bits.pick(models)
            if let fallback, bits.once(in: 4) {
                if bits.once(in: 2) { result = put(.null, at: EffectiveSchema.path(path).steps[...], into: result) }
                return set.name(fallback) == name ? nil : set.name(fallback)
            }
            result = put(entry.tag, at: EffectiveSchema.path(path).steps[...], into: result)
            let chosen = set.name(entry.model)
            return chosen == name ? nil : chosen
        case .rules(let rules, let fallback)?:
            if let fallback, bits.once(in: 4) { return set.name(fallback) == name ? nil : set.name(fallback) }
            let rule = bits.pick(rules)
            for condition in rule.conditions {
                switch condition {
                case .present(let path):
                    result = put(
                        GeneratedInputs.any(depth: 0, &bits), at: EffectiveSchema.path(path).steps[...], into: result)
                case .equals(let path, let value):
                    result = put(value, at: EffectiveSchema.path(path).steps[...], into: result)
                case .kind(let path, _): result = put(5, at: EffectiveSchema.path(path).steps[...], into: result)
                }
            }
            let chosen = set.name(rule.model)
            return chosen == name ? nil : chosen
        default: return nil
        }
    }

    private func value(_ property: PropertySchema, depth: Int, _ bits: inout SeededGenerator) -> JSONValue {
        if property.transformers == [GeneratedTransformers.words] { return .string(GeneratedInputs.text(&bits)) }
        func element(_ schema: PropertySchema) -> JSONValue {
            schema.isNullableByDeclaration && bits.once(in: 3) ? nil : value(schema, depth: depth - 1, &bits)
        }
        switch property.kind {
        case .array(let schema), .set(let schema):
            if depth <= 0 { return [] }
            return .array((0..<bits.below(4)).map { _ in element(schema) })
        case .dictionary(let schema):
            if depth <= 0 { return [:] }
            return .object(JSONObject((0..<bits.below(4)).map { _ in (GeneratedNames.next(&bits), element(schema)) }))
        case .model(let reference): return object(set.name(reference), depth: depth - 1, &bits)
        default:
            if property.transformers.isEmpty, let name = set.options.transformersByKind[property.kind.name] {
                return GeneratedInputs.scalar(property.transformers([name]), &bits)
            }
            return GeneratedInputs.scalar(property, &bits)
        }
    }

    /// Puts a value where a path leads; what stands in the way gives way.
    private func put(_ value: JSONValue, at steps: ArraySlice<JSONKeyPath.Step>, into tree: JSONValue) -> JSONValue {
        guard let step = steps.first else { return value }
        switch step {
        case .member(let name):
            var members = tree.objectValue ?? JSONObject()
            members.updateValue(put(value, at: steps.dropFirst(), into: members[name] ?? nil), forKey: name)
            return .object(members)
        case .element(let index):
            var elements = tree.arrayValue ?? []
            while elements.count <= index { elements.append(nil) }
            elements[index] = put(value, at: steps.dropFirst(), into: elements[index])
            return .array(elements)
        }
    }

    // MARK: Wrong ones

    /// The document with one change somewhere.
    private func changed(_ value: JSONValue, _ bits: inout SeededGenerator) -> JSONValue {
        switch value {
        case .object(var members) where !members.isEmpty && !bits.once(in: 8):
            let place = bits.below(members.count)
            let (name, old) = members[place]
            switch bits.below(12) {
            case 0: members.removeValue(forKey: name)
            case 1: members.updateValue(nil, forKey: name)
            case 2: members.updateValue(GeneratedInputs.any(depth: 2, &bits), forKey: name)
            case 3: members.updateValue(GeneratedInputs.any(depth: 2, &bits), forKey: GeneratedNames.next(&bits))
            default: members.updateValue(changed(old, &bits), forKey: name)
            }
            return .object(members)
        case .array(var elements) where !elements.isEmpty && !bits.once(in: 8):
            let place = bits.below(elements.count)
            switch bits.below(6) {
            case 0: elements.remove(at: place)
            case 1: elements[place] = nil
            case 2: elements.append(elements[place])
            default: elements[place] = changed(elements[place], &bits)
            }
            return .array(elements)
        default: return GeneratedInputs.any(depth: 2, &bits)
        }
    }
}
