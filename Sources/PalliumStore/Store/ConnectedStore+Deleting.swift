import PalliumAdapter
import PalliumCore
import PalliumJSON

/// Deletes rows, and applies the delete rules of the rows that refer to them.
///
/// ```
///   deleted ─▶ links to them ─▶ cascade: deleted, too, and so on
///                               nullify: written without the reference, unless the row is deleted in the end
///                               deny:    an error, unless the row is deleted in the end
/// ```
/// Rules are applied when the rest of a call is done, so what it writes may no longer refer to what it deletes.
extension _ConnectedStore {
    /// The rows of a table by their identities.
    struct Rows {
        let table: StoreTable
        var identities: Set<[SQLiteValue]> = []
    }

    /// Deletes the rows of a query, and those that delete rules name.
    func delete<Model>(_ query: ModelQuery<Model>) throws(ModelError) -> StoreChanges {
        func write(_ table: StoreTable, _ writer: inout ClauseWriter) throws(ModelError) -> String {
            try writer.clauses(of: query)
        }
        guard let found = try statement(query, write) else { return StoreChanges() }
        let (table, values) = (found.table, found.values)
        let rows = "FROM \(table.name) AS t0\(found.sql)"
        let selected = table.identity.map { "t0.\($0.name)" }.joined(separator: ", ")
        var changes = StoreChanges()
        let hasRules = try !rules(for: table.layout).isEmpty
        guard table.links.isEmpty, !hasRules else {
            // The query may find rows by links that are deleted.
            var identities: Set<[SQLiteValue]> = []
            try connection.forEachRow("SELECT \(selected) \(rows)", values) { row in
                identities.insert(table.identity.indices.map { row.value(Int32($0)) })
            }
            _ = try applyDeleteRules(to: [delete(identities, from: table, &changes)], &changes)
            return changes
        }
        let columns = table.identity.enumerated().map { (name: "i\($0)", sql: "t0.\($1.name) AS i\($0)") }
        // SQLite gives the identity of one row of each group.
        let versions =
            "SELECT v, \(columns.map(\.name).joined(separator: ", ")) FROM (SELECT t0.\"_versions\" AS v, "
            + "\(columns.map(\.sql).joined(separator: ", ")) \(rows)) GROUP BY v"
        try connection.forEachRow(versions, values) { row throws(ModelError) in
            do throws(ModelError) { try table.checkVersions(row.text(0)) } catch {
                throw error.at(table.tokens(ofRow: table.identity.indices.map { row.value(1 + Int32($0)) }))
            }
        }
        let names = table.identity.map(\.name).joined(separator: ", ")
        try connection.execute("DELETE FROM \(table.name) WHERE (\(names)) IN (SELECT \(selected) \(rows))", values)
        changes.deleted = connection.changeCount
        return changes
    }

    /// Deletes the rows of models, by their identities; returns those that there were. Delete rules are not applied yet.
    func delete(_ models: [DynamicModel], _ changes: inout StoreChanges) throws(ModelError) -> [Rows] {
        var deleted: [Rows] = []
        for (_, models) in Dictionary(grouping: models, by: { ObjectIdentifier($0.layout.identityRoot) }) {
            guard let table = try table(of: models[0].layout) else { continue }
            let identities = Set(models.map { table.identityValues(of: $0) })
            deleted.append(try delete(identities, from: table, &changes))
        }
        return deleted
    }

    private func delete(
        _ identities: Set<[SQLiteValue]>, from table: StoreTable, _ changes: inout StoreChanges
    ) throws(ModelError) -> Rows {
        var deleted = Rows(table: table)
        let list = [ClauseWriter.list(rows: Array(identities))]
        let names = table.identity.map(\.name).joined(separator: ", ")
        let listed = "IN (SELECT \(TableStatements.listed(table.identity)) FROM json_each(?1))"
        try connection.forEachRow(
            "SELECT \"_versions\", \(names) FROM \(table.name) WHERE (\(names)) \(listed)", list
        ) { row throws(ModelError) in
            let identity = table.identity.indices.map { row.value(Int32($0) + 1) }
            do throws(ModelError) { try table.checkVersions(row.text(0)) } catch {
                throw error.at(table.tokens(ofRow: identity))
            }
            deleted.identities.insert(identity)
        }
        for (name, columns) in [(table.name, names)] + table.links.map({ ($0.name, $0.source.joined(separator: ", ")) })
        {
            try connection.execute("DELETE FROM \(name) WHERE (\(columns)) \(listed)", list)
        }
        changes.deleted += deleted.identities.count
        return deleted
    }

