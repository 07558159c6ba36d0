public import PalliumCore
import PalliumJSON

extension ModelChanges {
    /// Returns which elements of an array or a set came and went, as lists on a screen need it.
    ///
    ///     changes.difference(of: "tags", as: Tag.self)  // insert(offset: 0, element: …), remove(offset: 3, …)
    ///
    /// Models that have an identity are told apart by it; others by being the same object, and other values by `==`. An element
    /// that moved is removed and inserted. The difference is empty when nothing but the elements themselves changed.
    ///
    /// - Parameters:
    ///   - key: The key of the property, in the model that was asked.
    ///   - type: The type of the elements. Another one is a mistake in your code, and traps.
    /// - Complexity: O(*n* log *n*) in the number of changes, and of elements if some moved.
    public func difference<Element: PropertyValue & Hashable>(
        of key: String, as type: Element.Type
    ) -> CollectionDifference<Element> {
        var result: [CollectionDifference<Element>.Change] = []
        for change in self {
            let tokens = change.pointer.tokens
            guard let first = tokens.first, UTF8Text.equal(first, key) else { continue }
            if tokens.count == 1 {
                result += Self.difference(
                    from: elements(of: change.old, type), to: elements(of: change.new, type))
            } else if tokens.count == 2, let offset = Int(tokens[1]) {
                // A change of what stays at its place has both values.
                if change.newContent == nil, let element = change.old as? Element {
                    result.append(.remove(offset: offset, element: element, associatedWith: nil))
                }
                if change.oldContent == nil, let element = change.new as? Element {
                    result.append(.insert(offset: offset, element: element, associatedWith: nil))
                }
            }
        }
        // Offsets are those of two lists and never repeat.
        return CollectionDifference(result) ?? CollectionDifference([])!
    }

    private func elements<Element: PropertyValue>(of value: (any PropertyValue)?, _ type: Element.Type) -> [Element] {
        guard let value else { return [] }
        guard let elements = value as? [Element] else {
            trap("\(type) is not the type of the elements of \(Swift.type(of: value))")
        }
        return elements
    }

    private static func difference<Element: PropertyValue & Hashable>(
        from old: [Element], to new: [Element]
    ) -> [CollectionDifference<Element>.Change] {
        var numbers: [AnyHashable: Int] = [:]
        func number(_ elements: [Element]) -> [Int] {
            elements.map { element in
                let model = element as? DynamicModel
                let name = model.map { AnyHashable(ModelIdentity(of: $0)) } ?? AnyHashable(element)
                if let known = numbers[name] { return known }
                numbers[name] = numbers.count
                return numbers.count - 1
            }
        }
        var budget = SequenceAlignment.budget
        let alignment = SequenceAlignment(number(old), number(new), budget: &budget)
        let kept = (Set(alignment.matches.map(\.old)), Set(alignment.matches.map(\.new)))
        return old.indices.filter { !kept.0.contains($0) }.map {
            .remove(offset: $0, element: old[$0], associatedWith: nil)
        }
            + new.indices.filter { !kept.1.contains($0) }.map {
                .insert(offset: $0, element: new[$0], associatedWith: nil)
            }
    }
}
