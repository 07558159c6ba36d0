/// What the command line asks for.
struct Arguments {
    /// What the program does.
    enum Mode {
        case table
        /// Measures one row on one heap and prints the figures for the process that started this one.
        case oneRow(String, HeapState)
        /// Does something with 1,000 issues so many times, for a profiler.
        case operation(OperationMode.Kind, count: Int)
        /// Decodes a file, holds the result and prints how much memory that took.
        case memory(MemoryMode.Family, path: String)
        /// Prints documents, one a line, for programs that are measured from outside.
        case lines(LineMode.Kind, count: Int)
        case help
    }

    /// How rows are printed.
    enum Format {
        case text, markdown, json
    }

    var mode = Mode.table
    var format = Format.text
    var quick = false
    var filter: String?
    private var issues: Int?

    /// How many issues most rows handle.
    var issueCount: Int { issues ?? (quick ? 1000 : 10_000) }

    /// A mistake on the command line.
    struct Mistake: Error, CustomStringConvertible {
        let description: String
    }

    static let help = """
        usage: Benchmarks [--json|--markdown] [--filter TEXT] [--quick] [--issues N]
               Benchmarks --lines issues|events N

          --json         print a JSON array instead of a table
          --markdown     print the table as Markdown
          --filter TEXT  only rows whose names contain the text
          --quick        1,000 issues, short rounds, no worst heap: checks that everything works, times mean little
          --issues N     how many issues most rows handle (10,000)
          --lines …      print so many documents, one a line, and measure nothing

        The exit status is 1 when a digest differs or a wrong document is accepted, never because of a time.
        """

    init(_ texts: [String]) throws {
        var rest = texts[...]
        func value(of option: String) throws -> String {
            guard let text = rest.popFirst() else { throw Mistake(description: "\(option) needs a value") }
            return text
        }
        func number(of option: String) throws -> Int {
            let text = try value(of: option)
            guard let number = Int(text), number >= 1, number <= 1_000_000 else {
                throw Mistake(description: "\(option) needs a number from 1 to 1000000, not \(text)")
            }
            return number
        }
        func choice<Choice: RawRepresentable<String> & CaseIterable>(of option: String) throws -> Choice {
            let text = try value(of: option)
            guard let choice = Choice(rawValue: text) else {
                let choices = Choice.allCases.map(\.rawValue).joined(separator: ", ")
                throw Mistake(description: "\(option) needs one of \(choices), not \(text)")
            }
            return choice
        }
        while let option = rest.popFirst() {
            switch option {
            case "--json": format = .json
            case "--markdown": format = .markdown
            case "--quick": quick = true
            case "--filter": filter = try value(of: option)
            case "--issues": issues = try number(of: option)
            case "--help", "-h": mode = .help
            case "--row": mode = .oneRow(try value(of: option), try choice(of: option))
            case "--operation": mode = .operation(try choice(of: option), count: try number(of: option))
            case "--lines": mode = .lines(try choice(of: option), count: try number(of: option))
            case "--memory": mode = .memory(try choice(of: option), path: try value(of: option))
            default: throw Mistake(description: "unknown option \(option)")
            }
        }
    }
}
