import PalliumCore
import Synchronization
import TestSupport
import Testing

@Suite("What is compiled from layouts", .threat(.registryRaces))
struct CompilationCacheTests {
    private final class Product: Sendable {
        let number: Int
        private let end: @Sendable () -> Void

        init(_ number: Int, end: @escaping @Sendable () -> Void = {}) {
            self.number = number
            self.end = end
        }

        deinit { end() }
    }

    private let registry = SchemaRegistry()
    private let key: CompilationKey

    init() throws {
        try registry.register(ModelSchema("A", [:]))
        key = CompilationKey(try registry.layout(named: "A"), options: 0)
    }

    @Test func itIsCompiledOnceUntilSchemasAreRegistered() throws {
        var count = 0
        func product() throws -> Int {
            try registry.compiled.product(for: key) {
                count += 1
                return Product(count)
            }.number
        }
        #expect(try [product(), product()] == [1, 1])
        try registry.register(ModelSchema("B", [:]))
        #expect(try [product(), product()] == [2, 2])
    }

    @Test func whatWasCompiledBeforeARegistrationIsNotKept() throws {
        var known: [[String]] = []
        func product() throws -> Int {
            try registry.compiled.product(for: key) { () throws(ModelError) in
                known.append(registry.schemas.map(\.name))
                // Here somebody else registers a schema that this product does not know.
                if known.count == 1 { #expect(throws: Never.self) { try registry.register(ModelSchema("B", [:])) } }
                return Product(known.count)
            }.number
        }
        #expect(try [product(), product()] == [2, 2])
        #expect(known == [["A"], ["A", "B"]])
    }

    @Test(.threat(.reentrancy)) func whatEndsWithAProductMayUseTheRegistry() throws {
        let ended = Mutex<[Int]>([])
        let registry = registry
        let key = key
        _ = try registry.compiled.product(for: key) {
            Product(1) {
                let next = try? registry.compiled.product(for: key) { Product(2) }
                ended.withLock { $0.append(next?.number ?? 0) }
            }
        }
        try registry.register(ModelSchema("B", [:]))
        #expect(ended.withLock { $0 } == [2])
    }
}
