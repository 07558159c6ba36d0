/// Matching written for obviousness: a tree, and backtracking over code points as ECMA 262, section 22.2.2, describes it.
indirect enum PatternReference: Sendable {
    case character(text: String, isMember: @Sendable (Unicode.Scalar) -> Bool)
    case start, end
    case boundary(Bool)
    case sequence([PatternReference])
    case alternatives([PatternReference])
    case group(String, PatternReference)
    case repetition(PatternReference, Int, Int?, lazy: Bool)

    /// The tree as a pattern.
    var text: String {
        switch self {
        case .character(let text, _): text
        case .start: "^"
        case .end: "$"
        case .boundary(let isBoundary): isBoundary ? "\\b" : "\\B"
        case .sequence(let parts): parts.map(\.text).joined()
        case .alternatives(let parts): parts.map(\.text).joined(separator: "|")
        case .group(let opening, let part): "\(opening)\(part.text))"
        case .repetition(let part, let minimum, let maximum, let lazy):
            part.text + Self.quantifier(minimum, maximum) + (lazy ? "?" : "")
        }
    }

    private static func quantifier(_ minimum: Int, _ maximum: Int?) -> String {
        switch (minimum, maximum) {
        case (0, nil): "*"
        case (1, nil): "+"
        case (0, 1): "?"
        case (_, nil): "{\(minimum),}"
        case (_, let maximum?): minimum == maximum ? "{\(minimum)}" : "{\(minimum),\(maximum)}"
        }
    }

    /// Whether a match begins at any index.
    func isFound(in text: [Unicode.Scalar]) -> Bool {
        (0...text.count).contains { match(text, $0) { _ in true } }
    }

    /// Whether the tree matches from an index on, and the rest from where that ends.
    private func match(_ text: [Unicode.Scalar], _ index: Int, _ rest: (Int) -> Bool) -> Bool {
        switch self {
        case .character(_, let isMember): return index < text.count && isMember(text[index]) && rest(index + 1)
        case .start: return index == 0 && rest(index)
        case .end: return index == text.count && rest(index)
        case .boundary(let isBoundary):
            let before = index > 0 && Self.isWordCharacter(text[index - 1])
            let after = index < text.count && Self.isWordCharacter(text[index])
            return (before != after) == isBoundary && rest(index)
        case .sequence(let parts):
            guard let first = parts.first else { return rest(index) }
            return first.match(text, index) {
                PatternReference.sequence(Array(parts.dropFirst())).match(text, $0, rest)
            }
        case .alternatives(let parts): return parts.contains { $0.match(text, index, rest) }
        case .group(_, let part): return part.match(text, index, rest)
        case .repetition(let part, let minimum, let maximum, let lazy):
            if maximum == 0 { return rest(index) }
            func again() -> Bool {
                part.match(text, index) { end in
                    // Section 22.2.2.3.1, RepeatMatcher: past the minimum an iteration must consume something.
                    if minimum == 0, end == index { return false }
                    let next = PatternReference.repetition(
                        part, max(minimum - 1, 0), maximum.map { $0 - 1 }, lazy: lazy)
                    return next.match(text, end, rest)
                }
            }
            if minimum > 0 { return again() }
            return lazy ? rest(index) || again() : again() || rest(index)
        }
    }

    static func isWordCharacter(_ scalar: Unicode.Scalar) -> Bool {
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_".unicodeScalars.contains(scalar)
    }
}
