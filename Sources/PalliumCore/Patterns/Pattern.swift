package import PalliumJSON

/// A regular expression that is searched for in linear time.
///
/// It is a subset of ECMA 262 (15th edition, 2024) with the flag u, for the keyword `pattern` of JSON Schema:
///
///     [a-z]+(-[a-z]+)*        ^\d{4}-\d\d$        \bfoo|bar\b
///
/// A match may begin and end anywhere; `^` and `$` are the ends of the text. Texts are compared by code points. Upper
/// and lower case differ. `.` matches all code points but line terminators.
///
/// - There are literals, `.`, classes, `\d \w \s` and their opposites, the escapes of characters, groups with or
///   without names, alternatives, quantifiers, also lazy ones, `^`, `$`, `\b` and `\B`.
/// - Back references are refused, since no linear time is known for them. Lookahead, lookbehind, flags, Unicode
///   properties (`\p`) and surrogates without their pair are refused because nobody needed them yet.
/// - Patterns beyond a limit are refused: see `PatternLimit`. So patterns may come from anybody.
///
/// Safety: bytes are read inside the closure that lends them.
package struct Pattern: Sendable, Hashable, CustomStringConvertible {
    /// The pattern as it was written.
    package let text: String
    let table: PatternTable

    /// Compiles a pattern. A hostile one takes a few tens of milliseconds, a common one mostly less than one.
    ///
    /// - Throws: `PatternError` if the text is no pattern, has a construct that is not supported, or is beyond a limit.
    package init(_ text: String) throws(PatternError) {
        let syntax = try PatternParser.parse(text)
        do throws(PatternLimit) {
            table = try PatternTableBuilder.table(for: PatternAutomaton(syntax))
        } catch {
            throw PatternError(offset: 0, expected: error.expected, found: ModelError.quote(text))
        }
        self.text = text
    }

    /// Returns whether the pattern is anywhere in valid UTF-8.
    ///
    /// For bytes that are no UTF-8 either result may be returned. Nothing is allocated.
    ///
    /// Complexity: O(n) in the number of bytes: one step for each, whatever the pattern is.
    package func matches(_ bytes: BorrowedBytes) -> Bool { table.accepts(bytes) }

    /// Returns whether the pattern is anywhere in a text.
    ///
    /// Complexity: O(n) in the number of bytes.
    package func matches(_ text: String) -> Bool {
        text.withBorrowedBytes { table.accepts($0) }
    }

    package var description: String { text }

    package static func == (left: Pattern, right: Pattern) -> Bool { UTF8Text.equal(left.text, right.text) }

    package func hash(into hasher: inout Hasher) { UTF8Text.hash(text, into: &hasher) }
}
