import PalliumJSON

/// Decides the equality of graphs by partition refinement, for sets in cycles whose elements cannot be told apart otherwise.
///
/// ```
///   nodes      models, and collections that hold models; first a block for each class, schema and scalar content
///   splitter   a block that waits: nodes with another number of references into it become blocks of their own
///   result     nodes are equal if they stand in one block when none waits
/// ```
/// Of the parts of a block, the largest need not wait, so each reference is looked at O(log *n*) times: A. Valmari and G.
/// Franceschinis, "Simple O(m log n) Time Markov Chain Lumping" (TACAS 2010). The number of references takes the place of
/// probabilities, as the elements of a set are counted.
///
/// Safety: slots with a value hold what their kinds say. Nothing changes a graph while it is compared.
struct ModelPartition {
    enum Node {
        case model(DynamicModel)
        case list(SlotList, SlotKind)

        /// Makes the node of what a slot holds; nil for everything but models and collections of them.
        init?(_ slot: PropertySlot) {
            let description = slot.description
            guard slot.hasValue, description.holdsModels, description.kind != .weakModel else { return nil }
            self = description.kind == .model ? .model(slot.model) : .list(slot.list, description.kind)
        }
    }

    /// A reference to a node: by the slot of a model, the position in an array, or the number of a key. All elements of a set
    /// are alike.
    private struct Reference {
        let source: Int
        let label: Int
    }

    private let extent: ModelComparison.Extent
    private let isStrict: Bool
    private var nodes: [Node] = []
    private var numbers: [ObjectIdentifier: Int] = [:]
    private var keys: [UTF8Key: Int] = [:]
    private var references: [[Reference]] = []

    private var members: [[Int]] = []
    /// By node, its block and its position there.
    private var positions: [(block: Int, position: Int)] = []
    private var waiting: [Int] = []
    private var isWaiting: [Bool] = []

    /// Whether two models, or collections of them, are equal.
    ///
    /// - Complexity: O(*m* log *n*) for *m* references between *n* models and collections.
    @inline(never)
    static func equal(
        _ left: Node, _ right: Node, including extent: ModelComparison.Extent = .nothing, isStrict: Bool = false
    ) -> Bool {
        var partition = ModelPartition(extent: extent, isStrict: isStrict)
        let classes = partition.classes(of: [left, right])
        return classes[0] == classes[1]
    }

    /// Returns a number for each of some models or collections, the same for those that are equal.
    ///
    /// - Complexity: O(*m* log *n*) for *m* references between *n* models and collections.
    static func classes(of values: [Node]) -> [Int] {
        var partition = ModelPartition(extent: .nothing, isStrict: false)
        return partition.classes(of: values)
    }

    private mutating func classes(of values: [Node]) -> [Int] {
        let numbers = values.map { number(of: $0) }
        addNodes()
        makeBlocks()
        while let splitter = waiting.popLast() { split(by: splitter) }
        return numbers.map { positions[$0].block }
    }

    private init(extent: ModelComparison.Extent, isStrict: Bool) {
        self.extent = extent
        self.isStrict = isStrict
    }

    // MARK: The graph

    private mutating func number(of node: Node) -> Int {
        let object: AnyObject =
            switch node {
            case .model(let model): model
            case .list(let list, _): list
            }
        if let number = numbers[ObjectIdentifier(object)] { return number }
        numbers[ObjectIdentifier(object)] = nodes.count
        nodes.append(node)
        references.append([])
        return nodes.count - 1
    }

    private mutating func addNodes() {
        var next = 0
        while next < nodes.count {
            for (label, slot) in content(of: nodes[next]) {
                if let target = Node(slot).map({ number(of: $0) }) {
                    references[target].append(Reference(source: next, label: label))
                }
            }
            next += 1
        }
    }

    /// What a node holds, with its labels.
    private mutating func content(of node: Node) -> [(label: Int, slot: PropertySlot)] {
        switch node {
        case .model(let model):
            if isStrict, model.isUnique { return [] }
            let slots = extent == .nothing ? Array(model.comparedSlotIndices) : Array(model.slotIndices)
            return slots.map { ($0, model.slot(at: $0)) }.filter { $0.1.description.kind != .weakModel }
        case .list(let list, .dictionary):
            let names = list.keysOfDictionary
            return names.indices.map { index in
                let key = UTF8Key(names[index])
                let label = keys[key] ?? keys.count
                keys[key] = label
                return (label, list.slot(at: index))
            }
        case .list(let list, let kind):
            return (0..<list.count).map { (kind == .set ? 0 : $0, list.slot(at: $0)) }
        }
    }

