import Foundation
import PalliumCore
import PalliumJSON

// Reads values that need no other objects, and skips values.
extension ArchiveCursor {
    mutating func readFlag() throws(ModelError) -> Bool {
        let byte = try readByte()
        guard byte <= 1 else { throw .archive(expected: "0 or 1", found: "\(byte)") }
        return byte == 1
    }

    /// Reads a value of a kind that archives hold as bytes of its own.
    mutating func readBytes(of traits: KindTraits) throws(ModelError) -> any PropertyValue {
        let codec = traits.archived
        let bytes =
            if let count = codec?.byteCount { try take(count) } else { try readBytes() }
        guard let value = codec?.read(bytes) else {
            throw .archive(expected: traits.expectation, found: "other bytes")
        }
        return value
    }

    mutating func readJSON() throws(ModelError) -> JSONValue {
        let bytes = try readBytes()
        // The depth limit is that of the archiver; the length is limited by the archive.
        let depth = JSONWritingOptions().maximumDepth
        do throws(JSONSyntaxError) {
            return try JSONValue(parsing: bytes, options: .unlimited(maximumDepth: depth))
        } catch { throw ModelError(error) }
    }

    /// Stores a URL as text if every Foundation accepts it, otherwise as a URL of this one.
    mutating func readURL(into slot: PropertySlot) throws(ModelError) {
        let bytes = try readBytes()
        if let text = URLText.plainText(bytes) { return slot.fill(with: text) }
        guard let text = bytes.validText, let url = URLText.strict(text) else {
            throw ModelError(
                .invalidValue, slot.description, expected: "a URL",
                found: ModelError.quote(String(decoding: bytes, as: UTF8.self)))
        }
        slot.replace(with: URLBox(url), state: .boxedValue)
    }

    /// Stores the present case of a number; one that was unknown or was removed is stored by its raw value.
    @inline(__always)
    mutating func readCase(_ node: Unowned<ArchiveReadingNode>, into slot: PropertySlot) throws(ModelError) {
        let number = try readNumber(below: node.with { $0.cases.count } + 1, "a case")
        let present = node.with { number < $0.cases.count ? $0.cases[number] : -1 }
        if present >= 0 {
            slot.fill(with: present, state: .enumerationCase)
        } else {
            try readUnusualCase(number, node.object, into: slot)
        }
    }

    @inline(never)
    private mutating func readUnusualCase(
        _ number: Int, _ node: ArchiveReadingNode, into slot: PropertySlot
    ) throws(ModelError) {
        try slot.storeEnumeration(number < node.type.cases.count ? node.type.cases[number] : readRawValue())
    }

    /// Stores a value of a kind that a slot holds unchanged.
    mutating func readPlain(_ type: ArchivedType, into slot: PropertySlot) throws(ModelError) {
        switch type.kind {
        case .unsigned: try readVariable()._store(slot)
        case .json: slot.replace(with: JSONBox(try readJSON()))
        case .bytes: try readBytes(of: type.traits)._store(slot)
        // The reader reads the other kinds itself.
        default: throw .archive(expected: "a plain value", found: "another kind")
        }
    }

    // MARK: Values that are skipped

    /// Skips a value, with all checks of reading it. Recursion is bounded by the nesting of kinds.
    mutating func skip(_ type: ArchivedType, objects: Int) throws(ModelError) {
        guard let element = type.element else {
            _ = try readValue(type, objects: objects)
            return
        }
        let count = try readCount()
        let hasNulls = try readFlag()
        for _ in 0..<count {
            if type.kind == .dictionary { try skipText() }
            if hasNulls, !(try readFlag()) { continue }
            try skip(element, objects: objects)
        }
    }

    /// Skips a record, with all checks of reading it.
    mutating func skipRecord(_ schema: ArchivedSchema, objects: Int) throws(ModelError) {
        let states = try take((schema.properties.count + 3) / 4)
        for (position, property) in schema.properties.enumerated() {
            let byte = states[position / 4]
            guard byte >> UInt8(position % 4 * 2) & 3 >= ArchivedState.value.rawValue else { continue }
            do throws(ModelError) { try skip(property.type, objects: objects) } catch {
                throw error.under(property: property.key, isSensitive: property.isSensitive)
            }
        }
    }

