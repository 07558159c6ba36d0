/// The rows of the conformance table: numbers and kinds. What a row says stands in the table itself and in the test that
/// cites it.
enum ConformanceTable {
    /// What becomes of a behaviour of Mantle.
    enum Kind: Character, CaseIterable {
        /// Kept; a test fails when it changes.
        case keep = "k"
        /// A mistake of Mantle's, done right; a test holds the new behaviour.
        case fix = "f"
        /// Two answers can be defended; one is chosen, tested and explained.
        case decide = "d"
        /// A consequence of the Objective-C runtime; explained, nothing to test.
        case objectiveC = "o"

        /// Whether a test must cite the rows of the kind.
        var needsTest: Bool { self != .objectiveC }
        /// Whether the article *ComingFromMantle* must name the rows of the kind.
        var needsExplanation: Bool { self != .keep }
    }

    struct Row: Hashable {
        let id: String
        let section: String
        let kind: Kind
    }

    private struct Section {
        let letter: String
        let first: Int
        let kinds: String

        init(_ letter: String, from first: Int, _ kinds: String) {
            self.letter = letter
            self.first = first
            self.kinds = kinds
        }

        var rows: [Row] {
            kinds.enumerated().map { index, letter in
                let digits = "00\(first + index)".suffix(3)
                return Row(id: "C\(digits)", section: self.letter, kind: Kind(rawValue: letter) ?? .keep)
            }
        }
    }

    /// All rows in the order of the table.
    static let rows: [Row] = [
        Section("A", from: 1, "kkkkkkkkookodkkkkkkkfo"),  // property discovery and storage
        Section("B", from: 23, "kkkkkkkkfffkfkkffokfkkd"),  // models from values, and values from models
        Section("C", from: 46, "kkkkkkkkkkfkfdfkkkkdkkf"),  // equality, hash, description, copy
        Section("D", from: 69, "kkkfkdkkkff"),  // validation
        Section("E", from: 80, "kkkkdkkkkkodffdo"),  // merging
        Section("F", from: 96, "kkkkkkkkffkdfk"),  // key paths when reading
        Section("G", from: 110, "kfkkkkkkkkkfkfkdkkffofdddokkfo"),  // reading one object
        Section("H", from: 140, "ffffkffkdk"),  // checks of the mapping
        Section("I", from: 150, "kkkfkkkfkkfd"),  // several key paths for one property
        Section("J", from: 162, "kkkkkokkokdkoof"),  // which transformer is used
        Section("K", from: 177, "kkkfffffffkkkdkkkfffof"),  // writing
        Section("L", from: 199, "kkkkkkkdfffok"),  // arrays at the top level
        Section("M", from: 212, "fkkkdffffkfkfk"),  // class clusters
        Section("N", from: 226, "kkkkkkfkkfkffdfkffo"),  // nested models and arrays of them
        Section("O", from: 245, "kkkkddfofooo"),  // transformers made of closures
        Section("P", from: 257, "kkkkkdkkkkkdkkkkdkfkkkkkkfkkffdkkkkdfkkkfkfkkkffdkkfk"),  // predefined transformers
        Section("Q", from: 310, "kkkkkkkkdfkfkkfdkkfkkdfodkkfffkdf"),  // archives
        Section("R", from: 343, "oookkkkkoooooooooooooookkff"),  // protocols, helpers, comparison, errors
    ].flatMap(\.rows)
}
