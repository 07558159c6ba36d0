/// Why a change is no mutant: no test could fail by right, since the language and the functions that are called promise
/// the same of the changed code.
enum MutationRule: String, CaseIterable {
    case void, trap, hash, hint, room, release

    /// The changes that are left out and the reason, for `--help`.
    var summary: String {
        switch self {
        case .void: "a result of a call that returns nothing: the change is none; the compiler knows which"
        case .trap:
            "assert, precondition, preconditionFailure and fatalError: they stop a program that is wrong already"
        case .hash: "what is fed to a hasher left out or another number: equal values still have equal hashes"
        case .hint: "reserveCapacity, minimumCapacity: and keepingCapacity: hints, all is the same without them"
        case .room: "a larger number in a capacity that is asked for: more memory than is used does no harm"
        case .release: "a call of deallocate left out: memory without content that is not given back changes no result"
        }
    }
}

extension MutationSearch {
    /// The rule by which a change of a place is left out, if there is one.
    func rule(leavingOut kind: MutationOperator, _ range: Range<Int>) -> MutationRule? {
        if kind == .removal, let rule = ruleOfStatement(range) { return rule }
        for argument in arguments(around: range.lowerBound) {
            if Self.traps.contains(argument.function) { return .trap }
            if Self.hints.contains(argument.function) || Self.hints.contains(argument.label) { return .hint }
            if kind == .literal, argument.function == "combine", isHasher(argument.open) { return .hash }
            if kind == .literal, argument.label == "capacity", onlyGrows(argument.start, range.lowerBound) {
                return .room
            }
        }
        return nil
    }

    private static let traps: Set = ["assert", "assertionFailure", "precondition", "preconditionFailure", "fatalError"]
    private static let hints: Set = ["reserveCapacity", "minimumCapacity", "keepingCapacity"]

    private func ruleOfStatement(_ range: Range<Int>) -> MutationRule? {
        let last = range.upperBound - 1
        guard let open = source.partner[last], open > range.lowerBound,
            tokens[range.lowerBound..<open].allSatisfy({ $0.kind == .word || ".?".contains($0.text) })
        else { return nil }
        let name = tokens[open - 1].text
        if tokens[last].text == "}" { return name == "forEach" ? ruleOfStatement(open + 1..<last) : nil }
        if Self.traps.contains(name) { return .trap }
        if name == "reserveCapacity" { return .hint }
        if name == "combine" && isHasher(open) || tokens[last - 1].text == "hasher" && tokens[last - 2].text == "&" {
            return .hash
        }
        return name == "deallocate" && last == open + 1 ? .release : nil
    }

    private func isHasher(_ open: Int) -> Bool {
        open > 2 && tokens[open - 1].text == "combine" && tokens[open - 3].text == "hasher"
    }

    private struct Argument {
        var function = ""
        var label = ""
        /// The bracket of the call and the first token of the argument.
        var open: Int
        var start: Int
    }

    /// The arguments that a place stands in, inner ones first, up to the block around it.
    private func arguments(around index: Int) -> [Argument] {
        var result: [Argument] = []
        var position = index
        var start: Int?
        while position > 0 {
            position -= 1
            let text = tokens[position].text
            if let other = source.partner[position] {
                if other < position {
                    position = other
                } else if text == "{" {
                    break
                } else if text == "(", position > 0 {
                    var argument = Argument(
                        function: tokens[position - 1].text, open: position, start: start ?? position + 1)
                    if tokens[argument.start + 1].text == ":" {
                        argument.label = tokens[argument.start].text
                        argument.start += 2
                    }
                    result.append(argument)
                    start = nil
                }
            } else if text == ",", start == nil {
                start = position + 1
            }
        }
        return result
    }

    /// Whether a capacity is no smaller when a number in it is changed; that of `max(count, 1)` is still as large as what is
    /// stored.
    private func onlyGrows(_ start: Int, _ number: Int) -> Bool {
        var position = start
        while position < tokens.count, ![",", ")"].contains(tokens[position].text) { position = source.next(position) }
        let argument = tokens[start..<position]
        let operators = argument.filter { $0.kind == .binaryOperator || $0.kind == .prefixOperator }
        guard operators.allSatisfy({ ["+", "*"].contains($0.text) }) else { return false }
        return Self.integer(tokens[number].text) != 1
            || tokens[start].text == "max" && operators.isEmpty && argument.count { $0.text == "(" } == 1
    }
}
