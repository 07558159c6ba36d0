package import PalliumJSON

/// Adds what the caller of a throwing function knows: the path, the location, the schema, and what is masked.
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
            $0.detail = $0.detail?.masked
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
}
