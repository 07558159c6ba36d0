// What one row holds of a graph: a model, and the models without an identity in it.
extension DynamicModel {
    /// The model and those without an identity in it, outer ones first, each once.
    package var parts: [DynamicModel] {
        var parts = [self]
        var visited: Set<ObjectIdentifier> = []
        var number = 0
        while number < parts.count {
            let part = parts[number]
            number += 1
            for index in part.holderIndices {
                let slot = part.slot(at: index)
                guard slot.hasValue, slot.description.innermost.model?.identitySlots.isEmpty == true else { continue }
                slot.forEachModel { if visited.insert(ObjectIdentifier($0)).inserted { parts.append($0) } }
            }
        }
        return parts
    }

    /// The error of a model that lacks a value of its identity.
    package var missingIdentity: ModelError {
        let missing = layout.identitySlots.first { !slot(at: $0).hasValue }
        return ModelError(
            .missingProperty, expected: "a model with an identity, to be found again by", found: "none",
            schema: layout.schema.name, property: missing.map { layout.properties[$0].key })
    }

    /// Checks the rules and validators of the model and of those without an identity in it, which stay as they are.
    ///
    /// - Throws: ``ModelError`` with every problem of one of them, and with the path to it.
    package func validateParts() throws(ModelError) {
        for part in parts where part.layout.mayRefuse {
            do throws(ModelError) { try part.copy().validate() } catch { throw error.at(tokens(to: part)) }
        }
    }

    /// The path to one of the parts, as the parts of a JSON Pointer.
    private func tokens(to part: DynamicModel) -> [String] {
        let paths = GraphPaths()
        var pending = [(model: self as DynamicModel, path: GraphPaths.root)]
        var visited: Set<ObjectIdentifier> = []
        while let (model, path) = pending.popLast() {
            if model === part { return paths.tokens(to: path) }
            guard visited.insert(ObjectIdentifier(model)).inserted else { continue }
            paths.forEachHolder(in: model, at: path) { _, slot, path in
                if slot.hasValue { pending.append((slot.model, path)) }
            }
        }
        return []
    }

    /// The slots with references to rows, a model with an identity or a collection of such, and the models that have them.
    package var references: [(holder: DynamicModel, slot: PropertySlot)] {
        parts.flatMap { part in
            part.holderIndices.compactMap { index in
                let slot = part.slot(at: index)
                guard slot.hasValue, slot.description.innermost.model?.identitySlots.isEmpty == false else {
                    return nil
                }
                return (part, slot)
            }
        }
    }
}
