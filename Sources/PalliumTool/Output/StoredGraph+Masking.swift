import Pallium

extension StoredGraph {
    /// The objects that only masked properties lead to, so that their values are masked, too.
    ///
    /// - Complexity: O(*n*) in the size of the graph.
    func maskedObjects() -> Set<Int> {
        let shown = objects(from: roots, throughMasked: false)
        let masked = objects.indices.flatMap { references(of: $0, masked: true) }
        return objects(from: masked, throughMasked: true).subtracting(shown)
    }

    private func objects(from first: [Int], throughMasked: Bool) -> Set<Int> {
        var result: Set<Int> = []
        var pending = first
        while let number = pending.popLast() {
            guard result.insert(number).inserted else { continue }
            pending += references(of: number, masked: false)
            if throughMasked { pending += references(of: number, masked: true) }
        }
        return result
    }

    /// The objects in the values of the properties that are masked, or of those that are not.
    private func references(of number: Int, masked: Bool) -> [Int] {
        let (schema, model) = objects[number]
        return schemas[schema].properties.filter { $0.isSensitive == masked }.flatMap { property in
            model[property.key].map { Self.references(in: $0) } ?? []
        }
    }

    /// Recursion is bounded by the nesting of kinds.
    private static func references(in value: FormerModel.Value) -> [Int] {
        switch value {
        case .model(let reference): [reference.number]
        case .array(let elements): elements.flatMap { references(in: $0) }
        case .dictionary(let entries): entries.flatMap { references(in: $0.value) }
        default: []
        }
    }
}
