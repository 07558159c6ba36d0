import Pallium

/// A case that can be made smaller.
protocol ShrinkingCase {
    func outcome() throws -> MergeCase.Outcome
    /// The cases without one part of a document, or without one property.
    func smaller() -> [Self]
}

extension ShrinkingCase {
    /// A smaller case that differs as well: without members and properties that do not matter.
    func smallest() -> Self {
        var smallest = self
        let sort = sortOfDifference
        while let next = smallest.smaller().first(where: { $0.sortOfDifference == sort }) { smallest = next }
        return smallest
    }

    /// Whether one side alone refuses a document, whether models differ, or only what is told of them; nil if nothing does.
    private var sortOfDifference: String? {
        guard case .different(let lines)? = try? outcome(), let first = lines.dropFirst().first else { return nil }
        if first == "before:" || first.hasPrefix("the library refuses") { return String(first.prefix(22)) }
        return ["hook", "conflict", "pending", "in the base"].first { first.dropFirst(2).hasPrefix($0) } ?? "values"
    }
}

extension MergeCase: ShrinkingCase {
    func smaller() -> [MergeCase] {
        let documents = document.smaller().map { document in
            var copy = self
            copy.document = document
            return copy
        }
        let targets = target.smaller().map { target in
            var copy = self
            copy.target = target
            return copy
        }
        return documents + targets
            + schemas.smaller().map { schemas in
                var copy = self
                copy.shared = nil
                copy.schemas = schemas
                return copy
            }
    }
}

extension ImportCase: ShrinkingCase {
    func smaller() -> [ImportCase] {
        let parts = documents.indices.flatMap { index in
            documents[index].smaller().map { document in
                var copy = self
                copy.documents[index] = document
                return copy
            }
        }
        return parts
            + schemas.smaller().map { schemas in
                var copy = self
                copy.schemas = schemas
                return copy
            }
    }
}

extension PlainSchemas {
    /// The same schemas without one property.
    fileprivate func smaller() -> [PlainSchemas] {
        classes.values.sorted { $0.name < $1.name }.flatMap { description in
            description.properties.indices.map { index in
                var copy = self
                copy.classes[description.name]?.properties.remove(at: index)
                return copy
            }
        }
    }
}

extension JSONValue {
    /// The same value without one part of it.
    fileprivate func smaller() -> [JSONValue] {
        switch self {
        case .object(let object):
            let members = Array(object)
            return members.indices.flatMap { index -> [JSONValue] in
                var without = members
                let removed = without.remove(at: index)
                return [.object(JSONObject(without))]
                    + removed.value.smaller().map { value in
                        var with = members
                        with[index].value = value
                        return .object(JSONObject(with))
                    }
            }
        case .array(let elements):
            return elements.indices.flatMap { index -> [JSONValue] in
                var without = elements
                let removed = without.remove(at: index)
                return [.array(without)]
                    + removed.smaller().map { value in
                        var with = elements
                        with[index] = value
                        return .array(with)
                    }
            }
        default: return []
        }
    }
}
