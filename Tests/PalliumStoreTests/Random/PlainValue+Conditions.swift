// What conditions ask of values.
extension PlainValue {
    /// The elements of a collection, with their keys in a dictionary.
    var entries: [(key: String?, value: PlainValue)] {
        switch self {
        case .list(let values), .set(let values): values.map { (nil, $0) }
        case .table(let values): values.map { ($0, .integer($1)) }
        default: []
        }
    }

    var asText: String? {
        switch self {
        case .text(let text), .url(let text): text
        default: nil
        }
    }

    /// Texts without the difference of case, by what Swift knows of capital and small letters.
    var folded: PlainValue {
        func single(_ text: String) -> Unicode.Scalar? {
            text.unicodeScalars.count == 1 ? text.unicodeScalars.first : nil
        }
        func fold(_ scalar: Unicode.Scalar) -> String {
            guard scalar.properties.changesWhenCaseFolded else { return String(scalar) }
            let upper = single(scalar.properties.uppercaseMapping) ?? scalar
            return String(single(upper.properties.lowercaseMapping) ?? scalar)
        }
        return switch self {
        case .text(let text): .text(text.unicodeScalars.map(fold).joined())
        case .list(let values): .list(values.map(\.folded))
        case .set(let values): .set(values.map(\.folded))
        default: self
        }
    }

    /// What SQLite reads of a text in a document: all up to a null character.
    var untilNull: PlainValue {
        guard case .text(let text) = self else { return self }
        return .text(String(text.unicodeScalars.prefix { $0 != "\0" }.map(Character.init)))
    }
}

extension String {
    /// Whether the bytes of another text are among those of this one, next to each other.
    func bytes(contain part: String) -> Bool {
        let (bytes, wanted) = (Array(utf8), Array(part.utf8))
        return wanted.count <= bytes.count
            && (0...(bytes.count - wanted.count)).contains { bytes[$0...].starts(with: wanted) }
    }
}
