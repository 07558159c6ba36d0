import PalliumCore
import PalliumJSON

/// A document that is being patched.
///
/// Containers on the paths of the patch are converted to nodes once; everything else stays a value that is shared with
/// the document.
///
/// Nodes are indices, so nothing is copied when a part is changed, and nothing deep is released by recursion. The
/// document itself never changes, so a failed patch changes nothing.
struct PatchedTree {
    /// The reason and the path of a failed operation.
    struct Failure: Error {
        let code: ModelError.Code
        let expected: String
        let found: String
        let tokens: [String]

        init(_ code: ModelError.Code, expected: String, found: String, _ tokens: some Sequence<String>) {
            self.code = code
            self.expected = expected
            self.found = found
            self.tokens = Array(tokens)
        }
    }

    static let maximumCopiedBytes = 64 << 20
    /// The reader's default limit, so that the patched document can be read again.
    private static let maximumDepth = JSONReadingOptions().maximumDepth

    private enum Content {
        case value(JSONValue)
        /// An index in `lists`.
        case array(Int)
        /// An index in `tables`.
        case object(Int)
    }

    private struct Node {
        var content: Content
        /// Whether the patch added or moved the value, so that its depth must be checked.
        var isNew: Bool
        /// The measure of a value, computed when it is needed: a value that was copied into itself thirty times is
        /// small until it is walked.
        var measure: Measure?
    }

    /// The depth and the size of a value: 8 bytes for each value, and the bytes of texts and names.
    struct Measure {
        var depth = 0
        var bytes = 8
    }

    private var nodes: [Node]
    private var lists: [ElementList] = []
    private var tables: [MemberTable] = []
    private(set) var root = 0
    private var copiedBytes = 0

    init(_ document: JSONValue) { nodes = [Node(content: .value(document), isNew: false)] }

    // MARK: Nodes

    /// Makes a node for a value.
    mutating func make(_ value: JSONValue, measure: Measure? = nil) -> Int {
        nodes.append(Node(content: .value(value), isNew: true, measure: measure))
        return nodes.count - 1
    }

    /// Replaces the value of a node.
    mutating func replace(_ node: Int, by value: JSONValue) { nodes[node] = Node(content: .value(value), isNew: true) }

    /// Turns a node into an empty object, unless it is an object.
    mutating func makeObject(_ node: Int) {
        switch nodes[node].content {
        case .object, .value(.object): break
        default: replace(node, by: .object([:]))
        }
    }

    /// Returns the member of an object's node.
    mutating func member(_ name: String, of node: Int) -> Int? {
        guard case .object(let table) = opened(node) else { return nil }
        return tables[table][name]
    }

    /// Adds a member to an object's node, replacing one of the same name.
    mutating func setMember(_ name: String, of node: Int, to member: Int) {
        if case .object(let table) = opened(node) { tables[table].set(name, to: member) }
    }

    /// Removes a member of an object's node, if there is one.
    mutating func removeMember(_ name: String, of node: Int) -> Int? {
        guard case .object(let table) = opened(node) else { return nil }
        return tables[table].remove(name)
    }

    /// Returns the content of a node, converting a container at first use. Amortised O(1).
    private mutating func opened(_ node: Int) -> Content {
        guard case .value(let value) = nodes[node].content else { return nodes[node].content }
        let first = nodes.count
        switch value {
        case .array(let elements):
            for element in elements { nodes.append(Node(content: .value(element), isNew: false)) }
            lists.append(ElementList(first..<nodes.count))
            nodes[node].content = .array(lists.count - 1)
        case .object(let members):
            var table = MemberTable(capacity: members.count)
            for member in members {
                table.set(member.key, to: nodes.count)
                nodes.append(Node(content: .value(member.value), isNew: false))
            }
            tables.append(table)
            nodes[node].content = .object(tables.count - 1)
        default: break
        }
        return nodes[node].content
    }

    // MARK: Places

    /// Returns the node at a path. O(its tokens).
    mutating func find(_ tokens: [String]) throws(Failure) -> Int { try find(tokens, count: tokens.count) }

