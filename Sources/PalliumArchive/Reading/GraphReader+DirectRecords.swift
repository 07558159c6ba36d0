import PalliumCore
import PalliumJSON

// Reads records whose values fit into slots directly.
//
// Safety: the entries of a plan have numbers of slots of its layout, which is that of the model. A slot is written while it
// is unset and only the reader knows its model.
extension GraphReader {
    /// Reads a record directly into slots.
    mutating func fill(
        _ slots: ModelSlots, _ plan: ArchiveReadingPlan, _ cursor: inout ArchiveCursor
    ) throws(ModelError) {
        let entries = plan.entries
        let states = try cursor.take((entries.count &+ 3) &>> 2)
        var position = 0
        do throws(ModelError) {
            while position < entries.count {
                let entry = entries[position]
                let byte = states[position &>> 2]
                let code = byte &>> UInt8(truncatingIfNeeded: (position & 3) &* 2) & 3
                if code >= ArchivedState.value.rawValue {
                    if entry.slot >= 0 {
                        let slot = unsafe slots[known: entry.slot]
                        try read(entry.node, slot, &cursor)
                        if code == ArchivedState.defaulted.rawValue { slot.slotState = slot.slotState.asDefaulted }
                    } else {
                        try cursor.skip(plan.nodes[position].type, objects: self.count)
                    }
                } else if code == ArchivedState.null.rawValue, entry.slot >= 0, entry.node.object.isNullable {
                    slots[entry.slot].slotState = .null
                } else if entry.isRequired {
                    throw plan.missingError(entry.slot, isNull: code == ArchivedState.null.rawValue)
                }
                // Another null was stored when the property was nullable. It selects the default, or means no value.
                position &+= 1
            }
        } catch {
            let property = plan.schema.properties[position]
            throw error.under(property: property.key, isSensitive: property.isSensitive)
        }
    }

    // MARK: Values

    /// Reads a reference to a model that fits into a value.
    @inline(__always)
    private mutating func readModel(
        _ cursor: inout ArchiveCursor, _ node: Unowned<ArchiveReadingNode>
    ) throws(ModelError) -> Unowned<DynamicModel> {
        let number = try cursor.readNumber(below: count, "an object")
        let schema = Int(schemas[number])
        guard node.with({ schema < $0.accepts.count && $0.accepts[schema] }) else {
            // Values that are read have a descriptor.
            throw wrongModel(number, node.object.descriptor!)
        }
        return try object(number)
    }

    /// Reads a value into an unset slot.
    @inline(__always)
    mutating func read(
        _ node: Unowned<ArchiveReadingNode>, _ slot: PropertySlot, _ cursor: inout ArchiveCursor
    ) throws(ModelError) {
        switch node.object.kind {
        case .string: slot.fill(with: try cursor.readText())
        case .date: slot.fill(with: try cursor.readDate())
        case .moment, .double: slot.fill(with: SpelledDate(seconds: try cursor.readDouble()))
        case .integer:
            let integer = try cursor.readZigzag()
            guard node.object.signedRange.contains(integer) else { throw Self.outOfRange(integer, node.object) }
            slot.fill(with: integer)
        case .bool: slot.fill(with: try cursor.readFlag() ? 1 : 0 as UInt64)
        case .model:
            let model = try readModel(&cursor, node)
            if node.object.isWeak {
                slot.fill(with: WeakModelBox(model.object))
            } else {
                slot.fill(with: model.object)
            }
        case .enumeration: try cursor.readCase(node, into: slot)
        case .url: try cursor.readURL(into: slot)
        default: try readOther(node.object, slot, &cursor)
        }
    }

    @inline(never)
    private static func outOfRange(_ integer: Int64, _ node: ArchiveReadingNode) -> ModelError {
        // Values that are read have a descriptor.
        let descriptor = node.descriptor!
        return ModelError(
            .numberOutOfRange, descriptor, expected: descriptor.rangeExpectation, found: "the number \(integer)")
    }

    @inline(never)
    private mutating func readOther(
        _ node: ArchiveReadingNode, _ slot: PropertySlot, _ cursor: inout ArchiveCursor
    ) throws(ModelError) {
        switch node.type.kind {
        case .array, .set, .dictionary: try readCollection(node, slot, &cursor)
        case .custom: try CustomValue.store(try cursor.readJSON(), in: slot, node.transformers)
        default: try cursor.readPlain(node.type, into: slot)
        }
    }

    private mutating func readCollection(
        _ node: ArchiveReadingNode, _ slot: PropertySlot, _ cursor: inout ArchiveCursor
    ) throws(ModelError) {
        guard let element = node.element else { throw .archive(expected: "elements", found: "none") }
        let count = try cursor.readCount()
        let hasNulls = try cursor.readFlag()
        let dictionary = node.type.kind == .dictionary ? SlotDictionary(of: slot.description) : nil
        let list = dictionary ?? .make(of: slot.description, capacity: count)
        for position in 0..<count {
            var key: String?
            let target: PropertySlot
            if let dictionary {
                let name = try cursor.readText()
                if dictionary.index(of: name) != nil { throw .repeatedKey(name) }
                target = dictionary.slot(forKey: name)
                key = name
            } else {
                target = list.appendSlot()
            }
            do throws(ModelError) {
                if hasNulls, !(try cursor.readFlag()) {
                    try target.storeNull()
                } else {
                    try read(element.unowned, target, &cursor)
                }
            } catch { throw error.under(key: key ?? "\(position)") }
        }
        // Models can be compared only when all of them are filled.
        let isSet = node.type.kind == .set && !element.type.holdsModels
        slot.replace(with: isSet ? list.removingDuplicates() : list)
    }
}
