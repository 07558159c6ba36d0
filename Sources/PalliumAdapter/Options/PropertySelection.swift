public import PalliumCore
import PalliumJSON

/// A selection of properties: those that an adapter reads and writes, or that a call writes or leaves out.
///
///     let rows = try adapter.projected(to: ["title", "assignee.login"])
///     try adapter.data(from: issue, only: ["title", "assignee.login"])
///     try adapter.data(from: issue, except: ["assignee.email"])
///     try adapter.data(from: issue, except: .where { model, key in key == "token" })
///
/// Keys name properties, not JSON members. A dot leads into the models of a property, through arrays, sets and
/// dictionaries. A key without a further step selects the whole property.
///
/// A backslash makes the next character part of a key: a dot, a bracket, or a slash at the beginning. A key that is not made
/// of keys makes the call throw.
public struct PropertySelection: ExpressibleByArrayLiteral {
    /// The selected keys of a model, each with the selected keys of the models inside.
    struct Tree: Hashable, Sendable {
        var children: [UTF8Key: Tree] = [:]
        /// Whether a selected path ends here, so that the whole property is selected.
        var isWhole = false
    }

    /// The selected keys; nil for a selection by a closure.
    let tree: Tree?
    /// The closure that selects keys of a model.
    let includes: ((DynamicModel, String) -> Bool)?
    /// The first key that is not made of keys, because a backslash is at its end for example.
    let malformed: String?

    /// Selects properties by their keys.
    public init(_ keys: some Sequence<String>) {
        var tree = Tree()
        var malformed: String?
        for key in keys {
            if let keys = JSONKeyPath.members(in: key) {
                Self.add(keys[...], to: &tree)
            } else {
                malformed = malformed ?? key
            }
        }
        self.tree = tree
        includes = nil
        self.malformed = malformed
    }

    private init(_ includes: @escaping (DynamicModel, String) -> Bool) {
        tree = nil
        self.includes = includes
        malformed = nil
    }

    /// Selects properties by their keys: `["title", "assignee.login"]`.
    public init(arrayLiteral keys: String...) { self.init(keys) }

    /// Selects properties with a closure, which is called for each key that a model writes, nested models included.
    ///
    /// The closure must not change the model.
    public static func `where`(_ includes: @escaping (DynamicModel, String) -> Bool) -> PropertySelection {
        PropertySelection(includes)
    }

    /// Recursion is bounded by the number of steps in the caller's key.
    private static func add(_ steps: ArraySlice<String>, to tree: inout Tree) {
        guard let key = steps.first else {
            tree.isWhole = true
            return
        }
        add(steps.dropFirst(), to: &tree.children[UTF8Key(key), default: Tree()])
    }
}
