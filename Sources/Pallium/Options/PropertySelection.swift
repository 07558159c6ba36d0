public import PalliumCore
import PalliumJSON

/// Which properties a call of an adapter writes, or does not.
///
///     try adapter.data(from: issue, only: ["title", "assignee.login"])
///     try adapter.data(from: issue, except: ["assignee.email"])
///     try adapter.data(from: issue, except: .where { model, key in key == "token" })
///
/// Keys name properties, not JSON members. A dot steps into the models of a property, through arrays, sets and
/// dictionaries. What is chosen without a step further is chosen as a whole.
///
/// `\.` is a dot in a key and `\\` a backslash; a backslash in front of anything else, or at the end, is an error where the
/// selection is used.
public struct PropertySelection: ExpressibleByArrayLiteral {
    /// The keys of a model, each with those of the models inside.
    struct Tree {
        var children: [UTF8Key: Tree] = [:]
        /// The path ends here.
        var isWhole = false
    }

    /// What a selection says of the models in one place.
    enum Branch {
        case everything, nothing
        case keys(Tree)
        case choice((DynamicModel, String) -> Bool)

        var isEverything: Bool { if case .everything = self { true } else { false } }
        var isNothing: Bool { if case .nothing = self { true } else { false } }

        /// Whether a property, or something inside it, is chosen.
        func includes(_ key: String, of model: DynamicModel) -> Bool {
            switch self {
            case .everything: true
            case .nothing: false
            case .keys(let tree): tree.children[UTF8Key(key)] != nil
            case .choice(let includes): includes(model, key)
            }
        }

        /// Whether a property is chosen as a whole.
        func includesAll(_ key: String, of model: DynamicModel) -> Bool {
            guard case .keys(let tree) = self else { return includes(key, of: model) }
            return tree.children[UTF8Key(key)]?.isWhole ?? false
        }

        /// What it says of the models inside a property.
        func inside(_ key: String) -> Branch {
            guard case .keys(let tree) = self else { return self }
            guard let inner = tree.children[UTF8Key(key)] else { return .nothing }
            return inner.isWhole ? .everything : .keys(inner)
        }
    }

    let branch: Branch
    /// The first key with a backslash that means nothing.
    let malformed: String?

    private init(_ branch: Branch) {
        self.branch = branch
        malformed = nil
    }

    /// Chooses properties by their keys.
    public init(_ keys: some Sequence<String>) {
        var tree = Tree()
        var malformed: String?
        for key in keys {
            if let steps = Self.steps(of: key) { Self.add(steps[...], to: &tree) } else { malformed = malformed ?? key }
        }
        branch = .keys(tree)
        self.malformed = malformed
    }

    /// Chooses properties by their keys: `["title", "assignee.login"]`.
    public init(arrayLiteral keys: String...) { self.init(keys) }

    /// Chooses properties by asking about each key that a model writes, of nested models too.
    ///
    /// The model must not be changed meanwhile; it is only looked at.
    public static func `where`(_ includes: @escaping (DynamicModel, String) -> Bool) -> PropertySelection {
        PropertySelection(.choice(includes))
    }

    /// Recursion is bounded by the number of steps that the program wrote.
    private static func add(_ steps: ArraySlice<String>, to tree: inout Tree) {
        guard let key = steps.first else {
            tree.isWhole = true
            return
        }
        add(steps.dropFirst(), to: &tree.children[UTF8Key(key), default: Tree()])
    }

    /// Nil where a backslash stands in front of anything but a dot or a backslash.
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
