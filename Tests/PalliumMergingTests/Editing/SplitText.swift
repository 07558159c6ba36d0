import Pallium

/// A JSON text taken apart, slowly and by itself: the raw texts of the members or elements at its root.
struct SplitText {
    struct Child {
        /// The unescaped name of a member; nil for an element.
        let name: String?
        /// The text from the name to the end of the value.
        let raw: String
        let value: String
    }

    let isObject: Bool
    private(set) var children: [Child] = []

    /// Nil for a text that is neither an object nor an array.
    init?(_ text: String) {
        let characters = Array(text.unicodeScalars)
        guard let first = characters.first, first == "{" || first == "[" else { return nil }
        isObject = first == "{"
        var (level, isText, isEscaped, start, colon) = (0, false, false, 1, Int?.none)
        for (position, character) in characters.enumerated() {
            if isText {
                if isEscaped {
                    isEscaped = false
                } else if character == "\\" {
                    isEscaped = true
                } else if character == "\"" {
                    isText = false
                }
                continue
            }
            switch character {
            case "\"": isText = true
            case "{", "[": level += 1
            case ":" where level == 1 && colon == nil: colon = position
            case "}", "]", ",":
                if level == 1 {
                    add(characters, start, position, colon)
                    (start, colon) = (position + 1, nil)
                }
                if character != "," { level -= 1 }
            default: break
            }
        }
    }

    private mutating func add(_ characters: [Unicode.Scalar], _ start: Int, _ end: Int, _ colon: Int?) {
        let raw = Self.trimmed(characters[start..<end])
        guard !raw.isEmpty else { return }
        if let colon {
            let name = try? JSONValue(parsing: Array(Self.trimmed(characters[start..<colon]).utf8))
            children.append(
                Child(name: name?.stringValue, raw: raw, value: Self.trimmed(characters[(colon + 1)..<end])))
        } else {
            children.append(Child(name: nil, raw: raw, value: raw))
        }
    }

    private static func trimmed(_ part: ArraySlice<Unicode.Scalar>) -> String {
        var part = part
        let space: Set<Unicode.Scalar> = [" ", "\n", "\r", "\t"]
        while let first = part.first, space.contains(first) { part.removeFirst() }
        while let last = part.last, space.contains(last) { part.removeLast() }
        var text = ""
        text.unicodeScalars.append(contentsOf: part)
        return text
    }

    /// The member that counts, which is the last of its name.
    subscript(name: String) -> Child? { children.last { $0.name == name } }
}
