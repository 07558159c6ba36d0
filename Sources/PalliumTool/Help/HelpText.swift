/// The help of a command, or of the tool: what `--help`, `help` and the page for `man` say.
struct HelpText {
    /// The forms of the arguments, behind the name of the command.
    let usage: [String]
    /// The paragraphs and sections before the options.
    var about = ""
    /// The sections behind the options.
    var notes = ""
    /// The meaning of the exit status 1.
    var problems = "the data has problems"
    let examples: String

    /// Returns the text for a command, or for the tool.
    static func text(for command: Command?) -> String {
        let entry = entry(for: command)
        let name = command.map { "pallium \($0.rawValue)" } ?? "pallium"
        let title =
            command.map { "\(name): \($0.summary)" }
            ?? "\(name) \(Tool.version): reads JSON with schemas that are known at run time only"
        let options = command?.options ?? [.help, .version]
        let examples = entry.examples.split(separator: "\n")
        let blocks = [
            title, "usage: " + entry.usage.map { "\(name) \($0)" }.joined(separator: "\n       "), entry.about,
            "options:\n" + table(options.map { ($0.synopsis, $0.explanation(for: command)) }), entry.notes,
            statuses(one: entry.problems),
            (examples.count == 1 ? "example:" : "examples:") + examples.map { "\n  \($0)" }.joined(),
        ]
        return blocks.filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
    }

    private static func entry(for command: Command?) -> HelpText {
        switch command {
        case nil: tool
        case .decode: decode
        case .show: show
        case .diff: diff
        case .merge: merge
        case .archive: archive
        case .unarchive: unarchive
        case .inspect: inspect
        case .upgrade: upgrade
        case .check: check
        case .generate: generate
        case .infer: infer
        case .sample: sample
        case .laws: laws
        case .compare: compare
        case .drift: drift
        case .export: export
        case .import: `import`
        case .store: store
        case .storeImport: storeImport
        case .storeQuery: storeQuery
        case .storeDump: storeDump
        case .storeDelete: storeDelete
        case .storeUpgrade: storeUpgrade
        case .storeCheck: storeCheck
        case .storeBackup: storeBackup
        case .completions: completions
        case .help: help
        }
    }

    private static func statuses(one: String) -> String {
        """
        exit status:
          0    everything was done
          1    \(one)
          2    wrong usage, bad schemas, a file that cannot be read, output that cannot be written
          141  the reader of the output has gone, as in 'pallium … | head'
        """
    }

    /// Formats two columns; a long entry on the left has a line of its own.
    static func table(_ rows: [(left: String, right: [String])]) -> String {
        let width = 14
        var lines: [String] = []
        for row in rows {
            var right = row.right[...]
            if row.left.count <= width {
                let padding = String(repeating: " ", count: width - row.left.count)
                lines.append("  \(row.left)\(padding)  \(right.popFirst() ?? "")")
            } else {
                lines.append("  \(row.left)")
            }
            lines += right.map { String(repeating: " ", count: width + 4) + $0 }
        }
        return lines.joined(separator: "\n")
    }
}
