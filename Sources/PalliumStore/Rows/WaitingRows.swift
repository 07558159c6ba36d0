import PalliumCore
import PalliumJSON

/// The rows that a call has still to write, and that give up unique values for those that it writes before them.
///
/// ```
///   slugs    a ─▶ b, b ─▶ a      the call: row 1 gets b, row 2 gets a
///   row 1    b: row 2 has it, and waits ─▶ null in the column of row 2, then b
///   row 2    a: free
/// ```
/// A row that is written as it was keeps its values, so that whoever took one of them has made a conflict.
struct WaitingRows {
    private let table: StoreTable
    private let connection: SQLiteConnection
    private let models: () -> [DynamicModel]
    /// The number of rows that were written.
    private var written = 0
    /// The positions of the rows by their identities; nil until two rows have one value.
    private var positions: [[SQLiteValue]: Int]?
    /// The values that rows have lost, by their identities.
    private var taken: [[SQLiteValue]: Collision] = [:]

    /// A value, and the row that has it, or that has taken it.
    private struct Collision {
        let column: StoreTable.Column
        let value: SQLiteValue
        let row: [SQLiteValue]
    }

    /// - Parameter models: Returns the models of the rows, in the order in which they are written.
    init(_ table: StoreTable, _ connection: SQLiteConnection, _ models: @escaping () -> [DynamicModel]) {
        self.table = table
        self.connection = connection
        self.models = models
    }

    /// Takes a unique value of a row from the row that has it, if that one is written later.
    ///
    /// - Parameters:
    ///   - columns: The values of the row that could not be written, identity first.
    ///   - error: The error of the statement.
    /// - Throws: The error, or one with the property, the value and the other row.
    mutating func takeValue(for columns: [SQLiteValue], _ error: ModelError) throws(ModelError) {
        guard let cause = error.underlying as? SQLiteError, cause.isCollision,
            let collision = try collision(of: columns, cause)
        else { throw error }
        let known = positions ?? positions(of: models())
        positions = known
        guard let position = known[collision.row], position > written else {
            throw table.collision(of: collision.column, value: collision.value, with: collision.row, nil, cause)
        }
        let identity = Array(columns.prefix(table.identity.count))
        try connection.execute(
            "UPDATE \(table.name) SET \(collision.column.name) = NULL WHERE \(table.statements.isIdentity)",
            collision.row)
        taken[collision.row] = Collision(column: collision.column, value: collision.value, row: identity)
    }

    /// Notes that a row was written.
    ///
    /// - Throws: ``ModelError`` with the code `conflict` if it is as it was, and another row has taken its value.
    mutating func finish(_ columns: [SQLiteValue], isUnchanged: Bool) throws(ModelError) {
        written += 1
        guard !taken.isEmpty, let lost = taken.removeValue(forKey: Array(columns.prefix(table.identity.count))),
            isUnchanged
        else { return }
        throw table.collision(of: lost.column, value: lost.value, with: lost.row, nil, nil)
    }

    private func positions(of models: [DynamicModel]) -> [[SQLiteValue]: Int] {
        Dictionary(models.enumerated().map { (table.identityValues(of: $1), $0) }) { first, _ in first }
    }

    /// Returns the value that another row has; nil if SQLite names no column.
    private func collision(of columns: [SQLiteValue], _ cause: SQLiteError) throws(ModelError) -> Collision? {
        let count = table.identity.count
        let names = table.identity.map(\.name).joined(separator: ", ")
        for (column, value) in zip(table.indexed, columns.dropFirst(count)) {
            // Another program may ask for the index.
            let message = "UNIQUE constraint failed: \(table.layout.schema.name).\(column.rawName)"
            guard UTF8Text.equal(cause.message, message) else { continue }
            let sql = "SELECT \(names) FROM \(table.name) WHERE \(column.name) = ?1"
            let row = try connection.firstRow(sql, [value]) { row in (0..<Int32(count)).map { row.value($0) } }
            guard let row, row != Array(columns.prefix(count)) else { continue }
            return Collision(column: column, value: value, row: row)
        }
        return nil
    }
}
