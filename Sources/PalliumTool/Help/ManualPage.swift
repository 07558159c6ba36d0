/// A help text as a page for `man`, in the macros of man(7).
///
/// ```
///   pallium decode: decode and …            .SH NAME
///   usage: pallium decode --schemas …       .SH SYNOPSIS
///   Reads documents, an object …            .SH DESCRIPTION
///   options:                                .SH OPTIONS
///     --schemas DIR                         .TP
/// ```
/// The help is the one description; the page follows its form: paragraphs, and sections whose title ends with a colon.
struct ManualPage {
    private let command: Command?
    private var lines: [String] = []

    /// Returns the page about a command, or about the tool.
    static func text(for command: Command?) -> String {
        var page = ManualPage(command: command)
        page.write(HelpText.text(for: command))
        return page.lines.map { $0 + "\n" }.joined()
    }

    private init(command: Command?) { self.command = command }

    private mutating func write(_ help: String) {
        let name = command.map { "pallium-\($0.joinedName)" } ?? "pallium"
        // The first line is the name with a colon and the purpose.
        let blocks = help.split(separator: "\n\n").map { $0.split(separator: "\n").map(String.init) }
        let purpose = blocks[0][0].firstRange(of: ": ").map { blocks[0][0][$0.upperBound...] } ?? ""
        lines = [
            ".TH \(Self.escape(name)) 1 \"\" \"pallium \(Tool.version)\" \"User Commands\"", ".SH NAME",
            "\(Self.escape(name)) \\- \(Self.escape(purpose))",
        ]
        for block in blocks.dropFirst() {
            if block[0].hasPrefix("usage: ") {
                begin("synopsis")
                literal(block.map { String($0.dropFirst(7)) })
            } else if block[0].utf8.last == UInt8(ascii: ":"), block.count > 1, block[1].hasPrefix("  ") {
                begin(String(block[0].dropLast()))
                write(section: block[0], block.dropFirst().map { String($0.dropFirst(2)) })
            } else {
                if !lines.contains(".SH DESCRIPTION") { begin("description") }
                lines.append(".PP")
                lines += block.map(Self.line)
            }
        }
        begin("see also")
        lines.append(command == nil ? Self.line("pallium-decode(1)") : Self.line("pallium(1)"))
    }

    private mutating func begin(_ title: String) {
        // The titles are ASCII.
        let capitals = title.utf8.map { (97...122).contains($0) ? $0 & 0xDF : $0 }
        lines.append(".SH \(String(decoding: capitals, as: UTF8.self))")
    }

    private mutating func write(section title: String, _ text: [String]) {
        switch title {
        case "options:", "commands:", "exit status:": table(text)
        case "example:", "examples:": literal(text)
        default: lines += text.map(Self.line)
        }
    }

    /// Lines that stay as they are.
    private mutating func literal(_ text: [String]) { lines += [".nf"] + text.map(Self.line) + [".fi"] }

    /// A list of terms. A term ends with the line, or at two spaces; deeper lines go on with its explanation.
    private mutating func table(_ text: [String]) {
        for line in text {
            guard line.first != " " else {
                lines.append(Self.line(line.drop { $0 == " " }))
                continue
            }
            let gap = line.firstRange(of: "  ")
            lines += [".TP", Self.term(line[..<(gap?.lowerBound ?? line.endIndex)])]
            if let gap { lines.append(Self.line(line[gap.upperBound...].drop { $0 == " " })) }
        }
    }

    /// Names are bold, and the names of values are italic.
    private static func term(_ text: Substring) -> String {
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
