import PalliumAdapter
import PalliumCore
public import PalliumJSON

/// A JSON Merge Patch (RFC 7396): changed members with their new values, and null for removed ones.
///
///     let patch = JSONMergePatch(["title": "Crash on launch", "assignee": nil])
///     let changed = patch.applied(to: document)
///
/// It applies to any document and cannot fail. But it cannot set a member to null or change single elements of an
/// array; use ``JSONPatch`` for that.
public struct JSONMergePatch: Sendable, Hashable {
    /// The patch as a document.
    public let jsonValue: JSONValue

    /// Makes a patch of a document; every document is one.
    public init(_ document: JSONValue) { jsonValue = document }

    /// Applies the patch to a value: objects are merged member by member, null removes, and anything else replaces.
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
                    let existing = tree.member(name, of: node)
                    let member = existing ?? tree.make(.null)
                    if existing == nil { tree.setMember(name, of: node, to: member) }
                    pending.append((member, members))
                default: tree.setMember(name, of: node, to: tree.make(value))
                }
            }
        }
        return tree.value()
    }

    /// Makes the patch that turns an old document into a new one; an empty object for equal objects.
    ///
    /// A member that is null in the new document is removed by the patch, because null means removal in a merge patch.
    /// So applying the patch gives the new document without its null members. A changed array is in the patch as a
    /// whole.
    ///
    /// - Complexity: O(*n* log *n*) in the size of both documents.
    public init(from old: JSONValue, to new: JSONValue) {
        self.init(from: MarkedDocument(old), to: MarkedDocument(new))
    }

    /// Makes the patch between documents of models; sets are equal in any order.
    init(from old: MarkedDocument, to new: MarkedDocument) {
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
        /// The name of the objects' member in their parents.
        let name: String
        /// Starts a frame with the removed members.
        var patch = JSONObject()
        private var position = 0

        init(old: JSONObject, new: JSONObject, nodes: (old: Int, new: Int), name: String) {
            self.new = new
            self.nodes = nodes
            self.name = name
            for member in old where new.position(of: member.key) == nil { patch[member.key] = .some(.null) }
        }

        /// Returns the next member of the new object, with the member of the same name in the old one.
        mutating func nextMember(_ values: NumberedValues) -> (name: String, old: Int?, new: Int)? {
            guard position < new.count else { return nil }
            let name = new[position].key
            position += 1
            return (name, values.member(name, of: nodes.old), values[nodes.new].first + position - 1)
        }
    }
}