    private mutating func find(_ tokens: [String], count: Int) throws(Failure) -> Int {
        var node = root
        for depth in 0..<count {
            let here = tokens[...depth]
            switch opened(node) {
            case .object(let table):
                guard let member = tables[table][tokens[depth]] else {
                    throw Failure(.missingTarget, expected: "a member to be found", found: "none", here)
                }
                node = member
            case .array(let list):
                node = lists[list][try position(here, below: lists[list].count)]
            case .value(let value):
                throw Failure(
                    .missingTarget, expected: "an object or array to be found", found: value.kindName, tokens[..<depth])
            }
        }
        return node
    }

    /// Returns the position that the last token of a path means in an array.
    private func position(_ path: ArraySlice<String>, below end: Int) throws(Failure) -> Int {
        let token = path.last ?? ""
        guard let position = JSONPointer.arrayPosition(token) else {
            throw Failure(
                .missingTarget, expected: "the position of an element to be given", found: ModelError.quote(token), path
            )
        }
        guard position < end else {
            throw Failure(.missingTarget, expected: "a position below \(end) to be given", found: "\(position)", path)
        }
        return position
    }

    /// Adds a node: as a member, as an element before another or, with the token `-`, at the end, or as the root.
    mutating func add(_ node: Int, at tokens: [String]) throws(Failure) {
        guard let token = tokens.last else {
            root = node
            nodes[node].isNew = true
            return
        }
        let parent = try find(tokens, count: tokens.count - 1)
        switch opened(parent) {
        case .object(let table): tables[table].set(token, to: node)
        case .array(let list):
            let end = lists[list].count
            let position = UTF8Text.equal(token, "-") ? end : try position(ArraySlice(tokens), below: end + 1)
            lists[list].insert(node, at: position)
        case .value(let value):
            throw Failure(
                .missingTarget, expected: "an object or array to be found", found: value.kindName, tokens.dropLast())
        }
        nodes[node].isNew = true
    }

    /// Removes a node from its container.
    mutating func remove(at tokens: [String]) throws(Failure) -> Int {
        guard let token = tokens.last else {
            throw Failure(.invalidValue, expected: "a member or element to be removed", found: "the whole document", [])
        }
        let parent = try find(tokens, count: tokens.count - 1)
        switch opened(parent) {
        case .object(let table):
            if let node = tables[table].remove(token) { return node }
            throw Failure(.missingTarget, expected: "a member to be found", found: "none", tokens)
        case .array(let list):
            return lists[list].remove(at: try position(ArraySlice(tokens), below: lists[list].count))
        case .value(let value):
            throw Failure(
                .missingTarget, expected: "an object or array to be found", found: value.kindName, tokens.dropLast())
        }
    }

    // MARK: Values

    /// Returns the patched document, however deep it is.
    mutating func value() -> JSONValue {
        assembled(root, isMeasured: false, maximumDepth: .max) { (_) throws(Never) in }.value
    }

    /// Returns the value of a node at the path `tokens`. O(*n*) in the number of nodes below.
    ///
    /// - Throws: If the patch nests containers deeper than the reader's limit.
    mutating func value(of node: Int, _ tokens: [String]) throws(Failure) -> JSONValue {
        try assembled(node, tokens, isMeasured: false).value
    }

    /// Makes another node with the same value.
    mutating func copy(_ node: Int, _ tokens: [String]) throws(Failure) -> Int {
        let (value, measure) = try assembled(node, tokens, isMeasured: true)
        copiedBytes += measure.bytes
        guard copiedBytes <= Self.maximumCopiedBytes else {
            throw Failure(
                .limitExceeded, expected: "no more than \(Self.maximumCopiedBytes.counted("byte")) to be copied",
                found: "more",
                tokens)
        }
        return make(value, measure: measure)
    }

    private mutating func assembled(
        _ node: Int, _ tokens: [String], isMeasured: Bool
    ) throws(Failure) -> (value: JSONValue, measure: Measure) {
        try assembled(node, isMeasured: isMeasured, maximumDepth: Self.maximumDepth) { path throws(Failure) in
            throw Failure(
                .limitExceeded, expected: "no deeper nesting than \(Self.maximumDepth.counted("level")) to be made",
                found: "another level", tokens + path)
        }
    }

