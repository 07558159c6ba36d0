import PalliumCore
import PalliumJSON

/// The discriminator of a cluster, compiled: the tags and the models that they name.
///
/// Safety: the bytes of a text are looked up while the document is borrowed, which is as long as the text is in use.
final class Discriminator {
    /// The layout that declares it.
    let owner: ModelLayout
    let path: JSONKeyPath
    let tags: [JSONValue]
    /// The model of objects with another tag, or without one.
    let fallback: ModelLayout?
    /// The tags that are texts, which are looked up without making a `JSONValue`.
    private let texts: KeyTable
    private let modelsByText: [ModelLayout]
    private let models: [JSONValue: ModelLayout]

    init(owner: ModelLayout, path: JSONKeyPath, models: [(tag: JSONValue, model: ModelLayout)], fallback: ModelLayout?)
    {
        self.owner = owner
        self.path = path
        tags = models.map(\.tag)
        self.fallback = fallback
        let named = models.filter { $0.tag.kind == .string }
        texts = KeyTable(named.map(\.tag.tagText))
        modelsByText = named.map(\.model)
        self.models = Dictionary(models.map { ($0.tag, $0.model) }) { first, _ in first }
    }

    /// Compiles the discriminator of a layout's own schema; nil if it has none.
    convenience init?(_ owner: ModelLayout, registry: SchemaRegistry) throws(ModelError) {
        guard case .discriminator(let path, let entries, let fallback) = owner.cluster(in: registry) else {
            return nil
        }
        var models: [(tag: JSONValue, model: ModelLayout)] = []
        for entry in entries { models.append((entry.tag, try registry.layout(entry.model))) }
        self.init(
            owner: owner, path: try Self.path(path), models: models,
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
        let number = unsafe texts.find(text.start, text.count)
        return number >= 0 ? modelsByText[number] : nil
    }

    /// Returns the model that a tag is listed for.
    func model(_ tag: JSONValue) -> ModelLayout? { models[tag] }

    /// Returns the model that the cluster chooses for a tag, or without one.
    func choice(_ tag: JSONValue?) -> ModelLayout? { tag.flatMap { model($0) } ?? fallback }

    /// Returns a value that can be a tag. Null says as little as an absent value: nil.
    func tag(_ value: JSONValue?) throws(ModelError) -> JSONValue? {
        guard let value, !value.isNull else { return nil }
        if value.isTag { return value }
        throw ModelError(
            .typeMismatch, expected: "a text, a number or a Boolean as the discriminator \"\(path)\"",
            found: value.summary)
    }
}
