import PalliumJSON

extension SchemaUpgrade {
    /// Checks that a key which the step renames is not another spelling of one that nothing reads. The value would be lost
    /// without a word.
    ///
    /// A model may lack the key, because it had no value. So a key counts as misspelled only if the model has another one
    /// that differs by one letter, or by two letters that are exchanged.
    ///
    /// - Parameter isRead: Whether this step, a later one or a property reads a key.
    /// - Throws: ``ModelError`` with the code `upgradeFailed`.
    func checkSpelling(in model: FormerModel, isRead: (String) -> Bool) throws(ModelError) {
        for key in renamed.keys.sorted(by: UTF8Text.precedes) where model[key] == nil {
            let other = model.keys.first { Self.isSpelling($0, of: key) && !isRead($0) }
            guard let other else { continue }
            throw ModelError(
                .upgradeFailed,
                expected: "the key \(ModelError.quote(key)), which the upgrade from version \(from) renames",
                found: "\(ModelError.quote(other)); rename it, or remove it if its value may go",
                schema: model.schema, property: key
            ).under(key: other)
        }
    }

    /// Whether two keys differ by one letter, or by two neighbours that are exchanged. Digits and plurals make another key,
    /// but not capitals and underscores, which members of documents have in other places.
    private static func isSpelling(_ one: String, of other: String) -> Bool {
        func letters(_ key: String) -> ArraySlice<UInt8> {
            key.utf8.lazy.filter { $0 != UInt8(ascii: "_") }.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }[...]
        }
        var (left, right) = (letters(one), letters(other))
        guard max(left.count, right.count) >= 4 else { return false }
        while let byte = left.first, byte == right.first { (left, right) = (left.dropFirst(), right.dropFirst()) }
        let isPlural = left.elementsEqual("s".utf8) && right.isEmpty || right.elementsEqual("s".utf8) && left.isEmpty
        while let byte = left.last, byte == right.last { (left, right) = (left.dropLast(), right.dropLast()) }
        guard !isPlural, !(left + right).contains(where: { (0x30...0x39).contains($0) }) else { return false }
        switch (left.count, right.count) {
        case (0, 0), (0, 1), (1, 0), (1, 1): return true
        case (2, 2): return left.first == right.last && left.last == right.first
        default: return false
        }
    }
}
