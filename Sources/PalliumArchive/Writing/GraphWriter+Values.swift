import Foundation
import PalliumCore
import PalliumJSON

// Writes values of the rarer kinds, and the index. `ArchiveCursor` reads them.
extension GraphWriter {
    @inline(never)
    mutating func writeOther(_ kind: ArchivedKind, _ slot: PropertySlot, _ isShared: Bool) throws(ModelError) {
        switch kind {
        case .unsigned: buffer.append(variable: slot.load(UInt64.self))
        case .bytes: try writeBytes(slot)
        case .url: buffer.append(text: slot.urlText)
        case .enumeration:
            // An unknown case is written as the number after the last one, and the raw value.
            buffer.append(variable: UInt64(slot.description.enumeration?.schema.cases.count ?? 0))
            buffer.append(slot.enumerationRawValue)
        case .json: try append(json: slot.json, of: slot.description)
        case .custom: try writeCustom(slot)
        case .dictionary:
            // Asked before a reference to the list is counted.
            let isShared = isShared || !slot.hasUniqueList
            try writeEntries(slot.dictionary, isShared)
        case .bool, .integer, .double, .string, .moment, .date, .model, .array, .set:
            // Invariant: the caller has written these.
            preconditionFailure("\(kind) is written by write(_:_:_:_:_:)")
        }
    }

    private mutating func writeBytes(_ slot: PropertySlot) throws(ModelError) {
        let descriptor = slot.description
        let isWritten =
            descriptor.traits.archived?.write(slot) { bytes in
                buffer.append(bytes, isCounted: descriptor.traits.archived?.byteCount == nil)
            } ?? false
        guard isWritten else {
            throw ModelError(
                .notConvertible, descriptor, expected: descriptor.expectation,
                found: ModelDescription.scalar(slot, textLength: 64))
        }
    }

    // MARK: Collections

    mutating func writeElements(_ list: SlotList, _ isShared: Bool) throws(ModelError) {
        let (kind, hasNulls) = begin(list)
        for index in 0..<list.count { try writeElement(list, index, kind, hasNulls, isShared, key: nil) }
    }

    private mutating func writeEntries(_ list: SlotDictionary, _ isShared: Bool) throws(ModelError) {
        let (kind, hasNulls) = begin(list)
        for index in 0..<list.count { try writeElement(list, index, kind, hasNulls, isShared, key: list.keys[index]) }
    }

    /// Writes the number of elements and whether some are null.
    private mutating func begin(_ list: SlotList) -> (kind: ArchivedKind, hasNulls: Bool) {
        var hasNulls = false
        for index in 0..<list.count where !list.slot(at: index).hasValue {
            hasNulls = true
            break
        }
        buffer.append(variable: UInt64(list.count))
        buffer.append(byte: hasNulls ? 1 : 0)
        return (ArchivedKind(list.elementDescription.traits), hasNulls)
    }

    private mutating func writeElement(
        _ list: SlotList, _ index: Int, _ kind: ArchivedKind, _ hasNulls: Bool, _ isShared: Bool, key: String?
    ) throws(ModelError) {
        let slot = list.slot(at: index)
        if let key { buffer.append(text: key) }
        if hasNulls { buffer.append(byte: slot.hasValue ? 1 : 0) }
        guard slot.hasValue else { return }
        do throws(ModelError) {
            try write(kind, slot, isShared)
        } catch { throw error.under(key: key ?? "\(index)") }
    }

    // MARK: JSON

    private mutating func append(json: JSONValue, of descriptor: ValueDescriptor) throws(ModelError) {
        do throws(JSONSyntaxError) { try buffer.append(json: json) } catch {
            throw ModelError(
                .depthLimit, descriptor,
                expected: "a JSON value of at most \(JSONWritingOptions().maximumDepth.counted("level"))",
                found: "a deeper one")
        }
    }

    /// Writes a value of your own type as the JSON of its transformer.
    private mutating func writeCustom(_ slot: PropertySlot) throws(ModelError) {
        let descriptor = slot.description
        try append(json: try CustomValue.json(in: slot, transformers), of: descriptor)
    }

    // MARK: The index

    /// Writes the index, which is known only after all records.
    ///
    ///     objects      count, then each: number of the schema
    ///     conditional  count, then each: object, property, value
    ///     preserved    count, then each: object, JSON members
    ///     roots        count, then each: object
    mutating func writeIndex() throws(ModelError) {
        buffer.append(variable: UInt64(objects.count))
        index.withBorrowedBytes { buffer.append($0) }
        try writeConditionalValues()
        let preserved = preserving.compactMap { number in
            objects[number].model.object.unknownMembers.map { (number, $0) }
        }.filter { !$0.1.isEmpty }
        buffer.append(variable: UInt64(preserved.count))
        for (number, members) in preserved { try buffer.append(preserved: members, of: number) }
        buffer.append(variable: UInt64(roots.count))
        for root in roots { buffer.append(variable: UInt64(root)) }
    }

    private mutating func writeConditionalValues() throws(ModelError) {
        // Retained while it is written: nothing else may keep the target of a weak reference alive.
        var values: [(object: Int, entry: Int, referenced: DynamicModel?)] = []
        for (number, position) in conditional {
            let object = objects[number]
            let slot = object.model.object.slot(
                at: object.plan.object.entries[position].slot)
            var referenced: DynamicModel?
            // A transformer could have cleared the slot. None runs from here on: conditional values hold models.
            guard slot.hasValue, holdsOnlyNumberedModels(slot, referenced: &referenced) else { continue }
            values.append((number, position, referenced))
        }
        buffer.append(variable: UInt64(values.count))
        for value in values {
            let object = objects[value.object]
            let entry = object.plan.object.entries[value.entry]
            let slot = object.model.object.slot(at: entry.slot)
            buffer.append(variable: UInt64(value.object))
            buffer.append(variable: UInt64(value.entry))
            buffer.append(byte: ArchivedState(slot.slotState).rawValue)
            transformers = object.plan.object.layout.transformers
            do throws(ModelError) {
                if let referenced = value.referenced {
                    buffer.append(
                        variable: UInt64(try number(of: referenced.unowned, isShared: true)))
                } else {
                    try write(entry.kind, slot, true)
                }
            } catch { throw located(error, value.object, value.entry) }
        }
    }

    /// Whether all models in a conditional value are in the archive for another reason.
    private func holdsOnlyNumberedModels(_ slot: PropertySlot, referenced: inout DynamicModel?) -> Bool {
        guard slot.hasValue else { return true }
        switch slot.description.kind {
        case .model:
            return numbers[slot.unownedModel.address] != nil
        case .weakModel:
            referenced = slot.weakReference.model
            guard let referenced else { return false }
            return numbers[referenced] != nil
        case .array, .set, .dictionary:
            let list = slot.list
            // Recursion is bounded by the nesting of kinds.
            return (0..<list.count).allSatisfy { holdsOnlyNumberedModels(list.slot(at: $0), referenced: &referenced) }
        default: return true
        }
    }
}
