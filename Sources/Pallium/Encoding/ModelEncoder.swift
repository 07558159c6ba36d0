import Foundation
import PalliumCore
import PalliumJSON

/// Writes models as JSON text into one growing buffer, without recursion.
///
/// A frame stands for an object or array that was begun. What is written comes out in schema order; an object on the way
/// of key paths is taken back when nothing was written into it.
struct ModelEncoder: ~Copyable {
    var buffer: JSONByteBuffer
    let programs: JSONProgramSet
    let options: JSONAdapterOptions
    let nilPolicy: NilPolicy
    let maximumDepth: Int
    /// Which properties of root models are written; nil for all.
    let selection: PropertySelection?
    /// The slots that means for the root model at hand.
    var selectedSlots: [Bool] = []
    var frames: UnsafeMutablePointer<EncodingFrame>
    var frameCount = 0
    // Most documents need no more; memory for many frames is slow to get for a document of a single object.
    private var frameCapacity = 4
    /// Slots that frames point into and no model owns.
    private var temporaries: [TemporarySlot] = []
    /// Members that models keep, for the frames that write them.
    var preserved: [JSONObject] = []
    /// The program that was found last: the models of a list are mostly of one schema.
    private var lastProgram: (layout: UnsafePointer<LayoutTable>, program: Unmanaged<JSONProgram>)?

    init(programs: JSONProgramSet, options: JSONAdapterOptions, selection: PropertySelection?, capacity: Int) {
        buffer = JSONByteBuffer(capacity: capacity)
        self.programs = programs
        self.options = options
        self.selection = selection
        nilPolicy = options.nilPolicy
        maximumDepth = options.writing.maximumDepth
        frames = .allocate(capacity: frameCapacity)
    }

    deinit { frames.deallocate() }

    /// The text, whose memory goes to the caller.
    consuming func takeText() -> (memory: UnsafeMutableRawPointer, count: Int) {
        var empty = JSONByteBuffer(capacity: 1)
        swap(&empty, &buffer)
        return empty.takeMemory()
    }

    /// Writes a model.
    mutating func encode(_ model: DynamicModel) throws(ModelError) {
        do {
            try begin(Unmanaged.passUnretained(model), isRoot: true)
            while frameCount > 0 { try step() }
        } catch {
            let problem = error.isLocated ? error : error.at(pointerTokens()).located()
            frameCount = 0
            throw problem
        }
        if !temporaries.isEmpty { temporaries.removeAll() }
        if !preserved.isEmpty { preserved.removeAll() }
    }

    /// Writes one value by itself.
    mutating func encodeValue(_ slot: PropertySlot, _ value: UnsafePointer<ValueTable>) throws(ModelError) {
        try write(slot.pointer, slot.state, value)
        while frameCount > 0 { try step() }
    }

    // MARK: Frames

    @inline(__always)
    mutating func push(_ frame: EncodingFrame) {
        if frameCount == frameCapacity { growFrames() }
        (frames + frameCount).initialize(to: frame)
        frameCount &+= 1
    }

    @inline(never)
    private mutating func growFrames() {
        let grown = UnsafeMutablePointer<EncodingFrame>.allocate(capacity: frameCapacity * 2)
        grown.moveInitialize(from: frames, count: frameCount)
        frames.deallocate()
        frames = grown
        frameCapacity *= 2
    }

    @inline(__always)
    private mutating func program(for table: UnsafePointer<LayoutTable>) throws(ModelError) -> Unmanaged<JSONProgram> {
        if let lastProgram, lastProgram.layout == table { return lastProgram.program }
        return try findProgram(for: table)
    }

    @inline(never)
    private mutating func findProgram(for table: UnsafePointer<LayoutTable>) throws(ModelError) -> Unmanaged<
        JSONProgram
    > {
        let layout = table.pointee.layout.takeUnretainedValue()
        guard let program = programs.program(for: layout) else {
            throw ModelError(
                .unknownModel, expected: "a model of \(programs.root.layout.schema.name) or a schema it refers to",
                found: "a model of \(layout.schema.name)", schema: layout.schema.name)
        }
        let reference = Unmanaged.passUnretained(program)
        lastProgram = (table, reference)
        return reference
    }

