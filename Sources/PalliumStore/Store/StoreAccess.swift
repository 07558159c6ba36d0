import PalliumAdapter
import PalliumCore
import PalliumJSON

/// What can be done on one connection: the calls of stores and transactions.
struct StoreAccess {
    let registry: SchemaRegistry
    let tables: StoreTables
    let connection: SQLiteConnection

    // MARK: Finding

    /// The layout of the models of a query.
    func layout<Model>(of query: ModelQuery<Model>) throws(ModelError) -> ModelLayout {
        guard let schema = query.schema else { return try layout(of: Model.self) }
        guard let layout = registry.layout(for: schema) else {
            throw ModelError(
                .unknownSchema, expected: "a schema that is registered with the store's registry",
                found: ModelError.quote(schema.name))
        }
        return layout
    }

    func layout(of modelClass: DynamicModel.Type) throws(ModelError) -> ModelLayout {
        guard let layout = registry.layout(for: modelClass) else {
            throw ModelError(.unknownSchema, expected: "a schema registered for the class \(modelClass)", found: "none")
        }
        return layout
    }

    /// Returns the table of a layout; nil if there is none and the store is only read.
    ///
    /// - Throws: ``ModelError`` if the schema has no identity.
    func table(of layout: ModelLayout) throws(ModelError) -> StoreTable? {
        guard let root = layout.rowLayout else {
            throw ModelError(
                .typeMismatch, expected: "a schema with an identity", found: "\(layout.schema.name), which has none",
                schema: layout.schema.name)
        }
        guard let table = try tables.table(root, on: connection) else { return nil }
        prepareReferences(of: table)
        return table
    }

    /// Makes the tables that references lead to. Later the connection may see a state in which they are missing.
    private func prepareReferences(of table: StoreTable) {
        var visited: Set<ObjectIdentifier> = [ObjectIdentifier(table.layout)]
        var pending = table.references
        while let layout = pending.popLast() {
            guard visited.insert(ObjectIdentifier(layout)).inserted else { continue }
            // What is wrong with a table is an error only where it is used.
            if let next = try? tables.table(layout, on: connection) { pending += next.references }
        }
    }

    /// A statement and its parameters.
    private typealias Statement = (table: StoreTable, sql: String, values: [SQLiteValue])

    /// Makes the statement of a query; nil if there is no table.
    private func statement<Model>(
        _ query: ModelQuery<Model>, _ select: (StoreTable, String) -> String
    ) throws(ModelError) -> Statement? {
        let layout = try layout(of: query)
        guard let table = try table(of: layout) else { return nil }
        var writer = StatementWriter(table, layout, registry: registry) { layout throws(ModelError) in
            try tables.table(layout, on: connection)
        }
        let clauses = try writer.clauses(of: query)
        return (table, select(table, clauses), writer.values)
    }

    private func selection<Model>(_ links: ModelQuery<Model>.Links, _ layout: ModelLayout) throws(ModelError)
        -> LinkSelection
    {
        try LinkSelection(links, of: layout) { layout in
            var found: [ModelLayout] = []
            var pending = [layout]
            while let next = pending.popLast() {
                let children = registry.children(of: next)
                found += children
                pending += children
            }
            return found
        }
    }

    /// Resolves the references of models, and returns all models with an identity that they lead to.
    @discardableResult
    func complete(_ models: [DynamicModel], _ selection: LinkSelection = .none) throws(ModelError) -> [DynamicModel] {
        var graph = FetchedGraph(
            tables: { layout throws(ModelError) in try tables.table(layout, on: connection) },
            fetch: { table, list, take throws(ModelError) in
                let reader = RowReader(table: table, isPartial: true)
                try connection.forEachRow(table.statements.selectionOfListed, [list]) {
                    row throws(ModelError) in try take(reader.model(row))
                }
            })
        return try graph.complete(models, selection)
    }

    /// Calls a function with the models of a query, in parts of at most so many.
    func forEachPart<Model, Failure: Error>(
        _ query: ModelQuery<Model>, of count: Int, _ body: ([Model]) throws(Failure) -> Void,
        failed: (ModelError) -> Failure
    ) throws(Failure) {
        var part: [DynamicModel] = []
        do throws(ModelError) {
            let selection = try selection(query.links, layout(of: query))
            guard let (table, sql, values) = try statement(query, { $0.statements.selection + $1 }) else { return }
            let reader = RowReader(table: table, isPartial: table.hasReferences)
            var thrown: Failure?
            func pass() throws(ModelError) {
                if table.hasReferences { try complete(part, selection) }
                let models = try Self.typed(part, Model.self)
                part.removeAll(keepingCapacity: true)
                do throws(Failure) { try body(models) } catch { thrown = error }
            }
            try connection.withStatement(sql) { statement throws(ModelError) in
                try statement.bind(values)
                while thrown == nil, try statement.step() {
                    part.append(try reader.model(statement))
                    if part.count == count { try pass() }
                }
            }
            if thrown == nil, !part.isEmpty { try pass() }
            if let thrown { throw Stopped(thrown).error }
        } catch {
            if let stopped = error.underlying as? Stopped<Failure> { throw stopped.reason }
            throw failed(error)
        }
    }

