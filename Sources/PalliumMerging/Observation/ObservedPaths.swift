import PalliumCore
import PalliumJSON

/// The key paths that an observer looks at, as a tree.
///
/// ```
///   title, assignee.login, labels.name
///
///   0 ─┬─ title
///      ├─ assignee ──▶ 1 ── login
///      └─ labels ────▶ 2 ── name        of each model in the list
/// ```
struct ObservedPaths {
    /// A property that is looked at.
    struct Part {
        /// Whether the property itself is looked at, not only what its models hold.
        var isValue = false
        /// The node for the models that the property holds.
        var models: Int?
    }

    /// The properties of one model that are looked at.
    struct Node {
        /// By slot; nil for all properties.
        fileprivate(set) var parts: [Int: Part]?

        /// The slots that are looked at; nil for all.
        var slots: Set<Int>? { parts.map { Set($0.keys) } }

        /// The slots whose models are looked at, with their nodes.
        var links: [(slot: Int, node: Int)] {
            (parts ?? [:]).compactMap { slot, part in part.models.map { (slot, $0) } }.sorted { $0.slot < $1.slot }
        }
    }

    /// Paths longer than this are mistakes: the work of an observer grows with them.
    private static let maximumLength = 32

    /// The nodes; the first is that of the observed model.
    private(set) var nodes: [Node]
    /// The keys of the last path, and the description of the property at its end; nil without paths.
    private(set) var last: (keys: [String], descriptor: ValueDescriptor)?

    /// - Parameters:
    ///   - paths: The key paths; none stands for all properties of the model itself.
    ///   - followsCollections: Whether a path may lead through the elements of a collection.
    /// - Throws: ``ModelError`` when a path is malformed, names a key that a schema does not have, steps into something
    ///   other than models, or leads to models that are not observed.
    init(_ paths: [String], of layout: ModelLayout, followsCollections: Bool = true) throws(ModelError) {
        nodes = [Node(parts: paths.isEmpty ? nil : [:])]
        try Self.requireObserved(layout, path: nil)
        for path in paths { try add(path, of: layout, followsCollections) }
    }

    private mutating func add(
        _ path: String, of layout: ModelLayout, _ followsCollections: Bool
    ) throws(ModelError) {
        let steps: [JSONKeyPath.Step]
        do { steps = try JSONKeyPath(path).steps } catch {
            throw ModelError(.unknownKey, expected: "a key path", found: error.description, schema: layout.schema.name)
        }
        guard steps.count <= Self.maximumLength else {
            throw ModelError(
                .unknownKey, expected: "a key path of at most \(Self.maximumLength.counted("key"))",
                found: "\(steps.count.counted("key"))",
                schema: layout.schema.name)
        }
        var (node, layout, keys) = (0, layout, [String]())
        for (number, step) in steps.enumerated() {
            guard case .member(let key) = step else {
                throw ModelError(
                    .unknownKey, expected: "a key path without element numbers", found: ModelError.quote(path),
                    schema: layout.schema.name)
            }
            guard let slot = layout.index(of: key) else { throw layout.unknownKeyError(inPath: steps[number...]) }
            let descriptor = layout.properties[slot].descriptor
            keys.append(key)
            if number == steps.count - 1 {
                last = (keys, descriptor)
                nodes[node].parts?[slot, default: Part()].isValue = true
                return
            }
            let next = try Self.models(of: descriptor, path: path, followsCollections)
            try Self.requireObserved(next, path: path)
            node = enter(slot, of: node)
            layout = next
        }
    }

    /// Returns the node for the models of a slot, which the first call makes.
    private mutating func enter(_ slot: Int, of node: Int) -> Int {
        if let existing = nodes[node].parts?[slot]?.models { return existing }
        let next = nodes.count
        nodes.append(Node(parts: [:]))
        nodes[node].parts?[slot, default: Part()].models = next
        return next
    }

    /// The layout of the models that a property holds.
    private static func models(
        of descriptor: ValueDescriptor, path: String, _ followsCollections: Bool
    ) throws(ModelError) -> ModelLayout {
        var value = descriptor
        if followsCollections, value.kind == .array || value.kind == .set, let element = value.element {
            value = element
        }
        if value.kind == .model || value.kind == .weakModel, let layout = value.model { return layout }
        throw ModelError(
            .unknownKey, descriptor,
            expected: followsCollections ? "a model, or an array or set of models" : "a model",
            found: descriptor.expectation)
    }

    private static func requireObserved(_ layout: ModelLayout, path: String?) throws(ModelError) {
        if layout.isObserved { return }
        let name = layout.schema.name
        let place = path.map { " on the path \(ModelError.quote($0))" } ?? ""
        throw ModelError(
            .notObserved, expected: "observed models of \(name)\(place) (isObserved, or an Observable class)",
            found: "models that are not observed", schema: name)
    }
}
