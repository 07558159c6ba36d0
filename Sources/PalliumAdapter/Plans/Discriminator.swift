import PalliumCore
import PalliumJSON

/// The discriminator of a cluster, compiled: the tags and the models that they name.
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
    private let models: [ModelLayout]
    /// The positions of tags, and of the tags of each model.
    private let positions: [JSONValue: Int]
    private let positionsByModel: [ObjectIdentifier: [Int]]

    init(owner: ModelLayout, path: JSONKeyPath, models: [(tag: JSONValue, model: ModelLayout)], fallback: ModelLayout?)
    {
        self.owner = owner
        self.path = path
        tags = models.map(\.tag)
        self.fallback = fallback
        let named = models.filter { $0.tag.kind == .string }
        texts = KeyTable(named.map(\.tag.tagText))
        modelsByText = named.map(\.model)
        self.models = models.map(\.model)
        positions = Dictionary(models.enumerated().map { ($1.tag, $0) }) { first, _ in first }
        positionsByModel = Dictionary(grouping: models.indices) { ObjectIdentifier(models[$0].model) }
    }

    /// Returns the model that a text is listed for.
    func model(_ text: borrowing TokenText) -> ModelLayout? {
        let number = text.number(in: texts)
        return number >= 0 ? modelsByText[number] : nil
    }

    /// Returns the model that a tag is listed for.
    func model(_ tag: JSONValue) -> ModelLayout? { positions[tag].map { models[$0] } }

    /// Returns the positions of the tags by which the cluster leads to a layout, for each model that they name.
    func positions(leadingTo layout: ModelLayout) -> [[Int]] {
        layout.lineage.filter { owner.leads(by: $0, to: layout) }.compactMap { positionsByModel[ObjectIdentifier($0)] }
    }

    /// Whether objects with another tag, or without one, are led to a layout.
    func fallsBack(to layout: ModelLayout) -> Bool { fallback.map { owner.leads(by: $0, to: layout) } ?? false }

    /// Returns the first of some tags that names a layout; without one, the first.
    func first(of tags: [JSONValue], naming layout: ModelLayout) -> JSONValue? {
        let listed = tags.compactMap { positions[$0] }
        return (listed.filter { models[$0] === layout }.min() ?? listed.min()).map { self.tags[$0] }
    }

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