    // MARK: Rules

    /// The tables whose rows may refer to rows of a table, with the links that have a rule.
    private func rules(for root: ModelLayout) throws(ModelError) -> [(table: StoreTable, link: LinkTable)] {
        var found: [(table: StoreTable, link: LinkTable)] = []
        for holder in registry.rowLayouts where holder.hasDeleteRules(in: registry) {
            guard let table = try existingTable(holder) else { continue }
            let links = table.links.filter { $0.deleteRule != .keep && $0.root === root }
            if links.isEmpty { continue }
            try upgradeOlderRows(of: table)
            found += links.map { (table, $0) }
        }
        return found
    }

    /// Applies the rules of the rows that refer to deleted ones; returns the rows that are deleted by them.
    func applyDeleteRules(to deleted: [Rows], _ changes: inout StoreChanges) throws(ModelError) -> [Rows] {
        var all: [ObjectIdentifier: Rows] = [:]
        var (pending, cascaded) = (deleted, [ObjectIdentifier: Rows]())
        var rules: [ObjectIdentifier: [(table: StoreTable, link: LinkTable)]] = [:]
        var others: [(holder: [SQLiteValue], target: [SQLiteValue], table: StoreTable, link: LinkTable)] = []
        while let rows = pending.popLast() {
            if rows.identities.isEmpty { continue }
            let root = ObjectIdentifier(rows.table.layout)
            all[root, default: Rows(table: rows.table)].identities.formUnion(rows.identities)
            let known: [(table: StoreTable, link: LinkTable)]
            if let found = rules[root] { known = found } else { known = try self.rules(for: rows.table.layout) }
            rules[root] = known
            for (table, link) in known {
                let references = try references(to: rows, link)
                guard link.deleteRule == .cascade else {
                    others += references.map { ($0.holder, $0.target, table, link) }
                    continue
                }
                let next = try delete(Set(references.map(\.holder)), from: table, &changes)
                pending.append(next)
                cascaded[ObjectIdentifier(table.layout), default: Rows(table: table)].identities
                    .formUnion(next.identities)
            }
        }
        // Rows that are deleted in the end do not count.
        others.removeAll { all[ObjectIdentifier($0.table.layout)]?.identities.contains($0.holder) == true }
        if let (holder, target, table, link) = others.first(where: { $0.link.deleteRule == .deny }) {
            throw denial(of: target, table.tokens(ofRow: holder), link)
        }
        for (_, references) in Dictionary(grouping: others, by: { ObjectIdentifier($0.table.layout) }) {
            let table = references[0].table
            var taken: [[SQLiteValue]: [(link: LinkTable, target: [SQLiteValue])]] = [:]
            for reference in references {
                taken[reference.holder, default: []].append((reference.link, reference.target))
            }
            changes.updated += taken.count
            try nullify(taken, in: table)
        }
        return Array(cascaded.values)
    }

    /// Returns the rows that refer to some by a table of links, with the identities to which they refer.
    private func references(
        to rows: Rows, _ link: LinkTable
    ) throws(ModelError) -> [(holder: [SQLiteValue], target: [SQLiteValue])] {
        var found: [(holder: [SQLiteValue], target: [SQLiteValue])] = []
        let sql =
            "SELECT \((link.source + link.target).joined(separator: ", ")) FROM \(link.name) WHERE "
            + "(\(link.target.joined(separator: ", "))) IN (SELECT \(TableStatements.listed(rows.table.identity)) FROM json_each(?1))"
        try connection.forEachRow(sql, [ClauseWriter.list(rows: Array(rows.identities))]) { row in
            let values = (0..<Int32(link.source.count + link.target.count)).map { row.value($0) }
            found.append((Array(values.prefix(link.source.count)), Array(values.dropFirst(link.source.count))))
        }
        return found
    }

