/// The columns of boxes: a link leads to a later column, unless it closes a cycle.
struct GraphColumns {
    /// The column of each box.
    private(set) var columns: [Int]
    /// Whether a box has a link to or from another.
    private(set) var isLinked: [Bool]
    /// The number of columns.
    var count: Int { (columns.max() ?? -1) + 1 }

    /// - Complexity: O(*n*) in the number of boxes and links.
    init(count: Int, links: [GraphLayout.Link]) {
        columns = Array(repeating: 0, count: count)
        isLinked = Array(repeating: false, count: count)
        var targets = [[Int]](repeating: [], count: count)
        var sourceCounts = Array(repeating: 0, count: count)
        for link in links where link.source != link.target {
            targets[link.source].append(link.target)
            sourceCounts[link.target] += 1
            isLinked[link.source] = true
            isLinked[link.target] = true
        }
        let roots = (0..<count).filter { sourceCounts[$0] == 0 } + (0..<count).filter { sourceCounts[$0] > 0 }
        let finished = Self.breakCycles(&targets, roots)
        // A box is finished after all that it leads to.
        for box in finished.reversed() {
            for target in targets[box] { columns[target] = max(columns[target], columns[box] + 1) }
        }
        // A box that nothing leads to stands beside what it leads to.
        var isTarget = Array(repeating: false, count: count)
        for target in targets.joined() { isTarget[target] = true }
        for box in 0..<count where !isTarget[box] {
            if let nearest = targets[box].map({ columns[$0] }).min() { columns[box] = nearest - 1 }
        }
    }

    /// The number of columns between the ends of a link.
    func span(of link: GraphLayout.Link) -> Int { abs(columns[link.source] - columns[link.target]) }

    /// Reverses the links that lead back to a box on the way from a root; returns the boxes in the order in which a
    /// depth-first search leaves them.
    private static func breakCycles(_ targets: inout [[Int]], _ roots: [Int]) -> [Int] {
        enum State { case new, open, finished }
        var states = [State](repeating: .new, count: targets.count)
        var finished: [Int] = []
        var forward = [[Int]](repeating: [], count: targets.count)
        for root in roots where states[root] == .new {
            // A stack of its own, since a chain can be longer than the stack of the thread.
            var stack = [(box: root, next: 0)]
            states[root] = .open
            while let (box, next) = stack.last {
                guard next < targets[box].count else {
                    states[box] = .finished
                    finished.append(box)
                    stack.removeLast()
                    continue
                }
                stack[stack.count - 1].next += 1
                let target = targets[box][next]
                if states[target] == .open {
                    forward[target].append(box)
                } else {
                    forward[box].append(target)
                    if states[target] == .new {
                        states[target] = .open
                        stack.append((target, 0))
                    }
                }
            }
        }
        targets = forward
        return finished
    }
}
