extension CommandSpec {
    static let help = CommandSpec(
        name: "help", summary: "explain the tool or a command",
        usage: ["[OPTION…] [COMMAND]"],
        options: [.manual, .output, .help],
        operands: .commands,
        examples: """
            pallium help decode
            pallium help --man decode | man -l -
            """,
        run: { parsed throws(UsageError) in
            var operands = parsed.operands[...]
            var subject = parsed.command
            if !parsed.has(.help) || !operands.isEmpty { subject = try tool.subcommand(takenFrom: &operands) }
            if !operands.isEmpty { throw parsed.error("help explains one command at a time") }
            return printing(parsed.has(.manual) ? ManualPage.text(for: subject) : HelpText.text(for: subject))
        })
}

extension Option {
    static let manual = Option("--man", "Write a page for man, in the macros of man(7).")
}

/// The help of a command: what `--help`, `help` and the page for `man` say.
struct HelpText {
    /// A part of the help. All but paragraphs have titles.
    enum Part {
        case paragraph([String])
        case section(title: String, lines: [String])
        /// Lines that stay as they are.
        case literal(title: String, lines: [String])
        /// Terms, in a column of some width, and their explanations.
        case table(title: String, width: Int, rows: [(term: String, lines: [String])])
    }

    /// Returns the parts of a command's help, behind its name and purpose.
    static func parts(of command: CommandSpec) -> [Part] {
        let usage = Part.literal(title: "usage", lines: command.usage.map { "\(command.call) \($0)" })
        let paragraphs = command.about.split(separator: "\n\n").map { Part.paragraph(lines(String($0))) }
        let commands = table("commands", command.subcommands.map { ($0.word, [$0.summary]) })
        let options = table("options", command.options.map { ($0.synopsis, lines($0.explanation)) })
        let examples = lines(command.examples)
        return [usage] + paragraphs + (command.subcommands.isEmpty ? [] : [commands]) + section(command.before)
            + [options] + section(command.behind) + [
                statuses(one: command.problems),
                .literal(title: examples.count == 1 ? "example" : "examples", lines: examples),
            ]
    }

    private static func lines(_ text: String) -> [String] { text.split(separator: "\n").map(String.init) }

    private static func section(_ section: CommandSpec.Section?) -> [Part] {
        section.map { [.section(title: $0.title, lines: lines($0.text))] } ?? []
    }

    private static func table(_ title: String, _ rows: [(term: String, lines: [String])]) -> Part {
        .table(title: title, width: 14, rows: rows)
    }

    private static func statuses(one: String) -> Part {
        .table(
            title: "exit status", width: 3,
            rows: [
                ("0", ["everything was done"]), ("1", [one]),
                ("2", ["wrong usage, bad schemas, a file that cannot be read, output that cannot be written"]),
                ("141", ["the reader of the output has gone, as in 'pallium … | head'"]),
            ])
    }

    /// Returns the help of a command.
    static func text(for command: CommandSpec) -> String {
        let title = command.isTool ? "pallium \(Tool.version)" : command.call
        let blocks = ["\(title): \(command.summary)"] + parts(of: command).map(text)
        return blocks.joined(separator: "\n\n") + "\n"
    }

    private static func text(_ part: Part) -> String {
        switch part {
        case .paragraph(let lines): lines.joined(separator: "\n")
        case .literal("usage", let lines): "usage: " + lines.joined(separator: "\n       ")
        case .section(let title, let lines), .literal(let title, let lines):
            (["\(title):"] + lines.map { "  \($0)" }).joined(separator: "\n")
        case .table(let title, let width, let rows):
            (["\(title):"] + rows.flatMap { text($0.term, $0.lines, width) }).joined(separator: "\n")
        }
    }

    /// Formats a row of a table; a long term has a line of its own.
    private static func text(_ term: String, _ lines: [String], _ width: Int) -> [String] {
        let padding = { (text: String) in String(repeating: " ", count: width - text.count) }
        if term.count > width { return ["  \(term)"] + lines.map { "  \(padding(""))  \($0)" } }
        return zip([term] + lines.dropFirst().map { _ in "" }, lines).map { "  \($0)\(padding($0))  \($1)" }
    }
}
