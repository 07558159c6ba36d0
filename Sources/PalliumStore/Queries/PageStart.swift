import PalliumCore
import PalliumJSON

/// The model behind which a page begins: its values in the order of the query.
struct PageStart: Sendable {
    /// The schema that declares its identity.
    let root: String
    let order: [SQLiteValue]
    let identity: [SQLiteValue]

    /// - Throws: ``ModelError`` with the code `missingProperty` if an order leads through a reference whose model the query
    ///   does not include.
    init<Model>(_ model: Model, _ order: [Order], _ links: ModelQuery<Model>.Links) throws(ModelError) {
        let layout = model.layout.identityRoot
        let all = try LinkSelection(links, of: layout, descendants: layout.registry.descendants)
        root = layout.schema.name
        identity = layout.identitySlots.map { model.slot(at: $0).columnValue }
        var values: [SQLiteValue] = []
        for part in order {
            guard case .text(let path) = part.key.path else { continue }
            let keys = try layout.keys(in: path)
            var (selection, stub) = (all as LinkSelection?, DynamicModel?.none)
            let slot = model.slot(at: keys) { slot in
                let (key, isRow) = (slot.description.key, slot.description.model?.rowLayout != nil)
                if isRow, slot.model.isStub, selection?.follows(key) != true { stub = slot.model }
                selection = isRow ? selection?.inside(key) : selection?.contained(key)
            }
            if slot?.hasValue != true, let stub {
                throw ModelError(
                    .missingProperty,
                    expected: "a model that the query includes, for an order by \(ModelError.quote(path))",
                    found: "a stub", schema: stub.layout.schema.name)
            }
            // A default that was never set is the value of an identity, whose column has it.
            let isIdentity = keys.count == 1 && layout.isIdentity(keys[0])
            values.append(part.key.value(in: slot, countsDefault: isIdentity))
        }
        self.order = values
    }
}

extension ClauseWriter {
    /// Returns the condition on models behind another one in an order.
    ///
    /// ```
    ///   state, -votes, then number      state > 'open'
    ///   behind (open, 3, 7)             OR state IS 'open' AND (votes < 3 OR votes ISNULL)
    ///                                   OR state IS 'open' AND votes IS 3 AND number > 7
    /// ```
    mutating func sql(
        behind start: PageStart, _ order: [(operand: Operand, isDescending: Bool)]
    ) throws(ModelError) -> String {
        guard UTF8Text.equal(start.root, table.layout.schema.name) else {
            throw ModelError(
                .typeMismatch, expected: "a model of \(table.layout.schema.name) before the page",
                found: "one of \(start.root)", schema: layout.schema.name)
        }
        let identity = table.identity.map { "t0.\($0.name)" }
        var (alternatives, equal, bound) = ([String](), "", "")
        for ((operand, isDescending), value) in zip(order, start.order) {
            for _ in 0...alternatives.count { try countComparison() }
            let sql = operand.sql
            let parameter = parameter(operand.place.read(value))
            // An identity has a value.
            let mayBeNull = !identity.contains(sql)
            switch (value, isDescending) {
            case (.null, false): alternatives.append("\(equal)\(sql) NOTNULL")
            case (.null, true): break
            case (_, false): alternatives.append("\(equal)\(sql) > \(parameter)")
            case (_, true):
                alternatives.append("\(equal)(\(sql) < \(parameter)\(mayBeNull ? " OR \(sql) ISNULL" : ""))")
            }
            // A range, which an index serves.
            if equal.isEmpty, value != .null, !isDescending || !mayBeNull {
                bound = "\(sql) \(isDescending ? "<=" : ">=") \(parameter) AND "
            }
            equal += "\(sql) IS \(parameter) AND "
        }
        let values = start.identity.map { parameter($0) }.joined(separator: ", ")
        alternatives.append("\(equal)(\(identity.joined(separator: ", "))) > (\(values))")
        return "\(bound)(\(alternatives.joined(separator: " OR ")))"
    }
}
