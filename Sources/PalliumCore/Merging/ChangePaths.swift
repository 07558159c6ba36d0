import PalliumJSON

/// Places in a graph of models, each one step from another: a place costs the same however deep it lies.
final class ChangePaths {
    /// The place of the model everything starts from.
    static let root = -1

    /// A place that is entered only once somebody asks for its number: of most models nothing is told.
    enum Place {
        case at(Int)
        case element(Int, of: Int)
    }

    private struct Node {
        let parent: Int
        let key: String
        /// The number of an element, or -1 for a key.
        let number: Int

        var token: String { number < 0 ? key : "\(number)" }
    }

    // Read and written by the methods below alone, which call nothing while they do.
    @exclusivity(unchecked) private var nodes: [Node] = []

    /// The place of a property or dictionary member.
    func append(_ key: String, to parent: Int) -> Int {
        nodes.append(Node(parent: parent, key: key, number: -1))
        return nodes.count - 1
    }

    /// The place of an element.
    func append(_ number: Int, to parent: Int) -> Int {
        nodes.append(Node(parent: parent, key: "", number: number))
        return nodes.count - 1
    }

    /// The place of a property, member or element.
    func append(_ step: ModelDifference.Step, to parent: Int) -> Int {
        switch step {
        case .key(let key): append(key, to: parent)
        case .element(let number): append(number, to: parent)
        }
    }

    /// The number of a place.
    func number(of place: Place) -> Int {
        switch place {
        case .at(let number): number
        case .element(let element, let list): append(element, to: list)
        }
    }

    /// The steps to a place. O(their number).
    func tokens(to place: Int) -> [String] {
        var tokens: [String] = []
        var place = place
        while place != Self.root {
            tokens.append(nodes[place].token)
            place = nodes[place].parent
        }
        return tokens.reversed()
    }

    /// The first step to a place. O(their number).
    func firstToken(to place: Int) -> String {
        var place = place
        while place != Self.root {
            let node = nodes[place]
            if node.parent == Self.root { return node.token }
            place = node.parent
        }
        return ""
    }
}
