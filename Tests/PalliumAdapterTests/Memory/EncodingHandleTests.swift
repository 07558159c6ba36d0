import Foundation
import ModelTestSupport
import TestSupport
import Testing

@testable import PalliumAdapter
@testable import PalliumCore
@testable import PalliumJSON

/// The members of the encoder's handles stay inside their memory, whatever their order. AddressSanitizer watches.
struct EncodingHandleTests {
    private static let schemas = [
        ModelSchema(
            "Record",
            [
                "text": .string.nullable, "link": .url.nullable, "moment": .date, "number": .integer.nullable,
                "ratio": .double, "flag": .bool, "data": .data, "tree": .jsonValue, "amount": .decimal,
                "state": .enumeration("open", "closed", "reopened", unknown: .keep),
                "near": .model("Record").nullable, "all": .array(of: .model("Record")).nullable,
                "words": .array(of: .string), "links": .set(of: .url), "named": .dictionary(of: .integer),
                "inner": .string.json("box.inner"), "deep": .integer.json("box.low.deep"),
                "point": .dictionary(of: .double).json(allOf: ["lat", "at.lon"]),
                "listed": .string.transformer("Listed"),
            ]),
        ModelSchema("Empty", [:]),
    ]

    private let registry: SchemaRegistry
    private let adapter: JSONAdapter<DynamicModel>
    private let empty: JSONAdapter<DynamicModel>

    init() throws {
        let listed = Transformer(from: [String].self, to: String.self) { texts, _ in
            texts.joined()
        } reverse: { text, _ in
            [text]
        }
        registry = try SchemaRegistry.of(Self.schemas, transformers: ["Listed": listed])
        adapter = try JSONAdapter(schema: Self.schemas[0], registry: registry)
        empty = try JSONAdapter(schema: Self.schemas[1], registry: registry)
    }

    // MARK: Random documents

