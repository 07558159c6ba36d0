import PalliumCore
import PalliumJSON

// Reads records whose values fit into slots directly.
//
// Safety: a slot is written while it is unset and only the reader knows its model; positions of properties are those of
// the plan, and numbers of objects are compared with their count before they are used.
extension GraphReader {
    /// Reads a record directly into slots.
    mutating func fill(
        _ slots: UnsafeMutableRawPointer, _ stateOffset: Int, _ plan: ArchiveReadingPlan,
        _ cursor: inout ArchiveCursor
    ) throws(ModelError) {
        let (entries, count) = unsafe (plan.entries, plan.nodes.count)
        let stateBytes = try unsafe cursor.take((count &+ 3) &>> 2)
        let states = unsafe (slots + stateOffset).assumingMemoryBound(to: UInt8.self)
        var position = 0
        do throws(ModelError) {
            while position < count {
                let entry = unsafe entries + position
                let byte = unsafe stateBytes.load(fromByteOffset: position &>> 2, as: UInt8.self)
                let code = byte &>> UInt8(truncatingIfNeeded: (position & 3) &* 2) & 3
                let slot = unsafe entry.pointee.slot
                if code >= ArchivedState.value.rawValue {
                    if slot >= 0 {
                        try unsafe read(entry.pointee.table, slots + slot &* 16, states + slot, &cursor)
                        if code == ArchivedState.defaulted.rawValue {
                            unsafe states[slot] = SlotState(rawValue: states[slot]).asDefaulted.rawValue
                        }
                    } else {
                        try cursor.skip(plan.nodes[position].type, objects: self.count)
                    }
                } else if unsafe entry.pointee.isRequired {
                    throw plan.missingError(slot, isNull: code == ArchivedState.null.rawValue)
                } else if code == ArchivedState.null.rawValue, slot >= 0,
                    unsafe entry.pointee.table.pointee.isNullable
                {
                    // A property that is neither nullable nor required has a default, which null selects as in JSON.
                    unsafe states[slot] = SlotState.null.rawValue
                }
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
        _ cursor: inout ArchiveCursor, _ table: UnsafePointer<ReadingTable>
    ) throws(ModelError) -> Unmanaged<DynamicModel> {
        let number = try cursor.readNumber(below: count, "an object")
        let schema = unsafe Int(schemas[number])
        guard unsafe schema < table.pointee.accepts.count, unsafe table.pointee.accepts[schema] else {
            throw unsafe wrongModel(number, table.pointee.descriptor!.takeUnretainedValue())
        }
        return try unsafe object(number)
    }

    /// Reads a value into an unset slot.
    @inline(__always)
    mutating func read(
        _ table: UnsafePointer<ReadingTable>, _ slot: UnsafeMutableRawPointer, _ state: UnsafeMutablePointer<UInt8>,
        _ cursor: inout ArchiveCursor
    ) throws(ModelError) {
        switch unsafe table.pointee.kind {
        case .string:
            unsafe slot.initializeMemory(as: String.self, to: try cursor.readText())
            unsafe state.pointee = SlotState.value.rawValue
        case .date:
            unsafe slot.storeBytes(of: try cursor.readDate(), as: SpelledDate.self)
            unsafe state.pointee = SlotState.value.rawValue
        case .moment, .double:
            unsafe slot.storeBytes(of: SpelledDate(seconds: try cursor.readDouble()), as: SpelledDate.self)
            unsafe state.pointee = SlotState.value.rawValue
        case .integer:
            let integer = try cursor.readZigzag()
            guard unsafe table.pointee.signedRange.contains(integer) else {
                throw unsafe Self.outOfRange(integer, table)
            }
            unsafe slot.storeBytes(of: integer, as: Int64.self)
            unsafe state.pointee = SlotState.value.rawValue
        case .bool:
            unsafe slot.storeBytes(of: try cursor.readFlag() ? 1 : 0, as: UInt64.self)
            unsafe state.pointee = SlotState.value.rawValue
        case .model:
            let model = try unsafe readModel(&cursor, table)
            if unsafe table.pointee.isWeak {
                unsafe SlotOperations.initialize(slot, with: WeakModelBox(model.takeUnretainedValue()))
            } else {
                unsafe slot.storeBytes(of: UnsafeRawPointer(model.retain().toOpaque()), as: UnsafeRawPointer.self)
            }
            unsafe state.pointee = SlotState.value.rawValue
        default:
            let target = unsafe PropertySlot(pointer: slot, state: state, descriptor: table.pointee.descriptor!)
            switch unsafe table.pointee.kind {
            case .enumeration: try unsafe cursor.readCase(table, into: target)
            case .url: try cursor.readURL(into: target)
            default: try unsafe readOther(table.pointee.node.takeUnretainedValue(), target, &cursor)
            }
        }
    }

    @inline(never)
    private static func outOfRange(_ integer: Int64, _ table: UnsafePointer<ReadingTable>) -> ModelError {
        let descriptor = unsafe table.pointee.descriptor!.takeUnretainedValue()
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
        let elements = unsafe slot.description.elementReference
        let dictionary = unsafe node.type.kind == .dictionary ? SlotDictionary(element: elements) : nil
        let list = unsafe dictionary ?? .make(element: elements, capacity: count)
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
                    try unsafe read(element.table, target.pointer, target.state, &cursor)
                }
            } catch { throw error.under(key: key ?? "\(position)") }
        }
        // Models can be compared only when all of them are filled.
        let isSet = node.type.kind == .set && !element.type.holdsModels
        slot.replace(with: isSet ? list.removingDuplicates() : list)
    }
}
