/// What the command line says.
struct Arguments {
    var seed = UInt64.random(in: 0...999_999)
    var count = 300
    var jobs = 2
    var only: Set<Int>?
    /// The sources that are changed, or single lines of them; all of them unless told.
    var files: Set<String>?
    var wantsHelp = false

    /// Nil for what it does not know.
    init?(_ arguments: [String]) {
        var rest = arguments[...]
        while let name = rest.popFirst() {
            switch name {
            case "--help": wantsHelp = true
            case "--seed":
                guard let value = rest.popFirst().flatMap({ UInt64($0) }) else { return nil }
                seed = value
            case "--count":
                guard let value = rest.popFirst().flatMap({ Int($0) }), (1...10_000).contains(value) else { return nil }
                count = value
            case "--jobs":
                guard let value = rest.popFirst().flatMap({ Int($0) }), (1...64).contains(value) else { return nil }
                jobs = value
            case "--only":
                guard let value = rest.popFirst() else { return nil }
                only = Set(value.split(separator: ",").compactMap { Int($0) })
            case "--files":
                guard let value = rest.popFirst() else { return nil }
                files = Set(value.split(whereSeparator: \.isWhitespace).map { String($0) })
            default: return nil
            }
        }
    }

    /// Whether a line of a source is changed, or any line of it.
    func changes(_ path: String, line: Int? = nil) -> Bool {
        guard let files else { return true }
        if files.contains(path) { return true }
        return line.map { files.contains("\(path):\($0)") } ?? files.contains { $0.hasPrefix("\(path):") }
    }

    static var help: String {
        let width = MutationOperator.allCases.map(\.rawValue.count).max() ?? 0
        let operators = MutationOperator.allCases.map { kind in
            "  " + kind.rawValue + String(repeating: " ", count: width - kind.rawValue.count + 2) + kind.summary
        }
        let rules = MutationRule.allCases.map { rule in
            "  " + rule.rawValue + String(repeating: " ", count: width - rule.rawValue.count + 2) + rule.summary
        }
        return """
            Changes the library in random places, one at a time, and tells the changes that no test notices.

            usage: .ci/mutants [--count N] [--seed N] [--jobs N] [--only NUMBER,…] [--files "PATH[:LINE] …"]

            --count N   how many mutants, 300 unless told
            --seed N    the same seed takes the same mutants from the same sources; printed when it is not given
            --jobs N    how many run at a time, 2 unless told, at most one on each core
            --only …    of the same mutants only these numbers, for instance after a test was written
            --files …   changes these sources or lines only, for instance "$(git diff --name-only COMMIT)"

            Every place in \(MutatedPackage.modules.joined(separator: ", ")) to which one of the operators applies is as
            likely as every other one; what does not compile is no mutant, nor is what stands in #if, in attributes or in
            declarations that are unavailable.

            \(operators.joined(separator: "\n"))

            No mutants, but counted, are changes after which no test could fail by right:

            \(rules.joined(separator: "\n"))

            Nor are the changes in \(EquivalentMutants.path): a reader proved of each that no caller can see it. A change
            in there that the library no longer has ends the run.

            All mutants are compiled into one debug build of a copy of the package, each asleep until the variable
            PALLIUM_MUTANT has its number. First each suite runs by itself and tells which mutants it reaches; then each
            mutant runs against the suites that reach it, narrow and fast ones first, up to the first failure. A failure, a crash and
            a run of more than three times the usual time and ten seconds kill it; what no suite reaches survives. Survivors
            are printed with operator, place and difference. The exit status is 1 when more than a tenth survives.

            The copy, its build and the reports are in .build-mutants. Needs Linux. Not part of .ci/run, because it takes
            half an hour.

            """
    }
}
