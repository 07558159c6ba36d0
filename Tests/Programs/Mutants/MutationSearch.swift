/// Finds every place of a source where a mutation may stand. What turns out not to compile is dropped by the build.
struct MutationSearch {
    let source: SourceText
    /// All possible mutations, in order of kind and place.
    private(set) var found: [Mutation] = []
    /// How many changes each rule left out.
    private(set) var leftOut: [MutationRule: Int] = [:]

    init(_ source: SourceText) {
        self.source = source
        findTokens()
        findConditions()
        findStatements()
    }

    var tokens: [SourceText.Token] { source.tokens }

    private mutating func add(
        _ kind: MutationOperator, _ range: Range<Int>, _ edit: Mutation.Edit, plain: String
    ) {
        guard !range.isEmpty, !tokens[range].contains(where: \.isExcluded) else { return }
        if let rule = rule(leavingOut: kind, range) {
            leftOut[rule, default: 0] += 1
            return
        }
        found.append(
            Mutation(
                operator: kind, path: source.path, line: tokens[range.lowerBound].line, edit: edit,
                place: source.offsets(range), plain: plain))
    }

    // MARK: Operators and literals

    private static let binary: [(MutationOperator, [String: String])] = [
        (.boundary, ["<": "<=", "<=": "<", ">": ">=", ">=": ">"]),
        (.equality, ["==": "!=", "!=": "==", "===": "!==", "!==": "==="]),
        (.logic, ["&&": "||", "||": "&&"]),
        (
            .arithmetic,
            [
                "+": "-", "-": "+", "*": "/", "/": "*", "%": "*", "&+": "&-", "&-": "&+", "&*": "&+", "+=": "-=",
                "-=": "+=", "*=": "+=", "&+=": "&-=", "&-=": "&+=",
            ]
        ),
        (.bits, ["&": "|", "|": "&", "^": "|", "<<": ">>", ">>": "<<", "&=": "|=", "|=": "&="]),
        (.range, ["..<": "..."]),
    ]

    private mutating func findTokens() {
        for (index, token) in tokens.enumerated() {
            let range = index..<index + 1
            switch token.kind {
            case .binaryOperator:
                // The name of an operator that is declared.
                if index > 0, tokens[index - 1].text == "func" { continue }
                if token.text == "??" {
                    add(.fallback, range, .replace("??OP"), plain: "?? /* always */")
                }
                for (kind, pairs) in Self.binary {
                    if let other = pairs[token.text] { add(kind, range, .replace("\(token.text)OP"), plain: other) }
                }
            case .prefixOperator where token.text == "!": add(.not, range, .replace("!OP"), plain: "")
            case .number:
                if index > 0, tokens[index - 1].text == "." { continue }
                guard let number = Self.integer(token.text) else { continue }
                let other = number == 1 ? 0 : number + 1
                add(.literal, range, .replace("mutantEither(ID, \(token.text), \(other))"), plain: "\(other)")
            case .word where token.text == "true" || token.text == "false":
                let other = token.text == "true" ? "false" : "true"
                add(.literal, range, .replace("mutantEither(ID, \(token.text), \(other))"), plain: other)
            default: continue
            }
        }
    }

    static func integer(_ text: String) -> Int? {
        let digits = text.replacing("_", with: "")
        let number =
            switch digits.prefix(2) {
            case "0x": Int(digits.dropFirst(2), radix: 16)
            case "0b": Int(digits.dropFirst(2), radix: 2)
            default: Int(digits)
            }
        return number == .max ? nil : number
    }

    // MARK: Conditions

    private mutating func findConditions() {
        for (index, token) in tokens.enumerated() {
            switch token.text {
            case "if", "guard", "while":
                guard token.kind == .word else { continue }
                let isTail = token.text == "while" && index > 0 && tokens[index - 1].text == "}"
                addConditions(index + 1, to: endOfCondition(index + 1, stopsAtLine: isTail))
            case "for":
                let end = endOfCondition(index + 1, stopsAtLine: false)
                var position = index + 1
                while position < end {
                    if tokens[position].text == "where" { addCondition(position + 1..<end) }
                    position = source.next(position)
                }
            case "?" where token.kind == .binaryOperator: addCondition(startOfTernary(index)..<index)
            default: continue
            }
        }
    }

    private func endOfCondition(_ start: Int, stopsAtLine: Bool) -> Int {
        var position = start
        while position < tokens.count {
            let token = tokens[position]
            if token.text == "{" || token.text == "else" || stopsAtLine && token.startsLine { break }
            position = source.next(position)
        }
        return min(position, tokens.count)
    }

    private mutating func addConditions(_ start: Int, to end: Int) {
        var first = start
        var position = start
        while position <= end, position <= tokens.count {
            if position == end || tokens[position].text == "," {
                if first < position { addConditionOrBinding(first..<position) }
                first = position + 1
            }
            if position == end { break }
            position = source.next(position)
        }
    }

    private mutating func addConditionOrBinding(_ range: Range<Int>) {
        switch tokens[range.lowerBound].text {
        case "let", "var":
            guard let sign = range.first(where: { tokens[$0].text == "=" }), sign + 1 < range.upperBound else { return }
            add(.binding, sign + 1..<range.upperBound, .wrap("mutantNone(ID, ", ")"), plain: "nil")
        case "case", "#": return
        default: addCondition(range)
        }
    }

    private mutating func addCondition(_ range: Range<Int>) {
        // What one operator of the condition does as well is one mutant, not two.
        var operators: [String] = []
        var position = range.lowerBound
        while position < range.upperBound {
            if tokens[position].kind == .binaryOperator { operators.append(tokens[position].text) }
            position = source.next(position)
        }
        if operators.count == 1, ["==", "!=", "===", "!=="].contains(operators[0]) { return }
        if operators.isEmpty, tokens[range.lowerBound].text == "!" { return }
        add(.condition, range, .wrap("mutantNegated(ID, ", ")"), plain: "!(\(source.text(range)))")
    }

