/// Links from models back to the model that holds them.
///
/// ```
///   parent ── "children", inverse "parent" ──▶ child
///      ▲                                         │
///      └───────────── weak "parent" ─────────────┘
/// ```
/// A property with an inverse keeps that weak property of its models right: it is set when a model comes to stand in the
/// property and cleared when it leaves, unless it has moved to another parent meanwhile. Only the model that holds the
/// property does this; setting the link by hand changes nothing but the link. A link whose property was tightened to
/// another model than the parent is left alone.
///
/// Safety: slots with a value hold what their kinds say: a model, a list, or the box of a weak link.
extension DynamicModel {
    /// Points the links of all models in properties with an inverse at this model.
    ///
    /// For whoever fills slots directly: decoding, unarchiving, merging, copying. Free for models without such properties.
    package final func linkChildren() {
        guard unsafe table.pointee.hasChildren else { return }
        let link = WeakModelBox(self)
        for place in layout.childSlots {
            slot(at: place.slot).forEachModel { setLink(of: $0, place, to: link) }
        }
    }

    /// Changes the content of a slot, and with it the links of the models that leave and enter.
    ///
    /// - Complexity: that of the change for models without an inverse; otherwise O(*n*) in the models that stand in the
    ///   property before and after and, when one leaves, in the models of the other properties with the same inverse.
    @inline(__always)
    package final func change<Failure: Error>(
        _ slot: PropertySlot, by body: () throws(Failure) -> Void
    ) throws(Failure) {
        guard unsafe table.pointee.hasChildren,
            let place = layout.childSlots.first(where: { unsafe self.slot(at: $0.slot).pointer == slot.pointer })
        else { return try body() }
        let former = unsafe TemporarySlot(descriptor: slot.descriptor)
        former.slot.copyContent(of: slot)
        try body()
        if former.slot.holdsSameObject(as: slot) { return }
        moveLinks(of: place, from: former.slot)
    }

    private final func moveLinks(of place: ChildSlot, from former: PropertySlot) {
        var left: [ObjectIdentifier: DynamicModel] = [:]
        former.forEachModel { child in
            let back = child.slot(at: place.inverse)
            guard back.linkedModel === self else { return }
            back.clear()
            left[ObjectIdentifier(child)] = child
        }
        let link = WeakModelBox(self)
        slot(at: place.slot).forEachModel { child in
            left[ObjectIdentifier(child)] = nil
            setLink(of: child, place, to: link)
        }
        // What left this property may still stand in another one.
        if left.isEmpty { return }
        for other in layout.childSlots where other.slot != place.slot && other.inverse == place.inverse {
            slot(at: other.slot).forEachModel { child in
                if left.removeValue(forKey: ObjectIdentifier(child)) != nil {
                    setLink(of: child, other, to: link)
                }
            }
        }
    }

    private final func setLink(of child: DynamicModel, _ place: ChildSlot, to link: WeakModelBox) {
        let back = child.slot(at: place.inverse)
        if fits(back.description) { back.replace(with: link) }
    }

    /// Whether the model may stand in a value described so.
    final func fits(_ descriptor: ValueDescriptor) -> Bool {
        guard let expected = descriptor.model, layout.isDescendant(of: expected) else { return false }
        return expected.modelClass == DynamicModel.self || type(of: self) == layout.modelClass
    }
}

extension PropertySlot {
    /// Hands out the models in the slot: itself, or the elements of a collection. Collections nest as deep as the schema
    /// says.
    package func forEachModel(_ body: (DynamicModel) -> Void) {
        guard hasValue else { return }
        switch description.kind {
        case .model: unsafe body(SlotOperations.box(DynamicModel.self, pointer))
        case .array, .set, .dictionary:
            let list = unsafe SlotOperations.box(SlotList.self, pointer)
            for index in 0..<list.count { list.slot(at: index).forEachModel(body) }
        default: break
        }
    }

    /// Whether a model stands in the slot, or in a collection there.
    var holdsModels: Bool {
        var result = description.kind == .weakModel && hasValue
        forEachModel { _ in result = true }
        return result
    }

    /// The model a weak slot leads to.
    package var linkedModel: DynamicModel? {
        unsafe hasValue ? SlotOperations.box(WeakModelBox.self, pointer).model : nil
    }

    /// Whether both slots of a model or collection hold the very same object, or nothing.
    fileprivate func holdsSameObject(as other: PropertySlot) -> Bool {
        guard hasValue, other.hasValue else { return hasValue == other.hasValue }
        return unsafe pointer.load(as: UnsafeRawPointer.self) == other.pointer.load(as: UnsafeRawPointer.self)
    }
}
