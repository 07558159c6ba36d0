import PalliumCore
import PalliumJSON

/// Builds graphs of models from the bytes of an archive, without recursion: objects are made empty when they are first
/// referred to, filled in the order of their numbers, checked when all of them are filled, and only then handed out.
///
/// Safety: `objects` and `schemas` have room for `count` entries, which are initialised; numbers from the bytes are
/// compared with `count` before they are used. Each object that was made carries one reference that the reader owns and
/// gives back in `deinit`. Slots are written directly while nobody but the reader knows their model.
@safe
struct GraphReader: ~Copyable {
    let programs: [ReadingProgram]
    /// What the programs point at.
    private let accepted: AcceptedSchemas
    let count: Int
    private let objects: UnsafeMutablePointer<Unmanaged<DynamicModel>?>
    /// The number of the schema of each object.
    let schemas: UnsafeMutablePointer<UInt32>
    private let records: ArchiveCursor
    private let index: ArchiveCursor
    private var isComplete = false
    /// Conditional values of objects that are upgraded, which the steps must see.
    var upgradedValues: [Int: [(key: String, value: StoredValue, isDefaulted: Bool)]] = [:]

    /// How many bytes of models an archive may ask for: 512 for each of its own, which a model with 30 empty properties
    /// for each one that was stored does not reach, and 64 MB. More is a bomb.
    private static func maximumModelBytes(_ archive: Int) -> Int { 64_000_000 + archive * 512 }

    /// Checks everything that can be checked before the first value is decoded.
    ///
    /// - Parameter layout: The layout for a schema of the archive; throws where there is none or it is not allowed.
    init(
        _ archive: UnsafeRawBufferPointer, layout: (ArchivedSchema) throws(ModelError) -> ModelLayout
    ) throws(ModelError) {
        let header = try unsafe ArchiveHeader(archive)
        var cursor = unsafe ArchiveCursor(header.schemas(of: archive))
        var programs: [ReadingProgram] = []
        for schema in try cursor.readSchemas() { programs.append(try ReadingProgram(schema, layout(schema))) }
        let accepted = AcceptedSchemas(programs.map(\.layout))
        for program in programs { program.link(accepted) }
        try unsafe header.checkBody(of: archive)

        var index = unsafe ArchiveCursor(header.index(of: archive))
        let count = try index.readCount()
        let schemas = UnsafeMutablePointer<UInt32>.allocate(capacity: max(count, 1))
        do throws(ModelError) {
            var bytes = 0
            for number in 0..<count {
                let schema = try index.readNumber(below: programs.count, "a schema")
                unsafe (schemas + number).initialize(to: UInt32(schema))
                bytes += 64 + programs[schema].layout.properties.count * 17
            }
            guard bytes <= Self.maximumModelBytes(archive.count) else {
                throw ModelError(
                    .limitExceeded, expected: "models of at most \(Self.maximumModelBytes(archive.count)) bytes",
                    found: "\(bytes) bytes in an archive of \(archive.count)")
            }
        } catch {
            unsafe schemas.deallocate()
            throw error
        }
        self.programs = programs
        self.accepted = accepted
        self.count = count
        unsafe self.schemas = schemas
        self.index = index
        records = unsafe ArchiveCursor(header.records(of: archive))
        unsafe objects = .allocate(capacity: max(count, 1))
        unsafe objects.initialize(repeating: nil, count: count)
    }

    deinit {
        if !isComplete {
            // A graph that was not handed out may hold itself by cycles.
            for number in 0..<count { unsafe objects[number]?._withUnsafeGuaranteedRef { $0.clearSlots() } }
        }
        for number in 0..<count { unsafe objects[number]?.release() }
        unsafe objects.deallocate()
        unsafe schemas.deallocate()
    }

    // MARK: Objects

