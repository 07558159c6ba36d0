/// The help of a command as a page for `man`, in the macros of man(7).
struct ManualPage {
    private var lines: [String]

    /// Returns the page about a command.
    static func text(for command: CommandSpec) -> String {
        var page = ManualPage(command)
        for part in HelpText.parts(of: command) { page.write(part) }
        page.begin("see also")
        page.lines.append(line(command.isTool ? "pallium-decode(1)" : "pallium(1)"))
        return page.lines.map { $0 + "\n" }.joined()
    }

    private init(_ command: CommandSpec) {
        let name = Self.escape(command.isTool ? "pallium" : "pallium-\(command.joinedName)")
        lines = [
            ".TH \(name) 1 \"\" \"pallium \(Tool.version)\" \"User Commands\"", ".SH NAME",
            "\(name) \\- \(Self.escape(command.summary))",
        ]
    }

    private mutating func write(_ part: HelpText.Part) {
        switch part {
        case .paragraph(let text):
            if !lines.contains(".SH DESCRIPTION") { begin("description") }
            lines += [".PP"] + text.map(Self.line)
        case .section(let title, let text):
            begin(title)
            lines += text.map(Self.line)
        case .literal(let title, let text):
            begin(title == "usage" ? "synopsis" : title)
            lines += [".nf"] + text.map(Self.line) + [".fi"]
        case .table(let title, _, let rows):
            begin(title)
            for row in rows { lines += [".TP", Self.term(row.term)] + row.lines.map(Self.line) }
        }
    }

    private mutating func begin(_ title: String) {
        // The titles are ASCII.
        let capitals = title.utf8.map { (97...122).contains($0) ? $0 & 0xDF : $0 }
        lines.append(".SH \(String(decoding: capitals, as: UTF8.self))")
    }

    /// Names are bold, and the names of values are italic.
    private static func term(_ text: String) -> String {
        let words = text.split(separator: " ")
        return words.enumerated().map { index, word in
            let name = word.last == "," ? word.dropLast() : word
            return "\\f\(index == 0 || word.first == "-" ? "B" : "I")\(escape(name))\\fR\(word.dropFirst(name.count))"
        }.joined(separator: " ")
    }

    /// A line of text. A full stop or an apostrophe at its beginning would make it a macro.
    private static func line(_ text: some StringProtocol) -> String {
        let isMacro = text.utf8.first == UInt8(ascii: ".") || text.utf8.first == UInt8(ascii: "'")
        return (isMacro ? "\\&" : "") + escape(text)
    }

    /// Escapes what `troff` takes for a command, and what it prints in another form.
    private static func escape(_ text: some StringProtocol) -> String {
        text.unicodeScalars.map { scalar in
            switch scalar {
            case "\\": "\\(rs"
            case "-": "\\-"
            case "'": "\\(aq"
            case "`": "\\(ga"
            case "^": "\\(ha"
            case "~": "\\(ti"
            case "\"": "\\(dq"
            // Terminals with ASCII only have no such character.
            case "…": "..."
            case _ where scalar.isASCII: String(scalar)
            default: "\\[u\(hexadecimal(scalar))]"
            }
        }.joined()
    }

    /// At least four digits, in capitals.
    private static func hexadecimal(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
    }
}
