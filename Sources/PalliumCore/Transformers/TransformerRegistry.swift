import PalliumJSON

/// A set of registered transformers, found by name.
///
/// A registry begins with the predefined transformers. An application uses ``shared``; tests and libraries make their
/// own, so that they do not affect one another.
public final class TransformerRegistry: Sendable {
    /// The application's registry.
    public static let shared = TransformerRegistry()

    private let transformers: Lock<[TransformerName: Transformer]>

    /// Makes a registry that holds the predefined transformers.
    public init() { transformers = Lock(Transformer.predefinedByName) }

    /// Adds a transformer.
    ///
    /// - Throws: ``ModelError`` with the code `duplicateMember` when another transformer has the name. A name never
    ///   changes its meaning, because schemas and adapters keep the transformers they were made with.
    public func register(_ transformer: Transformer, as name: TransformerName) throws(ModelError) {
        let isTaken = transformers.withLock { table in
            if let existing = table[name] { return existing !== transformer }
            table[name] = transformer
            return false
        }
        if isTaken {
            throw ModelError(
                .duplicateMember, expected: "a new transformer name",
                found: "\(ModelError.quote(name.description)), which is taken")
        }
    }

    /// Returns the transformer with a name.
    ///
    /// - Throws: ``ModelError`` with the code `unknownTransformer`.
    public func transformer(named name: TransformerName) throws(ModelError) -> Transformer {
        if let transformer = name.unnamed as? Transformer { return transformer }
        if let transformer = transformers.withLock({ $0[name] }) { return transformer }
        throw ModelError(
            .unknownTransformer, expected: "the name of a registered transformer",
            found: ModelError.quote(name.description)
        ).suggesting(suggestion(for: name.description))
    }

    /// The name that is most like a text, or the first that begins with it.
    private func suggestion(for text: String) -> String? {
        let names = names.map(\.description)
        return ModelError.nearest(to: text, among: names)
            ?? (text.utf8.count < 3 ? nil : names.first { $0.utf8.starts(with: text.utf8) })
    }

    /// The names, sorted.
    package var names: [TransformerName] {
        transformers.withLock { $0.keys.sorted { UTF8Text.precedes($0.description, $1.description) } }
    }
}