    // MARK: Values without a schema

    /// Reads a value by its archived type alone. Recursion is bounded by the nesting of kinds.
    ///
    /// - Parameter source: The source of referenced models; nil if they are not needed.
    mutating func readValue(
        _ type: ArchivedType, objects: Int, in source: StoredRecords? = nil
    ) throws(ModelError) -> FormerModel.Value {
        switch type.kind {
        case .bool: return .bool(try readFlag())
        case .integer: return .integer(try readZigzag())
        case .unsigned: return .unsigned(try readVariable())
        case .double: return .double(try readDouble())
        case .string: return .string(try readText())
        case .moment: return .date(Date(timeIntervalSinceReferenceDate: try readDouble()))
        case .date: return .date(try readDate().date)
        case .url: return .url(try readText())
        case .bytes:
            guard let value = FormerModel.Value(try readBytes(of: type.traits)) else {
                throw .archive(expected: type.traits.expectation, found: "another value")
            }
            return value
        case .enumeration:
            let number = try readNumber(below: type.cases.count + 1, "a case")
            return .enumeration(number < type.cases.count ? type.cases[number] : try readRawValue())
        case .model: return .model(FormerModel.Reference(try readNumber(below: objects, "an object"), in: source))
        case .json, .custom: return .json(try readJSON())
        case .array, .set: return .array(try readElements(type, objects: objects, in: source).map(\.value))
        case .dictionary: return .dictionary(try readElements(type, objects: objects, in: source))
        }
    }

    private mutating func readElements(
        _ type: ArchivedType, objects: Int, in source: StoredRecords?
    ) throws(ModelError) -> [FormerModel.Value.Entry] {
        guard let element = type.element else { throw .archive(expected: "elements", found: "none") }
        let count = try readCount()
        let hasNulls = try readFlag()
        var entries: [FormerModel.Value.Entry] = []
        var keys: Set<UTF8Key> = []
        for _ in 0..<count {
            let key = type.kind == .dictionary ? try readText() : ""
            if type.kind == .dictionary, !keys.insert(UTF8Key(key)).inserted { throw .repeatedKey(key) }
            let isNull = hasNulls ? !(try readFlag()) : false
            entries.append(
                FormerModel.Value.Entry(key, isNull ? .null : try readValue(element, objects: objects, in: source)))
        }
        return entries
    }

    /// Reads the members that an object preserves.
    mutating func readMembers() throws(ModelError) -> JSONObject {
        guard case .object(let members) = try readJSON() else {
            throw .archive(expected: "an object of JSON members", found: "another value")
        }
        return members
    }

    /// Reads whether a value in the index is the schema's default.
    mutating func readIsDefaulted() throws(ModelError) -> Bool {
        let state = try readByte()
        guard state == ArchivedState.value.rawValue || state == ArchivedState.defaulted.rawValue else {
            throw .archive(expected: "the state of a value", found: "\(state)")
        }
        return state == ArchivedState.defaulted.rawValue
    }

    /// Reads a record as it was stored.
    mutating func readModel(
        _ schema: ArchivedSchema, objects: Int, in source: StoredRecords? = nil
    ) throws(ModelError) -> FormerModel {
        var model = FormerModel(schema.levels)
        let states = try take((schema.properties.count + 3) / 4)
        for (position, property) in schema.properties.enumerated() {
            let byte = states[position / 4]
            switch ArchivedState(rawValue: byte >> UInt8(position % 4 * 2) & 3) {
            case .null: model[property.key] = .null
            case .value, .defaulted:
                let value: FormerModel.Value
                do throws(ModelError) { value = try readValue(property.type, objects: objects, in: source) } catch {
                    throw error.under(property: property.key, isSensitive: property.isSensitive)
                }
                let isDefaulted = byte >> UInt8(position % 4 * 2) & 3 == ArchivedState.defaulted.rawValue
                model.set(
                    FormerModel.Entry(value, isDefaulted: isDefaulted, isSensitive: property.isSensitive),
                    forKey: property.key)
            case .unset, nil: break
            }
        }
        return model
    }
}
