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
        let list = SlotDictionary(of: slot.description)
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
        let list = SlotList.make(of: descriptor, capacity: elements.count)
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
            hasUniqueList,
            let view = list.view.load() as? TypedSlotListView<[Element]>, view.isPrefix(of: elements)
        else { return false }
        let added = SlotList.make(like: list, capacity: elements.count - view.value.count)
        for (index, element) in elements.enumerated().dropFirst(view.value.count) {
            do { try element._store(added.appendSlot()) } catch { throw error.under(index: index) }
        }
        let longer = SlotList.make(like: list, capacity: elements.count)
        longer.takeElements(of: list)
        longer.takeElements(of: added)
        _ = longer.view.storeIfNil(TypedSlotListView(elements))
        replace(with: longer)
        return true
    }
}

extension PropertyValue {
    /// The schema of elements of the type.
    static var _elementSchema: PropertySchema? {
        _naturalKind.map { _isOptional ? PropertySchema($0).nullable : PropertySchema($0) }
    }
}
