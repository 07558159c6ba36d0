import Foundation
import PalliumCore
import PalliumJSON

/// Writes models as JSON text into one growing buffer, without recursion.
///
/// A frame stands for an object or array that was begun. What is written comes out in schema order; an object on the way
/// of key paths is taken back when nothing was written into it.
///
/// Safety: frames point into models that the caller holds for the whole call, and into programs that the adapter holds.
struct ModelEncoder: ~Copyable {
    var buffer: JSONByteBuffer
    let programs: JSONProgramSet
    let options: JSONAdapterOptions
    /// The slots of the first model that may be written; nil for all.
    let selection: [Bool]?
    private var frames: [EncodingFrame] = []
    /// Slots that frames point into and no model owns.
    private var temporaries: [TemporarySlot] = []

    init(programs: JSONProgramSet, options: JSONAdapterOptions, selection: [Bool]?, capacity: Int) {
        buffer = JSONByteBuffer(capacity: capacity)
        self.programs = programs
        self.options = options
        self.selection = selection
        frames.reserveCapacity(16)
    }

    /// Writes a model.
    mutating func encode(_ model: DynamicModel) throws(ModelError) {
        do {
            try begin(model, selection: selection)
            while !frames.isEmpty { try step() }
        } catch {
            let problem = error.isLocated ? error : error.at(pointerTokens()).located()
            frames.removeAll()
            throw problem
        }
        temporaries.removeAll()
    }

    /// Writes one value by itself.
    mutating func encodeValue(_ slot: PropertySlot, _ value: UnsafePointer<ValueTable>) throws(ModelError) {
        try write(slot, value)
        while !frames.isEmpty { try step() }
    }

    /// The slot with a number in the model of a frame.
    func slot(_ number: Int, _ depth: Int, _ value: UnsafePointer<ValueTable>) -> PropertySlot? {
        guard let slots = frames[depth].slots, let states = frames[depth].states else { return nil }
        return PropertySlot(
            pointer: slots + number &* 16, state: states + number, descriptor: value.pointee.descriptor)
    }

    // MARK: Frames

    struct EncodingFrame {
        enum Kind { case model, path, array, dictionary }

        let kind: Kind
        var index = 0
        var isFirst = true
        var node: Unmanaged<OutputNode>?
        var model: Unmanaged<DynamicModel>?
        var list: Unmanaged<SlotList>?
        var element: UnsafePointer<ValueTable>?
        var slots: UnsafeMutableRawPointer?
        var states: UnsafeMutablePointer<UInt8>?
        /// Where the object began in the buffer, and whether the frame below was at its first member.
        var start = 0
        var wasFirst = false
        var selection: [Bool]?
        var preserved: JSONObject?
    }

    private func program(for model: DynamicModel) throws(ModelError) -> JSONProgram {
        if let program = programs.program(for: model.layout) { return program }
        throw ModelError(
            .unknownModel, expected: "a model of \(programs.root.layout.schema.name) or a schema it refers to",
            found: "a model of \(model.schema.name)", schema: model.schema.name)
    }

    private mutating func begin(_ model: DynamicModel, selection: [Bool]? = nil) throws(ModelError) {
        let program = try program(for: model)
        try checkDepth(of: model)
        buffer.append(byte: UInt8(ascii: "{"))
        frames.append(
            EncodingFrame(
                kind: .model, node: Unmanaged.passUnretained(program.output), model: Unmanaged.passUnretained(model),
                slots: model.slots, states: model.stateBytes, selection: selection, preserved: model.preservedMembers))
    }

    private func checkDepth(of model: DynamicModel?) throws(ModelError) {
        guard frames.count >= options.writing.maximumDepth else { return }
        if let model, frames.contains(where: { $0.model?.toOpaque() == Unmanaged.passUnretained(model).toOpaque() }) {
            throw ModelError(
                .cycle, expected: "a tree of models", found: "a \(model.schema.name) that contains itself",
                schema: model.schema.name)
        }
        throw ModelError(
            .depthLimit, expected: "at most \(options.writing.maximumDepth) levels", found: "more",
            schema: model?.schema.name)
    }

    /// Writes up to the next object or array that begins or ends.
    private mutating func step() throws(ModelError) {
        let depth = frames.count - 1
        switch frames[depth].kind {
        case .model, .path:
            guard let node = frames[depth].node?.takeUnretainedValue() else { return end() }
            let count = node.members.count
            while frames[depth].index < count {
                let entry = node.entries + frames[depth].index
                frames[depth].index += 1
                try write(entry, node, depth)
                if frames.count != depth + 1 { return }
            }
            try endObject(node, depth)
        case .array:
            guard let list = frames[depth].list?.takeUnretainedValue(), let element = frames[depth].element else {
                return end()
            }
            while frames[depth].index < list.count {
                let slot = list.slot(at: frames[depth].index)
                if frames[depth].index > 0 { buffer.append(byte: UInt8(ascii: ",")) }
                frames[depth].index += 1
                try writeElement(slot, element)
                if frames.count != depth + 1 { return }
            }
            buffer.append(byte: UInt8(ascii: "]"))
            end()
        case .dictionary:
            guard let list = frames[depth].list?.takeUnretainedValue() as? SlotDictionary,
                let element = frames[depth].element
            else { return end() }
            while frames[depth].index < list.count {
                let index = frames[depth].index
                if index > 0 { buffer.append(byte: UInt8(ascii: ",")) }
                frames[depth].index += 1
                buffer.append(quoted: list.keys[index], escapingSlashes: options.writing.escapesSlashes)
                buffer.append(byte: UInt8(ascii: ":"))
                try writeElement(list.slot(at: index), element)
                if frames.count != depth + 1 { return }
            }
            buffer.append(byte: UInt8(ascii: "}"))
            end()
        }
    }

