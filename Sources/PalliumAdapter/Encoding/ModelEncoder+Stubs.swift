import PalliumCore
import PalliumJSON

/// Writes the identities of stubs in place of objects.
///
/// Safety: the plan is that of the model's layout, and the encoder holds it.
extension ModelEncoder {
    /// Writes the identity of a model that has nothing else. Returns false, with nothing written, for other models.
    @inline(never)
    mutating func writeStub(_ stub: Unowned<DynamicModel>, _ value: ValueHandle) throws(ModelError) -> Bool {
        let model = stub.object
        let slots = model.layout.identitySlots
        guard slots.count == 1, model.isStub else { return false }
        let plan = try findPlan(for: stub, in: value).0.object
        guard let identity = unsafe ReadableSlot(model.slot(at: slots[0]), by: plan.values[slots[0]]).filled else {
            return false
        }
        model.didReadAll()
        var isChosen = plan.selection?.contains(slots[0]) ?? true
        if let filter {
            // Your code chooses the properties.
            holdFrames()
            isChosen = isChosen && filter.choose(of: model, among: slots)[slots[0]]
        }
        guard isChosen else {
            // An object of which nothing is selected.
            buffer.append(literal: "{}")
            return true
        }
        if let rule = plan.selection?.redaction(of: slots[0]) {
            buffer.append(quoted: try redactedText(of: identity, by: rule))
        } else {
            try write(identity)
        }
        return true
    }
}
