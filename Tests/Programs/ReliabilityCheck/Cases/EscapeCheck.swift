import Pallium

/// Escapes in strings, as a value, a property and a member that is skipped.
enum EscapeCheck {
    static func run(_ arguments: Arguments, _ tally: inout Tally) throws {
        let typed = try Holder(.string)
        let skipping = try Holder(.string.json("other"))
        for path in arguments.operands {
            for item in try CaseFile(path).cases {
                let text = try item.members["t"]?.stringValue.map { Array($0.utf8) } ?? item.bytes("hex")
                let valid = try item.flag("valid")
                let content = item.members["utf8"]?.stringValue.flatMap { Hexadecimal.bytes($0) }
                let name = "line \(item.line): \(Hexadecimal.text(text.prefix(60)))"
                let read = tally.tree(text)?.stringValue
                tally.check((read != nil) == valid, "\(name) as a value")
                if let content, let read {
                    tally.check(Array(read.utf8) == content, "\(name) is read as \(Hexadecimal.text(read.utf8))")
                }
                let property = typed.read(text, as: String.self, &tally)
                tally.check(
                    property.map { Array($0.utf8) } == read.map { Array($0.utf8) } && (property != nil) == valid,
                    "\(name) as a property")
                let isSkipped = skipping.accepts(text, &tally) != nil
                tally.check(isSkipped == valid, "\(name), skipped")
                if let read, let written = try? JSONValue.string(read).bytes() {
                    tally.check((try? JSONValue(parsing: written)) == .string(read), "\(name), written and read again")
                }
            }
        }
    }
}
