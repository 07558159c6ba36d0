/// The values of the properties by which models of a schema are told apart.
///
/// Descendants of a schema have its properties in the same slots, so models of both can be told apart by one list.
///
/// Safety: both slots are of one description, so both hold what its kind says.
package struct ModelIdentifier: Hashable {
    /// Where the values are.
    private enum Values {
        /// The only value, as of most identities.
        case integer(Int64, slot: Int)
        case model(DynamicModel, slots: [Int])
        case copies([TemporarySlot], slots: [Int])
    }

    private let values: Values

    /// Nil when one of the properties has no value.
    package init?(_ model: DynamicModel, slots: [Int]) {
        if slots.count == 1 {
            let slot = model.slot(at: slots[0])
            guard slot.hasValue else { return nil }
            // A secret number needs its slot, by which messages hide it.
            if slot.kind == .integer, !slot.description.isSecret {
                values = .integer(slot.load(Int64.self), slot: slots[0])
                return
            }
        }
        guard slots.allSatisfy({ model.slot(at: $0).hasValue }) else { return nil }
        values = .model(model, slots: slots)
    }

    /// An identifier of one value, which does not stand in a model yet.
    fileprivate init(_ index: Int, _ content: PropertySlot) {
        values =
            content.kind == .integer && !content.description.isSecret
            ? .integer(content.load(Int64.self), slot: index)
            : .copies([TemporarySlot(copying: content)], slots: [index])
    }

    private init(_ values: Values) { self.values = values }

    /// A copy of the values, which does not change with the model.
    var detached: ModelIdentifier {
        if case .integer = values { return self }
        let copies = slots.indices.map { TemporarySlot(copying: slot($0)) }
        return ModelIdentifier(.copies(copies, slots: slots))
    }

    /// The slots that hold the values; none for an integer.
    private var slots: [Int] {
        switch values {
        case .integer: []
        case .model(_, let slots), .copies(_, let slots): slots
        }
    }

    private func slot(_ number: Int) -> PropertySlot {
        switch values {
        case .model(let model, let slots): model.slot(at: slots[number])
        case .copies(let copies, _): copies[number].slot
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
                unsafe SlotOperations.hashScalar(slot.pointer, slot.slotState, kind: kind, into: &hasher)
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
        return unsafe SlotOperations.equalScalars(
            left.pointer, left.slotState, right.pointer, right.slotState, kind: kind)
    }

    /// The values, for messages.
    package var description: String {
        if case .integer(let number, _) = values { return number.description }
        return slots.indices.map { ModelDescription.line(slot($0)) }.joined(separator: ", ")
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
/// Safety: layouts live as long as their registry. The holder of an identity holds its model, and so the registry; a detached
/// identity holds the registry itself.
@safe
package struct ModelIdentity: Hashable {
    private let root: Unmanaged<ModelLayout>
    private let identifier: ModelIdentifier
    /// Keeps the layout and the descriptions of a detached identity; nil if they live as long as the process.
    private let registry: SchemaRegistry?

    /// Nil when the schema has no identity, or a value of it is missing.
    package init?(_ model: DynamicModel) {
        guard let identifier = model.modelIdentifier else { return nil }
        unsafe self.init(root: Self.root(of: model.layout), identifier: identifier)
    }

    /// The identity of a model with one identifying property, in a slot, before there is the model.
    package init(_ layout: ModelLayout, _ index: Int, _ content: PropertySlot) {
        unsafe self.init(root: Self.root(of: layout), identifier: ModelIdentifier(index, content))
    }

    private static func root(of layout: ModelLayout) -> Unmanaged<ModelLayout> {
        var root = layout
        while let parent = root.parent, parent.identitySlots == root.identitySlots { root = parent }
        return unsafe Unmanaged.passUnretained(root)
    }

    private init(root: Unmanaged<ModelLayout>, identifier: ModelIdentifier, registry: SchemaRegistry? = nil) {
        unsafe self.root = root
        self.identifier = identifier
        self.registry = registry
    }

    private var layout: ModelLayout { unsafe root.takeUnretainedValue() }

    /// The same identity, which no longer keeps the model alive.
    package var detached: ModelIdentity {
        let registry = unsafe layout.table.pointee.registry?.takeUnretainedValue()
        return unsafe ModelIdentity(root: root, identifier: identifier.detached, registry: registry)
    }

    package static func == (left: ModelIdentity, right: ModelIdentity) -> Bool {
        unsafe left.root.toOpaque() == right.root.toOpaque() && left.identifier == right.identifier
    }

    package func hash(into hasher: inout Hasher) {
        unsafe hasher.combine(root.toOpaque())
        identifier.hash(into: &hasher)
    }

    /// The schema and the values, for messages.
    package var description: String { "\(layout.schema.name) \(identifier.description)" }
}
