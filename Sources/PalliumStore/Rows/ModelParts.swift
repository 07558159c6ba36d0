import PalliumCore

// What one row holds of a graph: a model, and the models without an identity in it.
extension DynamicModel {
    /// The model and those without an identity in it, outer ones first, each once.
    var parts: [DynamicModel] {
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

    /// Checks the rules and validators of the model and of those without an identity in it, which stay as they are.
    ///
    /// - Throws: ``ModelError`` with every problem of one of them.
    func validateParts() throws(ModelError) {
        for part in parts where part.layout.hasRules || part.layout.classMayRefuse { try part.copy().validate() }
    }

    /// The slots with references to rows, a model with an identity or a collection of such, and the models that have them.
    var references: [(holder: DynamicModel, slot: PropertySlot)] {
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
