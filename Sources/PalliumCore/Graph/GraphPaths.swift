package import PalliumJSON

/// Paths in a graph of models, each one step longer than another: a path costs the same however long it is.
///
/// A path means the same value on both sides of a merge. Its form for the target uses keys. Its form for the source uses
/// the caller's paths and may have other element numbers.
///
/// Changes are described long after a merge, so the paths keep the layouts of the models that they are about, and with them
/// the descriptions of old and new values.
///
/// Paths refer to layouts without counting references; `registries` keeps those layouts that do not live as long as the
/// process.
package final class GraphPaths {
    /// The path to the model from which all paths lead.
    package static let root = -1

    /// A path that is entered only once somebody asks for its number: of most models nothing is reported.
    package enum Path {
        case at(Int)
        case element(Int, source: Int, of: Int)
    }

    /// The last step of a path. Plain bytes: most paths are never asked for.
    private struct Node {
        let parent: Int
        /// The layout that has the property; nil for an element or a key.
        var layout: Unowned<ModelLayout>?
        /// The slot of a property, the number of an element, or -1 for a key.
        var number = -1
        /// The number of an element in the source, or the index of a key in `keys`.
        var source = -1
    }

    // Read and written by the methods below alone, which call nothing while they do.
    @safe @exclusivity(unchecked) private var nodes: [Node] = []
    @safe @exclusivity(unchecked) private var keys: [String] = []
    /// The keys of dictionaries that a merge made whose entries both sides had changed.
    @safe @exclusivity(unchecked) private var conflicts: [ObjectIdentifier: (SlotDictionary, keys: Set<UTF8Key>)] = [:]
    /// One for each registry that a model came from: few.
    @safe @exclusivity(unchecked) private var registries: [SchemaRegistry] = []

    package init() {}

    /// Notes that both sides had changed some entries of a dictionary.
    package func note(conflicts keys: Set<UTF8Key>, in dictionary: SlotDictionary) {
        if !keys.isEmpty { conflicts[ObjectIdentifier(dictionary)] = (dictionary, keys) }
    }

    /// The keys of a dictionary whose entries both sides had changed.
    package func conflicts(in dictionary: SlotDictionary) -> Set<UTF8Key> {
        conflicts.isEmpty ? [] : conflicts[ObjectIdentifier(dictionary)]?.keys ?? []
    }

    /// Keeps the layouts of the registry of a model.
    @inline(__always)
    package func keepLayouts(of model: DynamicModel) {
        if let registry = model.ownRegistry { keep(registry) }
    }

    @inline(never)
    private func keep(_ registry: SchemaRegistry) {
        if !registries.contains(where: { $0 === registry }) { registries.append(registry) }
    }

    private func append(_ node: Node) -> Int {
        if nodes.isEmpty { nodes.reserveCapacity(8) }
        nodes.append(node)
        return nodes.count - 1
    }

    /// The path to a property.
    package func append(property slot: Int, of layout: ModelLayout, to parent: Int) -> Int {
        if let registry = layout.ownRegistry { keep(registry) }
        return append(Node(parent: parent, layout: layout.unowned, number: slot))
    }

    /// The path to a dictionary member.
    package func append(_ key: String, to parent: Int) -> Int {
        keys.append(key)
        return append(Node(parent: parent, source: keys.count - 1))
    }

    /// The path to an element.
    package func append(_ number: Int, source: Int? = nil, to parent: Int) -> Int {
        append(Node(parent: parent, number: number, source: source ?? number))
    }

    /// The number of a path.
    package func number(of path: Path) -> Int {
        switch path {
        case .at(let number): number
        case .element(let element, let source, let list): append(element, source: source, to: list)
        }
    }

    /// The steps of a path, in keys. O(their number).
    ///
    /// - Parameter start: The path behind which they begin.
    package func tokens(to path: Int, after start: Int = root) -> [String] {
        nodes(to: path, after: start).map { token(of: $0) }
    }

    /// The steps of a path as people may see them: up to the first property with a label, if there is one.
    package func shownTokens(to path: Int) -> (tokens: [String], isMasked: Bool) {
        var tokens: [String] = []
        for node in nodes(to: path) {
            tokens.append(token(of: node))
            if isSensitive(node) { return (tokens, true) }
        }
        return (tokens, false)
    }

    private func isSensitive(_ node: Node) -> Bool {
        guard let layout = node.layout else { return false }
        return layout.object.properties[node.number].schema.isSensitive
    }

    /// The steps of a path in the source, where a property is known by a path of its own, and how many of them people
    /// may see if not all. O(their number).
    package func sourceTokens(
        to path: Int, path propertyPath: (ModelLayout, Int) -> [String]
    ) -> (tokens: [String], shownCount: Int?) {
        var tokens: [String] = []
        var shownCount: Int?
        for node in nodes(to: path) {
            defer { if shownCount == nil, isSensitive(node) { shownCount = tokens.count } }
            if let layout = node.layout {
                tokens += propertyPath(layout.object, node.number)
            } else {
                tokens.append(node.number < 0 ? keys[node.source] : "\(node.source)")
            }
        }
        return (tokens, shownCount)
    }

    /// The first step of a path. O(the number of steps).
    package func firstToken(to path: Int) -> String { nodes(to: path).first.map { token(of: $0) } ?? "" }

    private func nodes(to path: Int, after start: Int = root) -> [Node] {
        var result: [Node] = []
        var path = path
        // Longer paths have larger numbers.
        while path > start {
            result.append(nodes[path])
            path = nodes[path].parent
        }
        return result.reversed()
    }

    private func token(of node: Node) -> String {
        if let layout = node.layout { return layout.object.properties[node.number].key }
        return node.number < 0 ? keys[node.source] : "\(node.number)"
    }
}
