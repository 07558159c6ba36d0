package import PalliumCore
package import PalliumJSON

/// The document of a model, and what only its schema knows about its values.
package struct MarkedDocument {
    package let value: JSONValue
    package let marks: DocumentMarks

    package init(_ value: JSONValue, marks: DocumentMarks = DocumentMarks()) {
        self.value = value
        self.marks = marks
    }

    /// Makes the document of an array of models from theirs.
    package init(_ elements: [MarkedDocument], of models: [DynamicModel]) {
        var marks = DocumentMarks()
        for (index, element) in elements.enumerated() {
            let node = marks.node(at: ["\(index)"], below: DocumentMarks.root)
            marks.add(element.marks, at: node)
            marks.markModel(models[index], at: node)
        }
        self.init(.array(elements.map(\.value)), marks: marks)
    }
}

/// Which values of a document are marked.
package enum MarkedValues {
    case none
    /// Arrays that are sets. Dates have no spelling then: two documents differ by their moments.
    case sets
    /// Also objects on key paths, and models in lists with their identities.
    case all
}

/// What the schema knows about the values of a document, as a tree of names and indices.
///
/// Paths stay valid when objects get other members; offsets in a text would not.
package struct DocumentMarks {
    /// What is known about a value.
    package struct Mark {
        /// Whether the value is an array of a set property: differences ignore its order.
        package fileprivate(set) var isSet = false
        /// Whether the value is an object on the key paths of properties, and no value of a property itself.
        package fileprivate(set) var isOnPaths = false
        /// The identity of the model that is the value.
        package fileprivate(set) var identity: ModelIdentifier?
    }

    private struct Node {
        var mark = Mark()
        var children: [UTF8Key: Int] = [:]
    }

    package static let root = 0

    private var nodes = [Node()]

    package init() {}

    /// Whether nothing is marked.
    var isEmpty: Bool { nodes.count == 1 }

    package subscript(node: Int) -> Mark { nodes[node].mark }

    /// The children of a node, each with its name or index.
    package func children(of node: Int) -> some Sequence<(token: String, node: Int)> {
        nodes[node].children.lazy.map { ($0.key.text, $0.value) }
    }

    /// Returns the node at a path below another one, and makes it if necessary.
    mutating func node(at tokens: [String], below ancestor: Int) -> Int {
        var node = ancestor
        for token in tokens {
            if let child = nodes[node].children[UTF8Key(token)] {
                node = child
            } else {
                nodes[node].children[UTF8Key(token)] = nodes.count
                nodes.append(Node())
                node = nodes.count - 1
            }
        }
        return node
    }

    /// Marks an array as a set.
    mutating func markSet(_ node: Int) { nodes[node].mark.isSet = true }

    /// Marks an object as one on the key paths of properties.
    mutating func markPath(_ node: Int) { nodes[node].mark.isOnPaths = true }

    /// Marks a model's object with its identity, if it has one.
    mutating func markModel(_ model: DynamicModel, at node: Int) {
        let slots = model.layout.identitySlots
        if !slots.isEmpty { nodes[node].mark.identity = ModelIdentifier(model, slots: slots) }
    }

    /// Adds the marks in a member of another document to a node of this one.
    mutating func add(_ other: DocumentMarks, of member: String, at node: Int) {
        guard let first = other.nodes[Self.root].children[UTF8Key(member)] else { return }
        add(other, below: first, at: node)
    }

    /// Adds the marks of another document, whose root becomes a node of this one.
    fileprivate mutating func add(_ other: DocumentMarks, at node: Int) { add(other, below: Self.root, at: node) }

    private mutating func add(_ other: DocumentMarks, below first: Int, at node: Int) {
        var pending = [(from: first, to: node)]
        while let (from, to) = pending.popLast() {
            nodes[to].mark.isSet = nodes[to].mark.isSet || other[from].isSet
            nodes[to].mark.isOnPaths = nodes[to].mark.isOnPaths || other[from].isOnPaths
            nodes[to].mark.identity = nodes[to].mark.identity ?? other[from].identity
            for (token, child) in other.children(of: from) {
                pending.append((child, self.node(at: [token], below: to)))
            }
        }
    }
}
