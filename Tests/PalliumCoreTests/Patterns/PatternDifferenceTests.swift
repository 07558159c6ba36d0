import PalliumCore
import TestSupport
import Testing

/// Compares patterns with ``PatternReference``.
@Suite("Random patterns")
struct PatternDifferenceTests {
    /// Draws trees and texts over a small alphabet.
    private struct Drawing {
        var random: SeededGenerator

        static let letters = ["a", "b", "1", "-", "é", "€", "😀", "\n"].map { Unicode.Scalar($0)! }

        static let characters: [PatternReference] =
            letters.dropLast().map { letter in .character(text: String(letter)) { $0 == letter } } + [
                .character(text: ".") { $0 != "\n" }, .character(text: "\\d") { $0 == "1" },
                .character(text: "\\W") { !PatternReference.isWordCharacter($0) },
                .character(text: "\\w", isMember: PatternReference.isWordCharacter),
                .character(text: "\\s") { $0 == "\n" }, .character(text: "\\S") { $0 != "\n" },
                .character(text: "[ab]") { $0 == "a" || $0 == "b" }, .character(text: "[^a]") { $0 != "a" },
                .character(text: "[^é-€]") { $0 < "é" || $0 > "€" },
                .character(text: "[b-é]") { $0 >= "b" && $0 <= "é" },
                .character(text: "[€-😀-]") { $0 == "-" || $0 >= "€" && $0 <= "😀" },
                .character(text: "[]") { _ in false },
                .character(text: "\\u{1F600}") { $0 == "😀" }, .character(text: "[^]") { _ in true },
            ]

        mutating func tree(_ depth: Int) -> PatternReference {
            let parts = (0..<(1 + random.below(3))).map { _ in alternative(depth) }
            return parts.count == 1 || random.once(in: 2) ? parts[0] : .alternatives(parts)
        }

        private mutating func alternative(_ depth: Int) -> PatternReference {
            .sequence(
                (0..<random.below(4)).map { _ in
                    if random.once(in: 6) {
                        return random.pick([.start, .end, .boundary(true), .boundary(false)])
                    }
                    let atom =
                        depth > 0 && random.once(in: 3)
                        ? .group(random.pick(["(", "(?:"]), tree(depth - 1)) : random.pick(Self.characters)
                    return random.once(in: 3) ? repeated(atom) : atom
                })
        }

        private mutating func repeated(_ part: PatternReference) -> PatternReference {
            let minimum = random.below(3)
            let maximum = random.once(in: 2) ? nil : minimum + random.below(3)
            return .repetition(part, minimum, maximum, lazy: random.once(in: 4))
        }

        mutating func text() -> [Unicode.Scalar] { (0..<random.below(9)).map { _ in random.pick(Self.letters) } }
    }

    @Test("Random patterns match what the reference matches", .trials)
    func differences() throws {
        let trials = Trials(60)
        var counts = (matching: 0, other: 0)
        var refused = 0
        for seed in trials {
            var drawing = Drawing(random: SeededGenerator(seed: seed))
            var tree = drawing.tree(drawing.random.once(in: 3) ? 2 : 1)
            if drawing.random.once(in: 2) { tree = .sequence([.start, .group("(?:", tree), .end]) }
            let pattern: Pattern
            do throws(PatternError) {
                pattern = try Pattern(tree.text)
            } catch {
                // Some trees need too many states. Nothing else may refuse them.
                try #require(error.expected.hasPrefix("a pattern of at most"), "\(error)")
                refused += 1
                continue
            }
            for _ in 0..<12 {
                let scalars = drawing.text()
                let text = String(String.UnicodeScalarView(scalars))
                let isFound = tree.isFound(in: scalars)
                #expect(pattern.matches(text) == isFound, "\(pattern) \(text.debugDescription)")
                if isFound { counts.matching += 1 } else { counts.other += 1 }
            }
        }
        // Neither result may be so frequent that the other is hardly tested.
        #expect(min(counts.matching, counts.other) > 3 * trials.count, "\(counts)")
        #expect(refused <= 1 + trials.count / 100)
    }
}
