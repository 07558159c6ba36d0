import Foundation
import PalliumCore
import PalliumJSON

/// Writes models as JSON text into one growing buffer, without recursion.
///
/// A frame stands for an object or array whose text has begun. Members are written in schema order. An object on a key
/// path is removed again if nothing was written into it.
///
/// Safety: `frames` belongs to the encoder; `EncodingFrame` says what a frame points at.
@safe
struct ModelEncoder: ~Copyable {
    var buffer: JSONByteBuffer
    let plans: JSONPlanSet
    let options: JSONAdapterOptions
    let nilPolicy: PropertySchema.NilPolicy
    /// Whether unset properties are left out, unless their own policy says otherwise.
    private let skipsUnset: Bool
    var maximumDepth: Int
    /// Whether the plans are for whole models.
    private let isWhole: Bool
    /// Chooses the properties that are written by your closures.
    let filter: PropertyFilter?
    /// The key of hashes, where the plans redact.
    let redaction: Redaction?
    /// Whether each slot is written, for the models of frames.
    var selections: [[Bool]] = []
    /// Whether neither an option nor the marks need to see each model.
    private let isPlain: Bool
    /// Whether the text is a part of an existing document and need not be decodable alone.
    let isPartial: Bool
    /// Whether required properties may lack a value.
    let allowsIncomplete: Bool
    /// The model's index in the array that is written; -1 for a single model.
    var element = -1
    /// The models to be checked after they are written, outer ones first.
    var records: [WrittenModel] = []
    var frames: UnsafeMutablePointer<EncodingFrame>
    var frameCount = 0
    // Four frames are enough for most documents, and memory for many frames is slow to get for a single object.
    private var frameCapacity = 4
    /// Slots that frames point into and that no model owns.
    private var temporaries: [TemporarySlot] = []
    /// The models and lists of frames that your code could release.
    private var held: [AnyObject] = []
    /// The encoded values of split properties, for the models whose frames have `hasParts`.
    var splitValues: [SplitValue] = []
    /// How many split values contain this one; each has its own encoder.
    let splitDepth: Int
    /// Which values are marked for the caller.
    let markedValues: MarkedValues
    /// What the caller needs to know about values.
    var marks = DocumentMarks()
    /// The nodes of `marks` for the frames that have `hasPathNode`, which are always the bottom of the stack.
    var pathNodes: [Int] = []
    /// The unknown members of models, for the frames that write them.
    var preserved: [JSONObject] = []
    /// The plan of the last model: the models of a list mostly have one schema.
    private var lastPlan:
        (layout: UnsafePointer<RawLayout>, value: UnsafePointer<ValueTable>?, plan: Unmanaged<JSONPlan>)?

    init(
        plans: JSONPlanSet, options: JSONAdapterOptions, filter: PropertyFilter? = nil, redaction: Redaction? = nil,
        isPartial: Bool = false,
        markedValues: MarkedValues = .none, splitDepth: Int = 0, capacity: Int
    ) {
        buffer = JSONByteBuffer(capacity: capacity)
        self.plans = plans
        isWhole = !plans.hasSelections
        self.options = options
        self.filter = filter
        self.redaction = redaction
        self.isPartial = isPartial
        self.markedValues = markedValues
        self.splitDepth = splitDepth
        isPlain = filter == nil && options.didWrite == nil && markedValues != .all
        allowsIncomplete = isPartial || options.writesIncompleteModels
        nilPolicy = options.nilPolicy
        skipsUnset = options.nilPolicy != .write
        maximumDepth = options.writing.maximumDepth
        unsafe frames = .allocate(capacity: frameCapacity)
    }

    deinit { unsafe frames.deallocate() }

    /// Writes a model.
    mutating func encode(_ model: DynamicModel) throws(ModelError) {
        defer { release() }
        do {
            let start = buffer.count
            try unsafe begin(Unmanaged.passUnretained(model))
            while frameCount > 0 { try step() }
            if !records.isEmpty { try finishRecords(from: start) }
        } catch {
            let located = error.isLocated ? error : error.at(pointerTokens()).located()
            throw plans.labelledPaths?.masked(located) ?? located
        }
    }

    /// Releases everything that frames pointed at; there are no frames any more.
    private mutating func release() {
        if !temporaries.isEmpty { temporaries.removeAll() }
        if !preserved.isEmpty { preserved.removeAll() }
        if !splitValues.isEmpty { splitValues.removeAll() }
        if !isPlain { selections.removeAll() }
        if !records.isEmpty { records.removeAll() }
        if !held.isEmpty { held.removeAll() }
    }

