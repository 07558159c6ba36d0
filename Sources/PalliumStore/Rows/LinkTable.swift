import PalliumAdapter
import PalliumCore
import PalliumJSON

/// A table that says which rows refer to a row by a property.
///
/// ```
///   "_links.Issue.labels"  │ "to_name" │ "from_number"
///                          │ bug       │ 7               issue 7 has the label bug
/// ```
/// It repeats what documents say, as columns do, so it can be made again from them.
struct LinkTable: Sendable {
    let key: String
    /// The name in SQL, quoted.
    let name: String
    /// The identity of the row that is referred to, and of the row that refers to it.
    let (target, source): ([String], [String])
    /// The layout that declares the identity of the rows that are referred to; nil if the schemas have no such property.
    let root: ModelLayout?
    private let targetColumns: [StoreTable.Column]
    /// Whether the schemas ask for it. Other programs may.
    let isWanted: Bool
    /// The rule for a row that refers to a deleted one.
    let deleteRule: PropertySchema.DeleteRule
    /// Makes the table. SQLite keeps its text.
    let creation: String
    let indexCreation: String
    private let insertion: String
    private let deletion: String

    /// Begins the names of the tables with the links of a table. A dot in a name has a backslash, so that no two are the same.
    static func prefix(_ schema: String) -> String { "_links.\(JSONKeyPath.escape(schema))." }

    /// Whether a table of the database has links.
    static func isName(_ name: String) -> Bool { name.utf8.starts(with: "_links.".utf8) }

    private init(
        _ property: ModelLayout.Property?, key: String, of schema: String, from columns: [StoreTable.Column],
        isWanted: Bool
    ) throws(ModelError) {
        let rawName = Self.prefix(schema) + JSONKeyPath.escape(key)
        let root = property?.descriptor.innermost.model?.rowLayout
        self.key = key
        self.root = root
        self.isWanted = isWanted
        deleteRule = property?.schema.deleteRule ?? .keep
        name = rawName.quotedForSQL
        let targets = try root.map { root throws(ModelError) in try StoreTable.identityColumns(of: root) } ?? []
        targetColumns = targets
        // By the present keys, so that a program with other ones, which cannot read the references of later rows, makes
        // another table.
        target = targets.map { "to_\(StoredFormat.member(of: $0.key))".quotedForSQL }
        source = columns.map { "from_\($0.rawName)".quotedForSQL }
        let all = zip(target + source, targets + columns)
        let list = (target + source).joined(separator: ", ")
        creation =
            "CREATE TABLE \(name) (\(all.map { "\($0) \($1.type) NOT NULL" }.joined(separator: ", ")), "
            + "PRIMARY KEY (\(list))) STRICT, WITHOUT ROWID"
        indexCreation =
            "CREATE INDEX \("\(rawName) from".quotedForSQL) ON \(name) (\(source.joined(separator: ", ")))"
        let parameters = (1...max(targets.count + columns.count, 1)).map { "?\($0)" }.joined(separator: ", ")
        // A row may refer to another one several times.
        insertion = "INSERT OR IGNORE INTO \(name) VALUES (\(parameters))"
        deletion = "DELETE FROM \(name) WHERE \(Self.equality(source))"
    }

    /// Returns the link tables of a table: those that its schemas ask for, and those that the database has.
    ///
    /// - Parameters:
    ///   - layouts: Those of the rows.
    ///   - columns: The identity of the rows.
    ///   - found: The statements that made the tables of the database, by the keys.
    /// - Throws: ``ModelError`` if a key leads to rows of two tables.
    static func tables(
        of layouts: [ModelLayout], from columns: [StoreTable.Column], isIndexed: Bool, found: [UTF8Key: String]
    ) throws(ModelError) -> [LinkTable] {
        let schema = layouts[0].schema.name
        var (links, found) = ([LinkTable](), found)
        for property in layouts.flatMap(\.properties) where property.isStored {
            let isWanted = isIndexed && property.schema.index != nil
            guard let root = property.descriptor.innermost.model?.rowLayout else { continue }
            if let other = links.first(where: { UTF8Text.equal($0.key, property.key) }) {
                if other.root == nil { continue }
                guard other.root === root, other.deleteRule == property.schema.deleteRule ?? .keep else {
                    throw ModelError(
                        .conflict, property.descriptor,
                        expected: "references to rows of one table, with one delete rule, for an indexed key",
                        found: "others")
                }
                continue
            }
            let creation = found.removeValue(forKey: UTF8Key(property.key))
            if creation == nil, !isWanted { continue }
            let link = try LinkTable(property, key: property.key, of: schema, from: columns, isWanted: isWanted)
            // Another program's may have another form, and then only that program fills it.
            let isFilled = isWanted || creation.map { UTF8Text.equal($0, link.creation) } == true
            links.append(
                isFilled
                    ? link : try LinkTable(nil, key: property.key, of: schema, from: columns, isWanted: false))
        }
        for key in found.keys {
            links.append(try LinkTable(nil, key: key.text, of: schema, from: columns, isWanted: false))
        }
        return links
    }

    /// A condition on columns, whose values are the first parameters.
    static func equality(_ columns: [String]) -> String {
        columns.enumerated().map { "\($1) = ?\($0 + 1)" }.joined(separator: " AND ")
    }

    // MARK: Rows

    /// The identities of the rows to which a model refers.
    func targets(of model: DynamicModel) -> Set<[SQLiteValue]> {
        guard let root, let index = model.layout.index(of: key) else { return [] }
        var targets: Set<[SQLiteValue]> = []
        model.slot(at: index).forEachModel { model in
            targets.insert(root.identitySlots.map { model.slot(at: $0).columnValue })
        }
        return targets
    }

    /// The identities of the rows to which a document of any version refers, in whatever collection.
    func targets(in document: JSONObject) -> Set<[SQLiteValue]> {
        guard root != nil, let value = document[StoredFormat.member(of: key)] else { return [] }
        var targets: Set<[SQLiteValue]> = []
        var pending = [value]
        while let value = pending.popLast() {
            switch value {
            case .object(let members):
                let identity = targetColumns.map { $0.value(in: members) }
                if identity.contains(.null) { pending += members.map(\.value) } else { targets.insert(identity) }
            case .array(let elements): pending += elements
            default: break
            }
        }
        return targets
    }

    /// Adds the links of a row that has none.
    func insert(
        _ targets: Set<[SQLiteValue]>, _ identity: [SQLiteValue], on connection: SQLiteConnection
    ) throws(ModelError) {
        for target in targets { try connection.execute(insertion, target + identity) }
    }

    /// Removes the links of the row of an identity.
    func delete(_ identity: [SQLiteValue], on connection: SQLiteConnection) throws(ModelError) {
        try connection.execute(deletion, identity)
    }

    /// Returns the identities to which the row of an identity refers by the table.
    func stored(
        _ identity: [SQLiteValue], on connection: SQLiteConnection
    ) throws(ModelError) -> Set<[SQLiteValue]> {
        var found: Set<[SQLiteValue]> = []
        let sql = "SELECT \(target.joined(separator: ", ")) FROM \(name) WHERE \(Self.equality(source))"
        try connection.forEachRow(sql, identity) { row in
            found.insert(target.indices.map { row.value(Int32($0)) })
        }
        return found
    }
}