    private mutating func end() { frames.removeLast() }

    private mutating func endObject(_ node: OutputNode, _ depth: Int) throws(ModelError) {
        if let preserved = frames[depth].preserved { try writePreserved(preserved, node, depth) }
        if frames[depth].kind == .path, frames[depth].isFirst, frames[depth].preserved == nil {
            // No empty parent objects: the member is taken back.
            buffer.truncate(to: frames[depth].start)
            let wasFirst = frames[depth].wasFirst
            end()
            if wasFirst { frames[depth - 1].isFirst = true }
            return
        }
        buffer.append(byte: UInt8(ascii: "}"))
        end()
    }

    /// Writes what was kept of unknown members, except what the schema writes itself.
    private mutating func writePreserved(
        _ preserved: JSONObject, _ node: OutputNode, _ depth: Int
    ) throws(ModelError) {
        for (name, value) in preserved where !node.members.contains(where: { UTF8Text.equal($0.name, name) }) {
            if !frames[depth].isFirst { buffer.append(byte: UInt8(ascii: ",")) }
            frames[depth].isFirst = false
            buffer.append(quoted: name, escapingSlashes: options.writing.escapesSlashes)
            buffer.append(byte: UInt8(ascii: ":"))
            try write(value)
        }
    }

    mutating func write(_ value: JSONValue) throws(ModelError) {
        var compact = JSONWritingOptions()
        compact.escapesSlashes = options.writing.escapesSlashes
        compact.maximumDepth = options.writing.maximumDepth
        do { try buffer.append(value: value, options: compact) } catch { throw ModelError(error) }
    }

    // MARK: Members

    @inline(__always)
    mutating func writePrefix(_ entry: UnsafePointer<OutputNode.Entry>, _ depth: Int) {
        let skipped = frames[depth].isFirst ? 1 : 0
        buffer.append(bytes: entry.pointee.prefix + skipped, count: entry.pointee.prefixCount - skipped)
        frames[depth].isFirst = false
    }

    @inline(__always)
    private mutating func write(
        _ entry: UnsafePointer<OutputNode.Entry>, _ node: OutputNode, _ depth: Int
    ) throws(ModelError) {
        guard entry.pointee.action == .value, let slots = frames[depth].slots, let states = frames[depth].states,
            let value = entry.pointee.value
        else { return try writeSpecial(entry, node, depth) }
        let index = entry.pointee.slot
        if let selection = frames[depth].selection, !selection[index] { return }
        let state = SlotState(rawValue: states[index])
        if state.hasValue, !state.isDefaulted {
            writePrefix(entry, depth)
            let slot = PropertySlot(
                pointer: slots + index &* 16, state: states + index, descriptor: value.pointee.descriptor)
            return try write(slot, value)
        }
        try writeAbsent(entry, state, depth)
    }

    /// A slot without a value of its own: unset, null or defaulted.
    @inline(never)
    private mutating func writeAbsent(
        _ entry: UnsafePointer<OutputNode.Entry>, _ state: SlotState, _ depth: Int
    ) throws(ModelError) {
        guard let value = entry.pointee.value, let slots = frames[depth].slots, let states = frames[depth].states else {
            return
        }
        let policy = entry.pointee.nilPolicy ?? options.nilPolicy
        if state.hasValue, policy != .asParsed {
            writePrefix(entry, depth)
            let index = entry.pointee.slot
            return try write(
                PropertySlot(
                    pointer: slots + index &* 16, state: states + index, descriptor: value.pointee.descriptor), value)
        }
        if let constant = entry.pointee.constant {
            writePrefix(entry, depth)
            return buffer.append(bytes: constant, count: entry.pointee.constantCount)
        }
        let writesNull = state.isNull ? policy != .omit : !state.hasValue && policy == .write
        guard writesNull else { return }
        if value.pointee.convertsNull, try writeTransformedNull(entry, value, depth) { return }
        writePrefix(entry, depth)
        buffer.append(literal: "null")
    }

