/// What the command line asks for.
struct Arguments {
    /// What the program does.
    enum Mode {
        case table
        /// Decodes or encodes 1,000 issues so many times, for a profiler.
        case operation(OperationMode.Kind, count: Int)
        /// Decodes a file, holds the result and prints how much memory that took.
        case memory(MemoryMode.Family, path: String)
        case help
    }

    var mode = Mode.table
    var json = false
    var quick = false
    var filter: String?
    var issues: Int?

    /// A mistake on the command line.
    struct Mistake: Error, CustomStringConvertible {
        let description: String
    }

    static let help = """
        usage: Benchmarks [--json] [--filter TEXT] [--quick] [--issues N]

          --json         print a JSON array instead of a table
          --filter TEXT  only rows whose names contain the text
          --quick        1,000 issues and short rounds: checks that everything works, times mean little
          --issues N     how many issues most rows handle (10,000)

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
        while let option = rest.popFirst() {
            switch option {
            case "--json": json = true
            case "--quick": quick = true
            case "--filter": filter = try value(of: option)
            case "--issues": issues = try number(of: option)
            case "--help", "-h": mode = .help
            case "--operation":
                let text = try value(of: option)
                guard let kind = OperationMode.Kind(rawValue: text) else {
                    let kinds = OperationMode.Kind.allCases.map(\.rawValue).joined(separator: ", ")
                    throw Mistake(description: "--operation needs one of \(kinds), not \(text)")
                }
                mode = .operation(kind, count: try number(of: option))
            case "--memory":
                let text = try value(of: option)
                guard let family = MemoryMode.Family(rawValue: text) else {
                    throw Mistake(description: "--memory needs pallium or codable, not \(text)")
                }
                mode = .memory(family, path: try value(of: option))
            default: throw Mistake(description: "unknown option \(option)")
            }
        }
    }
}