    private func startOfTernary(_ question: Int) -> Int {
        var position = question
        while position > 0 {
            let previous = tokens[position - 1]
            if tokens[position].startsLine, position != question, !isContinuation(position) { break }
            if let other = source.partner[position - 1] {
                if other > position - 1 { break }
                position = other
                continue
            }
            if [",", ":", "return", "in", "?", "else", "throw"].contains(previous.text) { break }
            if previous.kind == .binaryOperator, previous.text.hasSuffix("="),
                !["==", "!=", "===", "!==", "<=", ">="].contains(previous.text)
            {
                break
            }
            position -= 1
        }
        return position
    }

    // MARK: Statements

    /// Words that begin something else than an expression.
    private static let keywords: Set<String> = [
        "_modify", "_read", "actor", "any", "associatedtype", "async", "borrowing", "case", "catch", "class",
        "consuming", "convenience", "default", "defer", "deinit", "didSet", "do", "dynamic", "else", "enum",
        "extension", "fallthrough", "fileprivate", "final", "for", "func", "get", "guard", "if", "import", "indirect",
        "infix", "init", "inout", "internal", "isolated", "lazy", "let", "macro", "mutating", "nonisolated",
        "nonmutating", "open", "operator", "optional", "override", "package", "postfix", "precedencegroup", "prefix",
        "private", "protocol", "public", "repeat", "required", "sending", "set", "some", "static", "struct",
        "subscript", "switch", "throws", "typealias", "unowned", "var", "weak", "where", "while", "willSet", "yield",
    ]

    private static let jumps: Set<String> = ["throw", "continue", "break", "return"]

    private mutating func findStatements() {
        for (open, token) in tokens.enumerated() where token.text == "{" {
            guard let close = source.partner[open], close > open + 1 else { continue }
            let statements = statements(open, close)
            for statement in statements { addStatement(statement.range, afterLabel: statement.isLabelled) }
            // The only expression of a block may be its value.
            let isGuard = open > 0 && tokens[open - 1].text == "else"
            if statements.count == 1, !isGuard { addResult(statements[0].range) }
        }
    }

    private func statements(_ open: Int, _ close: Int) -> [(range: Range<Int>, isLabelled: Bool)] {
        var result: [(Range<Int>, Bool)] = []
        var start = startOfBody(open, close)
        var isLabelled = false
        while start < close {
            if ["case", "default"].contains(tokens[start].text) {
                var position = source.next(start)
                while position < close, tokens[position].text != ":",
                    !tokens[position].startsLine || isContinuation(position)
                {
                    position = source.next(position)
                }
                if position < close, tokens[position].text == ":" {
                    start = position + 1
                    isLabelled = true
                    continue
                }
            }
            var position = source.next(start)
            while position < close, tokens[position].text != ";",
                !(tokens[position].startsLine && !isContinuation(position))
            {
                position = source.next(position)
            }
            let end = min(position, close)
            result.append((start..<end, isLabelled))
            isLabelled = false
            start = end < close && tokens[end].text == ";" ? end + 1 : end
        }
        return result
    }

    /// Behind the parameters of a closure.
    private func startOfBody(_ open: Int, _ close: Int) -> Int {
        var position = open + 1
        while position < close, !(tokens[position].startsLine), tokens[position].text != "for" {
            if tokens[position].text == "in" { return position + 1 }
            position = source.next(position)
        }
        return open + 1
    }

    private func isContinuation(_ index: Int) -> Bool {
        let token = tokens[index]
        let previous = tokens[index - 1]
        return token.kind == .binaryOperator || token.text == "." || token.text == "else" || token.text == "catch"
            || token.text == "?" || token.text == ":" || previous.kind == .binaryOperator || previous.text == ","
            || token.text == "{"
    }

    private mutating func addStatement(_ range: Range<Int>, afterLabel isLabelled: Bool) {
        let first = tokens[range.lowerBound]
        if first.text == "return", range.count > 1 { return addResult(range.lowerBound + 1..<range.upperBound) }
        // A break that is all of a case does nothing.
        if isLabelled, first.text == "break" { return }
        let isExpression =
            first.kind == .word && !Self.keywords.contains(first.text)
            && range.contains { "=({".contains(tokens[$0].text.suffix(1)) }
        guard Self.jumps.contains(first.text) || isExpression else { return }
        add(.removal, range, .wrap("if mutantKept(ID) { ", " }"), plain: "")
    }

    private mutating func addResult(_ range: Range<Int>) {
        let first = tokens[range.lowerBound]
        guard !range.isEmpty, range.count > 1 || first.kind == .word,
            !["nil", "true", "false", "return", "throw", "continue", "break"].contains(first.text),
            !Self.keywords.contains(first.text), first.text != "@", first.text != "#",
            // What is empty stays empty.
            !["[]", "[:]"].contains(source.text(range))
        else { return }
        var position = range.lowerBound
        var operators: [String] = []
        while position < range.upperBound {
            if tokens[position].kind == .binaryOperator { operators.append(tokens[position].text) }
            position = source.next(position)
        }
        if operators.contains(where: { $0.hasSuffix("=") && !["==", "!=", "===", "!==", "<=", ">="].contains($0) }) {
            return
        }
        if operators.count == 1, ["==", "!=", "===", "!=="].contains(operators[0]) { return }
        add(.result, range, .wrap("mutantResult(ID, ", ")"), plain: "other(\(source.text(range)))")
    }
}
