import Pallium

/// Whole documents: accepted or refused, and what they are.
enum DocumentCheck {
    static func run(_ arguments: Arguments, _ tally: inout Tally) throws {
        let typed = try Holder(.jsonValue)
        let skipping = try Holder(.jsonValue.json("other"))
        for path in arguments.operands {
            for item in try CaseFile(path).cases {
                let bytes = try item.bytes("hex")
                let valid = try item.flag("valid")
                let name = "line \(item.line)"
                let read = tally.tree(bytes)
                tally.check((read != nil) == valid, "\(name): \(valid ? "refused" : "accepted")")
                // A byte order mark may stand at the beginning only.
                if !bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
                    let model = typed.accepts(bytes, &tally)
                    tally.check((model != nil) == valid, "\(name), as a property")
                    let isSkipped = skipping.accepts(bytes, &tally) != nil
                    tally.check(isSkipped == valid, "\(name), skipped")
                    if let model, let read, !read.isNull {
                        tally.check(model["value", as: JSONValue.self] == read, "\(name): another value as a property")
                    }
                }
                guard let read else { continue }
                if let canonical = item.members["canonical"] {
                    let expected = canonical.stringValue.flatMap { try? JSONValue(parsing: $0) } ?? canonical
                    tally.check(read == expected || read == canonical, "\(name): read as \("\(read)".prefix(200))")
                }
                if let written = try? read.bytes() {
                    tally.check((try? JSONValue(parsing: written)) == read, "\(name): changed by writing")
                } else {
                    tally.fail("\(name): cannot be written")
                }
            }
        }
    }
}
