/// The products that other modules compile from the schemas of a registry, such as plans for JSON.
///
/// A registry has one for each state of its schemas. Registering schemas replaces it as a whole, so everything in it was
/// compiled from the same schemas. Adapters that were made before go on with what they hold.
package final class CompiledSchemas: Sendable {
    private struct Product: Sendable {
        weak var value: (any AnyObject & Sendable)?
        /// The value, if it is kept without users.
        let kept: (any AnyObject & Sendable)?
    }

    /// A number that tells the states of a registry's schemas apart.
    package let generation: Int
    private let compiled = Lock<[AnyHashable: Product]>([:])

    init(generation: Int) { self.generation = generation }

    /// Returns the product for some options, which is made at the first request.
    ///
    /// - Parameters:
    ///   - isKept: Whether the product stays if nobody uses it; otherwise its last user releases it.
    ///   - make: Makes the product. It runs under a lock, so it must not call your code.
    package func product<Made: AnyObject & Sendable>(
        for options: some Hashable & Sendable, isKept: Bool, make: @Sendable () -> Made
    ) -> Made {
        let (product, _) = compiled.withLock { compiled -> (Made, [any AnyObject & Sendable]) in
            let key = AnyHashable(options)
            if let existing = compiled[key]?.value as? Made { return (existing, []) }
            let made = make()
            // Another thread may release a product at this moment. The last reference must not end under the lock,
            // because the product may use the registry when it ends.
            let values = compiled.values.compactMap(\.value)
            compiled = compiled.filter { $0.value.value != nil }
            compiled[key] = Product(value: made, kept: isKept ? made : nil)
            return (made, values)
        }
        return product
    }

    /// All products that are in use or kept.
    package var products: [any AnyObject & Sendable] { compiled.withLock { $0.values.compactMap(\.value) } }
}
