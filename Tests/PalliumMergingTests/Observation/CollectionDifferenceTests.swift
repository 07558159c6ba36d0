import Pallium
import TestSupport
import Testing

/// What came and went in collections, as lists on a screen need it.
struct CollectionDifferenceTests {
    private typealias Guest = ObservedScene.Guest

    private static let schema = ModelSchema(
        "Lists",
        [
            "guests": .array(of: .model("Guest")).default([]), "persons": .array(of: .model("Person")).default([]),
            "words": .array(of: .string).default([]), "set": .set(of: .integer), "other": .string,
            "notes": .array(of: .string.nullable),
            "nested": .model("Lists"),
        ], isObserved: true)

    private let registry: SchemaRegistry
    private let lists: DynamicModel

    init() throws {
        registry = try .of(
            Self.schema, ModelSchema(Guest.self, ["id": .integer.required, "name": .string], identity: ["id"]),
            ModelSchema(ObservedScene.Person.self, ["name": .string.required, "friend": .model("Person")]))
        lists = DynamicModel(schema: Self.schema, registry: registry)
    }

    /// The differences that an observer of a path gets while a closure runs.
    private func differences<Element: PropertyValue & Hashable>(
        of key: String, at path: String? = nil, as type: Element.Type, during body: () throws -> Void
    ) throws -> [CollectionDifference<Element>] {
        var differences: [CollectionDifference<Element>] = []
        let observation = try lists.observe(path ?? key) { differences.append($0.difference(of: key, as: type)) }
        try body()
        observation.cancel()
        return differences
    }

    private func guest(_ id: Int, _ name: String = "x") throws -> Guest {
        try Guest(values: ["id": id, "name": name], registry: registry)
    }

    @Test(.trials) func identifiedModelsOfRandomListsAreToldApart() throws {
        for seed in Trials(4) {
            var random = SeededGenerator(seed: seed)
            let guests = try (0..<8).map { try guest($0) }
            func list() -> [Guest] { (0..<random.below(7)).map { _ in guests[random.below(8)] } }
            let (old, new) = (list(), list())
            lists["guests"] = old
            let found = try differences(of: "guests", as: Guest.self) { lists["guests"] = new }
            let same = old.map(\.id) == new.map(\.id)
            #expect(found.count == (same ? 0 : 1), "\(seed)")
            guard let difference = found.first else { continue }
            let applied = try #require(old.applying(difference), "\(seed)")
            #expect(applied.map(\.id) == new.map(\.id), "\(seed): \(old.map(\.id)) \(new.map(\.id))")
        }
    }

