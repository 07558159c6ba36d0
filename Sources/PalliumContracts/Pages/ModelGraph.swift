import PalliumCore
import PalliumJSON

/// The models of a page, and how they refer to each other.
struct ModelGraph {
    /// A reference from one model to another.
    struct Edge {
        /// The reason of a reference.
        enum Kind {
            /// A property holds the model, or a collection of it.
            case property(key: String, isCollection: Bool, isWeak: Bool)
            /// The source extends the target.
            case extends
            /// The cluster of the source chooses the target. The text says when.
            case choice(String)
        }

        let source: Int
        let target: Int
        let kind: Kind
    }

    /// The models in the order of their names. A root comes first.
    let layouts: [ModelLayout]
    /// The references in the order of their sources.
    private(set) var edges: [Edge] = []
    private var positions: [ObjectIdentifier: Int] = [:]

    /// Collects all schemas, or a root with all that it refers to.
    init(registry: SchemaRegistry, root: ModelLayout?) {
        let found =
            root.map { registry.layouts(neededBy: [$0]) }
            ?? registry.schemas.compactMap { registry.layout(for: $0) }
        let sorted = found.sorted { UTF8Text.precedes($0.schema.name, $1.schema.name) }
        layouts = root.map { root in [root] + sorted.filter { $0 !== root } } ?? sorted
        for (index, layout) in layouts.enumerated() { positions[ObjectIdentifier(layout)] = index }
        for (index, layout) in layouts.enumerated() { addEdges(of: layout, at: index, registry) }
    }

    /// Returns the position of a model; nil if it is not on the page.
    func position(of layout: ModelLayout) -> Int? { positions[ObjectIdentifier(layout)] }

    private mutating func addEdges(of layout: ModelLayout, at source: Int, _ registry: SchemaRegistry) {
        if let target = layout.parent.flatMap(position) {
            edges.append(Edge(source: source, target: target, kind: .extends))
        }
        for property in layout.schema.properties {
            guard let slot = layout.index(of: property.key) else { continue }
            let descriptor = layout.properties[slot].descriptor
            guard let target = descriptor.innermost.model.flatMap(position) else { continue }
            edges.append(
                Edge(
                    source: source, target: target,
                    kind: .property(
                        key: property.key, isCollection: descriptor.element != nil, isWeak: property.schema.isWeak)))
        }
        for choice in Self.choices(of: layout, registry) {
            guard let target = position(of: choice.model), target != source else { continue }
            edges.append(Edge(source: source, target: target, kind: .choice(choice.text)))
        }
    }

    /// How many texts name a choice in a graph.
    private static let maximumTexts = 3

    /// Returns the models that a cluster chooses, each once, with a text that says when.
    private static func choices(
        of layout: ModelLayout, _ registry: SchemaRegistry
    ) -> [(model: ModelLayout, text: String)] {
        var models: [(model: ModelLayout, texts: [String])] = []
        var positions: [ObjectIdentifier: Int] = [:]
        func add(_ reference: ModelReference?, _ text: String) {
            guard let model = reference.flatMap({ try? registry.layout($0) }) else { return }
            if let position = positions[ObjectIdentifier(model)] {
                models[position].texts.append(text)
            } else {
                positions[ObjectIdentifier(model)] = models.count
                models.append((model, [text]))
            }
        }
        var name = ""
        switch layout.cluster(in: registry) {
        case .discriminator(let path, let entries, let fallback):
            name = "\(path) = "
            for entry in entries { add(entry.model, entry.tag.tagText) }
            add(fallback, "other")
        case .rules(let rules, let fallback):
            for rule in rules { add(rule.model, rule.conditions.map(\.path).joined(separator: " and ")) }
            add(fallback, "other")
        case .resolver, nil: break
        }
        return models.map { model, texts in
            let shown = texts.prefix(maximumTexts).joined(separator: ", ")
            return (model, name + shown + (texts.count > maximumTexts ? ", …" : ""))
        }
    }
}
