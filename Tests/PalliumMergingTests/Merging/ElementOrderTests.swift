import Pallium
import PalliumMerging
import TestSupport
import Testing

/// The order of lists after a rebase, as the article *Merging* has it.
struct ElementOrderTests {
    /// Lists of a base with some elements removed, in another order, with elements of their own.
    private struct Sides {
        let base: [Int]
        let local: [Int]
        let incoming: [Int]
        let survives: Set<Int>
        let count: Int

        init(seed: Int) {
            var random = SeededGenerator(seed: UInt64(seed))
            let size = Int.random(in: 0...6, using: &random)
            count = size + 6
            func side(_ new: ClosedRange<Int>) -> [Int] {
                var elements = (0..<size).filter { _ in Int.random(in: 0..<5, using: &random) > 0 }
                switch Int.random(in: 0..<4, using: &random) {
                case 0: elements.shuffle(using: &random)
                case 1 where elements.count > 1:
                    elements.insert(elements.removeLast(), at: Int.random(in: 0..<elements.count, using: &random))
                default: break
                }
                for element in new.shuffled(using: &random).prefix(Int.random(in: 0...2, using: &random)) {
                    elements.insert(element, at: Int.random(in: 0...elements.count, using: &random))
                }
                return elements
            }
            base = Array(0..<size)
            // Both sides may insert an element of the same identity.
            local = side(size...(size + 3))
            incoming = side((size + 2)...(size + 5))
            let (here, there) = (Set(local), Set(incoming))
            survives = here.union(there).subtracting(base.filter { !here.contains($0) || !there.contains($0) })
        }

        var order: ElementOrder {
            ElementOrder(
                baseCount: base.count, count: count, local: local, incoming: incoming, survives: survives.contains)
        }
    }

    @Test(.trials) func itIsTheOrderOfTheRule() {
        for seed in Trials(57) {
            let sides = Sides(seed: seed)
            let expected = SlowElementOrder(
                base: sides.base, local: sides.local, incoming: sides.incoming, survives: sides.survives.contains)
            #expect(sides.order.elements == expected.elements, "\(sides)")
            #expect(sides.order.conflicts == expected.conflicts, "\(sides)")
        }
    }

    @Test(.trials) func nothingIsLostOrDoubledAndMergingTwiceIsMergingOnce() {
        for seed in Trials(57) {
            let sides = Sides(seed: seed)
            let merged = sides.order.elements
            #expect(merged.sorted() == sides.survives.sorted(), "\(sides)")
            // Afterwards the base is what came.
            let numbers = Dictionary(uniqueKeysWithValues: sides.incoming.enumerated().map { ($1, $0) })
            var others: [Int: Int] = [:]
            let again = merged.map { element -> Int in
                if let number = numbers[element] { return number }
                others[element] = sides.incoming.count + others.count
                return others[element] ?? 0
            }
            let order = ElementOrder(
                baseCount: sides.incoming.count, count: sides.count * 2, local: again,
                incoming: Array(0..<sides.incoming.count), survives: { again.contains($0) })
            #expect(order.elements == again && order.conflicts.isEmpty, "\(sides)")
        }
    }