    // MARK: Frames

    @inline(__always)
    mutating func push(_ frame: EncodingFrame) {
        if frameCount == frameCapacity { growFrames() }
        unsafe (frames + frameCount).initialize(to: frame)
        frameCount &+= 1
    }

    @inline(never)
    private mutating func growFrames() {
        let grown = UnsafeMutablePointer<EncodingFrame>.allocate(capacity: frameCapacity * 2)
        unsafe grown.moveInitialize(from: frames, count: frameCount)
        unsafe frames.deallocate()
        unsafe frames = grown
        frameCapacity *= 2
    }

    /// Returns the plan of a model in a value; nil stands for the root.
    @inline(__always)
    private mutating func plan(
        for rawLayout: UnsafePointer<RawLayout>, in value: UnsafePointer<ValueTable>?
    ) throws(ModelError) -> Unmanaged<JSONPlan> {
        // A projection may select something else in each value.
        if let lastPlan = unsafe lastPlan, unsafe lastPlan.layout == rawLayout,
            unsafe isWhole || lastPlan.value == value
        {
            return unsafe lastPlan.plan
        }
        return try unsafe findPlan(for: rawLayout, in: value)
    }

    @inline(never)
    private mutating func findPlan(
        for rawLayout: UnsafePointer<RawLayout>, in value: UnsafePointer<ValueTable>?
    ) throws(ModelError) -> Unmanaged<JSONPlan> {
        let layout = unsafe rawLayout.pointee.layout.takeUnretainedValue()
        let expected = unsafe value?.pointee.model?.takeUnretainedValue() ?? plans.root
        guard let plan = plans.plan(for: layout, like: expected) else {
            // The keys of a projection are those of the root.
            let others = isWhole ? " or a schema it refers to" : ""
            throw ModelError(
                .unknownModel, expected: "a model of \(plans.root.layout.schema.name)\(others)",
                found: "a model of \(layout.schema.name)", schema: layout.schema.name)
        }
        let reference = unsafe Unmanaged.passUnretained(plan)
        unsafe lastPlan = (rawLayout, value, reference)
        return unsafe reference
    }

    @inline(__always)
    private mutating func begin(
        _ model: Unmanaged<DynamicModel>, expected: UnsafePointer<ValueTable>? = nil
    ) throws(ModelError) {
        if frameCount >= maximumDepth { throw unsafe depthError(model) }
        let (rawLayout, slots, hasCompanion) = unsafe model._withUnsafeGuaranteedRef {
            unsafe ($0.rawLayout, $0.slots, $0.hasCompanion)
        }
        let plan: Unmanaged<JSONPlan>
        if let usual = unsafe expected?.pointee.model,
            unsafe usual._withUnsafeGuaranteedRef({ unsafe $0.rawLayout }) == rawLayout
        {
            unsafe plan = usual
        } else {
            unsafe plan = try self.plan(for: rawLayout, in: expected)
        }
        let (node, entries, count) = unsafe plan._withUnsafeGuaranteedRef {
            unsafe (Unmanaged.passUnretained($0.output), $0.output.entries, $0.output.count)
        }
        unsafe DynamicModel.prefetchHeld(slots, rawLayout)
        unsafe model._withUnsafeGuaranteedRef { $0.didReadAll() }
        buffer.append(byte: UInt8(ascii: "{"))
        var frame = unsafe EncodingFrame(
            kind: .model, count: count, node: node, entries: entries,
            object: Unmanaged.fromOpaque(model.toOpaque()), element: expected, slots: slots,
            states: (slots + rawLayout.pointee.stateOffset).assumingMemoryBound(to: UInt8.self))
        if hasCompanion { unsafe frame.preserved = keepMembers(of: model.takeUnretainedValue(), plan) }
        if !isPlain { unsafe recordModel(model.takeUnretainedValue(), &frame) }
        unsafe push(frame)
    }

    private mutating func keepMembers(of model: DynamicModel, _ plan: Unmanaged<JSONPlan>) -> Int {
        guard unsafe plan.takeUnretainedValue().selection?.keepsUnknownMembers ?? true,
            filter?.keepsUnknownMembers ?? true,
            let members = model.unknownMembers
        else { return -1 }
        preserved.append(members)
        return preserved.count - 1
    }

