/// What the command line asks for.
struct Arguments {
    /// A mistake on the command line.
    struct Mistake: Error, CustomStringConvertible {
        let description: String
    }

    /// What is run; nil for the help.
    let mode: Mode?
    /// The files, folders and numbers that stand without an option.
    private(set) var operands: [String] = []
    private var numbers: [String: Int] = [:]
    private var flags: Set<String> = []

    init(_ texts: [String]) throws {
        guard let first = texts.first else { throw Mistake(description: "which mode?") }
        if first == "--help" || first == "-h" {
            mode = nil
            return
        }
        guard let mode = Mode(rawValue: first) else { throw Mistake(description: "unknown mode \(first)") }
        var rest = texts.dropFirst()
        while let text = rest.popFirst() {
            guard text.hasPrefix("--") else {
                operands.append(text)
                continue
            }
            switch mode.options[text] {
            case nil: throw Mistake(description: "\(mode.rawValue) has no option \(text)")
            case .flag: flags.insert(text)
            case .number:
                guard let value = rest.popFirst(), let number = Int(value), number > 0 else {
                    throw Mistake(description: "\(text) needs a number above zero")
                }
                numbers[text] = number
            }
        }
        self.mode = mode
    }

    /// Whether a flag was given.
    func has(_ flag: String) -> Bool { flags.contains(flag) }

    /// The number of an option, or what it is when the option is not given.
    func number(_ option: String, default value: Int) -> Int { numbers[option] ?? value }

    /// The number of an option; nil when it is not given.
    func number(_ option: String) -> Int? { numbers[option] }

    /// The seed of everything that is random.
    var seed: UInt64 { UInt64(number("--seed", default: 20_260_101)) }
}
