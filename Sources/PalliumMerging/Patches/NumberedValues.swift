import PalliumAdapter
import PalliumCore
import PalliumJSON

/// Documents whose values are numbered, so that equal values have equal numbers everywhere.
///
/// Comparing two values is then O(1) at every level, while comparing trees at each level would cost depth times size.
struct NumberedValues {
    /// A value in one of the documents. Children are stored one after the other from `first` on, in order.
    struct Node {
        let value: JSONValue
        /// Whether the value is an array whose order has no meaning.
        fileprivate(set) var isSet = false
        /// Whether the value is an object on the key paths of properties, and no value of a property itself.
        fileprivate(set) var isOnPaths = false
        /// The number of the identity of the model that is the value.
        fileprivate(set) var identity: Int?
        fileprivate(set) var first = 0
        fileprivate(set) var number = 0
    }

    private var nodes: [Node] = []
    private var scalars: [JSONValue: Int] = [:]
    /// The numbers of containers by their content: a number for the kind, then the children's numbers.
    private var containers: [[Int]: Int] = [:]
    private var identities: [ModelIdentifier: Int] = [:]
    /// The next number, which is that of all values so far.
    private var count: Int { scalars.count + containers.count }

    subscript(node: Int) -> Node { nodes[node] }

    /// Adds a document and returns its root. O(*n* log *n*) in its size, for sorting members and sets.
    ///
    /// Arrays that are sets are equal in any order.
    mutating func add(_ document: MarkedDocument) -> Int {
        let root = nodes.count
        nodes.append(Node(value: document.value))
        var next = root
        while next < nodes.count {
            nodes[next].first = nodes.count
            switch nodes[next].value {
            case .array(let elements): for element in elements { nodes.append(Node(value: element)) }
            case .object(let members): for member in members { nodes.append(Node(value: member.value)) }
            default: break
            }
            next += 1
        }
        mark(document.marks, below: root)
        // Children come after their containers, so they are numbered first.
        for node in (root..<nodes.count).reversed() { nodes[node].number = number(of: nodes[node]) }
        return root
    }

    /// Takes over the marks of a document.
    private mutating func mark(_ marks: DocumentMarks, below root: Int) {
        var pending = [(path: DocumentMarks.root, node: root)]
        while let (path, node) = pending.popLast() {
            nodes[node].isSet = marks[path].isSet
            nodes[node].isOnPaths = marks[path].isOnPaths
            if let identity = marks[path].identity {
                nodes[node].identity = identities[identity, default: identities.count]
                identities[identity] = nodes[node].identity
            }
            for (token, next) in marks.children(of: path) {
                if let child = child(token, of: node) { pending.append((next, child)) }
            }
        }
    }

    private mutating func number(of node: Node) -> Int {
        switch node.value {
        case .array(let elements):
            let numbers = nodes[node.first..<node.first + elements.count].map(\.number)
            return number(ofContainer: node.isSet ? [2] + numbers.sorted() : [0] + numbers)
        case .object(let members):
            var pairs = members.indices.map { position in
                (name: number(ofScalar: .string(members[position].key)), value: nodes[node.first + position].number)
            }
            // Names have different numbers, so this is one order for all spellings of an object.
            pairs.sort { $0.name < $1.name }
            return number(ofContainer: pairs.reduce(into: [1]) { $0 += [$1.name, $1.value] })
        default: return number(ofScalar: node.value)
        }
    }

    private mutating func number(ofScalar value: JSONValue) -> Int {
        if let number = scalars[value] { return number }
        let number = count
        scalars[value] = number
        return number
    }

    private mutating func number(ofContainer content: [Int]) -> Int {
        if let number = containers[content] { return number }
        let number = count
        containers[content] = number
        return number
    }

    /// Whether two values are equal.
    func areEqual(_ left: Int, _ right: Int) -> Bool { nodes[left].number == nodes[right].number }

    /// Returns the member with a name, if the node is an object that has one.
    func member(_ name: String, of node: Int) -> Int? {
        guard case .object(let members) = nodes[node].value, let position = members.position(of: name) else {
            return nil
        }
        return nodes[node].first + position
    }

    /// Returns the child for a token; nil if there is none.
    private func child(_ token: String, of node: Int) -> Int? {
        guard case .array(let elements) = nodes[node].value else { return member(token, of: node) }
        guard let position = JSONPointer.arrayPosition(token), position < elements.count else { return nil }
        return nodes[node].first + position
    }

    /// Returns the numbers of an array's elements.
    func numbersOfElements(of node: Int) -> [Int] {
        guard case .array(let elements) = nodes[node].value else { return [] }
        return nodes[nodes[node].first..<nodes[node].first + elements.count].map(\.number)
    }
}
