import PalliumJSON

/// Finds the smallest document that still shows something, by taking away one part after another.
struct SmallestDocument {
    /// How many smaller documents are tried.
    private static let maximumTries = 2000

    private var tries = 0
    private let shows: (JSONValue) -> Bool

    /// - Parameter shows: Whether a document still shows it.
    init(where shows: @escaping (JSONValue) -> Bool) { self.shows = shows }

    /// Returns a document that shows it and from which nothing more can be taken.
    mutating func reduce(_ document: JSONValue) -> JSONValue {
        var best = document
        var isSmaller = true
        while isSmaller, tries < Self.maximumTries {
            isSmaller = false
            for candidate in Self.smaller(best) where tries < Self.maximumTries {
                tries += 1
                guard shows(candidate) else { continue }
                best = candidate
                isSmaller = true
                break
            }
        }
        return best
    }

    /// The values with one part less, those that lack most first. Recursion is bounded by the depth of samples.
    private static func smaller(_ value: JSONValue) -> [JSONValue] {
        switch value {
        case .object(let members):
            let without = members.map { name, _ in
                var copy = members
                copy.removeValue(forKey: name)
                return JSONValue.object(copy)
            }
            let within = members.flatMap { name, value in
                smaller(value).map { smaller in
                    var copy = members
                    copy.updateValue(smaller, forKey: name)
                    return JSONValue.object(copy)
                }
            }
            return without + within
        case .array(let elements):
            let without = elements.indices.map { index in
                var copy = elements
                copy.remove(at: index)
                return JSONValue.array(copy)
            }
            let within = elements.indices.flatMap { index in
                smaller(elements[index]).map { smaller in
                    var copy = elements
                    copy[index] = smaller
                    return JSONValue.array(copy)
                }
            }
            return (elements.count > 3 ? [.array(Array(elements.prefix(elements.count / 2)))] : []) + without + within
        case .string(let text):
            let scalars = Array(text.unicodeScalars)
            guard !scalars.isEmpty else { return [] }
            func made(_ part: some Sequence<Unicode.Scalar>) -> JSONValue {
                var view = String.UnicodeScalarView()
                view.append(contentsOf: part)
                return .string(String(view))
            }
            let half = scalars.count > 3 ? [made(scalars.prefix(scalars.count / 2))] : []
            // Texts of many characters shrink by halves.
            if scalars.count > 64 { return half + [made(scalars.dropLast())] }
            return half
                + scalars.indices.map { index in
                    var copy = scalars
                    copy.remove(at: index)
                    return made(copy)
                }
        default: return []
        }
    }
}