    private func text(_ random: inout SeededGenerator, depth: Int = 0) -> String {
        let texts = [
            "\"\"", "\"short\"", "\"äöü\"", #""a \"quoted\" text of more than fifteen bytes""#,
            "\"\(String(repeating: "long ", count: random.below(20)))\"",
        ]
        let links = [#""https://example.org/a/long/path?with=a&query=1""#, #""mailto:a@example.org""#]
        let nullable = ["text", "link", "number", "near", "all"]
        var members = [
            ("text", random.pick(texts)), ("link", random.pick(links)), ("moment", #""2015-09-25T07:00:00Z""#),
            ("number", "\(Int(truncatingIfNeeded: random.next()))"), ("ratio", "\(random.below(1000)).25"),
            ("flag", random.pick(["true", "false"])), ("state", random.pick([#""open""#, #""reopened""#, #""torn""#])),
            ("data", #""AAEC""#), ("tree", #"{"a":[1,null]}"#), ("amount", "1.05"),
            ("words", "[\(random.pick(texts))]"),
            ("links", "[\(random.pick(links))]"), ("named", #"{"a":1,"b":2}"#), ("lat", "1.5"), ("at", #"{"lon":2}"#),
            ("box", #"{"inner":\#(random.pick(texts)),"low":{"deep":3}}"#), ("listed", #"["a"]"#),
        ]
        if depth < 2 {
            members.append(("near", text(&random, depth: depth + 1)))
            members.append(("all", "[\(text(&random, depth: depth + 1)),\(text(&random, depth: depth + 1))]"))
        }
        let chosen = members.compactMap { member in
            let isNull = nullable.contains(member.0) && random.once(in: 5)
            return random.once(in: 3) ? nil : "\"\(member.0)\":\(isNull ? "null" : member.1)"
        }
        return "{\(chosen.joined(separator: ","))}"
    }

    // MARK: A random walk

    /// The handles that a walk has met.
    private struct Met {
        var models: [Unowned<DynamicModel>] = []
        var members: [EncodingMembers] = []
        var member: [EncodingMember] = []
        var slots: [ReadableSlot] = []
        var filled: [FilledSlot] = []
        var elements: [SlotElements] = []
        var values: [ValueHandle] = []
    }

    @Test(.trials) func handlesReadWhatTheirSlotsHold() throws {
        for seed in Trials(20) {
            var random = SeededGenerator(seed: seed)
            let model = try adapter.model(from: text(&random))
            // The model and the adapters outlive all handles of the round.
            defer { withExtendedLifetime((model, adapter, empty)) {} }
            let plans = unsafe [Unowned(adapter.plans.root), Unowned(empty.plans.root)]
            var met = Met()
            met.models.append(unsafe Unowned(model))
            var frames = FrameStack<EncodingFrame>()
            for _ in 0..<600 {
                switch random.below(9) {
                case 0:
                    let plan = random.pick(plans)
                    let model = random.pick(met.models)
                    let members = EncodingMembers(of: model, by: plan)
                    #expect((members != nil) == (plan.object === plans[0].object))
                    if let members { met.members.append(members) }
                case 1: step(&met, &random)
                case 2: look(&met, &random)
                case 3: try read(&met, &random)
                case 4: element(&met, &random)
                case 5: value(&met, &random)
                case 6: push(&frames, met, &random)
                case 7 where !frames.isEmpty:
                    if frames.top.members != nil, random.once(in: 2) {
                        frames.top.skipUnset()
                        frames.top.index = min(frames.top.index, frames.top.members?.node.object.count ?? 0)
                        let name = frames.top.member?.name
                        #expect((name != nil) == (frames.top.index > 0))
                    } else {
                        frames.pop()
                    }
                default: break
                }
            }
        }
    }

    private func step(_ met: inout Met, _ random: inout SeededGenerator) {
        guard !met.members.isEmpty else { return }
        let members = random.pick(met.members)
        let count = members.node.object.count
        for outside in [-1, count, count + 1, Int.max, Int.min] { #expect(members[outside] == nil) }
        _ = members.haveValue
        guard count > 0, let member = members[random.below(count)] else { return }
        met.member.append(member)
    }

    private func look(_ met: inout Met, _ random: inout SeededGenerator) {
        guard !met.member.isEmpty else { return }
        let member = random.pick(met.member)
        var buffer = JSONByteBuffer(capacity: 64)
        buffer.append(member.entry.prefix)
        buffer.append(member.entry.prefix, skippingFirst: true)
        let written = buffer.text
        #expect(written.first == "," && written.count(where: { $0 == "," }) == 1)
        if let members = member.members { met.members.append(members) }
        guard let slot = member.slot else { return #expect(!member.isSkipped) }
        #expect(!member.isSkipped || slot.state.isUnset)
        met.slots.append(slot)
        met.values.append(slot.value)
    }

    private func read(_ met: inout Met, _ random: inout SeededGenerator) throws {
        if let slot = met.slots.randomElement(using: &random) {
            #expect((slot.filled != nil) == slot.property.hasValue)
            #expect(slot.property.description === slot.value.descriptor.object)
            if let filled = slot.filled { met.filled.append(filled) }
        }
        guard let filled = met.filled.randomElement(using: &random) else { return }
        var buffer = JSONByteBuffer(capacity: 64)
        switch filled.content {
        case .text(let text): buffer.append(quoted: text)
        case .packedText(let text): buffer.append(quoted: text)
        case .integer(let integer): buffer.append(integer: integer)
        case .bool(let bool): buffer.append(literal: bool ? "true" : "false")
        case .date(let date):
            let isWritten = buffer.append(quoted: date)
            #expect(isWritten)
        case .enumerationCase(let text): buffer.append(text)
        case .model(let model):
            let isSame = filled.slot.property.load(DynamicModel.self) === model.object
            #expect(isSame)
            return met.models.append(model)
        case .elements(let elements): return met.elements.append(elements)
        case .other: return
        }
        let value = try buffer.value(from: 0, maximumDepth: 1)
        #expect(value == (try filled.slot.property.naturalJSON()))
    }

    private func element(_ met: inout Met, _ random: inout SeededGenerator) {
        guard let elements = met.elements.randomElement(using: &random) else { return }
        if elements.isDictionary { #expect(elements.keys.count == elements.count) }
        guard elements.count > 0, let filled = elements[random.below(elements.count)] else { return }
        met.filled.append(filled)
        met.values.append(filled.value)
        if let value = elements.value.element { #expect(value == filled.value) }
    }

    private func value(_ met: inout Met, _ random: inout SeededGenerator) {
        guard let value = met.values.randomElement(using: &random) else { return }
        #expect(value.plan.descriptor === value.descriptor.object)
        #expect(value.operation == value.plan.operation)
        if let element = value.element { met.values.append(element) }
        if let model = value.model { #expect(model.with { $0.layout.schema.name } == "Record") }
        guard value.operation == .enumeration else { return }
        var buffer = JSONByteBuffer(capacity: 64)
        buffer.append(value.caseText(random.below(3)))
        #expect([#""open""#, #""closed""#, #""reopened""#].contains(buffer.text))
    }

    private func push(_ frames: inout FrameStack<EncodingFrame>, _ met: Met, _ random: inout SeededGenerator) {
        switch random.below(3) {
        case 0:
            let model = random.pick(met.models)
            // The value is one of the model's own kind, or none.
            if let members = met.members.last {
                frames.push(EncodingFrame(model, members, in: met.values.randomElement(using: &random)))
            }
        case 1:
            if let members = met.members.randomElement(using: &random) {
                frames.push(EncodingFrame(path: members, start: 0, selection: -1))
            }
        default:
            if let elements = met.elements.randomElement(using: &random) { frames.push(EncodingFrame(elements)) }
        }
    }

    // MARK: Single handles

    @Test func textsOfEveryLengthAreAppendedWholeAndWithoutTheirFirstByte() {
        for count in 1...70 {
            let bytes = (0..<count).map { UInt8(ascii: "a") + UInt8($0 % 26) }
            let text = PaddedText(copying: bytes)
            defer { unsafe text.deallocate() }
            var buffer = JSONByteBuffer(capacity: 1)
            buffer.append(text, skippingFirst: true)
            buffer.append(text)
            #expect(buffer.bytes == bytes.dropFirst() + bytes)
        }
    }

    @Test func aCaseOutsideTheEnumerationTraps() async {
        await #expect(processExitsWith: .failure) {
            let registry = SchemaRegistry()
            try registry.register([ModelSchema("Door", ["state": .enumeration("open", "closed")])])
            let adapter = try JSONAdapter(schema: registry.schema(named: "Door"), registry: registry)
            _ = unsafe adapter.plans.root.values[0].handle.caseText(2)
        }
    }
}
