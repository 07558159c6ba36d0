public import PalliumJSON

/// A document that says what changes in another: members with their new values, null for those that go (RFC 7396).
///
///     let patch = JSONMergePatch(["title": "Crash on launch", "assignee": nil])
///     let changed = patch.applied(to: document)
///
/// It fits any document and cannot fail, but has no way to say that a member becomes null, or what changes inside an
/// array; ``JSONPatch`` does.
public struct JSONMergePatch: Sendable, Hashable {
    /// The patch as a document.
    public let jsonValue: JSONValue

    /// The patch that a document is; every document is one.
    public init(_ document: JSONValue) { jsonValue = document }

    /// The document that the patch makes of a value: objects are merged member by member, null removes, anything else
    /// replaces.
    ///
    /// - Complexity: O(*n*) in the size of the patch and of the objects it changes.
    public func applied(to value: JSONValue) -> JSONValue {
        guard case .object(let members) = jsonValue else { return jsonValue }
        var tree = PatchedTree(value)
        var pending = [(node: tree.root, members: members)]
        while let (node, members) = pending.popLast() {
            tree.makeObject(node)
            for (name, value) in members {
                switch value {
                case .null: _ = tree.removeMember(name, of: node)
                case .object(let members):
                    let known = tree.member(name, of: node)
                    let member = known ?? tree.make(.null)
                    if known == nil { tree.setMember(name, of: node, to: member) }
                    pending.append((member, members))
                default: tree.setMember(name, of: node, to: tree.make(value))
                }
            }
        }
        return tree.value()
    }

    /// The patch that makes a new document of an old one; an empty object when they are equal objects.
    ///
    /// A member that is null in the new document is removed by the patch, since null means that in a merge patch; applying
    /// it gives the new document without its null members. An array in which anything differs is in the patch as a whole.
    ///
    /// - Complexity: O(*n* log *n*) in the size of both documents.
    public init(from old: JSONValue, to new: JSONValue) {
        self.init(from: DocumentWithSets(old), to: DocumentWithSets(new))
    }

    /// The patch between documents of models: sets that hold the same in another order are no difference.
    init(from old: DocumentWithSets, to new: DocumentWithSets) {
        guard case .object(let oldMembers) = old.value, case .object(let newMembers) = new.value else {
            jsonValue = new.value
            return
        }
        var values = NumberedValues()
        let roots = (values.add(old), values.add(new))
        var frames = [Frame(old: oldMembers, new: newMembers, nodes: roots, name: "")]
        while true {
            let last = frames.count - 1
            if let (name, old, new) = frames[last].nextMember(values) {
                if let old, values.areEqual(old, new) { continue }
                let value = values[new].value
                if let old, case .object(let oldMembers) = values[old].value, case .object(let newMembers) = value {
                    frames.append(Frame(old: oldMembers, new: newMembers, nodes: (old, new), name: name))
                } else if old != nil || !value.isNull {
                    frames[last].patch[name] = value
                }
                continue
            }
            let finished = frames.removeLast()
            if frames.isEmpty {
                jsonValue = .object(finished.patch)
                return
            }
            if !finished.patch.isEmpty { frames[last - 1].patch[finished.name] = .object(finished.patch) }
        }
    }

    /// Two objects that are being compared.
    private struct Frame {
        private let new: JSONObject
        private let nodes: (old: Int, new: Int)
        /// The member that the objects are in those around them.
        let name: String
        /// Begins with the members that go.
        var patch = JSONObject()
        private var position = 0

        init(old: JSONObject, new: JSONObject, nodes: (old: Int, new: Int), name: String) {
            self.new = new
            self.nodes = nodes
            self.name = name
            for member in old where new.position(of: member.key) == nil { patch[member.key] = .some(.null) }
        }

        /// The next member of the new object, with the one of the same name in the old one.
        mutating func nextMember(_ values: NumberedValues) -> (name: String, old: Int?, new: Int)? {
            guard position < new.count else { return nil }
            let name = new[position].key
            position += 1
            return (name, values.member(name, of: nodes.old), values[nodes.new].first + position - 1)
        }
    }
}
