import PalliumJSON
import Synchronization

// Stores and reads arrays, sets and dictionaries.
//
// Safety: values are loaded only if the descriptor fits the type. So a slot with a value holds a list, with keys for
// dictionaries. Lists refer to descriptors that live as long as the model.
extension Array: PropertyValue where Element: PropertyValue {
    /// The kind of property that holds such values.
    public static var _naturalKind: PropertyKind? { Element._elementSchema.map { .array($0) } }

    /// Whether a value with this descriptor can be read as the type, or stored from it.
    public static func _fits(_ descriptor: _Storage.Descriptor, for use: _Storage.Use) -> Bool {
        // A set is read as an array in the order of insertion.
        guard descriptor.kind == .array || descriptor.kind == .set else { return false }
        return descriptor.elementFits(Element.self, for: use)
    }

    /// Reads a slot that holds a value.
    public static func _load(_ slot: _Storage.Slot) -> [Element] {
        slot.requireValue()
        let list = slot.list
        return list.view {
            var elements: [Element] = []
            elements.reserveCapacity(list.count)
            for index in 0..<list.count { elements.append(Element._load(list.slot(at: index))) }
            return elements
        }
    }

    /// Replaces the content of a slot whose descriptor fits.
    public func _store(_ slot: _Storage.Slot) throws(ModelError) {
        if try !slot.extendList(to: self) { try slot.storeList(self) }
    }
}

extension Set: PropertyValue where Element: PropertyValue {
    /// The kind of property that holds such values.
    public static var _naturalKind: PropertyKind? { Element._elementSchema.map { .set($0) } }

    /// Whether a value with this descriptor can be read as the type, or stored from it.
    public static func _fits(_ descriptor: _Storage.Descriptor, for use: _Storage.Use) -> Bool {
        descriptor.kind == .set && descriptor.elementFits(Element.self, for: use)
    }

    /// Reads a slot that holds a value.
    public static func _load(_ slot: _Storage.Slot) -> Set<Element> {
        slot.requireValue()
        let list = slot.list
        return list.view {
            var elements = Set<Element>(minimumCapacity: list.count)
            for index in 0..<list.count { elements.insert(Element._load(list.slot(at: index))) }
            return elements
        }
    }

    /// Replaces the content of a slot whose descriptor fits.
    public func _store(_ slot: _Storage.Slot) throws(ModelError) { try slot.storeList(self) }
}

/// Dictionaries with text keys.
///
/// Reading converts: keys that Swift considers equal although their bytes differ (two spellings of é) become one key,
/// with the last value.
extension Dictionary: PropertyValue where Key == String, Value: PropertyValue {
    /// The kind of property that holds such values.
    public static var _naturalKind: PropertyKind? { Value._elementSchema.map { .dictionary($0) } }

    /// Whether a value with this descriptor can be read as the type, or stored from it.
    public static func _fits(_ descriptor: _Storage.Descriptor, for use: _Storage.Use) -> Bool {
        descriptor.kind == .dictionary && descriptor.elementFits(Value.self, for: use)
    }

    /// Reads a slot that holds a value.
    public static func _load(_ slot: _Storage.Slot) -> [String: Value] {
        slot.requireValue()
        let list = slot.dictionary
        return list.view {
            var elements: [String: Value] = [:]
            elements.reserveCapacity(list.count)
            for index in 0..<list.count { elements[list.keys[index]] = Value._load(list.slot(at: index)) }
            return elements
        }
    }

    /// Replaces the content of a slot whose descriptor fits.
    public func _store(_ slot: _Storage.Slot) throws(ModelError) {
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
        let list = unsafe SlotList.make(element: descriptor.elementReference, capacity: elements.count)
        var index = 0
        for element in elements {
            do { try element._store(list.appendSlot()) } catch { throw error.under(index: index) }
            index += 1
        }
        replace(with: descriptor.kind == .set ? list.removingDuplicates() : list)
    }
}

