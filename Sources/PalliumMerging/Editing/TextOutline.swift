import PalliumJSON

/// A JSON text, and where its values stand in it.
///
///     {"id": 1, "tags": ["a"]}        nodes   0 {…}   1 id   2 tags   3 "a"
///      └ start  └ value                       in the order of the text, so the children of a node follow it
///
/// Safety: the bytes are borrowed for the call that reads them.
struct TextOutline {
    /// A value in the text. All positions are offsets.
    struct Node {
        let kind: JSONTokenKind
        /// Where the name of a member begins, and any other value.
        let start: Int
        /// Where the value itself begins.
        let value: Int
        fileprivate(set) var end = 0
        /// The number of members or elements.
        fileprivate(set) var count = 0
        /// The first node that is no descendant.
        fileprivate(set) var next = 0
    }

    static let root = 0

    /// The text, with white space in place of comments.
    let bytes: [UInt8]
    /// The text as it is.
    let original: [UInt8]
    let options: JSONReadingOptions
    private(set) var nodes: [Node] = []

    /// Finds the values of a text. O(*n*), without recursion.
    ///
    /// - Throws: ``JSONSyntaxError`` if the text is no JSON, or exceeds a limit.
    init(_ original: [UInt8], _ options: JSONReadingOptions) throws(JSONSyntaxError) {
        self.original = original
        self.options = options
        bytes = options.text(original)
        nodes = try bytes.withBorrowedBytes { bytes -> Result<[Node], JSONSyntaxError> in
            do throws(JSONSyntaxError) { return .success(try Self.nodes(of: bytes, options)) } catch {
                return .failure(error)
            }
        }.get()
    }

    private static func nodes(
        of bytes: BorrowedBytes, _ options: JSONReadingOptions
    ) throws(JSONSyntaxError) -> [Node] {
        var nodes: [Node] = []
        var reader = JSONReader(bytes, options: options)
        try reader.beginDocument()
        var open: [Int] = []
        var name: Int?
        repeat {
            let kind = try reader.peekKind()
            let node = nodes.count
            nodes.append(Node(kind: kind, start: name ?? reader.offset, value: reader.offset))
            name = nil
            var isFirst = true
            switch kind {
            case .object:
                try reader.enterObject()
                open.append(node)
            case .array:
                try reader.enterArray()
                open.append(node)
            default:
                try reader.skipValue()
                nodes[node].end = reader.offset
                nodes[node].next = nodes.count
                isFirst = false
            }
            // Go on to the next value, closing the containers that end before it.
            while let container = open.last {
                if nodes[container].kind == .object {
                    if try reader.nextMember(first: isFirst) {
                        name = reader.offset - 1
                        _ = try reader.readNameString()
                        nodes[container].count += 1
                        break
                    }
                } else if try reader.nextElement(first: isFirst) {
                    nodes[container].count += 1
                    break
                }
                isFirst = false
                open.removeLast()
                nodes[container].end = reader.offset
                nodes[container].next = nodes.count
            }
        } while !open.isEmpty
        return nodes
    }

    subscript(node: Int) -> Node { nodes[node] }

    /// The members or elements of a node. O(their number).
    func children(of node: Int) -> [Int] {
        var children: [Int] = []
        children.reserveCapacity(nodes[node].count)
        var child = node + 1
        while child < nodes[node].next {
            children.append(child)
            child = nodes[child].next
        }
        return children
    }

    /// Finds values by their pointers, each repetition of a member included. O(*n*) in the size of the text and the
    /// pointers.
    func nodes(at pointers: [JSONPointer]) -> Set<Int> {
        var (paths, ends) = ([[UTF8Key: Int]()], Set<Int>())
        for pointer in pointers {
            var path = 0
            for token in pointer.tokens.map({ UTF8Key($0) }) {
                let next = paths[path][token] ?? paths.count
                if next == paths.count { paths.append([:]) }
                paths[path][token] = next
                path = next
            }
            ends.insert(path)
        }
        var found: Set<Int> = []
        var pending = [(node: Self.root, path: 0)]
        while let (node, path) = pending.popLast() {
            if ends.contains(path) { found.insert(node) }
            if paths[path].isEmpty { continue }
            for (index, child) in children(of: node).enumerated() {
                let token = nodes[node].kind == .object ? name(of: child) : "\(index)"
                if let next = paths[path][UTF8Key(token)] { pending.append((child, next)) }
            }
        }
        return found
    }

    // MARK: Texts

    /// The name of a member, unescaped.
    func name(of member: Int) -> String {
        let quoted = bytes[nodes[member].start..<colon(of: member).lowerBound]
        if quoted.contains(UInt8(ascii: "\\")) { return parsed(quoted)?.stringValue ?? "" }
        return String(decoding: quoted.dropFirst().dropLast(), as: UTF8.self)
    }

    /// The colon of a member, with the white space around it.
    func colon(of member: Int) -> Range<Int> {
        var start = nodes[member].value
        while bytes[start - 1] != UInt8(ascii: "\"") { start -= 1 }
        return start..<nodes[member].value
    }

    /// The value of a node.
    func jsonValue(of node: Int) -> JSONValue? { parsed(bytes[nodes[node].value..<nodes[node].end]) }

    /// Parses a part of the text that is one value, which was checked when the text was read.
    private func parsed(_ part: ArraySlice<UInt8>) -> JSONValue? { try? JSONValue(parsing: part, options: options) }
}
