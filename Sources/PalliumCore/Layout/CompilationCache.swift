/// Plans compiled from the layouts of a registry, kept for reuse.
///
/// A plan that was compiled while schemas were registered may lack some of them, so it is not kept but compiled again.
package struct CompilationCache: ~Copyable, Sendable {
    // Not private: the compiler (6.3.1) fails on a private type in the layout of the registry's class.
    struct Content: Sendable {
        var products: [CompilationKey: any AnyObject & Sendable] = [:]
        /// The number of times everything was dropped.
        var generation = 0
    }

    private let content = Lock(Content())

    init() {}

    /// Returns the product for a key and compiles it at the first request, without holding the lock.
    package func product<Product: AnyObject & Sendable>(
        for key: CompilationKey, compile: () throws(ModelError) -> Product
    ) throws(ModelError) -> Product {
        while true {
            let (existing, generation) = content.withLock { ($0.products[key], $0.generation) }
            if let existing = existing as? Product { return existing }
            let made = try compile()
            let kept = content.withLock { content -> Product? in
                guard content.generation == generation else { return nil }
                // Another thread may have been quicker.
                let kept = content.products[key] as? Product ?? made
                content.products[key] = kept
                return kept
            }
            if let kept { return kept }
        }
    }

    /// A number that changes when products are dropped.
    package var generation: Int { content.withLock(\.generation) }

    /// All products that are kept.
    package var products: [any AnyObject & Sendable] { content.withLock { Array($0.products.values) } }

    /// Drops everything, because schemas were registered.
    func removeAll() {
        let dropped = content.withLock { content in
            let dropped = content.products
            content.products = [:]
            content.generation += 1
            return dropped
        }
        // Releasing the products may use the registry, so it must happen after the lock is open. Optimised code would
        // otherwise release them earlier.
        withExtendedLifetime(dropped) {}
    }
}

/// The layout and options that a compiled product depends on.
package struct CompilationKey: Hashable, Sendable {
    let layout: ObjectIdentifier
    let options: any Hashable & Sendable

    package init(_ layout: ModelLayout, options: some Hashable & Sendable) {
        self.layout = ObjectIdentifier(layout)
        self.options = options
    }

    package static func == (left: CompilationKey, right: CompilationKey) -> Bool {
        left.layout == right.layout && AnyHashable(left.options) == AnyHashable(right.options)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(layout)
        hasher.combine(options)
    }
}
