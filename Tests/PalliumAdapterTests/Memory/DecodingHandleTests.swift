import Foundation
import ModelTestSupport
import TestSupport
import Testing

@testable import PalliumAdapter
@testable import PalliumCore
@testable import PalliumJSON

/// The members of the decoder's handles stay inside their memory, whatever their order. AddressSanitizer watches.
struct DecodingHandleTests {
    private static let schema = ModelSchema(
        "Record",
        [
            "text": .string, "link": .url, "moment": .date, "number": .integer, "ratio": .double, "flag": .bool,
            "state": .enumeration("open", "closed"), "near": .model("Record"), "words": .array(of: .string),
            "named": .dictionary(of: .integer), "inner": .string.json("box.inner"),
            "deep": .integer.json("box.low.deep"),
        ])

    private let adapter: JSONAdapter<DynamicModel>

    init() throws {
        adapter = try JSONAdapter(schema: Self.schema, registry: SchemaRegistry.of([Self.schema]))
    }

    private var plan: JSONPlan { adapter.plans.root }

    // MARK: Slots

    /// Fills and clears the slots of a model in a random order, beside a dictionary of what they should hold.
    @Test(.trials) func slotsHoldWhatWasStoredLast() throws {
        for seed in Trials(20) {
            var random = SeededGenerator(seed: seed)
            let model = plan.makeModel()
            let slots = unsafe SlotBlock(of: model)
            defer { withExtendedLifetime((model, adapter)) {} }
            var expected: [Int: String] = [:]
            #expect(slots.count == plan.values.count && SlotBlock.none.count == 0)
            for step in 0..<100 {
                let number = random.below(slots.count)
                let slot = unsafe slots.writable(number, plan.values[number].handle)
                #expect(slots.number(of: slot) == number)
                #expect(slot.isTaken == (expected[number] != nil))
                if slot.isTaken {
                    if random.once(in: 2) { check(slot, expected[number]) }
                    if slots[number].isUnset { slots.clearMention(number) } else { slot.property.clear() }
                    expected[number] = nil
                    continue
                }
                switch slot.typed {
                case .string(let slot): slot.store(String(repeating: "long ", count: random.below(9)) + "\(step)")
                case .integer(let slot): slot.store(Int64(step))
                case .url(let slot): slot.store("https://example.org/\(step)")
                case .date(let slot): slot.store(SpelledDate(seconds: Double(step)))
                case .enumeration(let slot): slot.store(number: random.below(2))
                case .bool(let slot): slot.store(random.once(in: 2))
                case .double(let slot): slot.store(SpelledDate(seconds: Double(step)))
                case .model, .list, .dictionary, .other:
                    if random.once(in: 2) { slot.setNull() } else { slot.mention() }
                }
                expected[number] = describe(slot)
                #expect(slot.isTaken)
            }
        }
    }

    private func describe(_ slot: WritableSlot) -> String {
        slot.state.hasValue ? ((try? slot.property.naturalJSON())?.summary ?? "none") : "\(slot.state.rawValue)"
    }

    private func check(_ slot: WritableSlot, _ expected: String?) {
        #expect(describe(slot) == expected)
    }

