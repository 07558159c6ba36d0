import PalliumCore
import PalliumJSON

/// Decodes identities that stand in place of models.
///
/// Safety: the plan is that of the model's layout, and the session holds it.
extension ModelDecoder {
    /// Decodes the next value, a text or a number, as a stub. The slot is of a value that may be given by its identity.
    @inline(never)
    mutating func decodeStub(_ slot: WritableSlot) throws {
        guard let plan = slot.value.model?.object, let identity = slot.value.identity else {
            throw mismatch(slot.value)
        }
        guard session.hasRoom(slots: plan.slotCount) else { throw tooManyValues() }
        let number = plan.layout.identitySlots[0]
        let model = plan.makeModel()
        if plan.selection?.contains(number) ?? true {
            do {
                _ = try decodeValue(unsafe WritableSlot(model.slot(at: number), identity.handle))
            } catch let error as ModelError where error.code == .typeMismatch {
                throw mismatch(slot.value)
            }
            try model.checkProperty(at: number)
        } else {
            try source.skipValue()
        }
        for slot in plan.defaulted { model.slot(at: slot).takeDefault(plan.layout.defaultSlot(slot)) }
        slot.property.replace(with: model)
    }
}

extension ValueHandle {
    /// The plan of the identity that may stand in place of a model; nil for other values.
    var identity: ValuePlan? {
        guard operation == .modelOrIdentity, let plan = model?.object else { return nil }
        return plan.values[plan.layout.identitySlots[0]]
    }
}
