import PalliumAdapter
import PalliumCore
import PalliumJSON

/// The calls of stores and transactions, on one connection.
public struct _ConnectedStore {
    let registry: SchemaRegistry
    let tables: StoreTables
    let connection: SQLiteConnection

    // MARK: Finding

    /// The layout of the models of a query.
    func layout<Model>(of query: ModelQuery<Model>) throws(ModelError) -> ModelLayout {
        guard let schema = query.schema else {
            if let layout = registry.layout(for: Model.self) { return layout }
            throw ModelError(
                .unknownSchema, expected: "a schema registered for the class \(Model.self)", found: "none")
        }
        guard let layout = registry.layout(for: schema) else { throw schema.isUnregistered }
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
        if table.hasReferences { prepareReferences(of: table) }
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

    private func selection<Model>(
        _ links: ModelQuery<Model>.Links, _ layout: ModelLayout
    ) throws(ModelError) -> LinkSelection {
        try LinkSelection(links, of: layout, descendants: registry.descendants)
    }

    /// Resolves the references of models, and returns all models with an identity that they lead to.
    ///
    /// - Parameters:
    ///   - areLinked: Whether a reference leads to one of the models although it is not followed.
    ///   - report: Called with the models that cannot be completed, which are left out; nil if the first one is an error.
    func complete(
        _ models: [FetchedModel], _ selection: LinkSelection, keepsStubs: Bool = false, areLinked: Bool = true,
        report: ((DynamicModel, ModelError) -> Void)? = nil
    ) throws(ModelError) -> [FetchedModel] {
        var graph = FetchedGraph(
            report != nil ? .collect : keepsStubs ? .keepStubs : .fail, areLinked: areLinked,
            tables: { layout throws(ModelError) in try tables.table(layout, on: connection) },
            fetch: { table, list, take throws(ModelError) in
                let reader = RowReader(table: table, isPartial: true)
                try connection.forEachRow(table.statements.selectionOfListed, [list]) {
                    row throws(ModelError) in try take(reader.fetched(row))
                }
            })
        let all = try graph.complete(models, selection)
        let unreadable = graph.unreadable
        guard let report, !unreadable.isEmpty else { return all }
        return all.filter { fetched in
            guard let error = unreadable[ObjectIdentifier(fetched.model)] else { return true }
            report(fetched.model, error)
            return false
        }
    }

    /// Models of a query, and all models with an identity that came with them.
    struct FetchedBatch {
        var models: [DynamicModel] = []
        var all: [FetchedModel] = []
    }

    /// Calls a function with the models of a query, some after the others; returns the error with which it ended the loop.
    ///
    /// - Parameter isWhole: Whether all models are passed at once, and lead to one another. A store in memory has one
    ///   connection, which the function may use, so it passes all of them at the end.
    func forEachBatch<Model, Failure: Error>(
        _ query: ModelQuery<Model>, isWhole: Bool = false, _ body: (FetchedBatch) throws(Failure) -> Void
    ) throws(ModelError) -> Failure? {
        let selection = try selection(query.links, layout(of: query))
        var thrown: Failure?
        func pass(_ part: FetchedBatch) { do throws(Failure) { try body(part) } catch { thrown = error } }
        let last = try withStatement(query, self.selection(of: query)) { found throws(ModelError) in
            let table = found.table
            let reader = RowReader(table: table, isPartial: table.hasReferences)
            let count = isWhole || connection.isInMemory ? .max : 256
            var part: [FetchedModel] = []
            func next() throws(ModelError) -> FetchedBatch {
                defer { part.removeAll(keepingCapacity: true) }
                if !table.hasReferences { return FetchedBatch(models: part.map(\.model), all: part) }
                guard let report = query.rows.report else {
                    return FetchedBatch(
                        models: part.map(\.model), all: try complete(part, selection, areLinked: isWhole))
                }
                let roots = Set(part.map { ObjectIdentifier($0.model) })
                var skipped: Set<ObjectIdentifier> = []
                let all = try complete(part, selection, areLinked: isWhole) { model, error in
                    guard roots.contains(ObjectIdentifier(model)) else { return }
                    skipped.insert(ObjectIdentifier(model))
                    report(error.at(table.tokens(ofRow: table.identityValues(of: model))))
                }
                return FetchedBatch(
                    models: part.map(\.model).filter { !skipped.contains(ObjectIdentifier($0)) }, all: all)
            }
            func add(_ row: SQLiteStatement) throws(ModelError) {
                do throws(ModelError) { part.append(try reader.fetched(row)) } catch {
                    guard let report = query.rows.report else { throw error }
                    report(error)
                }
            }
            return try connection.snapshot(if: table.hasReferences) { () throws(ModelError) -> FetchedBatch in
                try connection.withStatement(found.sql) { statement throws(ModelError) in
                    try statement.bind(found.values)
                    while thrown == nil, try statement.step() {
                        try add(statement)
                        if part.count == count { pass(try next()) }
                    }
                }
                return try next()
            }
        }
        if thrown == nil, let last, !last.models.isEmpty { pass(last) }
        return thrown
    }

    /// Returns all models of a query, and those that come with them.
    func fetchAll<Model>(_ query: ModelQuery<Model>) throws(ModelError) -> FetchedBatch {
        var result = FetchedBatch()
        let _: Never? = try forEachBatch(query, isWhole: true) { result = $0 }
        return result
    }

    func fetch<Model>(_ query: ModelQuery<Model>) throws(ModelError) -> [Model] {
        try Self.typed(fetchAll(query).models, Model.self)
    }

    static func typed<Model: DynamicModel>(
        _ models: [DynamicModel], _ type: Model.Type
    ) throws(ModelError) -> [Model] {
        guard let typed = models as? [Model] else { throw isOfAnotherClass(type) }
        return typed
    }

    private static func isOfAnotherClass(_ type: DynamicModel.Type) -> ModelError {
        ModelError(.typeMismatch, expected: "models of the class \(type)", found: "models of another class")
    }

    /// Returns the model of an identity among those of a query without conditions; nil if there is none.
    func first<Model>(
        _ query: ModelQuery<Model>, identity: [any PropertyValue]
    ) throws(ModelError) -> Model? {
        guard let found = try fetchFirst(query, identity: identity).models.first else { return nil }
        // The cast of an array would cost more.
        guard let model = found as? Model else { throw Self.isOfAnotherClass(Model.self) }
        return model
    }

    /// Returns the model of an identity, and those that come with it; nothing if there is none.
    func fetchFirst<Model>(
        _ query: ModelQuery<Model>, identity: [any PropertyValue]
    ) throws(ModelError) -> FetchedBatch {
        let layout = try layout(of: query)
        let selection = try selection(query.links, layout)
        let existing = try table(of: layout)
        let table = if let existing { existing } else { try described(layout) }
        guard identity.count == table.identity.count else {
            throw ModelError(
                .elementCount,
                expected: "\(table.identity.count.counted("value")) of the identity of \(layout.schema.name)",
                found: "\(identity.count)", schema: layout.schema.name)
        }
        var values: [SQLiteValue] = []
        for (slot, value) in zip(table.layout.identitySlots, identity) {
            values.append(try table.layout.properties[slot].descriptor.columnValue(of: value))
        }
        if existing == nil { return FetchedBatch() }
        let reader = RowReader(table: table, isPartial: table.hasReferences)
        return try connection.snapshot(if: table.hasReferences) { () throws(ModelError) in
            let found = try connection.firstRow(table.statements.selectionOfOne, values) {
                row throws(ModelError) in try reader.fetched(row)
            }
            guard let found, found.model.layout.isDescendant(of: layout) else { return FetchedBatch() }
            guard table.identityValues(of: found.model) == values else {
                throw ModelError(
                    .malformedStore, expected: "the row of the identity", found: "one of another identity",
                    schema: layout.schema.name)
            }
            let all = table.hasReferences ? try complete([found], selection) : [found]
            return FetchedBatch(models: [found.model], all: all)
        }
    }

    /// Returns the rows of models, by their identities, with what they refer to, one instance of each. Rows that do not
    /// exist are left out.
    ///
    /// - Parameters:
    ///   - keepsStubs: Whether a reference to a row that does not exist may stay a stub where the schema allows none.
    ///   - isKnown: Whether a row with this checksum is left out.
    func rows(
        of models: [DynamicModel], keepsStubs: Bool = false, except isKnown: (Int64) -> Bool = { _ in false }
    ) throws(ModelError) -> [FetchedModel] {
        var identities: [ModelIdentity: DynamicModel] = [:]
        for model in models {
            if let identity = ModelIdentity(model) { identities[identity] = model }
        }
        let groups = Dictionary(grouping: identities.values) { ObjectIdentifier($0.layout.identityRoot) }.values
        // Tables that have to be made are made before the state is chosen.
        for models in groups { _ = try table(of: models[0].layout) }
        return try connection.snapshot { () throws(ModelError) in
            var sources: [(table: StoreTable, models: [DynamicModel])] = []
            for models in groups {
                if let table = try table(of: models[0].layout) { sources.append((table, models)) }
            }
            let haveReferences = sources.contains { $0.table.hasReferences }
            var rows: [FetchedModel] = []
            for (table, models) in sources {
                let list = ClauseWriter.list(rows: models.map { table.identityValues(of: $0) })
                let reader = RowReader(table: table, isPartial: haveReferences)
                try connection.forEachRow(table.statements.selectionOfListed, [list]) { row throws(ModelError) in
                    if isKnown(RowReader.checksum(row)) { return }
                    rows.append(try reader.fetched(row))
                }
            }
            return haveReferences ? try complete(rows, .none, keepsStubs: keepsStubs) : rows
        }
    }

    func count<Model>(_ query: ModelQuery<Model>) throws(ModelError) -> Int {
        func write(_ table: StoreTable, _ writer: inout ClauseWriter) throws(ModelError) -> String {
            "SELECT count(*) FROM (SELECT 1 FROM \(table.name) AS t0\(try writer.clauses(of: query)))"
        }
        let count = try withStatement(query, write) { found throws(ModelError) in
            try connection.integer(found.sql, found.values)
        }
        return Int((count ?? 0) ?? 0)
    }

    func plan<Model>(_ query: ModelQuery<Model>) throws(ModelError) -> String {
        guard let found = try statement(query, selection(of: query)) else { return "" }
        var lines = [found.sql]
        try connection.forEachRow("EXPLAIN QUERY PLAN " + found.sql, found.values) { row throws(ModelError) in
            lines.append("  " + row.text(3))
        }
        return lines.joined(separator: "\n")
    }

    // MARK: Changing

    /// - Parameter others: Models without a position that an error could name. They are no stubs, whatever they hold.
    func save(_ models: [DynamicModel], and others: [DynamicModel] = []) throws(ModelError) -> StoreChanges {
        var changes = StoreChanges()
        let graph = try SavedGraph(models, and: others, for: .rows) { layout throws(ModelError) in
            try tableToWrite(layout).hasReferences
        }
        for (layout, entries) in graph.rows {
            let saved = entries.filter { $0.content != .reference }
            if saved.isEmpty { continue }
            var writer = RowWriter(try tableToWrite(layout), connection, for: .saving) { saved.map(\.model) }
            for entry in saved {
                do throws(ModelError) {
                    changes.add(try writer.write(entry.model, replaces: entry.content == .model))
                } catch { throw error.at(graph.tokens(of: entry)) }
            }
        }
        return changes
    }

    /// Inserts rows of models that upgrade steps made, and to which a model refers, unless there are such rows.
    ///
    /// - Parameter isMade: Whether a step made a model.
    /// - Returns: How many rows there are more.
    func insertMade(by model: DynamicModel, where isMade: (DynamicModel) -> Bool) throws(ModelError) -> Int {
        var count = 0
        var made: [DynamicModel] = []
        for reference in model.references { reference.slot.forEachModel { if isMade($0) { made.append($0) } } }
        for model in made {
            for part in model.parts { try part.complete() }
            var writer = RowWriter(try tableToWrite(model.layout.identityRoot), connection, for: .saving)
            guard try writer.write(model, replaces: false) == .inserted else { continue }
            count += try 1 + insertMade(by: model, where: isMade)
        }
        return count
    }

    func tableToWrite(_ layout: ModelLayout) throws(ModelError) -> StoreTable {
        guard registry.layout(for: layout.schema) === layout, let table = try table(of: layout) else {
            throw layout.schema.isUnregistered
        }
        return table
    }
}
