import PalliumAdapter
import PalliumCore

/// Writes models as rows of a table.
///
/// Safety: the text of a model is bound for the run of the statement only, while the writer lends it.
struct RowWriter: ~Copyable {
    /// What became of a row.
    enum Outcome { case inserted, updated, unchanged }

    private let table: StoreTable
    private let connection: SQLiteConnection
    private var writer: StoredTextWriter
    private let insertion: String
    private let update: String
    /// Whether the last row existed. The next one is then likely to exist, too.
    private var isUpdating = false
    private let validates: Bool
    /// The checksum of the last row.
    private(set) var checksum: Int64 = 0

    /// - Parameter validates: Whether rules and validators are asked. If they refused a row, nobody could read it.
    init(_ table: StoreTable, _ connection: SQLiteConnection, validates: Bool) {
        self.table = table
        self.connection = connection
        self.validates = validates && table.mayRefuse
        writer = StoredTextWriter(table.adapter)
        insertion = table.statements.insertion
        update = table.statements.update
    }

    /// Writes the row of a model, unless it is the same.
    ///
    /// - Parameter replaces: Whether a row that exists is changed.
    mutating func write(_ model: DynamicModel, replaces: Bool = true) throws(ModelError) -> Outcome {
        if validates { try model.validateParts() }
        let (table, connection, insertion, update) = (table, connection, insertion, update)
        let isUpdating = isUpdating
        let schema = model.layout.schema.name
        let columns = table.columnValues(of: model)
        var written: Int64 = 0
        let outcome = try unsafe writer.withText(of: model) { document throws(ModelError) -> Outcome in
            let checksum = unsafe table.checksum(schema: schema, versions: table.versions, document: document)
            written = checksum
            func run(_ sql: String) throws(ModelError) -> Bool {
                try connection.withStatement(sql) { statement throws(ModelError) in
                    let first = Int32(columns.count) + 1
                    try statement.bind(columns)
                    try statement.bind(.text(schema), at: first)
                    try statement.bind(.text(table.versions), at: first + 1)
                    try unsafe statement.bindBorrowed(document, at: first + 2)
                    try statement.bind(.integer(checksum), at: first + 3)
                    while try statement.step() {}
                    return connection.changeCount > 0
                }
            }
            guard replaces else { return try run(insertion) ? .inserted : .unchanged }
            if isUpdating {
                if try run(update) { return .updated }
                return try run(insertion) ? .inserted : .unchanged
            }
            if try run(insertion) { return .inserted }
            return try run(update) ? .updated : .unchanged
        }
        checksum = written
        self.isUpdating = outcome != .inserted
        return outcome
    }
}
