import PalliumCore
import Synchronization
import TestSupport
import Testing

@Suite("What is compiled from the schemas of a registry", .threat(.registryRaces))
struct CompiledSchemasTests {
    private final class Product: Sendable {
        let number: Int
        private let end: @Sendable () -> Void

        init(_ number: Int, end: @escaping @Sendable () -> Void = {}) {
            self.number = number
            self.end = end
        }

        deinit { end() }
    }

    private let registry: SchemaRegistry

    init() throws { registry = try .of(ModelSchema("A", [:])) }

    private func product(_ number: Int, for options: Int = 0, isKept: Bool = true) -> Product {
        registry.compiled.product(for: options, isKept: isKept) { Product(number) }
    }

    @Test func itIsMadeOnceUntilSchemasAreRegistered() throws {
        #expect([product(1).number, product(2).number] == [1, 1])
        try registry.register(ModelSchema("B", [:]))
        #expect([product(3).number, product(4).number] == [3, 3])
        // An equal schema changes nothing.
        try registry.register(ModelSchema("B", [:]))
        #expect(product(5).number == 3)
    }

    @Test func eachStateOfTheSchemasHasANumber() throws {
        let before = registry.compiled
        #expect(registry.compiled === before)
        try registry.register(ModelSchema("B", [:]))
        #expect(registry.compiled !== before && registry.compiled.generation != before.generation)
    }

    @Test func whatIsNotKeptEndsWithItsLastUser() {
        var user: Product? = product(1, isKept: false)
        var other: Product? = product(2, isKept: false)
        #expect(user === other)
        user = nil
        #expect(product(3, isKept: false).number == 1)
        other = nil
        #expect(registry.compiled.products.isEmpty)
        #expect(product(4, isKept: false).number == 4)
    }

    @Test func equalOptionsOfDifferentTypesAreDifferent() {
        #expect(product(1, for: 7).number == 1)
        #expect(registry.compiled.product(for: "7", isKept: true) { Product(2) }.number == 2)
        #expect(registry.compiled.products.count == 2)
    }

    @Test(.threat(.reentrancy)) func whatEndsWithAProductMayUseTheRegistry() throws {
        let ended = Mutex<[Int]>([])
        let registry = registry
        _ = registry.compiled.product(for: 0, isKept: true) {
            Product(1) {
                let next = registry.compiled.product(for: 0, isKept: true) { Product(2) }
                ended.withLock { $0.append(next.number) }
            }
        }
        try registry.register(ModelSchema("B", [:]))
        #expect(ended.withLock { $0 } == [2])
    }
}
