import PalliumCore
import PalliumJSON

/// The discriminator of a cluster, compiled: the texts and the models that they name.
///
/// Safety: the bytes of a text are looked up while the document is borrowed, which is as long as the text is in use.
final class Discriminator {
    /// The layout that declares it.
    let owner: ModelLayout
    let path: JSONKeyPath
    let texts: [String]
    /// The model of objects with another text, or without one.
    let fallback: ModelLayout?
    private let table: KeyTable
    private let models: [ModelLayout]

    init(owner: ModelLayout, path: JSONKeyPath, texts: [String], models: [ModelLayout], fallback: ModelLayout?) {
        self.owner = owner
        self.path = path
        self.texts = texts
        self.fallback = fallback
        table = KeyTable(texts)
        self.models = models
    }

    /// Compiles the discriminator of a layout's own schema; nil if it has none.
    convenience init?(_ owner: ModelLayout, registry: SchemaRegistry) throws(ModelError) {
        guard case .discriminator(let path, let entries, let fallback) = owner.cluster(in: registry) else {
            return nil
        }
        var models: [ModelLayout] = []
        for entry in entries { models.append(try registry.layout(entry.model)) }
        self.init(
            owner: owner, path: try Self.path(path), texts: entries.map(\.text), models: models,
            fallback: try fallback.map { reference throws(ModelError) in try registry.layout(reference) })
    }

    static func path(_ text: String) throws(ModelError) -> JSONKeyPath {
        do { return try JSONKeyPath(text) } catch {
            // Registration refuses malformed paths.
            throw ModelError(.unknownKey, expected: "a key path", found: error.description)
        }
    }

    /// Returns the model that a text is listed for.
    func model(_ text: JSONText) -> ModelLayout? {
        let number = unsafe table.find(text.start, text.count)
        return number >= 0 ? models[number] : nil
    }

    /// Returns the model that a text is listed for.
    func model(_ text: String) -> ModelLayout? { table.find(text).map { models[$0] } }

    /// Returns the model that the cluster chooses for a text, or without one.
    func choice(_ text: String?) -> ModelLayout? { text.flatMap { model($0) } ?? fallback }

    /// Returns the text of a value: text, or an integer in decimal. Null says as little as an absent value: nil.
    func text(_ value: JSONValue?) throws(ModelError) -> String? {
        guard let value else { return nil }
        switch value {
        case .null: return nil
        case .string(let text): return text
        case .number(let number):
            if let integer = number.int64 { return "\(integer)" }
        default: break
        }
        throw ModelError(
            .typeMismatch, expected: "a text as the discriminator \"\(path)\"", found: value.summary)
    }
}
