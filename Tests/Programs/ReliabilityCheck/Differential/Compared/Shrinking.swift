import Pallium

/// Smaller documents that show the same disagreement.
enum Shrinking {
    /// A comparison that still fails, of a document from which nothing more can be taken; the given one where it is its
    /// spelling that counts.
    static func smallest(_ comparison: Comparison) -> Comparison {
        var best = Comparison(comparison, tree: comparison.tree)
        guard fails(&best) else { return comparison }
        var tries = 0
        var isSmaller = true
        while isSmaller, tries < 400 {
            isSmaller = false
            for candidate in smaller(best.tree) where tries < 400 {
                tries += 1
                var next = Comparison(comparison, tree: candidate)
                if fails(&next) {
                    best = next
                    isSmaller = true
                    break
                }
            }
        }
        return best
    }

    private static func fails(_ comparison: inout Comparison) -> Bool {
        (try? comparison.run()) != nil && !comparison.failures.isEmpty
    }

    /// The tree without one of its parts. The generated trees are not deep.
    private static func smaller(_ value: JSONValue) -> [JSONValue] {
        switch value {
        case .array(let elements):
            elements.indices.map { index in .array(elements.enumerated().filter { $0.offset != index }.map(\.element)) }
                + elements.indices.flatMap { index in
                    smaller(elements[index]).map { smaller in
                        var copy = elements
                        copy[index] = smaller
                        return .array(copy)
                    }
                }
        case .object(let members):
            members.map { name, _ in
                var copy = members
                copy.removeValue(forKey: name)
                return .object(copy)
            }
                + members.flatMap { name, value in
                    smaller(value).map { smaller in
                        var copy = members
                        copy.updateValue(smaller, forKey: name)
                        return .object(copy)
                    }
                }
        default: []
        }
    }
}
