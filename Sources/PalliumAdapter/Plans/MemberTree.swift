import PalliumCore
import PalliumJSON

/// The key paths of a schema, combined into a tree of objects.
///
/// `user.login` and `user.id` become one node `user` with two leaves, for reading and for writing.
struct MemberTree {
    /// A member of an object, with its reader and writer.
    private final class Node {
        let name: String
        var readers: [Int] = []
        var isIgnored = false
        var check: DiscriminatorCheck?
        var writer: Int?
        var part: (slot: Int, key: String)?
        var constant: JSONValue?
        var children: [Node] = []
        private var positions: [UTF8Key: Int] = [:]

        init(_ name: String) { self.name = name }

        func child(_ name: String) -> Node {
            if let position = positions[UTF8Key(name)] { return children[position] }
            let child = Node(name)
            positions[UTF8Key(name)] = children.count
            children.append(child)
            return child
        }

        func existingChild(_ name: String) -> Node? { positions[UTF8Key(name)].map { children[$0] } }

        /// The check of a discriminator that is kept like an unknown member: the cluster chooses the model without a text,
        /// so there may be any that it does not list. Other models have a text that is written.
        var unknownMemberCheck: DiscriminatorCheck? { check.flatMap { $0.readsNull ? $0 : nil } }
        var isRead: Bool { !readers.isEmpty || children.contains { $0.isRead } }
        var isKnown: Bool { isRead || isIgnored || check != nil || children.contains { $0.isKnown } }
        var isWritten: Bool {
            writer != nil || part != nil || constant != nil || unknownMemberCheck != nil
                || children.contains { $0.isWritten }
        }

        /// Whether nothing but a discriminator that no property maps is written here or below.
        var isTag: Bool {
            writer == nil && part == nil && (check != nil || !children.isEmpty && children.allSatisfy { $0.isTag })
        }

        /// Whether two properties read the same value.
        var isContested: Bool {
            readers.count > 1 || (!readers.isEmpty && children.contains { $0.isRead })
                || children.contains { $0.isContested }
        }

        func takeReaders(_ path: [String], into result: inout [(slot: Int, members: [String])]) {
            for slot in readers { result.append((slot, path)) }
            readers = []
            for child in children { child.takeReaders(path + [child.name], into: &result) }
        }
    }

    private let root = Node("")

    private func node(_ members: [String]) -> Node { members.reduce(root) { $0.child($1) } }

    func read(_ members: [String], slot: Int) { node(members).readers.append(slot) }

    func write(_ members: [String], slot: Int) { node(members).writer = slot }

    func writeParts(_ paths: [JSONKeyPath], slot: Int) {
        for path in paths {
            if let members = path.members { node(members).part = (slot, path.description) }
        }
    }

    func writeConstant(_ constant: ClusterMembers.Constant) { node(constant.members).constant = constant.value }

    /// Whether a member can be written at its path: no other value is written at a prefix of the path, and the member
    /// is no parent object itself.
    func canWrite(_ members: [String]) -> Bool {
        var current = root
        for (depth, name) in members.enumerated() {
            guard let next = current.existingChild(name) else { return true }
            current = next
            let isLast = depth == members.count - 1
            if current.part != nil || (!isLast && (current.writer != nil || current.constant != nil)) { return false }
        }
        return !current.children.contains { $0.isWritten }
    }

    func ignore(_ members: [String]) { node(members).isIgnored = true }

    func check(_ check: DiscriminatorCheck) {
        let node = node(check.members)
        check.other = node.check
        node.check = check
    }

    /// The first members of paths that would be read twice.
    func contestedMembers() -> Set<UTF8Key> { Set(root.children.filter(\.isContested).map { UTF8Key($0.name) }) }

    /// Removes and returns the readers below some first members.
    func takeReaders(below members: Set<UTF8Key>) -> [(slot: Int, members: [String])] {
        var result: [(slot: Int, members: [String])] = []
        for member in members { root.existingChild(member.text)?.takeReaders([member.text], into: &result) }
        return result
    }

    /// Makes the nodes for reading. Members that only deferred properties read are captured.
    ///
    /// - Parameter lookedAt: The members that clusters read.
    func decodingNode(
        values: [ValuePlan], capturing captured: Set<UTF8Key>, lookedAt: DecodingNode? = nil
    ) -> DecodingNode {
        for member in captured { _ = root.child(member.text) }
        return Self.decodingNode(root, values, captured, lookedAt)
    }

    /// Recursion is bounded by the length of key paths.
    private static func decodingNode(
        _ node: Node, _ values: [ValuePlan], _ captured: Set<UTF8Key>, _ lookedAt: DecodingNode?,
        isIgnored: Bool = false
    ) -> DecodingNode {
        DecodingNode(
            node.children.compactMap { child in
                // A discriminator is never an unknown member, and a value that a cluster looks at has none inside.
                let seen = lookedAt?.member(child.name)
                let isIgnored = isIgnored || child.isIgnored || child.check != nil || seen?.action == .ignore
                let lookedAt = seen?.node
                if captured.contains(UTF8Key(child.name)) {
                    let node = decodingNode(child, values, [], lookedAt, isIgnored: isIgnored)
                    return DecodingNode.Member(name: child.name, action: .capture, node: node, check: child.check)
                }
                if let slot = child.readers.first {
                    return DecodingNode.Member(
                        name: child.name, action: .value, slot: slot, value: values[slot], check: child.check)
                }
                if !child.isRead, child.isIgnored || child.check != nil {
                    let isKept = child.check == nil || child.unknownMemberCheck != nil
                    return DecodingNode.Member(
                        name: child.name, action: isKept ? .ignore : .skip, check: child.check)
                }
                guard child.isKnown else { return nil }
                return DecodingNode.Member(
                    name: child.name, action: .path,
                    node: decodingNode(child, values, [], lookedAt, isIgnored: isIgnored),
                    check: child.check)
            }, isIgnored: isIgnored, lookedAt: lookedAt)
    }

    /// Makes the nodes for writing.
    ///
    /// - Parameter readabilities: The clusters that do not always read the models back.
    func encodingNode(
        values: [ValuePlan], readabilities: [ObjectIdentifier: ClusterMembers.Readability]
    ) -> EncodingNode {
        let cluster = EncodingNode.Member(name: "", action: .cluster, readabilities: readabilities)
        return EncodingNode((readabilities.isEmpty ? [] : [cluster]) + Self.outputMembers(of: root, values))
    }

    private static func outputMembers(of node: Node, _ values: [ValuePlan]) -> [EncodingNode.Member] {
        // A reader must know the discriminator before it can read the other members.
        let children = node.children.filter(\.isTag) + node.children.filter { !$0.isTag }
        return children.compactMap { child in
            if let slot = child.writer {
                return EncodingNode.Member(
                    name: child.name, action: child.check == nil ? .value : .discriminator, slot: slot,
                    value: values[slot], constant: child.constant, check: child.check)
            }
            if let part = child.part {
                return EncodingNode.Member(
                    name: child.name, action: .part, slot: part.slot, value: values[part.slot], part: part.key)
            }
            if child.constant != nil || child.unknownMemberCheck != nil, !child.children.contains(where: \.isWritten) {
                return EncodingNode.Member(
                    name: child.name, action: .constant, constant: child.constant, check: child.unknownMemberCheck)
            }
            guard child.isWritten else { return nil }
            return EncodingNode.Member(
                name: child.name, action: .node, node: EncodingNode(outputMembers(of: child, values)))
        }
    }
}
