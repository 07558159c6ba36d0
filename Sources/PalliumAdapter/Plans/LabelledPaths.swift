package import PalliumCore
import PalliumJSON

/// Where documents of a schema have values with labels, to mask them in texts that people read.
///
/// The paths of all schemas that a cluster could choose count at once, because what is wrong with a document may be its
/// discriminator. Nothing below a labelled node is told: the names of members and the numbers of elements are values.
package struct LabelledPaths: Sendable {
    /// A member on a key path.
    private struct Node: Sendable {
        var isLabelled = false
        /// Whether a key path leads on from here to a value with a label.
        var leadsToLabel = false
        var members: [UTF8Key: Int] = [:]
        /// The node of all elements of an array.
        var elements: Int?
        /// The models of the properties that are read here.
        var models: Set<Models> = []
    }

    /// Models of a schema or its descendants, alone or in collections.
    fileprivate struct Models: Hashable, Sendable {
        enum Collection { case list, dictionary }

        let layout: ObjectIdentifier
        /// The collections around the models, the outermost first.
        let collections: ArraySlice<Collection>
        /// Whether a text or a number in place of a model is an identity that has a label.
        let hidesIdentity: Bool

        init(_ value: ValueDescriptor, _ layout: ModelLayout) {
            var (current, collections) = (value, [] as ArraySlice<Collection>)
            while let element = current.element {
                collections.append(current.kind == .dictionary ? .dictionary : .list)
                current = element
            }
            let hidesIdentity =
                current.property.isByIdentity
                && layout.identitySlots.contains { layout.properties[$0].descriptor.isSensitive }
            self.init(ObjectIdentifier(layout), collections, hidesIdentity: hidesIdentity)
        }

        init(_ layout: ObjectIdentifier, _ collections: ArraySlice<Collection> = [], hidesIdentity: Bool = false) {
            self.layout = layout
            self.collections = collections
            self.hidesIdentity = hidesIdentity
        }

        /// The models inside of some of the collections.
        func inside(_ collections: ArraySlice<Collection>) -> Models {
            Models(layout, collections, hidesIdentity: hidesIdentity)
        }

        var areInList: Bool { collections.first == .list }
    }

    /// One of the things that a value of a document may be.
    fileprivate enum Candidate: Hashable, Sendable {
        case node(Int)
        case models(Models)
    }

    /// A position in a document, and what may be told about the value there.
    struct Position: Sendable {
        fileprivate var candidates: Set<Candidate> = []
        /// Whether the value has a label.
        fileprivate(set) var isLabelled = false
        /// Whether the value is an object or array on the key path to a value with a label. Anything else in its place may be
        /// that value.
        fileprivate(set) var leadsToLabel = false
        /// Whether no value below can have a label.
        var isPlain: Bool { candidates.isEmpty && !isLabelled }

        fileprivate mutating func insert(_ models: Models) {
            candidates.insert(.models(models))
            if models.hidesIdentity, models.collections.isEmpty { leadsToLabel = true }
        }
    }

    private let nodes: [Node]
    /// The nodes of the objects of each layout and its descendants.
    private let objects: [ObjectIdentifier: [Int]]
    /// The layouts whose models, or those of descendants, hold values with labels, themselves or in other models.
    private let reaching: Set<ObjectIdentifier>
    /// The layout of the documents that are followed.
    private var root: ObjectIdentifier?

    /// Finds the paths in the documents of some plans, which refer to no others.
    init(_ plans: [JSONPlan]) {
        reaching = Self.layoutsThatReachLabels(plans)
        var nodes: [Node] = []
        var objects: [ObjectIdentifier: [Int]] = [:]
        for plan in plans {
            for layout in plan.layout.lineage { objects[ObjectIdentifier(layout), default: []].append(nodes.count) }
            Self.add(plan, reaching, to: &nodes)
        }
        self.nodes = nodes
        self.objects = objects
    }

    /// Returns the paths in the documents of a layout; nil if they have no value with a label.
    func below(_ root: ModelLayout) -> LabelledPaths? {
        guard reaching.contains(ObjectIdentifier(root)) else { return nil }
        var paths = self
        paths.root = ObjectIdentifier(root)
        return paths
    }

    private static func layoutsThatReachLabels(_ plans: [JSONPlan]) -> Set<ObjectIdentifier> {
        // From each layout to those that hold its models, and to its parent, whose properties may hold them.
        var holders: [ObjectIdentifier: [ObjectIdentifier]] = [:]
        var pending: [ObjectIdentifier] = []
        for plan in plans {
            let layout = ObjectIdentifier(plan.layout)
            if let parent = plan.layout.parent { holders[layout, default: []].append(ObjectIdentifier(parent)) }
            for property in plan.layout.properties {
                if property.descriptor.isSensitive { pending.append(layout) }
                guard let model = property.descriptor.innermost.model else { continue }
                holders[ObjectIdentifier(model), default: []].append(layout)
            }
            for model in plan.values.compactMap(\.model) {
                holders[ObjectIdentifier(model.layout), default: []].append(layout)
            }
        }
        var result: Set<ObjectIdentifier> = []
        while let next = pending.popLast() {
            if result.insert(next).inserted { pending += holders[next] ?? [] }
        }
        return result
    }

    private static func add(_ plan: JSONPlan, _ reaching: Set<ObjectIdentifier>, to nodes: inout [Node]) {
        let object = nodes.count
        nodes.append(Node())
        for (slot, value) in plan.values.enumerated() where value.operation != .absent {
            for path in plan.paths(of: slot) {
                var node = object
                let isSensitive = value.descriptor.isSensitive
                for step in path.steps {
                    if isSensitive, node != object { nodes[node].leadsToLabel = true }
                    let next: Int?
                    switch step {
                    case .member(let name): next = nodes[node].members[UTF8Key(name)]
                    case .element: next = nodes[node].elements
                    }
                    if next == nil { nodes.append(Node()) }
                    let entered = next ?? nodes.count - 1
                    switch step {
                    case .member(let name): nodes[node].members[UTF8Key(name)] = entered
                    case .element: nodes[node].elements = entered
                    }
                    node = entered
                }
                add(value, reaching, to: &nodes[node])
                guard isSensitive, path.steps.count > 1 else { continue }
                // In the object of several paths, the whole path is the name of a member.
                nodes.append(Node(isLabelled: true))
                let part = UTF8Key(path.description)
                if nodes[object].members[part] == nil { nodes[object].members[part] = nodes.count - 1 }
            }
        }
    }

    private static func add(_ value: ValuePlan, _ reaching: Set<ObjectIdentifier>, to node: inout Node) {
        if value.descriptor.isSensitive { node.isLabelled = true }
        let read = value.input?.descriptor ?? value.descriptor
        let held = [read.innermost.model, value.descriptor.innermost.model].compactMap(\.self)
        guard held.contains(where: { reaching.contains(ObjectIdentifier($0)) }) else { return }
        if let models = read.innermost.model {
            node.models.insert(Models(read, models))
        } else {
            // A transformer of yours makes the models, so the values with labels may be anywhere.
            node.isLabelled = true
        }
    }

    // MARK: Following a document

    /// A whole document: a model or an array of them.
    var document: Position { root.map { Position(candidates: [.models(Models($0))]) } ?? Position() }

    /// The value of a member of an object.
    func member(_ name: String, of position: Position) -> Position {
        var result = Position()
        for candidate in position.candidates {
            switch candidate {
            case .node(let number): enter(nodes[number].members[UTF8Key(name)], &result)
            case .models(let models):
                // An object may stand where a list should.
                let collections = models.collections.drop { $0 == .list }
                guard collections.isEmpty else {
                    result.insert(models.inside(collections.dropFirst()))
                    continue
                }
                for object in objects[models.layout] ?? [] { enter(nodes[object].members[UTF8Key(name)], &result) }
            }
        }
        return result
    }

    /// An element of an array.
    func element(of position: Position) -> Position {
        var result = Position()
        for candidate in position.candidates {
            switch candidate {
            case .node(let number): enter(nodes[number].elements, &result)
            case .models(let models):
                let inside = models.areInList ? models.collections.dropFirst() : models.collections
                result.insert(models.inside(inside))
            }
        }
        return result
    }

    private func enter(_ number: Int?, _ position: inout Position) {
        guard let number else { return }
        if nodes[number].isLabelled { position.isLabelled = true }
        if nodes[number].leadsToLabel { position.leadsToLabel = true }
        position.candidates.insert(.node(number))
        for models in nodes[number].models { position.insert(models) }
    }

    /// Whether a value has a label, or holds or belongs to one that has.
    package func concern(_ tokens: [String]) -> Bool {
        var position = document
        for token in tokens {
            position = self.position(token, of: position)
            if position.isLabelled { return true }
            if position.isPlain { return false }
        }
        return true
    }

    /// The value of a member, or the element of an array. Outside of lists of models, the position of an element could also
    /// be the name of a member, and counts as one.
    private func position(_ token: String, of position: Position) -> Position {
        guard Int(token) != nil || token == "-" else { return member(token, of: position) }
        let element = element(of: position)
        var others = position
        others.candidates = position.candidates.filter { candidate in
            if case .models(let models) = candidate { !models.areInList } else { true }
        }
        let inside = member(token, of: others)
        return Position(
            candidates: inside.candidates.union(element.candidates),
            isLabelled: inside.isLabelled || element.isLabelled,
            leadsToLabel: inside.leadsToLabel || element.leadsToLabel)
    }

    // MARK: Errors

    /// Returns an error about a document, of which nothing below a labelled node is told.
    package func masked(_ error: ModelError) -> ModelError {
        error.maskingEach { problem in
            var position = document
            for (index, token) in (problem.wholePointer?.tokens ?? []).enumerated() {
                position = self.position(token, of: position)
                if position.isLabelled { return index + 1 }
                if position.isPlain { return nil }
            }
            return position.leadsToLabel && problem.code == .typeMismatch ? problem.wholePointer?.tokens.count : nil
        }
    }
}
