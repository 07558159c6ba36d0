/// The kinds of changes. Each mutant is one change at one place.
enum MutationOperator: String, CaseIterable {
    case boundary, equality, logic, not, arithmetic, bits, range, fallback, literal, condition, binding, removal, result

    /// What it does, for `--help`.
    var summary: String {
        switch self {
        case .boundary: "< and <=, > and >= change places"
        case .equality: "== and !=, === and !== change places"
        case .logic: "&& and || change places"
        case .not: "!x becomes x"
        case .arithmetic:
            "+ and -, * and /, also with & or =, change places, % becomes *; joined collections lose the right"
        case .bits: "& and |, << and >>, also with =, change places, ^ becomes |"
        case .range: "a..<b has one more at the end"
        case .fallback: "a ?? b is always b"
        case .literal: "true and false change places, 1 becomes 0, another integer n becomes n + 1"
        case .condition: "a condition of if, guard, while, where or ?: is negated"
        case .binding: "if let, guard let and while let find nil"
        case .removal: "a call, an assignment, a throw, a jump is left out"
        case .result:
            "what is returned: a Bool is negated, a number one more, an optional nil, a collection empty, Any a text"
        }
    }
}

/// One change at one place of a source.
struct Mutation {
    let `operator`: MutationOperator
    let path: String
    let line: Int
    /// What is inserted in front of and behind the place, or instead of it; `ID` stands for the number of the mutant,
    /// `OP` for its number in characters of operators.
    let edit: Edit
    /// The bytes that change, and what they would be in the source of the mutant.
    let place: Range<Int>
    let plain: String

    enum Edit {
        case wrap(String, String)
        case replace(String)
    }
}

extension Mutation {
    /// The changed lines as a difference.
    func difference(in source: SourceText) -> String {
        let bytes = source.bytes
        let newline = UInt8(ascii: "\n")
        let start = bytes[..<place.lowerBound].lastIndex(of: newline).map { $0 + 1 } ?? 0
        let end = bytes[place.upperBound...].firstIndex(of: newline) ?? bytes.count
        func lines(_ text: some Sequence<UInt8>, _ mark: String) -> String {
            Array(text).split(separator: newline).map { "  \(mark) " + String(decoding: $0, as: UTF8.self) }
                .joined(separator: "\n")
        }
        let changed = bytes[start..<place.lowerBound] + Array(plain.utf8) + bytes[place.upperBound..<end]
        return lines(bytes[start..<end], "-") + "\n" + lines(changed, "+")
    }
}
