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
/// `\.` is a dot in a key and `\\` a backslash. A backslash before anything else or at the end makes the call throw.
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
    /// The first key with a meaningless backslash.
    let malformed: String?

    /// Selects properties by their keys.
    public init(_ keys: some Sequence<String>) {
        var tree = Tree()
        var malformed: String?
        for key in keys {
            if let steps = Self.steps(of: key) { Self.add(steps[...], to: &tree) } else { malformed = malformed ?? key }
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

    /// The steps of a key; nil if a backslash is before anything but a dot or a backslash.
    private static func steps(of key: String) -> [String]? {
        var steps: [[UInt8]] = [[]]
        var isEscaped = false
        for byte in key.utf8 {
            let isBackslash = byte == UInt8(ascii: "\\")
            let isDot = byte == UInt8(ascii: ".")
            if isEscaped, !isBackslash, !isDot { return nil }
            if isBackslash, !isEscaped {
                isEscaped = true
                continue
            }
            if isDot, !isEscaped { steps.append([]) } else { steps[steps.count - 1].append(byte) }
            isEscaped = false
        }
        return isEscaped ? nil : steps.map { String(decoding: $0, as: UTF8.self) }
    }
}
