/// What is compiled from the layouts of a registry and kept for whoever asks for the same.
///
/// What was compiled from some of a registration's schemas and not from others is never kept: it is compiled again.
package struct CompilationCache: ~Copyable, Sendable {
    // Not private: the compiler (6.3.1) fails on a private type in the layout of the registry's class.
    struct Content: Sendable {
        var products: [CompilationKey: any AnyObject & Sendable] = [:]
        /// How often everything was dropped.
        var generation = 0
    }

    private let content = Lock(Content())

    init() {}

    /// What stands for a key, compiled at the first request. Nothing is locked meanwhile.
    package func product<Product: AnyObject & Sendable>(
        for key: CompilationKey, compile: () throws(ModelError) -> Product
    ) throws(ModelError) -> Product {
        while true {
            let (known, generation) = content.withLock { ($0.products[key], $0.generation) }
            if let known = known as? Product { return known }
            let made = try compile()
            let kept = content.withLock { content -> Product? in
                guard content.generation == generation else { return nil }
                // Somebody else may have been quicker.
                let kept = content.products[key] as? Product ?? made
                content.products[key] = kept
                return kept
            }
            if let kept { return kept }
        }
    }

    /// Everything that is kept.
    package var products: [any AnyObject & Sendable] { content.withLock { Array($0.products.values) } }

    /// Drops everything, because schemas were registered.
    func removeAll() {
        let dropped = content.withLock { content in
            let dropped = content.products
            content.products = [:]
            content.generation += 1
            return dropped
        }
        // What ends with it may use the registry, so it must not end before the lock is open, as optimised code would let it.
        withExtendedLifetime(dropped) {}
    }
}

/// What something compiled from a layout depends on.
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
