/// Keeps parent references: weak references from models to the model that holds them.
///
/// ```
///   parent ── "children", inverse "parent" ──▶ child
///      ▲                                         │
///      └───────────── weak "parent" ─────────────┘
/// ```
/// A property with an inverse sets that weak property of a model when the model is attached. It clears it when the
/// model is detached, unless the model has another parent by then. Only a change of the parent's property does this;
/// setting a parent reference directly changes nothing else. A parent reference that cannot refer to the parent,
/// because its property was tightened to another schema, is left alone.
///
/// Safety: a slot with a value holds the type of its kind: a model, a list, or the box of a weak reference.
extension DynamicModel {
    /// Sets the parent references of all models in properties with an inverse to this model.
    ///
    /// For code that fills slots directly: decoding, unarchiving, merging, copying. Free for models without such
    /// properties.
    package final func linkChildren() {
        guard hasChildProperties else { return }
        let reference = WeakModelBox(self)
        for child in layout.childSlots {
            slot(at: child.slot).forEachModel { setParent(of: $0, child, to: reference) }
        }
    }

    /// Changes the content of a slot and the parent references of the models that are detached and attached, and tells
    /// observers.
    ///
    /// Every write to a model that other code may know goes this way.
    ///
    /// - Complexity: that of the change for models without an inverse. Otherwise O(*n*) in the models in the property
    ///   before and after and, if one is detached, in the models of the other properties with the same inverse.
    @inline(__always)
    package final func change<Failure: Error>(
        _ slot: PropertySlot, by body: () throws(Failure) -> Void
    ) throws(Failure) {
        if noticesWrites { try changeNoticed(slot, by: body) } else { try body() }
    }

    /// Changes the content of a slot and the parent references.
    final func changeWithParents<Failure: Error>(
        _ slot: PropertySlot, by body: () throws(Failure) -> Void
    ) throws(Failure) {
        guard hasChildProperties,
            let child = layout.childSlots.first(where: { isSlot($0.slot, slot) })
        else { return try body() }
        let former = TemporarySlot(like: slot)
        former.slot.copyContent(of: slot)
        WriteTransaction.current?.add(self)
        try body()
        if former.slot.holdsSameObject(as: slot) { return }
        moveParentReferences(of: child, from: former.slot)
    }

    private final func moveParentReferences(of property: ChildSlot, from former: PropertySlot) {
        let outer = WriteTransaction.current
        // Observed children tell of their new parent, also if it is not observed.
        let transaction = outer ?? WriteTransaction.begin()
        defer { if outer == nil { WriteTransaction.commit(transaction) } }
        var detached: [ObjectIdentifier: DynamicModel] = [:]
        former.forEachModel { child in
            let parent = child.slot(at: property.inverse)
            guard parent.weakModel === self else { return }
            if outer != nil || child.layout.isObserved { transaction.add(child) }
            parent.clear()
            detached[ObjectIdentifier(child)] = child
        }
        let reference = WeakModelBox(self)
        slot(at: property.slot).forEachModel { child in
            detached[ObjectIdentifier(child)] = nil
            if outer != nil || child.layout.isObserved { transaction.add(child) }
            setParent(of: child, property, to: reference)
        }
        // A model detached from this property may still be in another one.
        if detached.isEmpty { return }
        for other in layout.childSlots where other.slot != property.slot && other.inverse == property.inverse {
            slot(at: other.slot).forEachModel { child in
                if detached.removeValue(forKey: ObjectIdentifier(child)) != nil {
                    setParent(of: child, other, to: reference)
                }
            }
        }
    }

    private final func setParent(of child: DynamicModel, _ property: ChildSlot, to reference: WeakModelBox) {
        let parent = child.slot(at: property.inverse)
        if fits(parent.description) { parent.replace(with: reference) }
    }

    /// Whether the model may be stored in a value with this descriptor.
    package final func fits(_ descriptor: ValueDescriptor) -> Bool {
        guard let expected = descriptor.model, layout.isDescendant(of: expected) else { return false }
        return expected.modelClass == DynamicModel.self || type(of: self) == layout.modelClass
    }
}

extension PropertySlot {
    /// Calls `body` with the model in the slot, or with the models of a collection.
    ///
    /// Recursion is bounded by the schema, which bounds the nesting of collections.
    package func forEachModel(_ body: (DynamicModel) -> Void) {
        guard hasValue else { return }
        let description = description
        switch description.kind {
        case .model: body(model)
        case .array, .set, .dictionary:
            guard description.holdsModels else { return }
            let list = list
            for index in 0..<list.count { list.slot(at: index).forEachModel(body) }
        default: break
        }
    }

    /// Whether the slot holds a model, alone or in a collection.
    var holdsModels: Bool {
        var result = description.kind == .weakModel && hasValue
        forEachModel { _ in result = true }
        return result
    }

    /// Whether both slots hold the same object, or none. For slots of models and collections.
    fileprivate func holdsSameObject(as other: PropertySlot) -> Bool {
        guard hasValue, other.hasValue else { return hasValue == other.hasValue }
        return refersToSame(as: other)
    }
}
