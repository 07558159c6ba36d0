/// The paths to the models of a graph, as the steps that lead from one to the next. An error names a path; until then
/// nothing is made of it.
struct GraphPaths {
    /// A step into a model, an array or a dictionary.
    enum Step {
        case position(Int)
        case key(String)
    }

    /// The path without steps.
    static let none = -1

    private var steps: [(step: Step, from: Int)] = []

    /// Returns the number of the path that goes on from another one.
    mutating func path(_ step: Step, from: Int = none) -> Int {
        steps.append((step, from))
        return steps.count - 1
    }

    /// The parts of a path as they stand in a JSON Pointer.
    func tokens(_ path: Int) -> [String] {
        var tokens: [String] = []
        var current = path
        while current >= 0 {
            switch steps[current].step {
            case .position(let position): tokens.append(String(position))
            case .key(let key): tokens.append(key)
            }
            current = steps[current].from
        }
        return tokens.reversed()
    }
}