    // MARK: Blocks

    /// Makes a block for each content without models.
    private mutating func makeBlocks() {
        var blocks: [Int: [Int]] = [:]
        for number in nodes.indices {
            let hash = contentHash(of: nodes[number])
            let block = blocks[hash, default: []].first { hasSameContent(nodes[members[$0][0]], nodes[number]) }
            if let block {
                positions.append((block, members[block].count))
                members[block].append(number)
            } else {
                blocks[hash, default: []].append(members.count)
                positions.append((members.count, 0))
                members.append([number])
            }
        }
        waiting = Array(members.indices)
        isWaiting = members.map { _ in true }
    }

    private mutating func contentHash(of node: Node) -> Int {
        var hasher = Hasher()
        if case .model(let model) = node {
            hasher.combine(ObjectIdentifier(type(of: model)))
            if isStrict, model.isUnique { hasher.combine(ObjectIdentifier(model)) }
        }
        var sum = 0
        for (label, slot) in content(of: node) where slot.hasValue {
            var element = Hasher()
            element.combine(label)
            if !slot.description.holdsModels { ModelHashing.hash(slot, into: &element) }
            // Keys have no order.
            sum &+= element.finalize()
        }
        hasher.combine(sum)
        return hasher.finalize()
    }

    private mutating func hasSameContent(_ left: Node, _ right: Node) -> Bool {
        switch (left, right) {
        case (.model(let left), .model(let right)):
            guard type(of: left) == type(of: right),
                left.layout === right.layout || left.layout.isEqual(to: right.layout),
                !isStrict || left === right || !left.isUnique && !right.isUnique,
                extent == .nothing || left.unknownMembers == right.unknownMembers
            else { return false }
        case (.list(let left, let kind), .list(let right, let other)):
            guard kind == other, left.count == right.count else { return false }
        default: return false
        }
        let others = Dictionary(content(of: right).map { ($0.label, $0.slot) }) { first, _ in first }
        return content(of: left).allSatisfy { label, slot in
            guard let other = others[label] else { return false }
            if case .list(_, .set) = left { return true }
            return slot.hasValue == other.hasValue
                && (!isStrict || slot.slotState.isNull == other.slotState.isNull)
                && (!slot.hasValue || slot.description.holdsModels || ModelComparison.equal(slot, other))
        }
    }

    /// Splits all blocks by the number of references, under each label, into a block.
    private mutating func split(by splitter: Int) {
        isWaiting[splitter] = false
        var counts: [Int: [Int: Int]] = [:]
        for node in members[splitter] {
            for reference in references[node] {
                counts[reference.label, default: [:]][reference.source, default: 0] += 1
            }
        }
        for sources in counts.values {
            var touched: [Int: [Int: [Int]]] = [:]
            for (node, count) in sources {
                touched[positions[node].block, default: [:]][count, default: []].append(node)
            }
            for (block, groups) in touched { split(block, into: Array(groups.values)) }
        }
    }

    /// Moves groups of nodes out of a block; one stays if nothing else would.
    private mutating func split(_ block: Int, into groups: [[Int]]) {
        var parts = groups.sorted { $0.count > $1.count }
        if parts.reduce(0, { $0 + $1.count }) == members[block].count { parts.removeFirst() }
        if parts.isEmpty { return }
        var blocks = [block]
        for part in parts {
            blocks.append(members.count)
            members.append([])
            isWaiting.append(false)
            for node in part { move(node, to: members.count - 1) }
        }
        // The partition was stable for the whole, and what holds for the others holds for the largest part.
        let isWhole = !isWaiting[block]
        let largest = blocks.max { members[$0].count < members[$1].count }
        for part in blocks where !isWaiting[part] && !(isWhole && part == largest) {
            isWaiting[part] = true
            waiting.append(part)
        }
    }

    private mutating func move(_ node: Int, to block: Int) {
        let (former, position) = positions[node]
        let last = members[former].removeLast()
        if last != node {
            members[former][position] = last
            positions[last].position = position
        }
        positions[node] = (block, members[block].count)
        members[block].append(node)
    }
}
