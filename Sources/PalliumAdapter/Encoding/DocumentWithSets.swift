import PalliumCore
package import PalliumJSON

/// The document of a model, and which of its arrays come from set properties: differences ignore their order.
package struct DocumentWithSets {
    package let value: JSONValue
    package let sets: SetPaths

    package init(_ value: JSONValue, sets: SetPaths = SetPaths()) {
        self.value = value
        self.sets = sets
    }
}

/// The paths of the arrays that are sets, as a tree of names and indices.
///
/// Paths stay valid when objects get other members; offsets in a text would not.
package struct SetPaths {
    private struct Node {
        var isSet = false
        var children: [UTF8Key: Int] = [:]
    }

    package static let root = 0

    private var nodes = [Node()]

    /// Whether no array is a set.
    var isEmpty: Bool { nodes.count == 1 }

    package func isSet(_ node: Int) -> Bool { nodes[node].isSet }

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
    mutating func mark(_ node: Int) { nodes[node].isSet = true }

    /// Adds the sets in a member of another document to a node of this one.
    mutating func add(_ other: SetPaths, of member: String, at node: Int) {
        guard let first = other.nodes[Self.root].children[UTF8Key(member)] else { return }
        var pending = [(from: first, to: node)]
        while let (from, to) = pending.popLast() {
            if other.isSet(from) { mark(to) }
            for (token, child) in other.children(of: from) {
                pending.append((child, self.node(at: [token], below: to)))
            }
        }
    }
}
