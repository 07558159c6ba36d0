import PalliumCore
import PalliumJSON
import TestSupport
import Testing

@Suite("Differences")
struct DifferenceTests {
    let registry: SchemaRegistry

    init() throws { registry = try MergingFixtures.registry() }

    @Test func differencesAreToldAtTheInnermostPlace() throws {
        let left = try registry.make(
            "Task",
            [
                "title": "a", "number": 1, "owner": registry.make("Person", ["id": 1, "name": "x"]),
                "labels": [
                    registry.make("Label", ["id": 1, "name": "n"]), registry.make("Label", ["id": 2]),
                ],
                "settings": ["one": 1, "two": 2], "tags": ["t"] as Set<String>,
            ])
        let right = try registry.make(
            "Task",
            [
                "title": "b", "number": 1, "owner": registry.make("Person", ["id": 1, "name": "y"]),
                "labels": [
                    registry.make("Label", ["id": 3]), registry.make("Label", ["id": 1, "name": "m"]),
                ],
                "settings": ["two": 3, "three": 3], "tags": ["t", "u"] as Set<String>,
            ])
        let changes = left.difference(to: right)
        #expect(
            Set(changes.pointers) == [
                "/title", "/owner/name", "/labels/1/name", "/labels/1", "/labels/0", "/settings/one", "/settings/two",
                "/settings/three", "/tags",
            ])
        #expect(changes.allSatisfy { $0.decision == nil && !$0.isConflict })
        #expect(right.difference(to: left).count == changes.count)
        #expect(changes.first { $0.key == "title" }?.old as? String == "a")
        #expect(changes.first { $0.key == "title" }?.new as? String == "b")
    }

    @Test func elementsThatChangedPlacesAreOneChange() throws {
        let (one, two) = (try registry.make("Label", ["id": 1]), try registry.make("Label", ["id": 2]))
        let left = try registry.make("Task", ["labels": [one, two]])
        let right = try registry.make("Task", ["labels": [two, one]])
        #expect(left.difference(to: right).pointers == ["/labels"])
    }

    @Test func unsetAndNullAreTheSame() throws {
        let left = try registry.make("Task", ["title": nil])
        #expect(left.difference(to: try registry.make("Task", [:])).isEmpty)
    }

    @Test(arguments: [(1000, Optional<String>.none), (1001, "… (1 more)"), (1002, "… (2 more)")])
    func aDescriptionIsCutAfterAThousandChanges(count: Int, rest: String?) throws {
        let members = Dictionary(uniqueKeysWithValues: (0..<count).map { ("\($0)", 1) })
        let empty = try registry.make("Task", ["settings": [:] as [String: Int]])
        let changes = empty.difference(to: try registry.make("Task", ["settings": members]))
        let lines = changes.description.split(separator: "\n").map(String.init)
        #expect(changes.count == count)
        #expect(lines.filter { $0.contains("nothing → 1") }.count == min(count, 1000))
        #expect(lines.last { $0.hasPrefix("…") } == rest)
    }

    @Test(.threat(.secretsInErrors)) func secretsAreMaskedInDescriptions() throws {
        let left = try SchemaRegistry.plainModel(["token": .string.secret])
        let right = left.copy()
        right["token"] = "abc"
        let text = left.difference(to: right).description
        #expect(!text.contains("abc"))
        #expect(text == "/token: nothing → •••")
    }

    @Test func valuesAreThoseOfTheMoment() throws {
        let left = try registry.make("Task", ["title": "a"])
        let right = try registry.make("Task", ["title": "b"])
        let changes = left.difference(to: right)
        right["title"] = "c"
        #expect(changes[0].new as? String == "b")
    }

    @Test(.threat(.cycles)) func cyclesOfOneShapeDifferInNothing() throws {
        let fixtures = try SchemaRegistry.ofFixtures()
        let (left, right) = (fixtures.ring([1, 2]), fixtures.ring([1, 2, 1, 2]))
        #expect(left.difference(to: right).isEmpty)
        right.next?.next?.label = 9
        #expect(!left.difference(to: right).isEmpty)
        left.breakRing()
        right.breakRing()
    }
}
