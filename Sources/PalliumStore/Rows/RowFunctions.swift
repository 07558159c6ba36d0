import PalliumAdapter
import PalliumCore
import PalliumJSON

/// Functions of SQL that read a row as its model has it: rows of earlier versions, and values for which SQLite has no type.
///
/// ```
///   _value(table, keys, skips, row)   what a column would hold
///   _document(table, skips, row)      the document in the present versions
///   _ordered([value])                 a number, or a collection of numbers, as columns hold them
///   _folded(text)                     a text without the difference of case
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
        try connection.addFunction("_document", argumentCount: 6) { arguments throws(ModelError) in
            guard let model = try functions.model(arguments[0], skips: arguments[1], Array(arguments[2...])) else {
                return .null
            }
            var writer = StoredTextWriter(try table(model.layout.identityRoot.schema.name).adapter)
            return try writer.withBorrowedText(of: model) { .text(String(decoding: $0, as: UTF8.self)) }
        }
        try connection.addFunction("_folded", argumentCount: 1) { $0[0].folded(if: true) }
        try connection.addFunction("_ordered", argumentCount: 1) { arguments throws(ModelError) in
            guard case .text(let text) = arguments[0], case .array(let values)? = try? JSONValue(parsing: text),
                let value = values.first
            else { return .null }
            return functions.ordered(value)
        }
    }

    /// Returns a number as a column holds it, and a collection of numbers as JSON.
    private func ordered(_ value: JSONValue) -> SQLiteValue {
        switch value {
        case .number(let number): DecimalText.value(in: number.text).map { .text(OrderedNumber($0).text) } ?? .null
        case .array(let elements): .text(JSONValue.array(elements.map { ordered($0).json }).description)
        case .object(let members):
            .text(JSONValue.object(JSONObject(members.map { ($0.key, ordered($0.value).json) })).description)
        default: .null
        }
    }

    /// Returns the slot to which the keys lead; nil if a model on the way has no such value.
    private func slot(_ arguments: [SQLiteValue]) throws(ModelError) -> PropertySlot? {
        guard case .text(let keys) = arguments[1],
            let model = try model(arguments[0], skips: arguments[2], Array(arguments[3...]))
        else { return nil }
        let path = paths[UTF8Key(keys)] ?? (try? JSONValue(parsing: keys))?.arrayValue?.compactMap(\.stringValue) ?? []
        paths[UTF8Key(keys)] = path
        return model.slot(at: path)
    }

    /// Returns the model of a row; nil if a path leads to none, or the row cannot be read and is skipped.
    private func model(
        _ schema: SQLiteValue, skips: SQLiteValue, _ row: [SQLiteValue]
    ) throws(ModelError) -> DynamicModel? {
        guard case .text(let schema) = schema, row[0] != .null else { return nil }
        do throws(ModelError) { return try model(schema, row) } catch {
            if skips == SQLiteValue(true) { return nil }
            throw error
        }
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

extension DynamicModel {
    /// Returns the slot to which keys lead; nil if a model on the way has no such value.
    ///
    /// - Parameter pass: Called with the slot of each model on the way.
    func slot(at path: [String], _ pass: (PropertySlot) -> Void = { _ in }) -> PropertySlot? {
        var model = self
        for (number, key) in path.enumerated() {
            guard let index = model.layout.index(of: key) else { return nil }
            let slot = model.slot(at: index)
            if number == path.count - 1 { return slot }
            guard slot.hasValue, slot.description.kind == .model else { return nil }
            pass(slot)
            model = slot.model
        }
        return nil
    }
}