    /// Elements that stay are in neither part, if each is there once.
    @Test(.trials) func theDifferenceIsSmall() throws {
        for seed in Trials(4) {
            var random = SeededGenerator(seed: seed)
            let guests = try (0..<8).map { try guest($0) }
            func list() -> [Guest] {
                Array(guests.shuffled(using: &random).prefix(random.below(9)))
            }
            let (old, new) = (list(), list())
            lists["guests"] = old
            guard
                let difference = try differences(of: "guests", as: Guest.self, during: { lists["guests"] = new }).first
            else { continue }
            let applied = try #require(old.applying(difference), "\(seed)")
            #expect(applied.map(\.id) == new.map(\.id), "\(seed)")
            let reference = new.map(\.id).difference(from: old.map(\.id))
            #expect(
                difference.insertions.count == reference.insertions.count, "\(seed): \(old.map(\.id)) \(new.map(\.id))")
            // Each came once, and who only came or went is told as such.
            let (former, present) = (Set(old.map(\.id)), Set(new.map(\.id)))
            let (inserted, removed) = (ids(difference.insertions), ids(difference.removals))
            #expect(present.subtracting(former).isSubset(of: inserted), "\(seed)")
            #expect(former.subtracting(present).isSubset(of: removed), "\(seed)")
        }
    }

    private func ids(_ changes: [CollectionDifference<Guest>.Change]) -> Set<Int> {
        Set(
            changes.map { change in
                switch change {
                case .insert(_, let guest, _), .remove(_, let guest, _): guest.id
                }
            })
    }

    @Test(.trials) func otherModelsAreToldApartByBeingTheSameObject() throws {
        typealias Person = ObservedScene.Person
        for seed in Trials(2) {
            var random = SeededGenerator(seed: seed)
            // All are equal.
            let persons = try (0..<6).map { _ in try Person(values: ["name": "Ada"], registry: registry) }
            func list() -> [Person] { (0..<random.below(6)).map { _ in persons[random.below(6)] } }
            let (old, new) = (list(), list())
            lists["persons"] = old
            let found = try differences(of: "persons", as: Person.self) { lists["persons"] = new }
            // Another list of as many equal models is an equal value.
            guard let difference = found.first else {
                #expect(old == new, "\(seed)")
                continue
            }
            let applied = try #require(old.applying(difference), "\(seed)")
            #expect(applied.map(ObjectIdentifier.init) == new.map(ObjectIdentifier.init), "\(seed)")
        }
    }

    @Test(.trials) func otherValuesAreToldApartByEquality() throws {
        for seed in Trials(4) {
            var random = SeededGenerator(seed: seed)
            func list() -> [String] { (0..<random.below(7)).map { _ in random.pick(["a", "b", "é", "e\u{301}", ""]) } }
            let (old, new) = (list(), list())
            lists["words"] = old
            let found = try differences(of: "words", as: String.self) { lists["words"] = new }
            guard let difference = found.first else {
                #expect(old.map { Array($0.utf8) } == new.map { Array($0.utf8) }, "\(seed)")
                continue
            }
            #expect(old.applying(difference) == new, "\(seed): \(old) \(new)")
        }
    }

    @Test func setsHaveAnOrder() throws {
        lists["set"] = [1, 2, 3]
        let found = try differences(of: "set", as: Int.self) { lists["set"] = [3, 4, 1] }
        #expect(try [1, 2, 3].applying(#require(found.first)).map(Set.init) == [3, 4, 1])
    }

    /// What only changed inside is no difference.
    @Test func elementsThatChangedAreNoDifference() throws {
        lists["guests"] = [try guest(1), try guest(2)]
        let found = try differences(of: "guests", at: "guests.name", as: Guest.self) {
            lists.models("guests")[1]["name"] = "Eve"
        }
        #expect(found.map(\.isEmpty) == [true])
        let other = try differences(of: "guests", at: "other", as: Guest.self) { lists["other"] = "x" }
        #expect(other.map(\.isEmpty) == [true])
    }

    @Test func aListMayBeginOrEndAsNothing() throws {
        let found = try differences(of: "set", as: Int.self) {
            lists["set"] = [5]
            lists["set"] = nil as [Int]?
        }
        try #require(found.count == 2)
        #expect(found[0].insertions.count == 1 && found[0].removals.isEmpty)
        #expect(found[1].removals.count == 1 && found[1].insertions.isEmpty)
    }

    @Test func replacedElementsKeepTheirPlaceInTheDifference() throws {
        let (one, two, three) = (try guest(1), try guest(2), try guest(3))
        lists["guests"] = [one, two]
        let found = try differences(of: "guests", at: "guests.name", as: Guest.self) {
            lists.transaction {
                two.name = "Eve"
                lists["guests"] = [two, three]
            }
        }
        #expect(
            found.first
                == CollectionDifference([
                    .remove(offset: 0, element: one, associatedWith: nil),
                    .insert(offset: 1, element: three, associatedWith: nil),
                ]))
    }

    @Test func otherObjectsOfTheSameNumberAreADifference() throws {
        func persons(_ names: String...) throws -> [ObservedScene.Person] {
            try names.map { try ObservedScene.Person(values: ["name": $0], registry: registry) }
        }
        // Others, and equal ones.
        for (old, new) in [
            (try persons("Ada", "Bob"), try persons("Cy", "Dee")),
            (try persons("Ada", "Bob"), try persons("Ada", "Bob")),
            (try persons("Ada", "Ada"), try persons("Ada", "Ada")),
        ] {
            lists["persons"] = old
            let found = try differences(of: "persons", as: ObservedScene.Person.self) { lists["persons"] = new }
            #expect(found.count == 1)
            let difference = try #require(found.first)
            #expect(difference.removals.count == 2 && difference.insertions.count == 2)
            let applied = try #require(old.applying(difference))
            #expect(applied.map(ObjectIdentifier.init) == new.map(ObjectIdentifier.init))
            // One of two stays.
            let next = [new[0], old[1]]
            let second = try differences(of: "persons", as: ObservedScene.Person.self) { lists["persons"] = next }
            #expect(
                second == [
                    CollectionDifference([
                        .remove(offset: 1, element: new[1], associatedWith: nil),
                        .insert(offset: 1, element: old[1], associatedWith: nil),
                    ])
                ])
        }
    }

    @Test func aWordMayTakeThePlaceOfAnother() throws {
        lists["words"] = ["a", "b", "c"]
        let found = try differences(of: "words", as: String.self) { lists["words"] = ["a", "x", "c"] }
        #expect(
            found == [
                CollectionDifference([
                    .remove(offset: 1, element: "b", associatedWith: nil),
                    .insert(offset: 1, element: "x", associatedWith: nil),
                ])
            ])
    }

    @Test func elementsMayBeNull() throws {
        for (old, new) in [
            (["a", nil, "b"], ["a", "b"]), (["a"], ["a", nil, nil]), ([nil], ["a"]), (["a", nil], [nil, "a"]),
            ([nil, nil], [nil]), (["a", "b"], ["b"]),
        ] as [([String?], [String?])] {
            lists["notes"] = old
            let found = try differences(of: "notes", as: String?.self) { lists["notes"] = new }
            let difference = try #require(found.first)
            #expect(found.count == 1 && old.applying(difference) == new, "\(old) \(new): \(difference)")
            #expect(abs(old.count - new.count) <= difference.count && !difference.isEmpty)
        }
    }
}
