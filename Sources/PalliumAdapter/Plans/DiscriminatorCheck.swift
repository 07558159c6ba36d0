import PalliumCore
import PalliumJSON

/// Checks that a discriminator names the model that is read or written.
///
/// It checks documents that are decoded as a leaf of a cluster, and properties that are written as a discriminator.
/// There is one check for each discriminator that a layout or an ancestor declares.
///
/// Safety: the bytes of a text are looked up while the document is borrowed, which is as long as the text is in use.
final class DiscriminatorCheck {
    let members: [String]
    private let texts: KeyTable
    private let models: [ModelLayout]
    private let fallback: ModelLayout?
    /// The layout that declares the discriminator.
    private let owner: ModelLayout
    private let layout: ModelLayout
    /// The check of another cluster with the same member.
    var other: DiscriminatorCheck?

    private init(
        _ layout: ModelLayout, owner: ModelLayout, members: [String], texts: [String], models: [ModelLayout],
        fallback: ModelLayout?
    ) {
        self.layout = layout
        self.owner = owner
        self.members = members
        self.texts = KeyTable(texts)
        self.models = models
        self.fallback = fallback
    }

    /// Returns the checks for a layout, its own cluster first.
    static func checks(for layout: ModelLayout, registry: SchemaRegistry) throws(ModelError) -> [DiscriminatorCheck] {
        var checks: [DiscriminatorCheck] = []
        for ancestor in layout.lineage {
            if case .discriminator(let path, let entries, let fallback) = ancestor.cluster(in: registry),
                let members = (try? JSONKeyPath(path))?.members
            {
                var models: [ModelLayout] = []
                for entry in entries { models.append(try registry.layout(entry.model)) }
                checks.append(
                    DiscriminatorCheck(
                        layout, owner: ancestor, members: members, texts: entries.map(\.text), models: models,
                        fallback: try fallback.map { reference throws(ModelError) in try registry.layout(reference) }))
            }
        }
        return checks
    }

    /// Returns the error for the text of a discriminator in a document; nil if it names the layout or an ancestor.
    func problem(reading text: JSONText) -> ModelError? {
        let named = unsafe model(texts.find(text.start, text.count))
        if let named, layout.isDescendant(of: named) { return unsafe other?.problem(reading: text) }
        return unsafe problem(.string(text.string), naming: named)
    }

    /// Returns the error for a number in a document, as for its text.
    func problem(reading number: JSONNumber) -> ModelError? {
        guard let integer = number.int64 else { return nil }
        let named = model(texts.find("\(integer)") ?? -1)
        if let named, layout.isDescendant(of: named) { return other?.problem(reading: number) }
        return problem(.number(number), naming: named)
    }

    /// Returns the error for a value in a tree, as for its text.
    func problem(reading value: JSONValue) -> ModelError? {
        switch value {
        case .number(let number): return problem(reading: number)
        case .string(let text):
            let named = model(texts.find(text) ?? -1)
            if let named, layout.isDescendant(of: named) { return other?.problem(reading: value) }
            return problem(value, naming: named)
        default: return nil
        }
    }

    private func model(_ number: Int) -> ModelLayout? { number >= 0 ? models[number] : fallback }

    /// Returns the error for a value that a model writes; nil if the cluster reads the layout from it.
    func problem(writing value: JSONValue) -> ModelError? {
        do throws(ModelError) {
            let text = try ClusterPlan.discriminatorText(
                value, path: JSONKeyPath(steps: members.map { .member($0) }))
            let named = model(texts.find(text) ?? -1)
            if let named, owner.leads(by: named, to: layout) { return other?.problem(writing: value) }
            return problem(value, naming: named)
        } catch { return error.inSchema(layout.schema.name) }
    }

    private func problem(_ value: JSONValue, naming named: ModelLayout?) -> ModelError {
        ModelError(
            .unknownModel, expected: "a discriminator of \(layout.schema.name)", found: value.summary,
            schema: (named ?? layout).schema.name)
    }
}

extension ModelLayout {
    /// Whether a cluster that has chosen one layout ends at another one: they are the same, or the cluster of the first
    /// one leads there.
    func leads(by chosen: ModelLayout, to layout: ModelLayout) -> Bool {
        chosen === layout || (chosen !== self && chosen.schema.cluster != nil && layout.isDescendant(of: chosen))
    }
}
