import PalliumDocuments
import PalliumJSON

/// Finds the smallest document that still shows something, by taking away one part after another.
struct SmallestDocument {
    /// How many smaller documents are tried, and how many bytes of a large one count as a try of their own.
    private static let maximumTries = 4000
    private static let bytesOfTry = 1024

    private var tries = 0
    private var cost: Int
    private var best: JSONValue { didSet { cost = Self.cost(of: best) } }
    private let shows: (JSONValue) -> Bool

    /// - Parameters:
    ///   - document: A document that shows it.
    ///   - shows: Whether a document still shows it.
    init(_ document: JSONValue, where shows: @escaping (JSONValue) -> Bool) {
        best = document
        cost = Self.cost(of: document)
        self.shows = shows
    }

    private static func cost(of document: JSONValue) -> Int { 1 + document.description.utf8.count / bytesOfTry }

    /// Returns a document that shows it and from which nothing more can be taken.
    mutating func reduce() -> JSONValue {
        while reduce(best, at: []) {}
        return best
    }

    /// Takes from the value at a path what can be taken, the largest parts first. Returns whether it took anything.
    ///
    /// Recursion is bounded by the depth of samples.
    private mutating func reduce(_ value: JSONValue, at path: [String]) -> Bool {
        var isSmaller = false
        switch value {
        case .object(var members):
            for (name, _) in members where tries < Self.maximumTries {
                var fewer = members
                fewer.removeValue(forKey: name)
                guard take(.object(fewer), at: path) else { continue }
                members = fewer
                isSmaller = true
            }
            for (name, member) in members
            where tries < Self.maximumTries && reduce(member, at: path + [name]) {
                isSmaller = true
            }
        case .array(var elements):
            for index in elements.indices.reversed() where tries < Self.maximumTries {
                var fewer = elements
                fewer.remove(at: index)
                guard take(.array(fewer), at: path) else { continue }
                elements = fewer
                isSmaller = true
            }
            for (index, element) in elements.enumerated()
            where tries < Self.maximumTries && reduce(element, at: path + ["\(index)"]) {
                isSmaller = true
            }
        case .number(let number) where number != 0: isSmaller = take(0, at: path)
        case .string(let text): isSmaller = shorten(Array(text.unicodeScalars), at: path)
        default: break
        }
        return isSmaller
    }

    /// Takes halves, then single characters from a text, and replaces the others.
    private mutating func shorten(_ text: [Unicode.Scalar], at path: [String]) -> Bool {
        let count = text.count
        var text = text
        var length = text.count
        while length > 0 {
            var start = 0
            while start < text.count, tries < Self.maximumTries {
                let end = min(start + length, text.count)
                let fewer = Array(text[..<start] + text[end...])
                var view = String.UnicodeScalarView()
                view.append(contentsOf: fewer)
                if take(.string(String(view)), at: path) { text = fewer } else { start = end }
            }
            length /= 2
        }
        // Texts of one letter are easier to read.
        let letters = [Unicode.Scalar](repeating: "a", count: text.count)
        if text != letters, take(.string(String(String.UnicodeScalarView(letters))), at: path) { return true }
        return text.count < count
    }

    /// Replaces the value at a path if the document still shows it.
    private mutating func take(_ value: JSONValue, at path: [String]) -> Bool {
        guard tries < Self.maximumTries else { return false }
        tries += cost
        guard let candidate = best.setting(value, at: path[...]), shows(candidate) else { return false }
        best = candidate
        return true
    }
}
