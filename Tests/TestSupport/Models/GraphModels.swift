package import PalliumCore

/// A model of graphs: chains, trees, shared models, cycles.
package final class Node: DynamicModel {
    package var label: Int? {
        get { value() }
        set { set(newValue) }
    }
    package var next: Node? {
        get { value() }
        set { set(newValue) }
    }
    package var children: [Node]? {
        get { value() }
        set { set(newValue) }
    }
    package var friends: Set<Node>? {
        get { value() }
        set { set(newValue) }
    }
    package var named: [String: Node]? {
        get { value() }
        set { set(newValue) }
    }
    package var gaps: [Node?]? {
        get { value() }
        set { set(newValue) }
    }
    package var owner: Node? {
        get { value() }
        set { set(newValue) }
    }

    /// `owner` comes first: what follows a weak link must not depend on the order of the slots.
    package static let schema = ModelSchema(
        Node.self,
        [
            "owner": .model(Node.self).weak, "label": .integer, "next": .model(Node.self),
            "children": .array(of: .model(Node.self)), "friends": .set(of: .model(Node.self)),
            "named": .dictionary(of: .model(Node.self)), "gaps": .array(of: .model(Node.self).nullable),
        ])
}

package final class User: DynamicModel {
    package var name: String? {
        get { value() }
        set { set(newValue) }
    }
    package var groups: [Group]? {
        get { value() }
        set { set(newValue) }
    }

    package static let schema = ModelSchema(User.self, ["name": .string, "groups": .array(of: .model(Group.self))])
}

package final class Group: DynamicModel {
    package var owner: User? {
        get { value() }
        set { set(newValue) }
    }
    package var users: [User]? {
        get { value() }
        set { set(newValue) }
    }

    package static let schema = ModelSchema(
        Group.self, ["owner": .model(User.self), "users": .array(of: .model(User.self))])
}

extension SchemaRegistry {
    /// A node of the registry.
    package func node(_ label: Int? = nil, next: Node? = nil) -> Node {
        let node = Node(registry: self)
        node.label = label
        node.next = next
        return node
    }

    /// Nodes in a ring, each the `next` of the one before; the first is returned. Rings leak unless they are broken.
    package func ring(_ labels: [Int]) -> Node {
        let nodes = labels.map { node($0) }
        for (index, node) in nodes.enumerated() { node.next = nodes[(index + 1) % nodes.count] }
        return nodes[0]
    }
}

extension Node {
    /// Lets the models of a ring or chain go.
    package func breakRing() {
        let following = next
        next = nil
        _ = following
    }
}
