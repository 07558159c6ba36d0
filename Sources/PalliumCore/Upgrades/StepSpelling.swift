import PalliumJSON

// A step that renames a key which no model has would lose the value without a word.
extension UpgradePlan {
    /// Returns for each step the keys that it, a later one or a property reads; nil if your code may read any key.
    static func readKeys(of steps: [Step], _ layout: ModelLayout) -> [Set<UTF8Key>]? {
        if steps.contains(where: { $0.step.conversion != nil }) { return nil }
        var known = Set(layout.properties.map { UTF8Key($0.key) })
        var all: [Set<UTF8Key>] = []
        for (_, step) in steps.reversed() {
            known.formUnion(step.keys.map { UTF8Key($0) })
            all.append(known)
        }
        return all.reversed()
    }
}

extension SchemaUpgrade {
    /// Checks that a key which the step renames is not another spelling of one that nothing reads.
    ///
    /// A model may lack the key, because it had no value. So a key counts as misspelled only if the model has another one
    /// that differs by one letter, or by two letters that are exchanged.
    ///
    /// - Parameter read: The keys that this step, later ones and properties read.
    /// - Throws: ``ModelError`` with the code `upgradeFailed`.
    func checkSpelling(in model: FormerModel, _ read: Set<UTF8Key>) throws(ModelError) {
        for key in renamed.keys.sorted(by: UTF8Text.precedes) where model[key] == nil {
            // A document has names of members, of which keys are made.
            func member(_ key: String) -> String { model.keyStrategy.memberName(for: key) ?? key }
            let other = model.keys.first { other in
                !read.contains(UTF8Key(other))
                    && (Self.isSpelling(other, of: key) || Self.isSpelling(member(other), of: member(key)))
            }
            guard let other else { continue }
            throw ModelError(
                .upgradeFailed,
                expected: "the key \(ModelError.quote(key)), which the upgrade from version \(from) renames",
                found: "\(ModelError.quote(other)); rename it, or remove it if its value may go",
                schema: model.schema, property: key
            ).under(key: other)
        }
    }

    /// Whether two keys differ by one letter, or by two neighbours that are exchanged. Digits and plurals make another key.
    private static func isSpelling(_ one: String, of other: String) -> Bool {
        var (left, right) = (Array(one.utf8)[...], Array(other.utf8)[...])
        guard max(left.count, right.count) >= 4 else { return false }
        while let byte = left.first, byte == right.first { (left, right) = (left.dropFirst(), right.dropFirst()) }
        let isPlural = left.elementsEqual("s".utf8) && right.isEmpty || right.elementsEqual("s".utf8) && left.isEmpty
        while let byte = left.last, byte == right.last { (left, right) = (left.dropLast(), right.dropLast()) }
        guard !isPlural, !(left + right).contains(where: { (0x30...0x39).contains($0) }) else { return false }
        switch (left.count, right.count) {
        case (0, 1), (1, 0), (1, 1): return true
        case (2, 2): return left.first == right.last && left.last == right.first
        default: return false
        }
    }
}