    @inline(never)
    private mutating func writeSpecial(
        _ entry: UnsafePointer<OutputNode.Entry>, _ node: OutputNode, _ depth: Int
    ) throws(ModelError) {
        switch entry.pointee.action {
        case .value: break
        case .constant:
            guard let constant = entry.pointee.constant else { return }
            writePrefix(entry, depth)
            buffer.append(bytes: constant, count: entry.pointee.constantCount)
        case .part:
            let member = node.members[frames[depth].index - 1]
            try writePart(entry, member, depth)
        case .node:
            guard let child = entry.pointee.node else { return }
            try beginPath(entry, child, name: node.members[frames[depth].index - 1].name, depth)
        }
    }

    private mutating func beginPath(
        _ entry: UnsafePointer<OutputNode.Entry>, _ child: Unmanaged<OutputNode>, name: String, _ depth: Int
    ) throws(ModelError) {
        let preserved = frames[depth].preserved?[name]
        if case .null = preserved, let states = frames[depth].states,
            child.takeUnretainedValue().slots.allSatisfy({ !SlotState(rawValue: states[$0]).hasValue })
        {
            // The object was null when it was read, and nothing was set since.
            writePrefix(entry, depth)
            return buffer.append(literal: "null")
        }
        try checkDepth(of: nil)
        let start = buffer.count
        let wasFirst = frames[depth].isFirst
        writePrefix(entry, depth)
        buffer.append(byte: UInt8(ascii: "{"))
        frames.append(
            EncodingFrame(
                kind: .path, node: child, slots: frames[depth].slots, states: frames[depth].states, start: start,
                wasFirst: wasFirst, selection: frames[depth].selection, preserved: preserved?.objectValue))
    }

    // MARK: Values

    @inline(__always)
    private mutating func writeElement(_ slot: PropertySlot, _ element: UnsafePointer<ValueTable>) throws(ModelError) {
        if slot.hasValue { try write(slot, element) } else { buffer.append(literal: "null") }
    }

    /// Writes a value that is there.
    @inline(__always)
    mutating func write(_ slot: PropertySlot, _ value: UnsafePointer<ValueTable>) throws(ModelError) {
        switch value.pointee.operation {
        case .string:
            buffer.append(quoted: slot.pointer.assumingMemoryBound(to: String.self), options.writing.escapesSlashes)
        case .integer: buffer.append(integer: slot.load(Int64.self))
        case .url where !slot.slotState.isBoxed:
            buffer.append(quoted: slot.pointer.assumingMemoryBound(to: String.self), options.writing.escapesSlashes)
        case .iso8601Date: try writeDate(slot)
        case .enumeration where !slot.slotState.isBoxed:
            guard let cases = value.pointee.cases else { return }
            let text = cases[slot.load(Int.self)]
            guard let start = text.baseAddress else { return }
            buffer.append(bytes: start, count: text.count)
        case .bool:
            if slot.load(UInt64.self) != 0 { buffer.append(literal: "true") } else { buffer.append(literal: "false") }
        case .model: try begin(SlotOperations.box(DynamicModel.self, slot.pointer))
        case .array, .set:
            try checkDepth(of: nil)
            buffer.append(byte: UInt8(ascii: "["))
            frames.append(
                EncodingFrame(
                    kind: .array, list: Unmanaged.passUnretained(SlotOperations.box(SlotList.self, slot.pointer)),
                    element: value.pointee.element))
        case .dictionary:
            try checkDepth(of: nil)
            buffer.append(byte: UInt8(ascii: "{"))
            frames.append(
                EncodingFrame(
                    kind: .dictionary, list: Unmanaged.passUnretained(SlotOperations.box(SlotList.self, slot.pointer)),
                    element: value.pointee.element))
        default: try writeOther(slot, value)
        }
    }

    @inline(__always)
    private mutating func writeDate(_ slot: PropertySlot) throws(ModelError) {
        let written = buffer.appendBytes(atMost: ISO8601Text.maximumWrittenByteCount + 2) { start in
            start.pointee = UInt8(ascii: "\"")
            guard let count = ISO8601Text.write(slot.load(Double.self), into: start + 1) else { return 0 }
            start[count + 1] = UInt8(ascii: "\"")
            return count + 2
        }
        if written == 0 { throw dateError(slot) }
    }

    func dateError(_ slot: PropertySlot) -> ModelError {
        ModelError(
            .notConvertible, slot.description, expected: "a date of the years 0000 to 9999",
            found: "\(slot.load(Double.self)) seconds since 2001")
    }

    /// Keeps a slot that a frame points into.
    mutating func keep(_ temporary: TemporarySlot) { temporaries.append(temporary) }

    /// The path to the value that is being written.
    private func pointerTokens() -> [String] {
        var tokens: [String] = []
        for frame in frames {
            let index = frame.index - 1
            switch frame.kind {
            case .model, .path:
                if index >= 0, let node = frame.node?.takeUnretainedValue(), index < node.members.count {
                    tokens.append(node.members[index].name)
                }
            case .array: if index >= 0 { tokens.append("\(index)") }
            case .dictionary:
                if index >= 0, let list = frame.list?.takeUnretainedValue() as? SlotDictionary, index < list.keys.count {
                    tokens.append(list.keys[index])
                }
            }
        }
        return tokens
    }
}