    @Test func aSlotBesideTheModelTraps() async {
        for number in [-1, 12, Int.max] {
            await #expect(processExitsWith: .failure) { [number = number as Int] in
                let tests = try DecodingHandleTests()
                let model = tests.plan.makeModel()
                let state = unsafe SlotBlock(of: model)[number]
                #expect(state == .unset)
            }
        }
    }

    // MARK: Entries

    @Test(.trials) func entriesAreFoundInTheOrderThatWasLearned() throws {
        let node = plan.input
        let names = node.members.map(\.name)
        let entries = node.entries
        #expect(entries.count == names.count && EntryList.none.count == 0)
        for outside in [-1, entries.count, Int.max, Int.min] { #expect(!entries.contains(outside)) }
        for seed in Trials(20) {
            var random = SeededGenerator(seed: seed)
            for _ in 0..<10 {
                let position = random.below(entries.count + 1)
                let number = random.below(entries.count)
                entries.learn(number, at: position, chance: 0)
                #expect(entries.expected(at: position) == number)
                let text = "{\"\(names[number])\":1}" + String(repeating: " ", count: 32)
                for other in 0..<entries.count {
                    let isMatched = try Array(text.utf8).withBorrowedBytes { bytes in
                        var source = JSONReader(bytes, options: JSONReadingOptions())
                        try source.enterObject()
                        _ = try source.nextMember(first: true)
                        return try entries.matches(other, &source)
                    }
                    #expect(isMatched == (other == number))
                }
                let entry = entries[number]
                #expect(entry.value != nil || entry.node != nil)
            }
        }
    }

    @Test func anEntryOutsideTheListTraps() async {
        await #expect(processExitsWith: .failure) {
            let entry = EntryList.none[0]
            #expect(entry.slot == 0)
        }
        await #expect(processExitsWith: .failure) {
            let tests = try DecodingHandleTests()
            tests.plan.input.entries.learn(tests.plan.input.entries.count, at: 0, chance: 0)
        }
    }

    // MARK: Texts

    @Test func aTokenIsReadWhereItLies() throws {
        let texts = ["", "open", "äöü", "https://example.org/a?b=c", "2015-09-25T07:00:00Z", "closed"]
        let table = KeyTable(texts)
        let enumeration = try #require(plan.values.compactMap { unsafe $0.handle.enumeration }.first)
        for (index, text) in texts.enumerated() {
            Array("\"\(text)\"".utf8).withBorrowedBytes { bytes in
                var source = JSONReader(bytes, options: JSONReadingOptions())
                guard let read = unsafe try? source.readText() else {
                    Issue.record("\(text) is not read")
                    return
                }
                let token = unsafe TokenText(read)
                let (string, count, isEmpty) = (token.string, token.count, token.isEmpty)
                #expect(string == text && count == text.utf8.count && isEmpty == text.isEmpty)
                let number = token.number(in: table)
                #expect(number == index)
                let (isURL, isDate) = (token.isPlainURL, token.date != nil)
                #expect(isURL == text.hasPrefix("https") && isDate == text.hasPrefix("2015"))
                let isSame = token == text
                let isOther = token == text + "x"
                #expect(isSame && !isOther)
                let caseNumber = token.number(in: enumeration.object)
                #expect(caseNumber == ["open": 0, "closed": 1][text] ?? -1)
            }
        }
    }

    // MARK: Frames

    /// Frames of all kinds are pushed and dropped in any order, and release what they own.
    @Test(.trials) func framesReleaseWhatTheyOwn() throws {
        for seed in Trials(20) {
            var random = SeededGenerator(seed: seed)
            let holder = plan.makeModel()
            defer { withExtendedLifetime((holder, adapter)) {} }
            let slots = unsafe SlotBlock(of: holder)
            func slot(_ kind: ValueOperation) -> WritableSlot {
                let number = plan.values.firstIndex { $0.operation == kind }!
                return unsafe slots.writable(number, plan.values[number].handle)
            }
            let root = unsafe Unowned(plan)
            var scratch = DecodingScratch()
            var frames = FrameStack<DecodingFrame>()
            weak var last: AnyObject?
            for _ in 0..<100 {
                switch random.below(6) {
                case 0: frames.push(DecodingFrame(root, target: slot(.model), offset: 0))
                case 1:
                    guard let taken = scratch.takeSlots(for: plan) else { continue }
                    let start = scratch.textCount
                    unsafe frames.push(
                        DecodingFrame(scratch: taken, textStart: start, root, target: slot(.model), offset: 0))
                case 2:
                    let target = slot(.array)
                    let list = unsafe SlotList.make(element: target.value.element!.descriptor.reference, capacity: 0)
                    last = list
                    frames.push(DecodingFrame(list, .array, target: target))
                    if case .string(let first) = frames.top.appendElement(target.value.element!).typed {
                        first.store("an element of more than fifteen bytes")
                    }
                case 3 where !frames.isEmpty && frames.top.isInScratch:
                    frames.top.makeModel(by: &scratch)
                    let hasModel = frames.top.model != nil
                    #expect(hasModel)
                case 4 where !frames.isEmpty:
                    let (count, hasMembers) = (frames.top.entries.count, frames.top.hasMembers)
                    #expect(hasMembers == (count > 0))
                    if hasMembers { frames.top.move(to: random.below(count)) }
                    var tokens: [String] = []
                    frames.appendTokens(ofFirst: frames.count, to: &tokens)
                    #expect(tokens.count <= frames.count)
                case 5 where !frames.isEmpty:
                    let target = frames.top.target
                    if !frames.top.isInScratch, !target.isTaken, random.once(in: 2) {
                        frames.top.storeInTarget()
                        #expect(target.state.hasValue)
                        target.property.clear()
                    }
                    frames.top.destroySlots(in: &scratch)
                    frames.pop()
                default: break
                }
            }
            while !frames.isEmpty {
                frames.top.destroySlots(in: &scratch)
                frames.pop()
            }
            #expect(last == nil && scratch.textCount == 0)
        }
    }
}
