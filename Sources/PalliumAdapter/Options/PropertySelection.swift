public import PalliumCore
import PalliumJSON

/// A selection of properties that a call writes, or leaves out.
///
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
    struct Tree {
        var children: [UTF8Key: Tree] = [:]
        /// Whether a selected path ends here, so that the whole property is selected.
        var isWhole = false
    }

    /// The part of a selection that applies to the models of one property.
    enum Branch {
        case everything, nothing
        case keys(Tree)
        case choice((DynamicModel, String) -> Bool)

        var isEverything: Bool { if case .everything = self { true } else { false } }
        var isNothing: Bool { if case .nothing = self { true } else { false } }

        /// Whether a property, or something inside it, is selected.
        func includes(_ key: String, of model: DynamicModel) -> Bool {
            switch self {
            case .everything: true
            case .nothing: false
            case .keys(let tree): tree.children[UTF8Key(key)] != nil
            case .choice(let includes): includes(model, key)
            }
        }

        /// Whether a whole property is selected.
        func includesAll(_ key: String, of model: DynamicModel) -> Bool {
            guard case .keys(let tree) = self else { return includes(key, of: model) }
            return tree.children[UTF8Key(key)]?.isWhole ?? false
        }

        /// The selection for the models inside a property.
        func inside(_ key: String) -> Branch {
            guard case .keys(let tree) = self else { return self }
            guard let inner = tree.children[UTF8Key(key)] else { return .nothing }
            return inner.isWhole ? .everything : .keys(inner)
        }
    }

    let branch: Branch
    /// The first key with a meaningless backslash.
    let malformed: String?

    private init(_ branch: Branch) {
        self.branch = branch
        malformed = nil
    }

    /// Selects properties by their keys.
    public init(_ keys: some Sequence<String>) {
        var tree = Tree()
        var malformed: String?
        for key in keys {
            if let steps = Self.steps(of: key) { Self.add(steps[...], to: &tree) } else { malformed = malformed ?? key }
        }
        branch = .keys(tree)
        self.malformed = malformed
    }

    /// Selects properties by their keys: `["title", "assignee.login"]`.
    public init(arrayLiteral keys: String...) { self.init(keys) }

    /// Selects properties with a closure, which is called for each key that a model writes, nested models included.
    ///
    /// The closure must not change the model.
    public static func `where`(_ includes: @escaping (DynamicModel, String) -> Bool) -> PropertySelection {
        PropertySelection(.choice(includes))
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