    /// An error of the caller's function on its way out.
    private struct Stopped<Failure: Error>: Error {
        let reason: Failure
        init(_ reason: Failure) { self.reason = reason }
        var error: ModelError { ModelError(.hookFailed, expected: "", found: "", underlying: self) }
    }

    func fetch<Model>(_ query: ModelQuery<Model>) throws(ModelError) -> [Model] {
        var result: [Model] = []
        try forEachPart(query, of: .max, { models throws(ModelError) in result = models }, failed: { $0 })
        return result
    }

    private static func typed<Model: DynamicModel>(
        _ models: [DynamicModel], _ type: Model.Type
    ) throws(ModelError) -> [Model] {
        guard let typed = models as? [Model] else {
            throw ModelError(
                .typeMismatch, expected: "models of the class \(type)", found: "models of another class")
        }
        return typed
    }

    /// Returns the model of an identity; nil if there is none.
    func first<Model: DynamicModel>(
        _ layout: ModelLayout, identity: [any PropertyValue], including links: ModelQuery<Model>.Links
    ) throws(ModelError) -> Model? {
        let selection = try selection(links, layout)
        guard let table = try table(of: layout) else { return nil }
        guard identity.count == table.identity.count else {
            throw ModelError(
                .elementCount,
                expected: "\(table.identity.count.counted("value")) of the identity of \(layout.schema.name)",
                found: "\(identity.count)", schema: layout.schema.name)
        }
        var values: [SQLiteValue] = []
        for (column, value) in zip(table.identity, identity) {
            values.append(try column.descriptor.columnValue(of: value))
        }
        let reader = RowReader(table: table, isPartial: table.hasReferences)
        let found = try connection.firstRow(table.statements.selectionOfOne, values) {
            row throws(ModelError) in try reader.model(row)
        }
        guard let found, found.layout.isDescendant(of: layout) else { return nil }
        guard table.identityValues(of: found) == values else {
            throw ModelError(
                .malformedStore, expected: "the row of the identity", found: "one of another identity",
                schema: layout.schema.name)
        }
        if table.hasReferences { try complete([found], selection) }
        return try Self.typed([found], Model.self)[0]
    }

    func count<Model>(_ query: ModelQuery<Model>) throws(ModelError) -> Int {
        guard
            let (_, sql, values) = try statement(
                query, { "SELECT count(*) FROM (SELECT 1 FROM \($0.name) AS t0\($1))" })
        else { return 0 }
        return try connection.firstRow(sql, values) { row throws(ModelError) in Int(row.integer(0)) } ?? 0
    }

    func plan<Model>(_ query: ModelQuery<Model>) throws(ModelError) -> String {
        guard let (_, sql, values) = try statement(query, { $0.statements.selection + $1 }) else { return "" }
        var lines = [sql]
        try connection.forEachRow("EXPLAIN QUERY PLAN " + sql, values) { row throws(ModelError) in
            lines.append("  " + row.text(3))
        }
        return lines.joined(separator: "\n")
    }

    // MARK: Changing

    func save(_ models: [DynamicModel]) throws(ModelError) -> StoreChanges {
        var changes = StoreChanges()
        let graph = try SavedGraph(models) { layout throws(ModelError) in try tableToWrite(layout).hasReferences }
        for (layout, entries) in graph.rows {
            var writer = RowWriter(try tableToWrite(layout), connection)
            for entry in entries {
                switch try writer.write(entry.model, replaces: !entry.isStub) {
                case .inserted: changes.inserted += 1
                case .updated: changes.updated += 1
                case .unchanged: break
                }
            }
        }
        return changes
    }

    private func tableToWrite(_ layout: ModelLayout) throws(ModelError) -> StoreTable {
        guard registry.layout(for: layout.schema) === layout, let table = try table(of: layout) else {
            throw ModelError(
                .unknownSchema, expected: "a schema that is registered with the store's registry",
                found: ModelError.quote(layout.schema.name), schema: layout.schema.name)
        }
        return table
    }

    func delete<Model>(_ query: ModelQuery<Model>) throws(ModelError) -> StoreChanges {
        let statement = try statement(query) { table, clauses in
            let names = table.identity.map(\.name).joined(separator: ", ")
            let selected = table.identity.map { "t0.\($0.name)" }.joined(separator: ", ")
            return
                "DELETE FROM \(table.name) WHERE (\(names)) IN (SELECT \(selected) FROM \(table.name) AS t0\(clauses))"
        }
        guard let (_, sql, values) = statement else { return StoreChanges() }
        try connection.execute(sql, values)
        var changes = StoreChanges()
        changes.deleted = connection.changeCount
        return changes
    }
}
