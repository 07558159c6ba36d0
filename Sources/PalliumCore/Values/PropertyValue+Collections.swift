import PalliumJSON

// Safety: loading is asked for where the description fits the type, so a slot with a value holds a list, for
// dictionaries one with keys; lists refer to descriptions that live as long as the model.
extension Array: PropertyValue where Element: PropertyValue {
    /// The kind of property that holds such values.
    public static var _naturalKind: PropertyKind? { Element._elementSchema.map { .array($0) } }

    /// Whether a value described so can be read as the type, or stored from it.
    public static func _fits(_ descriptor: ValueDescriptor, for use: AccessorUse) -> Bool {
        // A set is read as an array in the order its elements came.
        guard descriptor.kind == .array || descriptor.kind == .set else { return false }
        return descriptor.elementFits(Element.self, for: use)
    }

    /// Reads a slot that holds a value.
    public static func _load(_ slot: PropertySlot) -> [Element] {
        slot.requireValue()
        let list = unsafe SlotOperations.box(SlotList.self, slot.pointer)
        return list.view {
            var elements: [Element] = []
            elements.reserveCapacity(list.count)
            for index in 0..<list.count { elements.append(Element._load(list.slot(at: index))) }
            return elements
        }
    }

    /// Replaces the content of a slot whose description fits.
    public func _store(_ slot: PropertySlot) throws(ModelError) { try slot.storeList(self) }
}

extension Set: PropertyValue where Element: PropertyValue {
    /// The kind of property that holds such values.
    public static var _naturalKind: PropertyKind? { Element._elementSchema.map { .set($0) } }

    /// Whether a value described so can be read as the type, or stored from it.
    public static func _fits(_ descriptor: ValueDescriptor, for use: AccessorUse) -> Bool {
        descriptor.kind == .set && descriptor.elementFits(Element.self, for: use)
    }

    /// Reads a slot that holds a value.
    public static func _load(_ slot: PropertySlot) -> Set<Element> {
        slot.requireValue()
        let list = unsafe SlotOperations.box(SlotList.self, slot.pointer)
        return list.view {
            var elements = Set<Element>(minimumCapacity: list.count)
            for index in 0..<list.count { elements.insert(Element._load(list.slot(at: index))) }
            return elements
        }
    }

    /// Replaces the content of a slot whose description fits.
    public func _store(_ slot: PropertySlot) throws(ModelError) { try slot.storeList(self) }
}

/// An accessor of this type is a conversion: keys that Swift holds for equal although their bytes differ (two spellings
/// of é) become one, the last.
extension Dictionary: PropertyValue where Key == String, Value: PropertyValue {
    /// The kind of property that holds such values.
    public static var _naturalKind: PropertyKind? { Value._elementSchema.map { .dictionary($0) } }

    /// Whether a value described so can be read as the type, or stored from it.
    public static func _fits(_ descriptor: ValueDescriptor, for use: AccessorUse) -> Bool {
        descriptor.kind == .dictionary && descriptor.elementFits(Value.self, for: use)
    }

    /// Reads a slot that holds a value.
    public static func _load(_ slot: PropertySlot) -> [String: Value] {
        slot.requireValue()
        let list = unsafe SlotOperations.box(SlotDictionary.self, slot.pointer)
        return list.view {
            var elements: [String: Value] = [:]
            elements.reserveCapacity(list.count)
            for index in 0..<list.count { elements[list.keys[index]] = Value._load(list.slot(at: index)) }
            return elements
        }
    }

    /// Replaces the content of a slot whose description fits.
    public func _store(_ slot: PropertySlot) throws(ModelError) {
        let list = unsafe SlotDictionary(element: slot.description.elementReference)
        // A Swift dictionary has no order; sorted keys make the result the same in every run.
        for key in keys.sorted(by: UTF8Text.precedes) {
            do { try self[key]?._store(list.slot(forKey: key)) } catch { throw error.under(key: key) }
        }
        slot.replace(with: list)
    }
}

extension PropertySlot {
    /// Stores elements as the content of an array or set property.
    package func storeList<Elements: Collection>(_ elements: Elements) throws(ModelError)
    where Elements.Element: PropertyValue {
        let descriptor = description
        let list = unsafe SlotList(element: descriptor.elementReference)
        list.reserve(elements.count)
        var index = 0
        for element in elements {
            do { try element._store(list.appendSlot()) } catch { throw error.under(index: index) }
            index += 1
        }
        replace(with: descriptor.kind == .set ? list.removingDuplicates() : list)
    }
}

extension SlotList {
    /// The list without elements that are equal to an earlier one; the list itself when there are none.
    package func removingDuplicates() -> SlotList {
        guard count > 1 else { return self }
        var seen: Set<SlotElementKey> = []
        seen.reserveCapacity(count)
        var unique: [Int] = []
        for key in SlotElementKey.keys(of: self, isAlone: true) where seen.insert(key).inserted {
            unique.append(key.index)
        }
        guard unique.count < count else { return self }
        let result = unsafe SlotList(element: element)
        result.reserve(unique.count)
        for index in unique { result.appendSlot().copyContent(of: slot(at: index)) }
        return result
    }
}

extension PropertySlot {
    /// Copies the content of another slot of the same description into this unset one.
    package func copyContent(of other: PropertySlot) {
        let otherState = other.slotState
        if otherState.hasValue {
            unsafe SlotOperations.copy(from: other.pointer, to: pointer, kind: description.kind, state: otherState)
        }
        slotState = otherState
    }
}

/// An element of a list, compared by its content.
package struct SlotElementKey: Hashable {
    let list: SlotList
    let index: Int
    /// The hash where the element may hold models, whose own hashes may be those of many.
    private let hash: Int?

    /// The keys of all elements of a list.
    ///
    /// - Parameter isAlone: No elements of other lists are compared with them, so that complete hashes are needed only
    ///   where others crowd.
    package static func keys(of list: SlotList, isAlone: Bool = false) -> [SlotElementKey] {
        let slots = (0..<list.count).map { list.slot(at: $0) }
        guard slots.first?.description.kind.mayHoldModels ?? false else {
            return slots.indices.map { SlotElementKey(list: list, index: $0, hash: nil) }
        }
        let hashes = isAlone ? ModelHashing.hashValues(of: slots) : ModelHashing.completeHashValues(of: slots)
        return slots.indices.map { SlotElementKey(list: list, index: $0, hash: hashes[$0]) }
    }

    package static func == (left: SlotElementKey, right: SlotElementKey) -> Bool {
        ModelComparison.equal(left.list.slot(at: left.index), right.list.slot(at: right.index))
    }

    package func hash(into hasher: inout Hasher) {
        if let hash { hasher.combine(hash) } else { ModelHashing.hash(list.slot(at: index), into: &hasher) }
    }
}

extension PropertyValue {
    /// The description of elements of the type.
    static var _elementSchema: PropertySchema? {
        _naturalKind.map { _isOptional ? PropertySchema($0).nullable : PropertySchema($0) }
    }
}
