import Pallium

/// Who must hear of what, found by comparing two pictures: slow, and written from the article alone.
struct ObservedReference {
    /// Whether an observer hears.
    enum Verdict: Int, Comparable {
        case no
        /// Another object with the same identity, or a model without a value at the end of the path: either is right.
        case maybe
        case yes

        static func < (left: Verdict, right: Verdict) -> Bool { left.rawValue < right.rawValue }
    }

    let before: ObservedPicture
    let after: ObservedPicture

    /// The verdict for all properties of a model, by key.
    func verdicts(of model: ObjectIdentifier) -> [String: Verdict] {
        Dictionary(uniqueKeysWithValues: ObservedWorld.keys.map { ($0, verdict(model, [$0])) })
    }

    /// The verdict for an observer of a path.
    func verdict(_ model: ObjectIdentifier, _ path: [String]) -> Verdict { compare(model, model, path[...]) }

    /// Compares what a path leads to from a model before, and from the one that is in its place.
    private func compare(_ old: ObjectIdentifier, _ new: ObjectIdentifier, _ path: ArraySlice<String>) -> Verdict {
        guard let key = path.first else { return .no }
        let rest = path.dropFirst()
        let (former, present) = (before.models[old]?[key], after.models[new]?[key])
        switch (former, present) {
        case (.list(let old)?, .list(let new)?): return lists(old, new, rest)
        case (.model(let old)?, .model(let new)?):
            if !rest.isEmpty { return compare(old, new, rest) }
            return old == new ? .no : before.id(of: old) == after.id(of: new) ? .maybe : .yes
        case (.model(let model)?, nil):
            return rest.isEmpty ? .yes : comesOrGoes(model, in: before, rest)
        case (nil, .model(let model)?):
            return rest.isEmpty ? .yes : comesOrGoes(model, in: after, rest)
        default: return former == present ? .no : .yes
        }
    }

    /// Another model without a value at the end of the path is not another value.
    private func comesOrGoes(
        _ model: ObjectIdentifier, in picture: ObservedPicture, _ path: ArraySlice<String>
    ) -> Verdict {
        guard let key = path.first, let value = picture.models[model]?[key] else { return .maybe }
        switch value {
        case .text: return .yes
        case .list(let list): return list.isEmpty ? .maybe : .yes
        case .model(let next): return path.count == 1 ? .yes : comesOrGoes(next, in: picture, path.dropFirst())
        }
    }

    private func lists(_ old: [ObjectIdentifier], _ new: [ObjectIdentifier], _ rest: ArraySlice<String>) -> Verdict {
        guard old.map(before.id) == new.map(after.id) else { return .yes }
        let elements = zip(old, new).map { compare($0, $1, rest) }.max() ?? .no
        return old == new ? elements : max(elements, .maybe)
    }
}
