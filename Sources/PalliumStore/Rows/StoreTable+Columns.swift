import PalliumAdapter
import PalliumCore
import PalliumJSON

/// Chooses the columns of a table: the identity, what indexes ask for, and what the database has already.
extension StoreTable {
    /// - Throws: ``ModelError`` if rows cannot have the identity.
    static func identityColumns(of layout: ModelLayout) throws(ModelError) -> [Column] {
        var columns: [Column] = []
        for slot in layout.identitySlots {
            let property = layout.properties[slot]
            guard property.schema.kind.hasColumn, !property.schema.kind.hasOrderedText, property.isStored
            else {
                throw ModelError(
                    .notConvertible,
                    expected: "an identity of kinds that have columns, such as integer, string or uuid",
                    found: "the kind \(property.schema.kind.name)", schema: layout.schema.name, property: property.key)
            }
            columns.append(Column(property, named: layout.schema.identityColumn(for: property.key)))
        }
        return columns
    }

    /// - Parameters:
    ///   - layouts: Those of the rows.
    ///   - isIndexed: Whether there are columns for indexed properties.
    ///   - found: The columns that the database has.
    /// - Throws: ``ModelError`` if a key has two types.
    static func indexedColumns(
        of layouts: [ModelLayout], behind identity: [Column], isIndexed: Bool, besides found: [Column.Found]
    ) throws(ModelError) -> [Column] {
        var columns: [Column] = []
        for property in layouts.flatMap(\.properties)
        where isIndexed && property.schema.index != nil && !property.descriptor.holdsModels {
            let column = Column(property, isFolded: property.schema.index == .caseInsensitive)
            let isSame = { (other: Column) in
                other.isFolded == column.isFolded && UTF8Text.equal(other.key, column.key)
            }
            guard let other = (identity + columns).first(where: isSame) else {
                columns.append(column)
                continue
            }
            guard other.type == property.descriptor.columnType else {
                throw ModelError(
                    .conflict, property.descriptor, expected: "one type of column for a key in a table",
                    found: "\(other.type) and \(property.descriptor.columnType)")
            }
        }
        let others = found.filter { found in !identity.contains { UTF8Text.equal($0.rawName, found.name) } }
        return Array(Column.merge(columns, with: others, behind: identity, of: layouts).dropFirst(identity.count))
    }

    /// SQLite does not tell `a` from `A` in names.
    static func checkNames(_ columns: [(key: String, name: String)], of layout: ModelLayout) throws(ModelError) {
        var names: [[UInt8]: String] = [:]
        for (key, name) in columns {
            guard let other = names.updateValue(key, forKey: name.foldedForSQL) else { continue }
            throw ModelError(
                .conflict, expected: "columns whose names differ by more than the case of letters",
                found: "\(ModelError.quote(other)) and \(ModelError.quote(key))", schema: layout.schema.name)
        }
    }
}

extension ModelSchema {
    /// Returns the name of the column for a key of the identity: the key that it had when a step last changed its values,
    /// or in version 1. Programs of all versions since then share the column, whatever they call the property.
    fileprivate func identityColumn(for key: String) -> String {
        var key = key
        for step in upgrades.sorted(by: { $0.from > $1.from }) {
            if step.transformed.keys.contains(where: { UTF8Text.equal($0, key) }) { return "_\(step.from + 1) \(key)" }
            key = step.renamed.first { UTF8Text.equal($0.value, key) }?.key ?? key
        }
        return StoredFormat.member(of: key)
    }
}