    /// The object with a number, which is below `count`; made at the first request.
    @inline(__always)
    func object(_ number: Int) -> Unmanaged<DynamicModel> {
        if let object = unsafe objects[number] { return unsafe object }
        let object = unsafe Unmanaged.passRetained(programs[Int(schemas[number])].layout.makeEmptyModel())
        unsafe objects[number] = object
        return unsafe object
    }

    func program(of number: Int) -> ReadingProgram { unsafe programs[Int(schemas[number])] }

    /// Reads a reference to a model that may stand in a value.
    @inline(__always)
    private mutating func readModel(
        _ cursor: inout ArchiveCursor, _ table: UnsafePointer<ReadingTable>
    ) throws(ModelError) -> Unmanaged<DynamicModel> {
        let number = try cursor.readNumber(below: count, "an object")
        let schema = unsafe Int(schemas[number])
        guard unsafe schema < table.pointee.accepts.count, unsafe table.pointee.accepts[schema] else {
            throw unsafe Self.wrongModel(table.pointee.descriptor!.takeUnretainedValue(), programs[schema].layout)
        }
        return unsafe object(number)
    }

    @inline(never)
    private static func wrongModel(_ descriptor: ValueDescriptor, _ layout: ModelLayout) -> ModelError {
        ModelError(
            .typeMismatch, descriptor, expected: descriptor.expectation, found: "a model of \(layout.schema.name)")
    }

    /// The object of a reference in a stored value, for a slot.
    func model(_ reference: StoredReference, for descriptor: ValueDescriptor) throws(ModelError) -> DynamicModel {
        let layout = program(of: reference.number).layout
        guard let model = descriptor.model, layout.isDescendant(of: model) else {
            throw Self.wrongModel(descriptor, layout)
        }
        return unsafe object(reference.number).takeUnretainedValue()
    }

    // MARK: The graph

    /// Reads everything; answers the roots.
    mutating func read() throws(ModelError) -> [DynamicModel] {
        // Cursors of their own: values are read by methods that change the reader.
        var cursor = records
        var index = index
        try readUpgradedConditionalValues(index)
        for number in 0..<count {
            do throws(ModelError) {
                try fill(number, &cursor)
            } catch { throw error.at(["objects", "\(number)"]).located() }
        }
        try cursor.expectEnd()
        try readConditionalValues(&index)
        try readPreservedMembers(&index)
        let roots = try readRoots(&index)
        try index.expectEnd()
        try finish()
        isComplete = true
        return roots
    }

    private mutating func fill(_ number: Int, _ cursor: inout ArchiveCursor) throws(ModelError) {
        let program = program(of: number)
        let model = unsafe object(number)
        if let upgrade = program.upgrade {
            var stored = try cursor.readModel(program.schema, objects: count)
            for value in upgradedValues.removeValue(forKey: number) ?? [] {
                stored.set(value.value, isDefaulted: value.isDefaulted, forKey: value.key)
            }
            try upgrade.apply(to: &stored)
            try unsafe store(stored, in: model.takeUnretainedValue(), upgrade)
        } else {
            try unsafe fill(model._withUnsafeGuaranteedRef { unsafe $0.slots }, program, &cursor)
        }
        if !program.fallbackDefaults.isEmpty || !program.requiredSlots.isEmpty {
            try unsafe complete(model.takeUnretainedValue(), program)
        }
    }

    /// Gives defaults to what the record left unset, and sees to required properties.
    private func complete(_ model: DynamicModel, _ program: ReadingProgram) throws(ModelError) {
        for index in program.fallbackDefaults {
            let slot = model.slot(at: index)
            guard slot.slotState.isUnset else { continue }
            slot.copyContent(of: program.layout.defaultSlot(index))
            slot.slotState = slot.slotState.asDefaulted
        }
        for index in program.requiredSlots where !model.slot(at: index).hasValue {
            throw model.missing(program.layout.properties[index])
        }
    }