extension PropertySlot {
    /// Stores an array that begins with the elements that were read from the slot, as after an append through an
    /// accessor; returns false for other arrays. Only the elements behind them are converted.
    fileprivate func extendList<Element: PropertyValue>(to elements: [Element]) throws(ModelError) -> Bool {
        // A list to which a copy of the model refers as well never changes.
        guard hasValue, description.kind == .array,
            unsafe isKnownUniquelyReferenced(&pointer.assumingMemoryBound(to: SlotList.self).pointee),
            let view = list.view.load() as? TypedSlotListView<[Element]>, view.isPrefix(of: elements)
        else { return false }
        let added = unsafe SlotList.make(element: list.element, capacity: elements.count - view.value.count)
        for (index, element) in elements.enumerated().dropFirst(view.value.count) {
            do { try element._store(added.appendSlot()) } catch { throw error.under(index: index) }
        }
        let longer = unsafe SlotList.make(element: list.element, capacity: elements.count)
        longer.takeElements(of: list)
        longer.takeElements(of: added)
        _ = longer.view.storeIfNil(TypedSlotListView(elements))
        replace(with: longer)
        return true
    }
}

extension SlotList {
    /// Returns the list without elements that equal an earlier one; the list itself when there are none.
    package func removingDuplicates() -> SlotList {
        guard count > 1 else { return self }
        var visited: Set<SlotElementKey> = []
        visited.reserveCapacity(count)
        var unique: [Int] = []
        for key in SlotElementKey.keys(of: self, isAlone: true) where visited.insert(key).inserted {
            unique.append(key.index)
        }
        guard unique.count < count else { return self }
        let result = unsafe SlotList.make(element: element, capacity: unique.count)
        for index in unique { result.appendSlot().copyContent(of: slot(at: index)) }
        return result
    }
}

extension PropertySlot {
    /// Copies the content of another slot of the same descriptor into this unset one.
    package func copyContent(of other: PropertySlot) {
        let otherState = other.slotState
        if otherState.isPacked {
            // The text stays behind the other model's slots.
            let text = unsafe SlotOperations.urlText(other.pointer, otherState)
            unsafe pointer.initializeMemory(as: String.self, to: text)
            slotState = otherState.unpacked
            return
        }
        if otherState.hasValue {
            unsafe SlotOperations.copy(from: other.pointer, to: pointer, kind: description.kind, state: otherState)
        }
        slotState = otherState
    }
}

/// An element of a list, compared by its content.
package struct SlotElementKey: Hashable {
    let list: SlotList
    package let index: Int
    /// The hash of an element that may hold models, because many models may have equal hashes of their own.
    private let hash: Int?

    /// Returns the keys of all elements of a list.
    ///
    /// - Parameter isAlone: Whether no elements of other lists are compared with them. Complete hashes are then
    ///   computed only for elements whose hashes collide.
    /// - Parameter stopsAtIdentities: Whether models with an identity are hashed by that alone, so that the keys stay right
    ///   when those models change.
    package static func keys(
        of list: SlotList, isAlone: Bool = false, stopsAtIdentities: Bool = false
    ) -> [SlotElementKey] {
        let slots = (0..<list.count).map { list.slot(at: $0) }
        guard slots.first?.description.kind.mayHoldModels ?? false else {
            return slots.indices.map { SlotElementKey(list: list, index: $0, hash: nil) }
        }
        let hashes =
            isAlone
            ? ModelHashing.hashValues(of: slots)
            : ModelHashing.completeHashValues(of: slots, stopsAtIdentities: stopsAtIdentities)
        return slots.indices.map { SlotElementKey(list: list, index: $0, hash: hashes[$0]) }
    }

    package static func == (left: SlotElementKey, right: SlotElementKey) -> Bool {
        // Models may change while they are keys. Those that were different stay so.
        left.hash == right.hash
            && ModelComparison.equal(left.list.slot(at: left.index), right.list.slot(at: right.index))
    }

    package func hash(into hasher: inout Hasher) {
        if let hash { hasher.combine(hash) } else { ModelHashing.hash(list.slot(at: index), into: &hasher) }
    }
}

extension PropertyValue {
    /// The schema of elements of the type.
    static var _elementSchema: PropertySchema? {
        _naturalKind.map { _isOptional ? PropertySchema($0).nullable : PropertySchema($0) }
    }
}