    @Test(.trials) func whatOneSideDidNotMoveHasTheOrderOfTheOtherOne() {
        for seed in Trials(57) {
            let sides = Sides(seed: seed)
            let merged = sides.order.elements
            func areInOrder(_ side: [Int]) -> Bool {
                side.filter(sides.base.contains).elementsEqual(side.filter(sides.base.contains).sorted())
            }
            func order(_ side: [Int]) -> [Int] {
                side.filter { sides.local.contains($0) && sides.incoming.contains($0) && $0 < sides.base.count }
            }
            if areInOrder(sides.incoming) { #expect(order(merged) == order(sides.local), "\(sides)") }
            if areInOrder(sides.local) { #expect(order(merged) == order(sides.incoming), "\(sides)") }
        }
    }

    @Test func itTakesLinearTimeForLongLists() {
        // Quadratic time would be hours.
        let count = 200_000
        let order = ElementOrder(
            baseCount: count, count: count, local: Array((0..<count).reversed()),
            incoming: (0..<count).map { ($0 + count / 2) % count }, survives: { _ in true })
        #expect(order.elements.count == count)
    }

    // MARK: Models

    private static func list(_ numbers: [Int]) -> String {
        "[" + numbers.map { #"{"id":\#($0)}"# }.joined(separator: ",") + "]"
    }

    /// Rebases an edit of a list; returns the order, the conflicts, and what a second rebase onto the same changes.
    private func rebased(
        _ base: [Int], local: [Int], incoming: [Int], missing: MergePolicy.MissingElements = .remove
    ) throws -> (order: [Int?], conflicts: [String], again: Int, pending: [Int?]) {
        let registry = try SchemaRegistry.of(
            ModelSchema("Item", ["id": .integer.required, "text": .string], identity: ["id"]),
            ModelSchema("List", ["items": .array(of: .model("Item")).merge(.byIdentifier(missing: missing))]))
        let adapter = try JSONAdapter(schema: registry.schema(named: "List"), registry: registry)
        let model = try adapter.model(from: #"{"items":\#(Self.list(base))}"#)
        model.trackChanges()
        let items = try #require(model["items", as: [DynamicModel].self])
        try model.setValue(
            local.map { id in
                try items.first { $0["id", as: Int.self] == id } ?? registry.item(id)
            }, forKey: "items")
        let document = #"{"items":\#(Self.list(incoming))}"#
        let changes = try adapter.rebase(model, onto: document)
        let order = model["items", as: [DynamicModel].self]?.map { $0["id", as: Int.self] } ?? []
        let again = try adapter.rebase(model, onto: document)
        #expect(again.kept.isEmpty)
        let reverted = model.deepCopy()
        model.revert()
        let former = model["items", as: [DynamicModel].self]?.map { $0["id", as: Int.self] } ?? []
        #expect(reverted["items", as: [DynamicModel].self]?.count == order.count)
        return (order, changes.conflicts.map(\.pointer.description), again.count, former)
    }

    @Test(arguments: [
        ([1, 2, 3], [3, 1, 2], [1, 2, 3, 4], [3, 1, 2, 4]),
        ([1, 2, 3], [9, 1, 2, 3], [1, 3], [9, 1, 3]),
        ([1, 2, 3], [1, 3], [3, 2, 1, 4], [3, 1, 4]),
        ([1, 2, 3], [9, 1, 2, 3], [8, 1, 2, 3], [9, 8, 1, 2, 3]),
        ([1, 2, 3], [1, 2, 3], [3, 1, 2], [3, 1, 2]),
        ([1, 2, 3, 4], [2, 1, 3, 4], [1, 2, 4, 3], [2, 1, 4, 3]),
        // What one side moved and the other removed is removed.
        ([1, 2, 3], [3, 1, 2], [1, 2], [1, 2]),
        ([], [5], [6, 7], [5, 6, 7]),
    ])
    func aListHasTheOrderOfBothSides(base: [Int], local: [Int], incoming: [Int], expected: [Int]) throws {
        let result = try rebased(base, local: local, incoming: incoming)
        #expect(result.order == expected)
        #expect(result.conflicts == [])
        #expect(result.again == 0)
        // What is pending is told from what came.
        #expect(result.pending == incoming)
    }

    @Test func whatBothMovedToDifferentNeighboursIsAConflict() throws {
        let result = try rebased([1, 2, 3, 4], local: [4, 1, 2, 3], incoming: [1, 4, 2, 3])
        #expect(result.order == [4, 1, 2, 3])
        #expect(result.conflicts == ["/items/0"])
        let same = try rebased([1, 2, 3, 4], local: [4, 1, 2, 3], incoming: [4, 1, 2, 3])
        #expect(same.order == [4, 1, 2, 3] && same.conflicts == [])
    }

    @Test func aDocumentThatKeepsWhatItDoesNotMentionSaysNothingOfTheOrder() throws {
        let result = try rebased([1, 2, 3], local: [3, 1, 2], incoming: [4, 2], missing: .keep)
        #expect(result.order == [3, 1, 2, 4] && result.conflicts == [])
    }
}

extension SchemaRegistry {
    fileprivate func item(_ id: Int) throws -> DynamicModel {
        let model = DynamicModel(schema: try schema(named: "Item"), registry: self)
        try model.setValue(id, forKey: "id")
        return model
    }
}