    /// Reads a record straight into slots.
    private mutating func fill(
        _ slots: UnsafeMutableRawPointer, _ program: ReadingProgram, _ cursor: inout ArchiveCursor
    ) throws(ModelError) {
        let (entries, count) = unsafe (program.entries, program.nodes.count)
        let stateBytes = try unsafe cursor.take((count &+ 3) &>> 2)
        let states = unsafe (slots + program.layout.table.pointee.stateOffset).assumingMemoryBound(to: UInt8.self)
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
                        try cursor.skip(program.nodes[position].type, objects: self.count)
                    }
                } else if unsafe entry.pointee.isRequired {
                    throw program.missingError(slot, isNull: code == ArchivedState.null.rawValue)
                } else if code == ArchivedState.null.rawValue, slot >= 0,
                    unsafe entry.pointee.table.pointee.isNullable
                {
                    // What is neither nullable nor required has a default, which null gives as in JSON.
                    unsafe states[slot] = SlotState.null.rawValue
                }
                position &+= 1
            }
        } catch { throw error.under(key: program.schema.properties[position].key) }
    }

    // MARK: Values

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
        case .date, .double:
            unsafe slot.storeBytes(of: try cursor.readDouble(), as: Double.self)
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
            let place = unsafe PropertySlot(pointer: slot, state: state, descriptor: table.pointee.descriptor!)
            switch unsafe table.pointee.kind {
            case .enumeration: try unsafe cursor.readCase(table, into: place)
            case .url: try cursor.readURL(into: place)
            default: try unsafe readOther(table.pointee.node.takeUnretainedValue(), place, &cursor)
            }
        }
    }

    @inline(never)
    private static func outOfRange(_ integer: Int64, _ table: UnsafePointer<ReadingTable>) -> ModelError {
        let descriptor = unsafe table.pointee.descriptor!.takeUnretainedValue()
        return ModelError(
            .numberOutOfRange, descriptor, expected: descriptor.expectation, found: "the number \(integer)")
    }

    @inline(never)
    private mutating func readOther(
        _ node: ReadingNode, _ slot: PropertySlot, _ cursor: inout ArchiveCursor
    ) throws(ModelError) {
        switch node.type.kind {
        case .array, .set, .dictionary: try readCollection(node, slot, &cursor)
        case .custom: try CustomValue.store(try cursor.readJSON(), in: slot, node.transformers)
        default: try cursor.readPlain(node.type.kind, into: slot)
        }
    }

    private mutating func readCollection(
        _ node: ReadingNode, _ slot: PropertySlot, _ cursor: inout ArchiveCursor
    ) throws(ModelError) {
        guard let element = node.element else { throw .archive(expected: "elements", found: "none") }
        let count = try cursor.readCount()
        let hasNulls = try cursor.readFlag()
        let elements = unsafe slot.description.elementReference
        let dictionary = unsafe node.type.kind == .dictionary ? SlotDictionary(element: elements) : nil
        let list = unsafe dictionary ?? SlotList(element: elements)
        list.reserve(count)
        for position in 0..<count {
            var key: String?
            let place: PropertySlot
            if let dictionary {
                let name = try cursor.readText()
                guard dictionary.index(of: name) == nil else {
                    throw .archive(expected: "different keys", found: "\(ModelError.quote(name)) twice")
                }
                place = dictionary.slot(forKey: name)
                key = name
            } else {
                place = list.appendSlot()
            }
            do throws(ModelError) {
                if hasNulls, !(try cursor.readFlag()) {
                    try place.storeNull()
                } else {
                    try unsafe read(element.table, place.pointer, place.state, &cursor)
                }
            } catch { throw error.under(key: key ?? "\(position)") }
        }
        // Models are compared when all of them are filled.
        let isSet = node.type.kind == .set && !element.type.holdsModels
        slot.replace(with: isSet ? list.removingDuplicates() : list)
    }
}

extension DynamicModel {
    /// Empties all slots.
    fileprivate final func clearSlots() {
        for index in unsafe 0..<table.pointee.slotCount { slot(at: index).clear() }
    }
}
