import PalliumCore
import PalliumJSON

/// The references of one model that are followed, and those of the models behind them.
///
/// Either keys are named, or everything is followed for a number of steps.
final class LinkSelection {
    /// How many steps everything is followed.
    let depth: Int
    private var children: [UTF8Key: LinkSelection] = [:]

    /// Follows nothing.
    static var none: LinkSelection { LinkSelection(depth: 0) }

    private init(depth: Int) { self.depth = depth }

    /// Whether keys decide.
    var namesKeys: Bool { !children.isEmpty }

    /// - Throws: ``ModelError`` with the code `unknownKey` for a key that the models do not have.
    init<Model>(
        _ links: ModelQuery<Model>.Links, of layout: ModelLayout, descendants: (ModelLayout) -> [ModelLayout]
    ) throws(ModelError) {
        switch links.content {
        case .depth(let depth): self.depth = depth
        case .keys(let keys):
            depth = 0
            for key in keys { try add(key, layout, descendants) }
        }
    }

    private func add(
        _ key: String, _ layout: ModelLayout, _ descendants: (ModelLayout) -> [ModelLayout]
    ) throws(ModelError) {
        var (current, candidates) = (self, [layout] + descendants(layout))
        for key in try layout.keys(in: key) {
            let found = candidates.compactMap { layout in layout.index(of: key).map { layout.properties[$0].descriptor }
            }
            guard let first = found.first else { throw candidates[0].unknownKeyError(key) }
            guard let model = first.innermost.model else {
                throw ModelError(
                    .unknownKey, first, expected: "a property that holds models", found: first.expectation)
            }
            candidates = [model] + descendants(model)
            let next = current.children[UTF8Key(key)] ?? LinkSelection(depth: 0)
            current.children[UTF8Key(key)] = next
            current = next
        }
    }

    /// Whether references in a property are followed.
    func follows(_ key: String) -> Bool { depth > 0 || children[UTF8Key(key)] != nil }

    /// The selection of models in a property; nil if nothing in them is followed.
    func inside(_ key: String) -> LinkSelection? {
        if depth == .max { return self }
        return depth > 0 ? LinkSelection(depth: depth - 1) : children[UTF8Key(key)]
    }

    /// The selection of a model without an identity in a property: reaching it is no step.
    func contained(_ key: String) -> LinkSelection? { depth > 0 ? self : children[UTF8Key(key)] }
}
