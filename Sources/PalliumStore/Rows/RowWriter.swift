import PalliumAdapter
import PalliumCore
import PalliumJSON

/// Writes models as rows of a table.
struct RowWriter: ~Copyable {
    /// The outcome of writing a row.
    enum Outcome { case inserted, updated, unchanged }

    enum Purpose {
        /// Rules and validators are asked: if they refused a row, nobody could read it. A row of an earlier version that says
        /// the same stays as it is, so that programs of that version can read it.
        case saving
        /// Rows that could be read get the present versions.
        case upgrading
    }

    private let table: StoreTable
    private let connection: SQLiteConnection
    private var writer: StoredTextWriter
    private var insertion: RowStatement
    private var update: RowStatement
    private var replacement: RowStatement
    /// Whether the last row existed. The next one is then likely to exist, too.
    private var isUpdating = false
    private let purpose: Purpose
    private var waiting: WaitingRows
    /// The schema of the last row.
    private var schema: RowSchema?
    /// The checksum of the last row.
    private(set) var checksum: Int64 = 0

    /// - Parameter models: Returns the models that are written, in their order. Rows give up unique values that their models do not
    ///   have for rows that are written before them.
    init(
        _ table: StoreTable, _ connection: SQLiteConnection, for purpose: Purpose,
        _ models: @escaping () -> [DynamicModel] = { [] }
    ) {
        self.table = table
        self.connection = connection
        self.purpose = purpose
        waiting = WaitingRows(table, connection, models)
        writer = StoredTextWriter(table.adapter)
        insertion = RowStatement(table.statements.insertion, table, connection)
        update = RowStatement(table.statements.update, table, connection)
        replacement = RowStatement(table.statements.replacement, table, connection)
    }

    /// Writes the row of a model, unless it is the same.
    ///
    /// - Parameter replaces: Whether a row that exists is changed.
    /// - Throws: ``ModelError`` with the code `newerVersion` if a row that exists is of a later version.
    mutating func write(_ model: DynamicModel, replaces: Bool = true) throws(ModelError) -> Outcome {
        if purpose == .saving, table.mayRefuse { try model.validateParts() }
        let schema = try rowSchema(of: model)
        let columns = schema.columnValues(of: model)
        try table.checkIdentity(columns.prefix(table.identity.count))
        var row = RowStatement.Row(layout: model.layout, columns: columns, checksum: 0)
        while true {
            do throws(ModelError) {
                let outcome = try write(model, schema, &row, replaces: replaces)
                try waiting.finish(columns, isUnchanged: outcome == .unchanged)
                if outcome != .unchanged, !table.links.isEmpty {
                    let identity = Array(columns.prefix(table.identity.count))
                    for link in table.links {
                        if outcome == .updated { try link.delete(identity, on: connection) }
                        try link.insert(link.targets(of: model), identity, on: connection)
                    }
                }
                checksum = row.checksum
                isUpdating = outcome != .inserted
                return outcome
            } catch {
                // Each turn takes a value of this row from another one, or throws.
                try waiting.takeValue(for: columns, error)
            }
        }
    }

    private mutating func write(
        _ model: DynamicModel, _ schema: RowSchema, _ row: inout RowStatement.Row, replaces: Bool
    ) throws(ModelError) -> Outcome {
        let columns = row.columns
        return try writer.withBorrowedText(of: model) { document throws(ModelError) -> Outcome in
            row.checksum = schema.checksum(of: document)
            guard replaces else {
                return try insertion.changesRow(row, document) ? .inserted : .unchanged
            }
            if isUpdating, try update.changesRow(row, document) { return .updated }
            if try insertion.changesRow(row, document) { return .inserted }
            if !isUpdating, try update.changesRow(row, document) { return .updated }
            let versions = try connection.firstRow(
                table.statements.versionsOfOne, Array(columns.prefix(table.identity.count))
            ) { $0.text(0) }
            guard let versions, !UTF8Text.equal(versions, table.versions) else { return .unchanged }
            // An earlier version, unless the check throws.
            try table.checkVersions(versions)
            if purpose == .saving, Self.isSame(document, columns, table, connection) { return .unchanged }
            return try replacement.changesRow(row, document) ? .updated : .unchanged
        }
    }

    /// Whether the row of an identity reads as a document. One that cannot be read does not.
    private static func isSame(
        _ document: BorrowedBytes, _ columns: [SQLiteValue], _ table: StoreTable,
        _ connection: SQLiteConnection
    ) -> Bool {
        let identity = Array(columns.prefix(table.identity.count))
        let reader = RowReader(table: table, isPartial: true)
        var writer = StoredTextWriter(table.adapter)
        do throws(ModelError) {
            let isSame = try connection.firstRow(table.statements.selectionOfOne, identity) { row throws(ModelError) in
                try writer.withBorrowedText(of: reader.model(row)) { text in text.hasSameBytes(as: document) }
            }
            return isSame ?? false
        } catch { return false }
    }

    private mutating func rowSchema(of model: DynamicModel) throws(ModelError) -> RowSchema {
        if let schema, schema.layout === model.layout { return schema }
        guard let found = table.rowSchema(called: model.layout.schema.name), found.layout === model.layout else {
            throw model.layout.schema.isUnregistered
        }
        schema = found
        return found
    }
}

/// A statement that writes one row after the other. What is the same in all of them is bound once.
private struct RowStatement: ~Copyable {
    struct Row {
        let layout: ModelLayout
        let columns: [SQLiteValue]
        var checksum: Int64
    }

    private let sql: String
    private let table: StoreTable
    private let connection: SQLiteConnection
    /// Prepared when it is needed first.
    private var statement: SQLiteStatement?
    /// The layout whose name is bound.
    private var layout: ModelLayout?

    init(_ sql: String, _ table: StoreTable, _ connection: SQLiteConnection) {
        self.sql = sql
        self.table = table
        self.connection = connection
    }

    deinit { if let statement { connection.keep(statement, sql) } }

    /// Runs the statement; returns whether a row was changed.
    mutating func changesRow(_ row: Row, _ document: BorrowedBytes) throws(ModelError) -> Bool {
        if statement == nil { statement = try connection.takeStatement(sql) }
        guard let statement else { return false }
        let first = Int32(row.columns.count) + 1
        if layout !== row.layout {
            try statement.bind(.text(row.layout.schema.name), at: first)
            try statement.bind(.text(table.versions), at: first + 1)
            layout = row.layout
        }
        try statement.bind(row.columns)
        try statement.bind(.integer(row.checksum), at: first + 3)
        try statement.run(binding: document, at: first + 2)
        return connection.changeCount > 0
    }
}
