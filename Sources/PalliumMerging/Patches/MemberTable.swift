import PalliumCore
import PalliumJSON

/// The members of an object that is being patched, in order.
///
/// A removed member leaves a gap. There are never more gaps than members, so a walk through all of them is linear in
/// the members.
struct MemberTable {
    private static let gap = -1

    private var names: [String] = []
    private var nodes: [Int] = []
    private var positions: [UTF8Key: Int]

    init(capacity: Int) {
        positions = Dictionary(minimumCapacity: capacity)
        names.reserveCapacity(capacity)
        nodes.reserveCapacity(capacity)
    }

    subscript(name: String) -> Int? { positions[UTF8Key(name)].map { nodes[$0] } }

    /// The members without the gaps.
    var members: (names: [String], nodes: [Int]) {
        let present = nodes.indices.filter { nodes[$0] != Self.gap }
        return (present.map { names[$0] }, present.map { nodes[$0] })
    }

    mutating func set(_ name: String, to node: Int) {
        if let position = positions[UTF8Key(name)] {
            nodes[position] = node
        } else {
            positions[UTF8Key(name)] = nodes.count
            names.append(name)
            nodes.append(node)
        }
    }

    mutating func remove(_ name: String) -> Int? {
        guard let position = positions.removeValue(forKey: UTF8Key(name)) else { return nil }
        let node = nodes[position]
        nodes[position] = Self.gap
        if nodes.count > 2 * positions.count { closeGaps() }
        return node
    }

    private mutating func closeGaps() {
        (names, nodes) = members
        for position in names.indices { positions[UTF8Key(names[position])] = position }
    }
}
