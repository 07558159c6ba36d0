import Pallium

/// Bytes inside strings: valid UTF-8 is read as it is, anything else is refused, wherever it stands.
enum UTF8Check {
    static func run(_ arguments: Arguments, _ tally: inout Tally) throws {
        let typed = try Holder(.string)
        let skipping = try Holder(.string.json("other"))
        for path in arguments.operands {
            for item in try CaseFile(path).cases {
                let bytes = try item.bytes("hex")
                let valid = try item.flag("valid")
                // What a string cannot hold as it is, is the business of other checks.
                guard !bytes.contains(where: { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C }) else {
                    tally.check(SlowUTF8.isValid(bytes[...]) == valid, "line \(item.line): the reference disagrees")
                    continue
                }
                for alignment in 0..<64 {
                    let padding = Array(repeating: UInt8(ascii: "a"), count: alignment)
                    let text = [0x22] + padding + bytes + [0x22]
                    let name = "line \(item.line): \(Hexadecimal.text(bytes)) after \(alignment) bytes"
                    let value = tally.tree(text)?.stringValue
                    tally.check(
                        value.map { Array($0.utf8) } == (valid ? padding + bytes : nil), "\(name), as a value")
                    let isProperty = typed.read(text, as: String.self, &tally) != nil
                    tally.check(isProperty == valid, "\(name), as a property")
                    let isSkipped = skipping.accepts(text, &tally) != nil
                    tally.check(isSkipped == valid, "\(name), skipped")
                    let isName = tally.tree([0x7B] + text + [0x3A, 0x31, 0x7D]) != nil
                    tally.check(isName == valid, "\(name), as a name")
                }
            }
        }
        if let count = arguments.number("--exhaustive") { exhaustive(min(count, 3), &tally) }
    }

    /// All byte strings up to a length, in quotation marks.
    private static func exhaustive(_ length: Int, _ tally: inout Tally) {
        for count in 1...length {
            var text = [UInt8](repeating: 0, count: count + 2)
            text[0] = 0x22
            text[count + 1] = 0x22
            for number in 0..<(1 << (8 * count)) {
                var plain = true
                for index in 0..<count {
                    let byte = UInt8(truncatingIfNeeded: number >> (8 * index))
                    text[index + 1] = byte
                    if byte < 0x20 || byte == 0x22 || byte == 0x5C { plain = false }
                }
                guard plain else { continue }
                let content = text[1...count]
                let read = tally.tree(text)
                let isRight: Bool
                if SlowUTF8.isValid(content) {
                    isRight = read?.stringValue.map { $0.utf8.elementsEqual(content) } ?? false
                } else {
                    isRight = read == nil
                }
                tally.check(isRight, Hexadecimal.text(content))
            }
        }
    }
}