    /// Writes up to the next object or array that begins or ends.
    mutating func step() throws(ModelError) {
        let depth = frameCount
        let frame = unsafe frames + (depth &- 1)
        switch unsafe frame.pointee.kind {
        case .model, .path:
            let entries = unsafe frame.pointee.entries!
            while true {
                let index = unsafe frame.pointee.index
                if unsafe index == frame.pointee.count { break }
                unsafe frame.pointee.index = index &+ 1
                try unsafe write(entries + index, frame)
                if frameCount != depth { return }
            }
            try unsafe endObject(frame)
        case .array:
            // A frame of this kind was pushed for a list.
            let (list, element) = unsafe (frame.pointee.object!, frame.pointee.element!)
            let count = unsafe frame.pointee.count
            while unsafe frame.pointee.index < count {
                let slot = unsafe list._withUnsafeGuaranteedRef {
                    unsafe unsafeDowncast($0, to: SlotList.self).slot(at: frame.pointee.index)
                }
                if unsafe frame.pointee.index > 0 { buffer.append(byte: UInt8(ascii: ",")) }
                unsafe frame.pointee.index &+= 1
                try unsafe writeElement(slot, element)
                if frameCount != depth { return }
            }
            buffer.append(byte: UInt8(ascii: "]"))
            end()
        case .dictionary: try unsafe stepDictionary(frame, depth)
        case .split: try makeSplitValue()
        }
    }

    /// Goes to the next member that is not left out because its property is unset. Most properties of most models are.
    @inline(__always)
    private func skipUnset(_ frame: UnsafeMutablePointer<EncodingFrame>) {
        var index = unsafe frame.pointee.index
        let (entries, states) = unsafe (frame.pointee.entries!, frame.pointee.states)
        while unsafe index < frame.pointee.count, unsafe entries[index].skipsUnset,
            unsafe SlotState(rawValue: states[entries[index].slot]).isUnset
        {
            index &+= 1
        }
        unsafe frame.pointee.index = index
    }

    private mutating func stepDictionary(_ frame: UnsafeMutablePointer<EncodingFrame>, _ depth: Int) throws(ModelError)
    {
        let element = unsafe frame.pointee.element!
        let list = unsafe SlotOperations.dictionary(frame.pointee.object!)
        while unsafe frame.pointee.index < list.count {
            let index = unsafe frame.pointee.index
            if index > 0 { buffer.append(byte: UInt8(ascii: ",")) }
            unsafe frame.pointee.index += 1
            buffer.append(quoted: list.keys[index])
            buffer.append(byte: UInt8(ascii: ":"))
            try unsafe writeElement(list.slot(at: index), element)
            if frameCount != depth { return }
        }
        buffer.append(byte: UInt8(ascii: "}"))
        end()
    }

    @inline(__always)
    mutating func end() { frameCount &-= 1 }

    @inline(__always)
    private mutating func endObject(_ frame: UnsafeMutablePointer<EncodingFrame>) throws(ModelError) {
        if unsafe frame.pointee.kind == .path || frame.pointee.preserved >= 0 {
            return try unsafe endSpecialObject(frame)
        }
        buffer.append(byte: UInt8(ascii: "}"))
        end()
    }

    // MARK: Members

    @inline(__always)
    mutating func writePrefix(_ entry: UnsafePointer<EncodingNode.Entry>, _ frame: UnsafeMutablePointer<EncodingFrame>)
    {
        let skipped = unsafe frame.pointee.isFirst ? 1 : 0
        unsafe buffer.append(padded: entry.pointee.prefix + skipped, count: entry.pointee.prefixCount &- skipped)
        unsafe frame.pointee.isFirst = false
    }

    @inline(__always)
    mutating func write(
        _ entry: UnsafePointer<EncodingNode.Entry>, _ frame: UnsafeMutablePointer<EncodingFrame>
    ) throws(ModelError) {
        guard unsafe entry.pointee.action == .value, unsafe frame.pointee.selection < 0,
            let value = unsafe entry.pointee.value
        else {
            return try unsafe writeSpecial(entry, frame)
        }
        let index = unsafe entry.pointee.slot
        let state = unsafe SlotState(rawValue: frame.pointee.states[index])
        if state.hasValue, !state.isDefaulted {
            unsafe writePrefix(entry, frame)
            return try unsafe write(frame.pointee.slots + index &* 16, frame.pointee.states + index, value)
        }
        if skipsUnset, state.isUnset, unsafe entry.pointee.skipsUnset { return unsafe skipUnset(frame) }
        try unsafe writeAbsent(entry, value, state, frame)
    }

