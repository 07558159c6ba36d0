package import PalliumJSON

/// Builds errors: adds paths, locations and suggestions, and quotes text from input.
extension ModelError {
    /// Collects problems. A single problem is returned unchanged.
    package init(_ problems: [ModelError]) {
        // An invariant of the library, which alone collects problems.
        precondition(!problems.isEmpty, "an error needs a problem")
        self =
            problems.count == 1
            ? problems[0]
            : ModelError(
                content: Content(
                    code: .several, expected: "no problems", found: "\(problems.count)", problems: problems))
    }

    func with(_ change: (inout Content) -> Void) -> ModelError {
        var content = content
        change(&content)
        return ModelError(content: content)
    }

    /// Returns the error with a path from one level further out.
    package func under(key: String) -> ModelError {
        with {
            $0.path.append(key)
            $0.hasPath = true
            $0.shownCount? += 1
            $0.problems = $0.problems.map { $0.under(key: key) }
        }
    }

    package func under(index: Int) -> ModelError { under(key: "\(index)") }

    /// Returns the error at a path in a document.
    package func at(_ tokens: [String]) -> ModelError {
        with {
            $0.path += tokens.reversed()
            $0.hasPath = true
            $0.shownCount? += tokens.count
            $0.problems = $0.problems.map { $0.at(tokens) }
        }
    }

    /// Returns the error with the first tokens of its path replaced.
    package func at(_ tokens: [String], insteadOfFirst count: Int) -> ModelError {
        with {
            let dropped = min(count, $0.path.count)
            $0.path.removeLast(dropped)
            $0.path += tokens.reversed()
            $0.shownCount? += tokens.count - dropped
            $0.problems = $0.problems.map { $0.at(tokens, insteadOfFirst: count) }
        }
    }

    /// Returns the error with a path from a property further out; of a masked one nothing else is told.
    package func under(property key: String, isSensitive: Bool) -> ModelError {
        let located = under(key: key)
        return isSensitive ? located.maskingEach { _ in 1 } : located
    }

    /// Returns the error with each problem masked that is about a masked value.
    ///
    /// - Parameter count: Returns how many tokens of a problem's path lead to the outermost masked value; nil if there is
    ///   none.
    package func maskingEach(_ count: (ModelError) -> Int?) -> ModelError {
        if !content.problems.isEmpty {
            return with { $0.problems = $0.problems.map { $0.maskingEach(count) } }
        }
        guard let count = count(self) else { return self }
        return masked().with { $0.shownCount = count }
    }

    /// Returns the error without anything that could tell the value found.
    package func masked() -> ModelError {
        with {
            // What is missing has no value.
            if $0.code != .missingProperty { $0.found = MaskedValue.found }
            $0.underlying = nil
            $0.suggestion = nil
            $0.problems = $0.problems.map { $0.masked() }
        }
    }

    /// Whether the path begins at the root of the document.
    package var isLocated: Bool { content.isLocated }

    /// Returns the error and marks its path as beginning at the root.
    package func located() -> ModelError {
        with {
            $0.isLocated = true
            $0.problems = $0.problems.map { $0.located() }
        }
    }

    package func at(_ location: JSONLocation?) -> ModelError {
        location == nil || self.location != nil ? self : with { $0.location = location }
    }

    /// Returns the error of a text as one of a longer text, in which the other begins at a location.
    package func inText(from start: JSONLocation) -> ModelError {
        with {
            $0.location = $0.location.map { location in
                JSONLocation(
                    line: start.line + location.line - 1,
                    column: location.line == 1 ? start.column + location.column - 1 : location.column,
                    byteOffset: start.byteOffset + location.byteOffset)
            }
            $0.problems = $0.problems.map { $0.inText(from: start) }
        }
    }

    /// Returns the error with another expectation added.
    package func orExpecting(_ other: String) -> ModelError { with { $0.expected += ", or \(other)," } }
    /// Returns the error with another description of what was expected.
    package func expecting(_ text: String) -> ModelError { with { $0.expected = text } }

