import PalliumCore
import PalliumJSON

/// Checks that a discriminator names the model that is read or written.
///
/// It checks documents that are decoded as a leaf of a cluster, and properties that are written as a discriminator.
/// There is one check for each discriminator that a layout or an ancestor declares.
///
/// Safety: texts are looked up while they are in use.
final class DiscriminatorCheck {
    let members: [String]
    private let discriminator: Discriminator
    private let layout: ModelLayout
    /// The check of another cluster with the same member.
    var other: DiscriminatorCheck?

    private init(_ layout: ModelLayout, _ discriminator: Discriminator, members: [String]) {
        self.layout = layout
        self.discriminator = discriminator
        self.members = members
    }

    /// Returns the checks for a layout, its own cluster first.
    static func checks(
        for layout: ModelLayout, _ clusters: DocumentClusters
    ) throws(ModelError) -> [DiscriminatorCheck] {
        var checks: [DiscriminatorCheck] = []
        for ancestor in layout.lineage {
            guard let discriminator = try clusters.discriminator(of: ancestor),
                let members = discriminator.path.members
            else { continue }
            checks.append(DiscriminatorCheck(layout, discriminator, members: members))
        }
        return checks
    }

    /// Returns the error for the text of a discriminator in a document; nil if it names the layout or an ancestor.
    func problem(reading text: borrowing TokenText) -> ModelError? {
        let named = discriminator.model(text) ?? discriminator.fallback
        if let named, layout.isDescendant(of: named) { return other?.problem(reading: text) }
        return problem(.string(text.string), naming: named)
    }

    /// Returns the error for a value in a document, as for a text; nil for a value that cannot be a tag.
    func problem(reading value: JSONValue) -> ModelError? {
        guard value.isTag else { return nil }
        let named = discriminator.choice(value)
        if let named, layout.isDescendant(of: named) { return other?.problem(reading: value) }
        return problem(value, naming: named)
    }

    /// Returns the error for a value that a model writes; nil if the cluster reads the layout from it.
    func problem(writing value: JSONValue) -> ModelError? {
        do throws(ModelError) {
            let named = discriminator.choice(try discriminator.tag(value))
            if let named, discriminator.owner.leads(by: named, to: layout) { return other?.problem(writing: value) }
            return problem(value, naming: named)
        } catch { return error.inSchema(layout.schema.name) }
    }

    /// Whether the cluster reads the layout from an object whose discriminator is null or absent.
    var readsNull: Bool { problem(writing: .null) == nil }

    private func problem(_ value: JSONValue, naming named: ModelLayout?) -> ModelError {
        ModelError(
            .unknownModel, expected: "a discriminator of \(layout.schema.name)", found: value.summary,
            schema: (named ?? layout).schema.name)
    }
}

extension Discriminator {
    /// Returns the model that a text is listed for.
    func model(_ text: borrowing TokenText) -> ModelLayout? {
        let number = text.number(in: texts)
        return number >= 0 ? modelsByText[number] : nil
    }
}
