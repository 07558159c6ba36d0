import PalliumAdapter
import PalliumCore
public import PalliumJSON

// Computes the patch between two documents.
extension JSONPatch {
    /// Makes the patch that turns an old document into a new one; empty for equal documents.
    ///
    /// It descends into containers at the same paths. Elements of arrays that are kept are found by their values, so an
    /// insertion is one operation; the result is shortest for small arrays and good for large ones. A moved value is
    /// removed and added; no `move`, `copy` or `test` is written.
    ///
    /// - Complexity: O(*n* log *n*) in the size of both documents, and the length of the patch.
    public init(from old: JSONValue, to new: JSONValue) {
        self.init(from: MarkedDocument(old), to: MarkedDocument(new))
    }

    /// Makes the patch between documents of models; sets are equal in any order.
    init(from old: MarkedDocument, to new: MarkedDocument) {
        var difference = DocumentDifference(old, new)
        difference.findOperations()
        operations = difference.operations
    }
}

/// Finds the operations between two documents. Pairs wait in a list, so deep documents need no stack.
private struct DocumentDifference {
    private struct Pair {
        let old: Int
        let new: Int
        let path: Int
    }

    /// A token and the index of its parent node: a pointer is made only for an operation.
    private struct PathNode {
        let parent: Int
        let token: String
    }

    private static let root = -1

    private(set) var operations: [JSONPatch.Operation] = []
    private var values = NumberedValues()
    private var pathNodes: [PathNode] = []
    private var pending: [Pair]
    private var budget = SequenceAlignment.budget

    init(_ old: MarkedDocument, _ new: MarkedDocument) {
        let oldRoot = values.add(old)
        pending = [Pair(old: oldRoot, new: values.add(new), path: Self.root)]
    }

    mutating func findOperations() {
        while let pair = pending.popLast() {
            if values.areEqual(pair.old, pair.new) { continue }
            let waiting = pending.count
            switch (values[pair.old].value, values[pair.new].value) {
            case (.object(let old), .object(let new)): compare(old, new, pair)
            case (.array, .array):
                if values[pair.old].isSet, values[pair.new].isSet { compareSets(pair) } else { compareArrays(pair) }
            default: operations.append(.replace(pointer(pair.path), values[pair.new].value))
            }
            // The list is a stack, so the pairs are reversed into document order.
            pending[waiting...].reverse()
        }
    }

    private mutating func compare(_ old: JSONObject, _ new: JSONObject, _ pair: Pair) {
        for (offset, member) in old.enumerated() {
            if let other = values.member(member.key, of: pair.new) {
                put(off: values[pair.old].first + offset, other, member.key, pair.path)
            } else {
                operations.append(.remove(pointer(pair.path, member.key)))
            }
        }
        for member in new where old.position(of: member.key) == nil {
            operations.append(.add(pointer(pair.path, member.key), member.value))
        }
    }

    /// Elements before `position` are as in the new array, elements behind it as in the old one. Differences inside
    /// elements are compared later, when all elements have their final positions.
    private mutating func compareArrays(_ pair: Pair) {
        let old = values.numbersOfElements(of: pair.old)
        let new = values.numbersOfElements(of: pair.new)
        let alignment = SequenceAlignment(old, new, budget: &budget)
        let (oldFirst, newFirst) = (values[pair.old].first, values[pair.new].first)
        var (gone, position) = (0, 0)
        for match in alignment.matches + [(old.count, new.count)] {
            while gone < match.old, position < match.new {
                put(off: oldFirst + gone, newFirst + position, "\(position)", pair.path)
                gone += 1
                position += 1
            }
            while gone < match.old {
                operations.append(.remove(pointer(pair.path, "\(position)")))
                gone += 1
            }
            while position < match.new {
                operations.append(.add(pointer(pair.path, "\(position)"), values[newFirst + position].value))
                position += 1
            }
            gone += 1
            position += 1
        }
    }

    /// Elements are removed from the back, so that positions stay correct; new ones are added at the end.
    private mutating func compareSets(_ pair: Pair) {
        let old = values.numbersOfElements(of: pair.old)
        let new = values.numbersOfElements(of: pair.new)
        // Different elements may be equal in JSON, two instants of one day for example, so they are counted.
        var surplus = old.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        for number in new { surplus[number, default: 0] -= 1 }
        for position in old.indices.reversed() where surplus[old[position], default: 0] > 0 {
            surplus[old[position], default: 0] -= 1
            operations.append(.remove(pointer(pair.path, "\(position)")))
        }
        for position in new.indices where surplus[new[position], default: 0] < 0 {
            surplus[new[position], default: 0] += 1
            operations.append(.add(pointer(pair.path, "-"), values[values[pair.new].first + position].value))
        }
    }

    private mutating func put(off old: Int, _ new: Int, _ token: String, _ parent: Int) {
        if values.areEqual(old, new) { return }
        pathNodes.append(PathNode(parent: parent, token: token))
        pending.append(Pair(old: old, new: new, path: pathNodes.count - 1))
    }

    private func pointer(_ path: Int, _ token: String? = nil) -> JSONPointer {
        var tokens = token.map { [$0] } ?? []
        var path = path
        while path != Self.root {
            tokens.append(pathNodes[path].token)
            path = pathNodes[path].parent
        }
        return JSONPointer(tokens: tokens.reversed())
    }
}
