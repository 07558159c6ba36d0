/// The syntax tree of a pattern.
///
/// Groups leave nothing in the tree but their contents: a pattern only matches or does not, so captures mean nothing.
/// For the same reason lazy quantifiers are the same as greedy ones.
indirect enum PatternSyntax: Sendable {
    /// One code point of a set.
    case codePoint(CodePointSet)
    /// A condition on the position, which consumes nothing.
    case assertion(PatternAssertion)
    /// One tree after the other. Without any, it matches the empty text.
    case sequence([PatternSyntax])
    /// One of several trees.
    case alternatives([PatternSyntax])
    /// A tree, repeated; without a maximum, any number of times from the minimum on.
    case repetition(PatternSyntax, minimum: Int, maximum: Int?)
}

/// A condition on a position in the text (ECMA 262, section 22.2.2.4, CompileAssertion).
enum PatternAssertion: Sendable {
    /// `^`: the text begins here.
    case start
    /// `$`: the text ends here.
    case end
    /// `\b`: either the code point before or the one after is a word character.
    case wordBoundary
    /// `\B`: both are word characters, or neither is.
    case noWordBoundary
}

// Sequences without parts are left out of other trees, however often they are repeated. Every other tree becomes at
// least one state or edge of an automaton, so the limits of those bound the work of nested repetitions, too.
extension PatternSyntax {
    static var empty: PatternSyntax { .sequence([]) }

    var isEmpty: Bool {
        if case .sequence(let parts) = self { parts.isEmpty } else { false }
    }

    /// Returns the sequence of trees, without empty ones.
    static func joining(_ parts: [PatternSyntax]) -> PatternSyntax {
        let parts = parts.filter { !$0.isEmpty }
        return parts.count == 1 ? parts[0] : .sequence(parts)
    }

    /// Returns the choice between trees, of which there is at least one.
    static func choosing(_ alternatives: [PatternSyntax]) -> PatternSyntax {
        alternatives.count == 1 ? alternatives[0] : .alternatives(alternatives)
    }

    /// Returns the tree repeated.
    func repeated(_ minimum: Int, _ maximum: Int?) -> PatternSyntax {
        if isEmpty || maximum == 0 { return .empty }
        return minimum == 1 && maximum == 1 ? self : .repetition(self, minimum: minimum, maximum: maximum)
    }
}
