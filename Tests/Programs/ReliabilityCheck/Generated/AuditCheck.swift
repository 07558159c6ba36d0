import Foundation

/// The sources of the library: nothing that finds code by name or asks for the language of the machine, and a proof
/// beside everything dangerous.
enum AuditCheck {
    /// What no source may contain: class lookup by name, regular expressions and predicates made from text, and whatever
    /// depends on language, time zone or the settings of the machine.
    private static let forbidden = [
        "NSClassFromString", "objc_getClass", "_typeByName(", "NSPredicate", "NSRegularExpression", "try! Regex(",
        "String(format:",
        "Locale.current", "Locale.autoupdatingCurrent", "Locale.preferredLanguages", "TimeZone.current",
        "TimeZone.autoupdatingCurrent", "TimeZone.system", "Calendar.current", "Calendar.autoupdatingCurrent",
        "NumberFormatter(", "NSLocale", ".lowercased(", ".uppercased(", ".capitalized", ".localized",
        "String(localized:",
        "caseInsensitiveCompare", ".formatted()", "setlocale(", "strtod(", "strtol(", "strtoul(", "atof(", "scanf(",
        "toupper(", "tolower(", "isalpha(", "isdigit(", "isspace(", "strftime(", "localtime(", "mktime(",
    ]
    /// Nouns that a number before them may contradict: `1 levels`. `Int.counted(_:_:)` makes both agree.
    private static let countedNouns = [
        "levels", "bytes", "characters", "digits", "problems", "models", "elements", "entries", "members", "values",
        "properties", "keys", "documents", "changes", "files",
    ]
    /// Where people are told what the system says, in its own words.
    private static let quotingTheSystem = ["DocumentFiles.swift: .localized"]
    /// What needs a comment within the lines before it.
    private static let dangerous = [
        "try!", " as! ", "fatalError(", "precondition(", "preconditionFailure(", "unsafeBitCast", "@unchecked Sendable",
        "unsafeDowncast", "nonisolated(unsafe)",
    ]
    /// How far above, in lines, the comment may stand.
    private static let reach = 8

    static func run(_ arguments: Arguments, _ tally: inout Tally) throws {
        let root = URL(fileURLWithPath: arguments.operands.first ?? "Sources")
        let modules = try FileManager.default.contentsOfDirectory(atPath: root.path).filter { $0.hasPrefix("Pallium") }
        for module in modules.sorted() {
            let folder = root.appendingPathComponent(module)
            guard let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil) else {
                continue
            }
            for case let file as URL in files where file.pathExtension == "swift" {
                let lines = try String(contentsOf: file, encoding: .utf8).split(
                    separator: "\n", omittingEmptySubsequences: false)
                if lines.contains(where: { !isComment($0) && $0.contains("unsafe ") }) {
                    let hasProof = lines.contains { line in
                        isComment(line) && ["Safety", "Memory:", "nvariant"].contains { line.contains($0) }
                    }
                    tally.check(
                        hasProof, "\(module)/\(file.lastPathComponent): unsafe without a comment that proves it")
                }
                for (index, line) in lines.enumerated() where !isComment(line) {
                    let place = "\(module)/\(file.lastPathComponent):\(index + 1)"
                    for text in forbidden where !quotingTheSystem.contains("\(file.lastPathComponent): \(text)") {
                        tally.check(!line.contains(text), "\(place): \(text)")
                    }
                    for noun in countedNouns where line.contains(#"\("#) {
                        tally.check(!line.contains(") \(noun)"), "\(place): a number of \(noun) that may be 1")
                    }
                    for text in dangerous where line.contains(text) {
                        let above = lines[max(0, index - reach)...min(lines.count - 1, index + 2)]
                        tally.check(above.contains { $0.contains("//") }, "\(place): \(text) without a comment")
                    }
                }
            }
        }
        if tally.passed == 0 { throw Arguments.Mistake(description: "no sources at \(root.path)") }
    }

    private static func isComment(_ line: Substring) -> Bool {
        line.drop { $0 == " " }.hasPrefix("//")
    }
}
