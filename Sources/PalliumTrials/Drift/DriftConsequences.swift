import PalliumCore
import PalliumJSON

/// Tells broken rules that only follow from other problems.
///
/// What cannot be read is left out of the model, and a rule may miss it: the smallest count of a list without its bad
/// elements, for example. So a rule counts only if nothing in the value that it is about has another problem.
struct DriftConsequences {
    private struct Step: Hashable {
        let node: Int
        let token: UTF8Key
    }

    /// The paths of other problems, as a tree: a node for each path that leads to one.
    private var nodes: [Step: Int] = [:]

    /// - Complexity: O(*n*) in the number of the problems' tokens.
    init(of problems: [ModelError]) {
        guard problems.contains(where: { $0.code == .ruleBroken }) else { return }
        for problem in problems where problem.code != .ruleBroken {
            var node = 0
            for token in problem.wholePointer?.tokens ?? [] {
                let step = Step(node: node, token: UTF8Key(token))
                node = nodes[step] ?? nodes.count + 1
                nodes[step] = node
            }
            hasOthers = true
        }
    }

    /// Whether any problem is no broken rule.
    private var hasOthers = false

    /// Whether a problem is a broken rule about a value that has another problem.
    func contains(_ problem: ModelError) -> Bool {
        guard hasOthers, problem.code == .ruleBroken else { return false }
        var node = 0
        for token in problem.wholePointer?.tokens ?? [] {
            guard let next = nodes[Step(node: node, token: UTF8Key(token))] else { return false }
            node = next
        }
        return true
    }
}
