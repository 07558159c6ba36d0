import PalliumJSON

/// Places in a graph of models, each one step from another: a place costs the same however deep it lies.
///
/// A place means the same on both sides of a merge, told differently: the own side by keys, the incoming side by the paths
/// that its caller knows; and an element may have another number on either side.
///
/// Changes are told long after a merge, so the paths keep the layouts of the models that they are about, and with them the
/// descriptions of old and new values.
///
/// Safety: places refer to layouts without counting references; `registries` keeps those layouts that do not live as long
/// as the process.
final class ChangePaths {
    /// The place of the model everything starts from.
    static let root = -1

    /// A place that is entered only once somebody asks for its number: of most models nothing is told.
    enum Place {
        case at(Int)
        case element(Int, incoming: Int, of: Int)
    }

    /// One step. Plain bytes: most places are never asked for.
    @safe
    private struct Node {
        let parent: Int
        /// The layout that has the property; nil for an element or a key.
        var layout: Unmanaged<ModelLayout>?
        /// The slot of a property, the number of an element, or -1 for a key.
        var number = -1
        /// The number of an element on the incoming side, or the place of a key in `keys`.
        var incoming = -1
    }

    // Read and written by the methods below alone, which call nothing while they do.
    @safe @exclusivity(unchecked) private var nodes: [Node] = []
    @safe @exclusivity(unchecked) private var keys: [String] = []
    /// One for each registry that a model came from: few.
    @safe @exclusivity(unchecked) private var registries: [SchemaRegistry] = []

    /// Keeps the layouts of the registry of a model.
    @inline(__always)
    func keepLayouts(of model: DynamicModel) { unsafe keepLayouts(model.table) }

    @inline(__always)
    private func keepLayouts(_ table: UnsafePointer<RawLayout>) {
        if let registry = unsafe table.pointee.registry { unsafe keep(registry.takeUnretainedValue()) }
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

    /// The place of a property.
    func append(property slot: Int, of layout: ModelLayout, to parent: Int) -> Int {
        unsafe keepLayouts(layout.table)
        return unsafe append(Node(parent: parent, layout: Unmanaged.passUnretained(layout), number: slot))
    }

    /// The place of a dictionary member.
    func append(_ key: String, to parent: Int) -> Int {
        keys.append(key)
        return unsafe append(Node(parent: parent, incoming: keys.count - 1))
    }

    /// The place of an element.
    func append(_ number: Int, incoming: Int? = nil, to parent: Int) -> Int {
        unsafe append(Node(parent: parent, number: number, incoming: incoming ?? number))
    }

    /// The place of a property, member or element.
    func append(_ step: ModelDifference.Step, to parent: Int) -> Int {
        switch step {
        case .property(let slot, let layout): append(property: slot, of: layout, to: parent)
        case .key(let key): append(key, to: parent)
        case .element(let number): append(number, to: parent)
        }
    }

    /// The number of a place.
    func number(of place: Place) -> Int {
        switch place {
        case .at(let number): number
        case .element(let element, let incoming, let list): append(element, incoming: incoming, to: list)
        }
    }

    /// The steps to a place, in keys. O(their number).
    func tokens(to place: Int) -> [String] {
        var tokens: [String] = []
        for node in nodes(to: place) { tokens.append(token(of: node)) }
        return tokens
    }

    /// The steps to a place on the incoming side, where a property is known by a path. O(their number).
    func incomingTokens(to place: Int, path: (ModelLayout, Int) -> [String]) -> [String] {
        var tokens: [String] = []
        for node in nodes(to: place) {
            if let layout = unsafe node.layout {
                unsafe tokens += path(layout.takeUnretainedValue(), node.number)
            } else {
                tokens.append(node.number < 0 ? keys[node.incoming] : "\(node.incoming)")
            }
        }
        return tokens
    }

    /// The first step to a place. O(the number of steps).
    func firstToken(to place: Int) -> String { nodes(to: place).first.map { token(of: $0) } ?? "" }

    private func nodes(to place: Int) -> [Node] {
        var path: [Node] = []
        var place = place
        while place != Self.root {
            path.append(nodes[place])
            place = nodes[place].parent
        }
        return path.reversed()
    }

    private func token(of node: Node) -> String {
        if let layout = unsafe node.layout { return unsafe layout.takeUnretainedValue().properties[node.number].key }
        return node.number < 0 ? keys[node.incoming] : "\(node.number)"
    }
}
