import PalliumCore
import PalliumJSON
import TestSupport
import Testing

@Suite("Equality and hash of graphs with cycles", .threat(.cycles))
struct CycleTests {
    @Test(.row("C060"))
    func twoModelsThatReferToEachOtherEndComparisonHashAndDescription() throws {
        let registry = try SchemaRegistry.ofFixtures()
        func make(_ name: String) -> User {
            let (user, group) = (User(registry: registry), Group(registry: registry))
            user.name = name
            user.groups = [group]
            group.owner = user
            group.users = [user, user]
            return user
        }
        let (left, right, other) = (make("a"), make("a"), make("b"))
        defer { for user in [left, right, other] { user.groups = nil } }
        #expect(left == right)
        #expect(hash(left) == hash(right))
        #expect(left != other)
        #expect(hash(left) != hash(other))
        #expect(!left.description.isEmpty)
        #expect(left.debugDescription.contains("↻ cycle"))
    }

    @Test(.row("C060"), arguments: [1, 2, 3, 300, 5000])
    func ringsOfEqualLengthAndContentAreEqual(length: Int) throws {
        let registry = try SchemaRegistry.ofFixtures()
        let left = registry.ring(Array(0..<length))
        let right = registry.ring(Array(0..<length))
        let other = registry.ring(Array(0..<length - 1) + [-1])
        defer { for ring in [left, right, other] { ring.breakRing() } }
        #expect(left == right)
        #expect(hash(left) == hash(right))
        #expect(left != other)
    }

    @Test(arguments: [(1, 2), (2, 3), (1, 300), (299, 300), (100, 1000)])
    func ringsOfEqualModelsAndDifferentLengthEnd(lengths: (Int, Int)) throws {
        let registry = try SchemaRegistry.ofFixtures()
        let left = registry.ring(Array(repeating: 7, count: lengths.0))
        let right = registry.ring(Array(repeating: 7, count: lengths.1))
        defer { for ring in [left, right] { ring.breakRing() } }
        // Whoever walks both sees the same for ever: nothing tells them apart, so they are equal and hash alike.
        #expect(left == right)
        #expect(hash(left) == hash(right))
    }

    @Test(arguments: [1, 2, 10, 300, 2000])
    func aRingIsNotEqualToAChainHoweverLong(length: Int) throws {
        let registry = try SchemaRegistry.ofFixtures()
        let ring = registry.ring([7])
        defer { ring.breakRing() }
        var chain = registry.node(7)
        for _ in 1..<length { chain = registry.node(7, next: chain) }
        #expect(ring != chain)
        #expect(chain != ring)
    }

    @Test func aRingAndARingWithATailAreEqualWhenTheyUnfoldAlike() throws {
        let registry = try SchemaRegistry.ofFixtures()
        let ring = registry.ring([7, 7])
        let tail = registry.node(7, next: registry.node(7, next: ring))
        defer { ring.breakRing() }
        #expect(tail == ring)
        #expect(hash(tail) == hash(ring))
    }

    @Test func aLatticeOfSharedModelsIsComparedOncePerPair() throws {
        // 40 levels, each of which refers to the next twice: 2^40 paths, 40 models.
        let registry = try SchemaRegistry.ofFixtures()
        func make(_ deepest: Int) -> Node {
            var level = registry.node(deepest)
            for label in 0..<40 {
                let above = registry.node(label, next: level)
                above.children = [level, level]
                above.named = ["a": level]
                level = above
            }
            return level
        }
        #expect(make(1) == make(1))
        #expect(make(1) != make(2))
        #expect(hash(make(1)) == hash(make(1)))
    }

    @Test func modelsThatAllKnowOneAnotherAreCompared() throws {
        let registry = try SchemaRegistry.ofFixtures()
        func make(_ last: Int) -> [Node] {
            let nodes = (0..<60).map { registry.node($0) }
            nodes[59].label = last
            for node in nodes { node.children = nodes }
            return nodes
        }
        let (left, right, other) = (make(59), make(59), make(60))
        defer { for node in left + right + other { node.children = nil } }
        #expect(left[0] == right[0])
        #expect(hash(left[0]) == hash(right[0]))
        #expect(left[0] != other[0])
    }

    // MARK: Sets

    @Test func setsOfModelsAreComparedWithoutOrder() throws {
        let registry = try SchemaRegistry.ofFixtures()
        func make(_ labels: [Int]) throws -> Node {
            let node = registry.node(0)
            try node.setValue(labels.map { registry.node($0) }, forKey: "friends")
            return node
        }
        #expect(try make([1, 2, 3]) == make([3, 1, 2]))
        #expect(try hash(make([1, 2, 3])) == hash(make([3, 1, 2])))
        #expect(try make([1, 2, 3]) != make([1, 2, 4]))
        #expect(try make([1, 2]) != make([1, 2, 3]))
        #expect(try make([1, 2, 1, 2]) == make([2, 1]))
        #expect(try (make([1, 2, 1, 2]).value(forKey: "friends") as? [Node])?.map(\.label) == [1, 2])
    }

    @Test func setsWhoseElementsHashAlikeAreMatchedByContent() throws {
        // The elements differ below the depth to which a hash unfolds.
        let registry = try SchemaRegistry.ofFixtures()
        func element(_ label: Int) -> Node {
            (0..<5).reduce(registry.node(label)) { chain, _ in registry.node(0, next: chain) }
        }
        func make(_ labels: [Int]) throws -> Node {
            let node = registry.node(0)
            try node.setValue(labels.map { element($0) }, forKey: "friends")
            return node
        }
        #expect(hash(element(1)) == hash(element(2)))
        #expect(try make([1, 2, 3]) == make([3, 2, 1]))
        #expect(try make([1, 2, 3]) != make([1, 2, 4]))
        #expect(try make([1, 2, 2]) == make([2, 1]))
    }

    @Test func cyclesThroughSetsEnd() throws {
        let registry = try SchemaRegistry.ofFixtures()
        func make(_ label: Int, friends count: Int) throws -> Node {
            let root = registry.node(label)
            let friends = (0..<count).map { registry.node($0, next: root) }
            for friend in friends { try friend.setValue([root], forKey: "friends") }
            try root.setValue(friends, forKey: "friends")
            return root
        }
        let (left, right, other) = (try make(1, friends: 3), try make(1, friends: 3), try make(1, friends: 4))
        defer { for node in [left, right, other] { node.friends = nil } }
        #expect(left == right)
        #expect(hash(left) == hash(right))
        #expect(left != other)
    }

    @Test(arguments: [1, 2, 12, 40])
    func cyclesThroughSetsOfModelsThatHashAlikeEnd(levels: Int) throws {
        let registry = try SchemaRegistry.ofFixtures()
        // Every model knows three chains back to the root, which differ only below the depth of a hash.
        func make(levels: Int) throws -> Node {
            let root = registry.node(0)
            var level = root
            for _ in 0..<levels {
                let friends = (0..<3).map { number in
                    let end = registry.node(number, next: level)
                    return (0..<4).reduce(end) { chain, _ in registry.node(0, next: chain) }
                }
                level = registry.node(0)
                try level.setValue(friends, forKey: "friends")
            }
            root.next = level
            return root
        }
        let (left, right) = (try make(levels: levels), try make(levels: levels))
        defer { for node in [left, right] { node.breakRing() } }
        #expect(left == right)
        #expect(hash(left) == hash(right))
    }
}