    // MARK: Values

    @inline(__always)
    private mutating func writeElement(_ slot: PropertySlot, _ element: UnsafePointer<ValueTable>) throws(ModelError) {
        if slot.hasValue {
            try unsafe write(slot.pointer, slot.state, element)
        } else {
            buffer.append(literal: "null")
        }
    }

    /// Writes a value that is neither unset nor null.
    @inline(__always)
    mutating func write(
        _ slot: UnsafeMutableRawPointer, _ state: UnsafeMutablePointer<UInt8>, _ value: UnsafePointer<ValueTable>
    ) throws(ModelError) {
        switch unsafe value.pointee.operation {
        case .string: unsafe buffer.append(quoted: slot.assumingMemoryBound(to: String.self))
        case .integer: unsafe buffer.append(integer: slot.load(as: Int64.self))
        case .url where unsafe !SlotState(rawValue: state.pointee).isBoxed:
            if unsafe SlotState(rawValue: state.pointee).isPacked {
                let text = unsafe SlotOperations.packedText(slot)
                unsafe buffer.append(quoted: text.baseAddress!, count: text.count)
            } else {
                unsafe buffer.append(quoted: slot.assumingMemoryBound(to: String.self))
            }
        case .iso8601Date:
            var date = unsafe slot.load(as: SpelledDate.self)
            if markedValues == .sets { date.spelling = .canonical }
            if !writeDate(date) {
                throw unsafe notConvertible(
                    PropertySlot(pointer: slot, state: state, descriptor: value.pointee.descriptor), value)
            }
        case .enumeration where unsafe !SlotState(rawValue: state.pointee).isBoxed:
            // A slot that holds the number of a case has a kind with cases.
            let text = unsafe value.pointee.cases! + slot.load(as: Int.self)
            if let start = unsafe text.pointee.baseAddress {
                unsafe buffer.append(padded: start, count: text.pointee.count)
            }
        case .bool:
            if unsafe slot.load(as: UInt64.self) != 0 {
                buffer.append(literal: "true")
            } else {
                buffer.append(literal: "false")
            }
        case .model:
            try unsafe begin(Unmanaged.fromOpaque(slot.load(as: UnsafeRawPointer.self)), expected: value)
        case .array, .set, .dictionary:
            if frameCount >= maximumDepth { throw unsafe depthError(nil) }
            // A slot of these kinds that has a value holds a list.
            let object = unsafe Unmanaged<AnyObject>.fromOpaque(slot.load(as: UnsafeRawPointer.self))
            let count = unsafe object._withUnsafeGuaranteedRef { unsafe unsafeDowncast($0, to: SlotList.self).count }
            if markedValues != .none, unsafe value.pointee.operation == .set { marks.markSet(pathNode()) }
            let isDictionary = unsafe value.pointee.operation == .dictionary
            buffer.append(byte: isDictionary ? UInt8(ascii: "{") : UInt8(ascii: "["))
            unsafe push(
                EncodingFrame(
                    kind: isDictionary ? .dictionary : .array, count: count, object: object,
                    element: value.pointee.element, slots: slot, states: state))
        default:
            try unsafe writeOther(
                PropertySlot(pointer: slot, state: state, descriptor: value.pointee.descriptor), value)
        }
    }

    /// Returns false if the date has no text.
    @inline(__always)
    private mutating func writeDate(_ date: SpelledDate) -> Bool {
        let written = unsafe buffer.appendBytes(atMost: ISO8601Text.maximumWrittenByteCount + 2) { start in
            unsafe start.pointee = UInt8(ascii: "\"")
            guard let count = unsafe ISO8601Text.write(date, into: start + 1) else { return 0 }
            unsafe start[count &+ 1] = UInt8(ascii: "\"")
            return count &+ 2
        }
        return written > 0
    }

    /// Keeps a temporary slot that a frame points into.
    mutating func keep(_ temporary: TemporarySlot) { temporaries.append(temporary) }

    /// Retains a model that has no frame yet.
    mutating func hold(_ model: DynamicModel) { held.append(model) }

    /// Retains the objects of all frames, because your code is about to run and may change the models. Frames are
    /// retained from the bottom up, so models without transformers pay nothing.
    mutating func holdFrames() {
        var index = frameCount
        while index > 0, unsafe !frames[index - 1].isHeld {
            index -= 1
            unsafe frames[index].isHeld = true
            if let object = unsafe frames[index].object { unsafe held.append(object.takeUnretainedValue()) }
        }
    }
}