    @inline(__always)
    private mutating func begin(
        _ model: Unmanaged<DynamicModel>, isRoot: Bool, expected: UnsafePointer<ValueTable>? = nil
    ) throws(ModelError) {
        if frameCount >= maximumDepth { throw depthError(model) }
        let (table, slots, hasCompanion) = model._withUnsafeGuaranteedRef { ($0.table, $0.slots, $0.hasCompanion) }
        let program: Unmanaged<JSONProgram>
        if let usual = expected?.pointee.model, usual._withUnsafeGuaranteedRef({ $0.table }) == table {
            program = usual
        } else {
            program = try self.program(for: table)
        }
        let (node, entries, count) = program._withUnsafeGuaranteedRef {
            (Unmanaged.passUnretained($0.output), $0.output.entries, $0.output.count)
        }
        buffer.append(byte: UInt8(ascii: "{"))
        var frame = EncodingFrame(
            kind: .model, count: count, node: node, entries: entries, model: model, slots: slots,
            states: (slots + table.pointee.stateOffset).assumingMemoryBound(to: UInt8.self),
            isSelective: isRoot && selection != nil)
        if isRoot, let selection {
            selectedSlots = selection.slots(of: table.pointee.layout.takeUnretainedValue())
        }
        // A selection of properties leaves everything else out.
        if hasCompanion, !isRoot || selection?.only == nil {
            frame.preserved = keepMembers(of: model.takeUnretainedValue())
        }
        push(frame)
    }

    private mutating func keepMembers(of model: DynamicModel) -> Int {
        guard let members = model.preservedMembers else { return -1 }
        preserved.append(members)
        return preserved.count - 1
    }

    @inline(never)
    func depthError(_ model: Unmanaged<DynamicModel>?) -> ModelError {
        if let model, (0..<frameCount).contains(where: { frames[$0].model?.toOpaque() == model.toOpaque() }) {
            let name = model.takeUnretainedValue().schema.name
            return ModelError(
                .cycle, expected: "a tree of models", found: "a \(name) that contains itself", schema: name)
        }
        return ModelError(.depthLimit, expected: "at most \(maximumDepth) levels", found: "more")
    }

    /// Writes up to the next object or array that begins or ends.
    private mutating func step() throws(ModelError) {
        let depth = frameCount
        let frame = frames + (depth &- 1)
        switch frame.pointee.kind {
        case .model, .path:
            guard let entries = frame.pointee.entries else { return end() }
            let count = frame.pointee.count
            while frame.pointee.index < count {
                let entry = entries + frame.pointee.index
                frame.pointee.index &+= 1
                try write(entry, frame)
                if frameCount != depth { return }
            }
            try endObject(frame)
        case .array:
            guard let list = frame.pointee.list, let element = frame.pointee.element else { return end() }
            let count = frame.pointee.count
            while frame.pointee.index < count {
                let slot = list._withUnsafeGuaranteedRef { $0.slot(at: frame.pointee.index) }
                if frame.pointee.index > 0 { buffer.append(byte: UInt8(ascii: ",")) }
                frame.pointee.index &+= 1
                try writeElement(slot, element)
                if frameCount != depth { return }
            }
            buffer.append(byte: UInt8(ascii: "]"))
            end()
        case .dictionary: try stepDictionary(frame, depth)
        }
    }

    private mutating func stepDictionary(_ frame: UnsafeMutablePointer<EncodingFrame>, _ depth: Int) throws(ModelError)
    {
        guard let list = frame.pointee.list?.takeUnretainedValue() as? SlotDictionary,
            let element = frame.pointee.element
        else { return end() }
        while frame.pointee.index < list.count {
            let index = frame.pointee.index
            if index > 0 { buffer.append(byte: UInt8(ascii: ",")) }
            frame.pointee.index += 1
            buffer.append(quoted: list.keys[index])
            buffer.append(byte: UInt8(ascii: ":"))
            try writeElement(list.slot(at: index), element)
            if frameCount != depth { return }
        }
        buffer.append(byte: UInt8(ascii: "}"))
        end()
    }

    @inline(__always)
    mutating func end() { frameCount &-= 1 }

    @inline(__always)
    private mutating func endObject(_ frame: UnsafeMutablePointer<EncodingFrame>) throws(ModelError) {
        if frame.pointee.kind == .path || frame.pointee.preserved >= 0 { return try endSpecialObject(frame) }
        buffer.append(byte: UInt8(ascii: "}"))
        end()
    }

    mutating func write(_ value: JSONValue) throws(ModelError) {
        var compact = JSONWritingOptions()
        compact.maximumDepth = maximumDepth
        do { try buffer.append(value: value, options: compact) } catch { throw ModelError(error) }
    }

    // MARK: Members

