import Foundation
import PalliumCore
import PalliumJSON

/// Writes models as JSON text into one growing buffer, without recursion.
///
/// A frame stands for an object or array whose text has begun. Members are written in schema order. An object on a key
/// path is removed again if nothing was written into it.
///
/// Safety: the caller holds the model for the whole call, and the encoder holds the plans.
struct ModelEncoder: ~Copyable {
    var buffer: JSONByteBuffer
    let plans: JSONPlanSet
    let options: JSONAdapterOptions
    let nilPolicy: PropertySchema.NilPolicy
    /// Whether unset properties are left out, unless their own policy says otherwise.
    private let skipsUnset: Bool
    var maximumDepth: Int
    /// Whether the plans write models with all their properties.
    private let isUnprojected: Bool
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
    var frames = FrameStack<EncodingFrame>()
    /// Slots that frames point into and that no model owns.
    private var temporaries: [TemporarySlot] = []
    /// The models and lists of frames that your code could release.
    private var held: [AnyObject] = []
    /// The encoded values of split properties, for the models whose frames have `hasParts`.
    var splitValues: [SplitValue] = []
    /// How many encoders wait for this one, which encodes a split or redacted value.
    let splitDepth: Int
    /// Which values are marked for the caller.
    let markedValues: MarkedValues
    /// What the caller needs to know about values.
    var marks = DocumentMarks()
    /// The nodes of `marks` for the frames that have `hasPathNode`, which are always the bottom of the stack.
    var pathNodes: [Int] = []
    /// The unknown members of models, for the frames that write them.
    var unknownMembers: [JSONObject] = []
    /// The plan of the last model: the models of a list mostly have one schema.
    private var lastPlan: (value: ValueHandle?, plan: Unowned<JSONPlan>)?

    init(
        plans: JSONPlanSet, options: JSONAdapterOptions, filter: PropertyFilter? = nil, redaction: Redaction? = nil,
        isPartial: Bool = false,
        markedValues: MarkedValues = .none, splitDepth: Int = 0, capacity: Int
    ) {
        buffer = JSONByteBuffer(capacity: capacity)
        self.plans = plans
        isUnprojected = !plans.hasSelections
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
    }

    /// Writes a model.
    mutating func encode(_ model: DynamicModel) throws(ModelError) {
        defer { release() }
        do {
            let start = buffer.count
            try begin(unsafe Unowned(model))
            while !frames.isEmpty { try step() }
            if !records.isEmpty { try finishRecords(from: start) }
        } catch {
            let located = error.isLocated ? error : error.at(pointerTokens()).located()
            frames.removeAll()
            throw plans.labelledPaths?.masked(located) ?? located
        }
    }

    /// Releases everything that frames pointed at; there are no frames any more.
    private mutating func release() {
        if !temporaries.isEmpty { temporaries.removeAll() }
        if !unknownMembers.isEmpty { unknownMembers.removeAll() }
        if !splitValues.isEmpty { splitValues.removeAll() }
        if !isPlain { selections.removeAll() }
        if !records.isEmpty { records.removeAll() }
        if !held.isEmpty { held.removeAll() }
    }

    // MARK: Models

    @inline(__always)
    mutating func begin(_ model: Unowned<DynamicModel>, in value: ValueHandle? = nil) throws(ModelError) {
        if frames.count >= maximumDepth { throw depthError(model) }
        let plan: Unowned<JSONPlan>
        let members: EncodingMembers
        if let usual = value?.model, let found = EncodingMembers(of: model, by: usual) {
            (plan, members) = (usual, found)
        } else {
            (plan, members) = try findPlan(for: model, in: value)
        }
        model.prefetchHeld()
        model.with { $0.didReadAll() }
        buffer.append(byte: UInt8(ascii: "{"))
        var frame = EncodingFrame(model, members, in: value)
        if model.with({ $0.hasCompanion }) { frame.unknownMembers = keepMembers(of: model.object, plan.object) }
        if !isPlain { recordModel(model.object, members, &frame) }
        frames.push(frame)
    }

    /// Returns the plan of a model in a value; nil stands for the root.
    @inline(__always)
    mutating func findPlan(
        for model: Unowned<DynamicModel>, in value: ValueHandle?
    ) throws(ModelError) -> (Unowned<JSONPlan>, EncodingMembers) {
        // A projection may select something else in each value.
        if let lastPlan, isUnprojected || lastPlan.value == value,
            let members = EncodingMembers(of: model, by: lastPlan.plan)
        {
            return (lastPlan.plan, members)
        }
        return try findOtherPlan(for: model, in: value)
    }

    @inline(never)
    private mutating func findOtherPlan(
        for model: Unowned<DynamicModel>, in value: ValueHandle?
    ) throws(ModelError) -> (Unowned<JSONPlan>, EncodingMembers) {
        let layout = model.object.layout
        guard let found = plans.plan(for: layout, like: value?.model?.object ?? plans.root) else {
            // The keys of a projection are those of the root.
            let others = isUnprojected ? " or a schema it refers to" : ""
            throw ModelError(
                .unknownModel, expected: "a model of \(plans.root.layout.schema.name)\(others)",
                found: "a model of \(layout.schema.name)", schema: layout.schema.name)
        }
        // The plan is that of the model's layout.
        let plan = unsafe Unowned(found)
        lastPlan = (value, plan)
        return (plan, EncodingMembers(of: model, by: plan)!)
    }