    /// Returns the value of a node, with its measure if requested; calls `refuse` if a value that the patch added or
    /// moved is too deep.
    private mutating func assembled<Refusal: Error>(
        _ node: Int, isMeasured: Bool, maximumDepth: Int, refuse: ([String]) throws(Refusal) -> Void
    ) throws(Refusal) -> (value: JSONValue, measure: Measure) {
        var frames: [Frame] = []
        var node = node
        while true {
            let isNew = nodes[node].isNew || frames.last?.isNew ?? false
            var finished = JSONValue.null
            var measure = Measure()
            var isContainer = true
            switch nodes[node].content {
            case .value(let value):
                finished = value
                isContainer = false
                if isMeasured || isNew && maximumDepth < .max { measure = self.measure(of: node) }
            case .array(let list): frames.append(Frame(children: lists[list].joined, names: nil, isNew: isNew))
            case .object(let table):
                let (names, children) = tables[table].members
                frames.append(Frame(children: children, names: names, isNew: isNew))
            }
            if isNew, frames.count + measure.depth > maximumDepth { try refuse(frames.compactMap(\.token)) }
            if !isContainer {
                guard let last = frames.indices.last else { return (finished, measure) }
                frames[last].append(finished, measure)
            }
            // Continue with the next child, finishing containers without more children.
            while let last = frames.indices.last, frames[last].isComplete {
                let frame = frames.removeLast()
                guard last > 0 else { return (frame.value, frame.measure) }
                frames[last - 1].append(frame.value, frame.measure)
            }
            if let last = frames.indices.last { node = frames[last].next }
        }
    }

    /// Returns the measure of a value's node. Amortised O(1): it is computed once.
    private mutating func measure(of node: Int) -> Measure {
        if let measure = nodes[node].measure { return measure }
        guard case .value(let value) = nodes[node].content else { return Measure() }
        let measure = Measure(of: value)
        nodes[node].measure = measure
        return measure
    }

    /// A container that is being assembled.
    private struct Frame {
        private let children: [Int]
        private let names: [String]?
        let isNew: Bool
        private var elements: [JSONValue] = []
        private var object = JSONObject()
        private var position = 0
        private(set) var measure = Measure(depth: 1)

        init(children: [Int], names: [String]?, isNew: Bool) {
            self.children = children
            self.names = names
            self.isNew = isNew
            if names == nil { elements.reserveCapacity(children.count) }
        }

        var isComplete: Bool { position == children.count }
        var next: Int { children[position] }
        /// The token of the current child.
        var token: String? {
            guard !isComplete else { return nil }
            return names.map { $0[position] } ?? "\(position)"
        }
        var value: JSONValue { names == nil ? .array(elements) : .object(object) }

        mutating func append(_ value: JSONValue, _ child: Measure) {
            measure.depth = max(measure.depth, child.depth + 1)
            measure.bytes += child.bytes
            if let names {
                measure.bytes += names[position].utf8.count
                object.updateValue(value, forKey: names[position])
            } else {
                elements.append(value)
            }
            position += 1
        }
    }
}

extension PatchedTree.Measure {
    /// Measures a value. O(*n*), without recursion.
    fileprivate init(of value: JSONValue) {
        bytes = 0
        var pending = [(value, 0)]
        while let (value, around) = pending.popLast() {
            bytes += 8
            switch value {
            case .array(let elements):
                depth = max(depth, around + 1)
                for element in elements { pending.append((element, around + 1)) }
            case .object(let members):
                depth = max(depth, around + 1)
                for member in members {
                    bytes += member.key.utf8.count
                    pending.append((member.value, around + 1))
                }
            case .string(let text): bytes += text.utf8.count
            default: break
            }
        }
    }
}

extension JSONValue {
    /// The kind of the value, without its content.
    var kindName: String {
        switch self {
        case .null: "null"
        case .bool: "a Boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
