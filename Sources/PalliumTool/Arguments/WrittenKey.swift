import Pallium

/// A key in an argument: `title`, `author.login`, `"due date"`, `author."e-mail"`.
///
/// Quotation marks hold a key with any signs, and two in it stand for one, as in SQL.
struct WrittenKey {
    /// The key path that it means.
    let path: String
    /// Whether a hyphen stands before it.
    let isDescending: Bool

    /// Takes the key at the beginning of a text, up to a byte outside of quotation marks.
    ///
    /// - Returns: The key path; nil if there is none, or a quotation mark has no end or text behind it.
    static func path(takenFrom rest: inout Substring.UTF8View, until isEnd: (UInt8) -> Bool) -> String? {
        let (dot, mark) = (UInt8(ascii: "."), UInt8(ascii: "\""))
        var path = ""
        while true {
            if rest.first == mark {
                guard let key = quoted(&rest) else { return nil }
                // No dot stands before the empty key in a key path.
                if key.utf8.isEmpty, !path.isEmpty { path.removeLast() }
                path += JSONKeyPath.escape(key)
                if let next = rest.first, next != dot, !isEnd(next) { return nil }
            } else {
                var isEscaped = false
                let part = rest.prefix { byte in
                    defer { isEscaped = !isEscaped && byte == UInt8(ascii: "\\") }
                    return isEscaped || byte != dot && !isEnd(byte)
                }
                path += String(Substring(part))
                rest = rest.dropFirst(part.count)
            }
            guard rest.first == dot else { return path.isEmpty ? nil : path }
            path += "."
            rest.removeFirst()
        }
    }

    /// Takes a key in quotation marks; nil if the last one is missing.
    private static func quoted(_ rest: inout Substring.UTF8View) -> String? {
        let mark = UInt8(ascii: "\"")
        var key: [UInt8]?
        while rest.first == mark {
            // A mark behind another one.
            key = key.map { $0 + [mark] } ?? []
            rest.removeFirst()
            let part = rest.prefix { $0 != mark }
            key? += part
            rest = rest.dropFirst(part.count)
            if rest.popFirst() == nil { return nil }
        }
        return key.map { String(decoding: $0, as: UTF8.self) }
    }
}