    @inline(__always)
    mutating func writePrefix(_ entry: UnsafePointer<OutputNode.Entry>, _ frame: UnsafeMutablePointer<EncodingFrame>) {
        let skipped = frame.pointee.isFirst ? 1 : 0
        buffer.append(padded: entry.pointee.prefix + skipped, count: entry.pointee.prefixCount &- skipped)
        frame.pointee.isFirst = false
    }

    @inline(__always)
    mutating func write(
        _ entry: UnsafePointer<OutputNode.Entry>, _ frame: UnsafeMutablePointer<EncodingFrame>
    ) throws(ModelError) {
        guard entry.pointee.action == .value, !frame.pointee.isSelective, let value = entry.pointee.value else {
            return try writeSpecial(entry, frame)
        }
        let index = entry.pointee.slot
        let state = SlotState(rawValue: frame.pointee.states[index])
        if state.hasValue, !state.isDefaulted {
            writePrefix(entry, frame)
            return try write(frame.pointee.slots + index &* 16, frame.pointee.states + index, value)
        }
        try writeAbsent(entry, value, state, frame)
    }

    // MARK: Values

    @inline(__always)
    private mutating func writeElement(_ slot: PropertySlot, _ element: UnsafePointer<ValueTable>) throws(ModelError) {
        if slot.hasValue {
            try write(slot.pointer, slot.state, element)
        } else {
            buffer.append(literal: "null")
        }
    }

    /// Writes a value that is there.
    @inline(__always)
    mutating func write(
        _ slot: UnsafeMutableRawPointer, _ state: UnsafeMutablePointer<UInt8>, _ value: UnsafePointer<ValueTable>
    ) throws(ModelError) {
        switch value.pointee.operation {
        case .string: buffer.append(quoted: slot.assumingMemoryBound(to: String.self))
        case .integer: buffer.append(integer: slot.load(as: Int64.self))
        case .url where !SlotState(rawValue: state.pointee).isBoxed:
            buffer.append(quoted: slot.assumingMemoryBound(to: String.self))
        case .iso8601Date:
            if !writeDate(slot.load(as: Double.self)) {
                throw dateError(PropertySlot(pointer: slot, state: state, descriptor: value.pointee.descriptor))
            }
        case .enumeration where !SlotState(rawValue: state.pointee).isBoxed:
            guard let cases = value.pointee.cases else { return }
            let text = cases + slot.load(as: Int.self)
            if let start = text.pointee.baseAddress { buffer.append(padded: start, count: text.pointee.count) }
        case .bool:
            if slot.load(as: UInt64.self) != 0 {
                buffer.append(literal: "true")
            } else {
                buffer.append(literal: "false")
            }
        case .model:
            try begin(Unmanaged.fromOpaque(slot.load(as: UnsafeRawPointer.self)), isRoot: false, expected: value)
        case .array, .set, .dictionary:
            if frameCount >= maximumDepth { throw depthError(nil) }
            let list = Unmanaged<SlotList>.fromOpaque(slot.load(as: UnsafeRawPointer.self))
            let isDictionary = value.pointee.operation == .dictionary
            buffer.append(byte: isDictionary ? UInt8(ascii: "{") : UInt8(ascii: "["))
            push(
                EncodingFrame(
                    kind: isDictionary ? .dictionary : .array, count: list._withUnsafeGuaranteedRef { $0.count },
                    list: list, element: value.pointee.element, slots: slot, states: state))
        default:
            try writeOther(
                PropertySlot(pointer: slot, state: state, descriptor: value.pointee.descriptor), value)
        }
    }

    /// False when the date has no text.
    @inline(__always)
    private mutating func writeDate(_ seconds: Double) -> Bool {
        let written = buffer.appendBytes(atMost: ISO8601Text.maximumWrittenByteCount + 2) { start in
            start.pointee = UInt8(ascii: "\"")
            guard let count = ISO8601Text.write(seconds, into: start + 1) else { return 0 }
            start[count &+ 1] = UInt8(ascii: "\"")
            return count &+ 2
        }
        return written > 0
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
        for frame in UnsafeBufferPointer(start: frames, count: frameCount) {
            let index = frame.index - 1
            switch frame.kind {
            case .model, .path:
                if index >= 0, let node = frame.node?.takeUnretainedValue(), index < node.members.count {
                    tokens.append(node.members[index].name)
                }
            case .array: if index >= 0 { tokens.append("\(index)") }
            case .dictionary:
                if index >= 0, let list = frame.list?.takeUnretainedValue() as? SlotDictionary, index < list.keys.count
                {
                    tokens.append(list.keys[index])
                }
            }
        }
        return tokens
    }
}
