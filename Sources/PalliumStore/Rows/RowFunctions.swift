import PalliumCore
import PalliumJSON

/// Functions of SQL that read a row as its model has it: rows of earlier versions, and values for which SQLite has no type.
///
/// ```
///   _value(table, keys, skips, row)             what a column would hold
///   _contains(table, keys, skips, row, value)   0 or 1
/// ```
/// *table* is the schema of the table, *keys* lead to the property, as JSON, and *row* is what `RowReader` reads. A row that
/// cannot be read has no value if *skips* is 1, and is an error otherwise.
///
/// Safety: the text of a document is used only while the closure that lends it runs.
final class RowFunctions {
    private let table: (String) throws(ModelError) -> StoreTable
    private var paths: [UTF8Key: [String]] = [:]
    /// The row that was read last. A statement asks for several values of one row.
    private var last: (key: [SQLiteValue], model: DynamicModel)?

    /// - Parameter table: Returns the table of the schema of a name.
    private init(_ table: @escaping (String) throws(ModelError) -> StoreTable) { self.table = table }

    /// Adds the functions to a connection, unless it has them.
    static func add(
        to connection: SQLiteConnection, _ table: @escaping (String) throws(ModelError) -> StoreTable
    ) throws(ModelError) {
        let functions = RowFunctions(table)
        try connection.addFunction("_value", argumentCount: 7) { arguments throws(ModelError) in
            guard let slot = try functions.slot(arguments), slot.hasValue, !slot.slotState.isDefaulted else {
                return .null
            }
            let value = slot.columnValue
            // Values of other kinds are compared with nil only.
            return value == .null && slot.description.traits.write(slot) != .null ? SQLiteValue(true) : value
        }
        try connection.addFunction("_contains", argumentCount: 8) { arguments throws(ModelError) in
            guard let list = try functions.slot(arguments), list.hasValue else { return SQLiteValue(false) }
            let elements = list.list
            return SQLiteValue((0..<elements.count).contains { elements.slot(at: $0).columnValue == arguments[7] })
        }
    }

    /// Returns the slot to which the keys lead; nil if a model on the way has no such value.
    private func slot(_ arguments: [SQLiteValue]) throws(ModelError) -> PropertySlot? {
        // A path may lead to no row.
        guard case .text(let schema) = arguments[0], case .text(let keys) = arguments[1], arguments[3] != .null else {
            return nil
        }
        var model: DynamicModel
        do throws(ModelError) { model = try self.model(schema, Array(arguments[3..<7])) } catch {
            if arguments[2] == SQLiteValue(true) { return nil }
            throw error
        }
        let path = paths[UTF8Key(keys)] ?? (try? JSONValue(parsing: keys))?.arrayValue?.compactMap(\.stringValue) ?? []
        paths[UTF8Key(keys)] = path
        for (number, key) in path.enumerated() {
            guard let index = model.layout.index(of: key) else { return nil }
            let slot = model.slot(at: index)
            if number == path.count - 1 { return slot }
            guard slot.hasValue, slot.description.kind == .model else { return nil }
            model = slot.model
        }
        return nil
    }

    private func model(_ schema: String, _ row: [SQLiteValue]) throws(ModelError) -> DynamicModel {
        if let last, last.key == row { return last.model }
        guard case .text(let name) = row[0], case .text(let versions) = row[1], case .text(let document) = row[2],
            case .integer(let checksum) = row[3]
        else {
            throw ModelError(
                .malformedStore, expected: "the columns of a row", found: "values of other types", schema: schema)
        }
        let reader = RowReader(table: try table(schema), isPartial: true)
        let result = document.withBorrowedBytes { bytes in
            Result { () throws(ModelError) in try reader.model(name, versions, bytes, checksum: checksum) }
        }
        let model = try result.get()
        last = (row, model)
        return model
    }
}