    /// Returns the error with another description of the value found.
    package func found(_ text: String) -> ModelError { with { $0.found = text } }

    package func suggesting(_ key: String?) -> ModelError { with { $0.suggestion = key } }

    package func inSchema(_ schema: String, property: String? = nil) -> ModelError {
        with {
            $0.schema = $0.schema ?? schema
            $0.property = $0.property ?? property
        }
    }

    /// Quotes text from input for an error: at most 64 characters, control characters escaped.
    package static func quote(_ text: String) -> String { "\"\(shorten(text, to: 64))\"" }

    /// Returns text without characters that hide or reverse other text, or that documents may not hold.
    package static func visible(_ text: String) -> String {
        // The limit is one that no text reaches.
        let text = shorten(text, to: .max / 4)
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { result.append(scalar.value & 0xFFFE == 0xFFFE ? "\u{FFFD}" : scalar) }
        return String(result)
    }

    /// Cuts text, and escapes characters that would disturb a terminal or a log.
    ///
    /// It keeps at most `limit` scalars and twice as many bytes.
    package static func shorten(_ text: String, to limit: Int) -> String {
        var result = ""
        var count = 0
        // Scalars and bytes both bound the length: escapes and other scripts must not make an error several times as
        // long.
        for scalar in text.unicodeScalars {
            if count == limit || result.utf8.count >= limit * 2 {
                result += "…"
                break
            }
            count += 1
            switch scalar.value {
            case 0x0A: result += "\\n"
            case 0x0D: result += "\\r"
            case 0x09: result += "\\t"
            case 0..<0x20, 0x7F..<0xA0, 0x200B...0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF:
                result += "\\u{\(String(scalar.value, radix: 16))}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// The number of names compared for a suggestion when the document decides how often suggestions are made.
    package static let maximumCandidates = 64

    /// Returns the candidate that an unknown key probably means. It is at most two edits away, and fewer than its
    /// length.
    ///
    /// Complexity: linear in the number of candidates; each takes at most a few hundred steps.
    package static func nearest(to text: String, among candidates: [String]) -> String? {
        let bytes = Array(text.utf8.prefix(65))
        guard bytes.count <= 64, !bytes.isEmpty else { return nil }
        var best: (distance: Int, key: String)?
        for key in candidates where abs(key.utf8.count - bytes.count) <= 2 && key.utf8.count <= 64 {
            let distance = editDistance(bytes, Array(key.utf8))
            if distance <= min(2, bytes.count - 1), distance < best?.distance ?? 3 { best = (distance, key) }
        }
        return best?.key
    }

    /// Returns the Levenshtein distance, or 3 when it is larger than 2.
    ///
    /// Both texts are at most 64 bytes long, and their lengths differ by at most 2. Only columns at most 2 from the
    /// diagonal can lead to such a distance.
    private static func editDistance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        func folded(_ byte: UInt8) -> UInt8 { byte >= 65 && byte <= 90 ? byte | 0x20 : byte }
        var row = Array(0...right.count)
        for (index, byte) in left.enumerated() {
            let first = max(0, index - 2)
            let last = min(right.count - 1, index + 2)
            var diagonal = row[first]
            // Everything left of the band is too far away.
            row[first] = first == 0 ? min(index + 1, 3) : 3
            var best = row[first]
            if first <= last {
                for column in first...last {
                    let substitution = diagonal + (folded(byte) == folded(right[column]) ? 0 : 1)
                    // The column right of the band in the row above was never written.
                    diagonal = column == index + 2 ? 3 : row[column + 1]
                    row[column + 1] = min(substitution, row[column] + 1, diagonal + 1, 3)
                    best = min(best, row[column + 1])
                }
            }
            if best > 2 { return 3 }
        }
        return row[right.count]
    }
}

extension JSONValue {
    /// A short description for errors: the kind of value, and the content of a scalar.
    package var summary: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .number(let number): "the number \(ModelError.shorten(number.text, to: 64))"
        case .string(let text): ModelError.quote(text)
        case .array: "an array"
        case .object: "an object"
        }
    }
}
