/// The values of the properties by which models of a schema are told apart.
///
/// Descendants of a schema have its properties in the same slots, so models of both can be told apart by one list.
///
/// Safety: both slots are of one description, so both hold what its kind says.
package struct ModelIdentifier: Hashable {
    /// Where the values are.
    private enum Values {
        case model(DynamicModel)
        case copies([TemporarySlot])
    }

    private let values: Values
    private let slots: [Int]

    /// Nil when one of the properties has no value.
    package init?(_ model: DynamicModel, slots: [Int]) {
        guard slots.allSatisfy({ model.slot(at: $0).hasValue }) else { return nil }
        values = .model(model)
        self.slots = slots
    }

    private init(copying other: ModelIdentifier) {
        values = .copies(other.slots.indices.map { TemporarySlot(copying: other.slot($0)) })
        slots = other.slots
    }

    /// A copy of the values, which does not change with the model.
    var detached: ModelIdentifier { ModelIdentifier(copying: self) }

    private func slot(_ number: Int) -> PropertySlot {
        switch values {
        case .model(let model): model.slot(at: slots[number])
        case .copies(let copies): copies[number].slot
        }
    }

    package static func == (left: ModelIdentifier, right: ModelIdentifier) -> Bool {
        left.slots == right.slots && left.slots.indices.allSatisfy { areEqual(left.slot($0), right.slot($0)) }
    }

    package func hash(into hasher: inout Hasher) {
        for number in slots.indices {
            let slot = slot(number)
            let kind = slot.kind
            if kind.mayHoldModels || kind == .weakModel {
                ModelHashing.hash(slot, into: &hasher)
            } else {
                unsafe SlotOperations.hashScalar(slot.pointer, slot.slotState, kind: kind, into: &hasher)
            }
        }
    }

    /// The only value, where that is an integer.
    package var integer: Int64? {
        guard slots.count == 1, slot(0).kind == .integer else { return nil }
        return slot(0).load(Int64.self)
    }

    private static func areEqual(_ left: PropertySlot, _ right: PropertySlot) -> Bool {
        let kind = left.kind
        if kind.mayHoldModels || kind == .weakModel { return ModelComparison.equal(left, right) }
        return unsafe SlotOperations.equalScalars(
            left.pointer, left.slotState, right.pointer, right.slotState, kind: kind)
    }

    /// The values, for messages.
    package var description: String {
        slots.indices.map { ModelDescription.line(slot($0)) }.joined(separator: ", ")
    }
}

extension PropertySlot {
    /// The kind of value that the slot can hold.
    @inline(__always)
    fileprivate var kind: SlotKind { unsafe descriptor._withUnsafeGuaranteedRef { $0.kind } }
}

extension DynamicModel {
    /// The values of the schema's identity; nil when it has none, or one of them is missing.
    package final var modelIdentifier: ModelIdentifier? {
        let slots = layout.identitySlots
        return slots.isEmpty ? nil : ModelIdentifier(self, slots: slots)
    }
}

/// The identifier of a model, and the schema within which it identifies.
///
/// That is the schema which declares the identity, so that an account and the user it turns out to be are one.
///
/// Safety: the caller that detaches an identity holds its model, and so the registry.
package struct ModelIdentity: Hashable {
    private let root: ModelLayout
    private let identifier: ModelIdentifier
    /// Keeps the descriptions of values that were detached; nil where they live as long as the process, or as a model.
    private let registry: SchemaRegistry?

    /// Nil when the schema has no identity, or a value of it is missing.
    package init?(_ model: DynamicModel) {
        guard let identifier = model.modelIdentifier else { return nil }
        var root = model.layout
        while let parent = root.parent, parent.identitySlots == root.identitySlots { root = parent }
        self.init(root: root, identifier: identifier)
    }

    private init(root: ModelLayout, identifier: ModelIdentifier, registry: SchemaRegistry? = nil) {
        self.root = root
        self.identifier = identifier
        self.registry = registry
    }

    /// The same identity, which no longer keeps the model alive.
    package var detached: ModelIdentity {
        let registry = unsafe root.table.pointee.registry?.takeUnretainedValue()
        return ModelIdentity(root: root, identifier: identifier.detached, registry: registry)
    }

    package static func == (left: ModelIdentity, right: ModelIdentity) -> Bool {
        left.root === right.root && left.identifier == right.identifier
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(root))
        identifier.hash(into: &hasher)
    }

    /// The schema and the values, for messages.
    package var description: String { "\(root.schema.name) \(identifier.description)" }
}