    private mutating func keepMembers(of model: DynamicModel, _ plan: JSONPlan) -> Int {
        guard plan.selection?.keepsUnknownMembers ?? true, filter?.keepsUnknownMembers ?? true,
            let members = model.unknownMembers
        else { return -1 }
        unknownMembers.append(members)
        return unknownMembers.count - 1
    }

    @inline(__always)
    private mutating func begin(_ elements: SlotElements) throws(ModelError) {
        if frames.count >= maximumDepth { throw depthError() }
        if markedValues != .none, elements.value.operation == .set { marks.markSet(pathNode()) }
        buffer.append(byte: elements.isDictionary ? UInt8(ascii: "{") : UInt8(ascii: "["))
        frames.push(EncodingFrame(elements))
    }

    // MARK: Steps

    /// Writes up to the next object or array that begins or ends.
    mutating func step() throws(ModelError) {
        let depth = frames.count
        switch frames.top.kind {
        case .model, .path:
            guard let members = frames.top.members else { return }
            while let member = members[frames.top.index] {
                frames.top.index &+= 1
                try write(member)
                if frames.count != depth { return }
            }
            if frames.top.kind == .path || frames.top.unknownMembers >= 0 { return try endSpecialObject() }
            buffer.append(byte: UInt8(ascii: "}"))
            frames.pop()
        case .array:
            guard let elements = frames.top.elements else { return }
            let count = elements.count
            while frames.top.index < count {
                let index = frames.top.index
                if index > 0 { buffer.append(byte: UInt8(ascii: ",")) }
                frames.top.index = index &+ 1
                try write(elements[index])
                if frames.count != depth { return }
            }
            buffer.append(byte: UInt8(ascii: "]"))
            frames.pop()
        case .dictionary: try stepDictionary(depth)
        }
    }

    private mutating func stepDictionary(_ depth: Int) throws(ModelError) {
        guard let elements = frames.top.elements else { return }
        while frames.top.index < elements.count {
            let index = frames.top.index
            if index > 0 { buffer.append(byte: UInt8(ascii: ",")) }
            frames.top.index = index + 1
            buffer.append(quoted: elements.keys[index])
            buffer.append(byte: UInt8(ascii: ":"))
            try write(elements[index])
            if frames.count != depth { return }
        }
        buffer.append(byte: UInt8(ascii: "}"))
        frames.pop()
    }

    // MARK: Members

    @inline(__always)
    mutating func writePrefix(_ member: EncodingMember) {
        buffer.append(member.entry.prefix, skippingFirst: frames.top.isFirst)
        frames.top.isFirst = false
    }

    @inline(__always)
    private mutating func write(_ member: EncodingMember) throws(ModelError) {
        guard member.entry.action == .value, frames.top.selection < 0, let slot = member.slot else {
            return try writeSpecial(member)
        }
        if let filled = slot.filled, !slot.state.isDefaulted {
            writePrefix(member)
            return try write(filled)
        }
        if skipsUnset, member.isSkipped { return frames.top.skipUnset() }
        try writeAbsent(member, slot)
    }

    // MARK: Values

    /// Writes an element; nil is null.
    @inline(__always)
    private mutating func write(_ element: FilledSlot?) throws(ModelError) {
        guard let element else { return buffer.append(literal: "null") }
        try write(element)
    }

    @inline(__always)
    mutating func write(_ slot: FilledSlot) throws(ModelError) {
        switch slot.content {
        case .text(let text): buffer.append(quoted: text)
        case .packedText(let text): buffer.append(quoted: text)
        case .integer(let integer): buffer.append(integer: integer)
        case .bool(let bool):
            if bool { buffer.append(literal: "true") } else { buffer.append(literal: "false") }
        case .date(var date):
            if markedValues == .sets { date.spelling = .canonical }
            if !buffer.append(quoted: date) { throw notConvertible(slot) }
        case .enumerationCase(let text): buffer.append(text)
        case .model(let model): try begin(model, in: slot.value)
        case .elements(let elements): try begin(elements)
        case .other: try writeOther(slot)
        }
    }

    // MARK: Objects in use

    /// Keeps a temporary slot that a frame points into.
    mutating func keep(_ temporary: TemporarySlot) { temporaries.append(temporary) }

    /// Retains a model that has no frame yet.
    mutating func hold(_ model: DynamicModel) { held.append(model) }

    /// Retains the objects of all frames, because your code is about to run and may change the models. Frames are
    /// retained from the bottom up, so models without transformers pay nothing.
    mutating func holdFrames() {
        var index = frames.count
        while index > 0, !frames[index - 1].isHeld {
            index -= 1
            frames[index].isHeld = true
            if let model = frames[index].model { hold(model.object) }
            if let elements = frames[index].elements { held.append(elements.list.object) }
        }
    }
}
