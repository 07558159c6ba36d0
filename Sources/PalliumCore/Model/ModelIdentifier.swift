/// The values of the properties by which models of a schema are told apart.
///
/// Descendants of a schema have its properties in the same slots, so models of both can be told apart by one list.
///
/// Safety: both slots are of one description, so both hold what its kind says.
package struct ModelIdentifier: Hashable {
    /// Where the values are.
    private enum Values {
        /// The only value, as of most identities; or the address of an object, in no slot.
        case integer(Int64, slot: Int)
        case model(DynamicModel, slots: [Int])
        case copies([TemporarySlot], slots: [Int])
        /// Values with models: in a copy of the model that has nothing else.
        indirect case frozen(Frozen<DynamicModel>, slots: [Int])
    }

    private let values: Values

    /// Nil when one of the properties has no value.
    package init?(_ model: DynamicModel, slots: [Int]) {
        if slots.count == 1 {
            let slot = model.slot(at: slots[0])
            guard slot.hasValue else { return nil }
            // A secret number needs its slot, by which messages hide it.
            if slot.kind == .integer, !slot.description.isSensitive {
                values = .integer(slot.load(Int64.self), slot: slots[0])
                return
            }
        }
        guard slots.allSatisfy({ model.slot(at: $0).hasValue }) else { return nil }
        values = .model(model, slots: slots)
    }

    /// An identifier of one value, which does not stand in a model yet.
    init(_ index: Int, _ content: PropertySlot) {
        values =
            content.kind == .integer && !content.description.isSensitive
            ? .integer(content.load(Int64.self), slot: index)
            : .copies([TemporarySlot(copying: content)], slots: [index])
    }

    /// An identifier of an object, for a model that has no other.
    init(object: DynamicModel) {
        values = .integer(Int64(Int(bitPattern: ObjectIdentifier(object))), slot: Self.noSlot)
    }

    private static let noSlot = -1

    private init(_ values: Values) { self.values = values }

    /// A copy of the values, which does not change with the model.
    ///
    /// Any thread may read it if no value is a weak reference.
    var detached: ModelIdentifier {
        if case .integer = values { return self }
        if case .model(let model, let slots) = values,
            slots.contains(where: { model.slot(at: $0).kind.mayHoldModels })
        {
            let part = model.layout.makeEmptyModel()
            for index in slots { part.slot(at: index).copyContent(of: model.slot(at: index)) }
            return ModelIdentifier(.frozen(part.frozen(), slots: slots))
        }
        let copies = slots.indices.map { TemporarySlot(copying: slot($0)) }
        return ModelIdentifier(.copies(copies, slots: slots))
    }

    /// Whether a value is a reference to a model outside, such as a parent.
    var hasWeakReference: Bool { slots.indices.contains { slot($0).kind == .weakModel } }

    /// The slots that hold the values; none for an integer.
    private var slots: [Int] {
        switch values {
        case .integer: []
        case .model(_, let slots), .copies(_, let slots), .frozen(_, let slots): slots
        }
    }

    private func slot(_ number: Int) -> PropertySlot {
        switch values {
        case .model(let model, let slots): model.slot(at: slots[number])
        case .copies(let copies, _): copies[number].slot
        case .frozen(let part, let slots): part._model.slot(at: slots[number])
        // An invariant, checked for every value: an integer alone is in no slot.
        case .integer: preconditionFailure("the identifier is an integer")
        }
    }

    package static func == (left: ModelIdentifier, right: ModelIdentifier) -> Bool {
        switch (left.values, right.values) {
        case (.integer(let number, let slot), .integer(let other, let otherSlot)):
            return number == other && slot == otherSlot
        case (.integer, _), (_, .integer): return false
        default:
            let slots = left.slots
            return slots == right.slots && slots.indices.allSatisfy { areEqual(left.slot($0), right.slot($0)) }
        }
    }

    package func hash(into hasher: inout Hasher) {
        if case .integer(let number, _) = values { return hasher.combine(number) }
        for number in slots.indices {
            let slot = slot(number)
            let kind = slot.kind
            if kind.mayHoldModels || kind == .weakModel {
                ModelHashing.hash(slot, into: &hasher)
            } else {
                slot.content?.hash(into: &hasher)
            }
        }
    }

    /// The only value, where that is an integer.
    package var integer: Int64? {
        if case .integer(let number, _) = values { number } else { nil }
    }

    private static func areEqual(_ left: PropertySlot, _ right: PropertySlot) -> Bool {
        let kind = left.kind
        if kind.mayHoldModels || kind == .weakModel { return ModelComparison.equal(left, right) }
        return left.holdsEqualScalar(as: right)
    }

    /// The values, for messages.
    package var description: String {
        if case .integer(let number, let slot) = values {
            return slot == Self.noSlot ? "0x" + String(number, radix: 16) : number.description
        }
        return slots.indices.map { ModelDescription.line(slot($0)) }.joined(separator: ", ")
    }
}

extension DynamicModel {
    /// The values of the schema's identity; nil when it has none, or one of them is missing.
    package final var modelIdentifier: ModelIdentifier? {
        let slots = layout.identitySlots
        return slots.isEmpty ? nil : ModelIdentifier(self, slots: slots)
    }
}