    private func denial(of target: [SQLiteValue], _ holder: [String], _ link: LinkTable) -> ModelError {
        let name = link.root.flatMap { try? described($0).tokens(ofRow: target).joined(separator: " ") } ?? ""
        return ModelError(
            .conflict, expected: "a row to which none refers by \(ModelError.quote(link.key))",
            found: "\(name), to which \(holder.joined(separator: " ")) does", schema: holder.first ?? "",
            property: link.key
        ).at(holder + [link.key])
    }

    /// Writes rows without some of their references.
    private func nullify(
        _ taken: [[SQLiteValue]: [(link: LinkTable, target: [SQLiteValue])]], in table: StoreTable
    ) throws(ModelError) {
        let reader = RowReader(table: table, isPartial: true)
        var rows: [(identity: [SQLiteValue], document: JSONObject, layout: ModelLayout)] = []
        let list = ClauseWriter.list(rows: Array(taken.keys))
        try connection.forEachRow(table.statements.selectionOfListed, [list]) { row throws(ModelError) in
            let model = try reader.fetched(row).model
            rows.append((reader.identity(row), try reader.document(row), model.layout))
        }
        var writer = RowWriter(table, connection, for: .saving)
        for (identity, document, layout) in rows {
            var members = document
            for (key, references) in Dictionary(grouping: taken[identity] ?? [], by: { UTF8Key($0.link.key) }) {
                let member = StoredFormat.member(of: key.text)
                guard let index = layout.index(of: key.text), let value = members[member],
                    let root = references[0].link.root
                else { continue }
                let columns = try described(root).identity
                let targets = Set(references.map(\.target))
                let rest = value.removing(targets, columns, layout.properties[index].descriptor)
                members.updateValue(rest ?? .null, forKey: member)
            }
            do throws(ModelError) {
                let model = try table.adapter.partialModel(from: JSONValue.object(members))
                for part in model.parts { try part.complete() }
                _ = try writer.write(model)
            } catch { throw error.at(table.tokens(ofRow: identity)) }
        }
    }

    /// Writes the rows of earlier versions anew, whose links are those of their documents.
    private func upgradeOlderRows(of table: StoreTable) throws(ModelError) {
        guard let sql = table.statements.otherVersions, try connection.integer(sql) != nil else { return }
        var last = Int64.min
        while let next = try upgradeRows(table.layout, after: last, limit: 256).last { last = next }
    }
}

extension ModelLayout {
    /// Whether rows of the table of the layout are subject to a rule.
    fileprivate func hasDeleteRules(in registry: SchemaRegistry) -> Bool {
        ([self] + rowDescendants(in: registry)).contains { layout in
            layout.properties.contains { ($0.schema.deleteRule ?? .keep) != .keep }
        }
    }
}

extension JSONValue {
    /// Returns a stored value without references to some rows; nil if it is one of them.
    ///
    /// Recursion is as deep as the nesting of kinds.
    fileprivate func removing(
        _ targets: Set<[SQLiteValue]>, _ identity: [StoreTable.Column], _ descriptor: ValueDescriptor
    ) -> JSONValue? {
        switch (self, descriptor.element) {
        case (.object(let members), nil):
            // A literal nil would be the null of JSON.
            return targets.contains(identity.map { $0.value(in: members) }) ? Optional.none : self
        case (.array(let elements), let element?):
            return .array(elements.compactMap { $0.removing(targets, identity, element) })
        case (.object(let members), let element?):
            return .object(
                JSONObject(
                    members.compactMap { key, value in
                        value.removing(targets, identity, element).map { (key: key, value: $0) }
                    }))
        default: return self
        }
    }
}
