import PalliumCore
import PalliumDocuments
import PalliumJSON

/// The keys of the members of a model, with the strategy that makes names of keys.
struct InferredKeys {
    let strategy: ModelSchema.KeyStrategy
    /// The keys, in the order of the names.
    private(set) var keys: [String]
    /// The key paths of the members whose names the strategy does not make of the keys.
    private(set) var paths: [String?]

    /// Chooses keys for names. O(*n*) in the number of names.
    init(_ names: [String]) {
        let camelCased = names.map { InferredNames.isIdentifier($0) ? InferredNames.camelCase($0) : "" }
        let isSnakeCase = camelCased.allSatisfy { $0 != nil } && camelCased != names.map { $0 }
        let differs = zip(names, camelCased).contains { name, key in
            key.map { !$0.utf8.isEmpty && !UTF8Text.equal($0, name) } ?? false
        }
        strategy = isSnakeCase && differs ? .snakeCase : .identity
        keys = names
        paths = names.map { _ in nil }
        var unique = UniqueNames()
        for (position, name) in names.enumerated() where InferredNames.isIdentifier(name) {
            if strategy == .snakeCase, let key = camelCased[position] { keys[position] = key }
            unique.insert(keys[position])
        }
        // The other names get the keys that are left.
        for (position, name) in names.enumerated() where !InferredNames.isIdentifier(name) {
            keys[position] = unique.take(InferredNames.key(of: name))
            paths[position] = JSONKeyPath.escape(name)
        }
    }
}
