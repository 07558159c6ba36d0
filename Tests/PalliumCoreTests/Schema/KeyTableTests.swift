import PalliumCore
import PalliumJSON
import TestSupport
import Testing

@Suite("Key tables")
struct KeyTableTests {
    @Test func aTableWithoutNamesFindsNothing() {
        let table = KeyTable([])
        #expect(table.count == 0)
        for name in ["", "a", "longer than eight"] { #expect(table.find(name) == nil) }
    }

    @Test func aTableOfOneNameFindsIt() {
        let table = KeyTable(["title"])
        #expect(table.find("title") == 0)
        for name in ["", "titl", "titles", "Title", "title\0", "eltit"] { #expect(table.find(name) == nil) }
    }

    @Test func theEmptyNameIsAName() {
        let table = KeyTable(["a", ""])
        #expect(table.find("") == 1)
        #expect(table.find("a") == 0)
        #expect(KeyTable([""]).find("") == 0)
    }

    @Test(arguments: [2, 3, 4, 5, 100, 10_000])
    func manyNamesAreFoundAtTheirPlaces(count: Int) {
        let names = (0..<count).map { "name number \($0)" }
        let table = KeyTable(names)
        #expect(table.count == count)
        #expect(names.indices.allSatisfy { table.find(names[$0]) == $0 })
        #expect((count..<count * 2).allSatisfy { table.find("name number \($0)") == nil })
    }

    @Test func namesOfEveryLengthAreTold() {
        let names = (0...40).map { String(repeating: "x", count: $0) }
        let table = KeyTable(names)
        #expect(names.indices.allSatisfy { table.find(names[$0]) == $0 })
        #expect(table.find(String(repeating: "x", count: 41)) == nil)
        #expect(names.dropFirst().allSatisfy { table.find(String($0.dropLast()) + "y") == nil })
    }

    @Test func aNameThatOccursTwiceIsFoundFirst() {
        #expect(KeyTable(["a", "b", "a"]).find("a") == 0)
    }

    @Test func namesAreComparedAsBytes() {
        let table = KeyTable(["caf\u{E9}", "cafe\u{301}"])
        #expect(table.find("caf\u{E9}") == 0)
        #expect(table.find("cafe\u{301}") == 1)
        #expect(KeyTable(["caf\u{E9}"]).find("cafe\u{301}") == nil)
    }

    @Test func bytesInTheMiddleOfATextAreFound() {
        let table = KeyTable(["id", "title"])
        let bytes = Array("xxtitlexx".utf8)
        bytes.withUnsafeBufferPointer { bytes in
            guard let start = bytes.baseAddress else { return }
            #expect(table.find(start + 2, 5) == 1)
            #expect(table.find(start + 2, 4) == -1)
            #expect(table.find(start, 0) == -1)
        }
    }
}

@Suite("Slot lists")
final class SlotListTests {
    /// It holds the description of the elements, which a list does not.
    private var holder: DynamicModel?

    private func list(of schema: PropertySchema, capacity: Int = 0) throws -> SlotList {
        let model = try SchemaRegistry.plainModel(["list": .array(of: schema)])
        holder = model
        return SlotList.make(element: model.slot(at: 0).description.elementReference, capacity: capacity)
    }

    @Test(arguments: [0, 1, 2, 3, 7, 8, 9, 1000], [0, 1, 4, 100])
    func elementsSurviveGrowth(count: Int, capacity: Int) throws {
        let list = try list(of: .string.nullable, capacity: capacity)
        for index in 0..<count {
            let slot = list.appendSlot()
            #expect(slot.slotState.isUnset)
            if index % 3 == 0 { slot.setNull() } else { try "a text that owns memory \(index)"._store(slot) }
        }
        #expect(list.count == count)
        for index in 0..<count {
            let text = list.slot(at: index).hasValue ? list.slot(at: index).load(String.self) : nil
            #expect(text == (index % 3 == 0 ? nil : "a text that owns memory \(index)"))
        }
    }

    @Test func reservedRoomHoldsNothing() throws {
        let list = try list(of: .integer, capacity: 100)
        #expect(list.count == 0)
        try 1._store(list.appendSlot())
        #expect(list.count == 1)
        #expect(list.slot(at: 0).load(Int64.self) == 1)
    }

    @Test func theLastElementIsTakenAwayAndReleased() throws {
        let registry = try SchemaRegistry.ofFixtures()
        let holder = registry.node(0)
        let index = try #require(holder.layout.index(of: "children"))
        defer { withExtendedLifetime(holder) {} }
        let list = SlotList.make(element: holder.slot(at: index).description.elementReference, capacity: 0)
        weak var witness: Node?
        do {
            let node = registry.node(1)
            witness = node
            try node._store(list.appendSlot())
        }
        #expect(witness != nil)
        list.removeLast()
        #expect(list.count == 0)
        #expect(witness == nil)
        try registry.node(2)._store(list.appendSlot())
        #expect(list.count == 1)
    }

    @Test func duplicatesAreRemovedAndTheFirstKept() throws {
        let list = try list(of: .string)
        for text in ["b", "a", "b", "c", "a"] { try text._store(list.appendSlot()) }
        let unique = list.removingDuplicates()
        #expect((0..<unique.count).map { unique.slot(at: $0).load(String.self) } == ["b", "a", "c"])
        #expect(unique.removingDuplicates() === unique)
    }

    @Test func aDictionaryKeepsTheOrderOfItsKeysAndReplacesValues() throws {
        let model = try SchemaRegistry.plainModel(["map": .dictionary(of: .string)])
        defer { withExtendedLifetime(model) {} }
        let list = SlotDictionary(element: model.slot(at: 0).description.elementReference)
        for (key, value) in [("b", "1"), ("a", "2"), ("b", "3"), ("", "4")] { try value._store(list.slot(forKey: key)) }
        #expect(list.keys == ["b", "a", ""])
        #expect((0..<list.count).map { list.slot(at: $0).load(String.self) } == ["3", "2", "4"])
        #expect(list.index(of: "") == 2)
        #expect(list.index(of: "c") == nil)
    }
}
