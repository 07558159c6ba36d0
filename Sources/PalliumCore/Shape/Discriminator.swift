package import PalliumJSON

/// The discriminator of a cluster, compiled: the tags and the models that they name.
package final class Discriminator: Sendable {
    /// The layout that declares it.
    package let owner: ModelLayout
    package let path: JSONKeyPath
    package let tags: [JSONValue]
    /// The model of objects with another tag, or without one.
    package let fallback: ModelLayout?
    /// The tags that are texts, which adapters look up without making a `JSONValue`, and their models.
    package let texts: KeyTable
    package let modelsByText: [ModelLayout]
    private let models: [ModelLayout]
    /// The positions of tags, and of the tags of each model.
    private let positions: [JSONValue: Int]
    private let positionsByModel: [ObjectIdentifier: [Int]]

    package init(
        owner: ModelLayout, path: JSONKeyPath, models: [(tag: JSONValue, model: ModelLayout)], fallback: ModelLayout?
    ) {
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

    /// Returns the model that a tag is listed for.
    package func model(_ tag: JSONValue) -> ModelLayout? { positions[tag].map { models[$0] } }

    /// Returns the positions of the tags by which the cluster leads to a layout, for each model that they name.
    package func positions(leadingTo layout: ModelLayout) -> [[Int]] {
        layout.lineage.filter { owner.leads(by: $0, to: layout) }.compactMap { positionsByModel[ObjectIdentifier($0)] }
    }

    /// The models that the cluster lists and their tags, in the order of the first tags.
    package var choices: [(model: ModelLayout, tags: [JSONValue])] {
        positionsByModel.values.sorted { $0[0] < $1[0] }.map { positions in
            (models[positions[0]], positions.map { tags[$0] })
        }
    }

    /// Returns the tags of exactly this model, made as they are asked for.
    package func tags(of model: ModelLayout) -> some Sequence<JSONValue> {
        (positionsByModel[ObjectIdentifier(model)] ?? []).lazy.map { self.tags[$0] }
    }

    /// Returns the first tag of a model; without one, the first of its ancestors.
    package func firstTag(of model: ModelLayout) -> JSONValue? {
        let own = positionsByModel[ObjectIdentifier(model)]?.first
        return (own ?? model.lineage.compactMap { positionsByModel[ObjectIdentifier($0)]?.first }.min()).map {
            tags[$0]
        }
    }

    /// Whether objects with another tag, or without one, are led to a layout.
    package func fallsBack(to layout: ModelLayout) -> Bool { fallback.map { owner.leads(by: $0, to: layout) } ?? false }

    /// Returns the first of some tags that names a layout; without one, the first.
    package func first(of tags: [JSONValue], naming layout: ModelLayout) -> JSONValue? {
        let listed = tags.compactMap { positions[$0] }
        return (listed.filter { models[$0] === layout }.min() ?? listed.min()).map { self.tags[$0] }
    }

    /// Returns the model that the cluster chooses for a tag, or without one.
    package func choice(_ tag: JSONValue?) -> ModelLayout? { tag.flatMap { model($0) } ?? fallback }

    /// Returns a value that can be a tag. Null says as little as an absent value: nil.
    package func tag(_ value: JSONValue?) throws(ModelError) -> JSONValue? {
        guard let value, !value.isNull else { return nil }
        if value.isTag { return value }
        throw ModelError(
            .typeMismatch, expected: "a text, a number or a Boolean as the discriminator \"\(path)\"",
            found: value.summary)
    }
}

extension ModelLayout {
    /// Whether a cluster that has chosen one layout ends at another one: they are the same, or the cluster of the first
    /// one leads there.
    package func leads(by chosen: ModelLayout, to layout: ModelLayout) -> Bool {
        chosen === layout || (chosen !== self && chosen.schema.cluster != nil && layout.isDescendant(of: chosen))
    }
}
