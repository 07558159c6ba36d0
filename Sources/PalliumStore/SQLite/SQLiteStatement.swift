import Foundation
package import PalliumCore
package import PalliumJSON
import PalliumSQLite

#if canImport(SQLite3)
    import SQLite3
#endif

/// A prepared statement of a connection.
///
/// Safety: the handle is valid until `deinit`, and only the thread that uses the connection calls it. SQLite copies text
/// that is bound, or it is used before the call that lends it returns. Text of a column is valid until the next step.
@safe
package final class SQLiteStatement {
    /// Outlives every use of the statement, because it keeps those that are not in use.
    private unowned let connection: SQLiteConnection
    private let handle: OpaquePointer

    package init(_ connection: SQLiteConnection, _ handle: OpaquePointer) {
        self.connection = connection
        unsafe self.handle = handle
    }

    deinit { unsafe sqlite3_finalize(handle) }

    /// Binds parameters, numbered from one, in their order.
    package func bind(_ values: [SQLiteValue]) throws(ModelError) {
        for (offset, value) in values.enumerated() { try bind(value, at: Int32(offset) + 1) }
    }

    package func bind(_ value: SQLiteValue, at index: Int32) throws(ModelError) {
        let code: Int32
        switch value {
        case .null: code = unsafe sqlite3_bind_null(handle, index)
        case .integer(let value): code = unsafe sqlite3_bind_int64(handle, index, value)
        case .real(let value): code = unsafe sqlite3_bind_double(handle, index, value)
        case .text(let text): code = try bindCopy(of: text, at: index)
        }
        try connection.check(code)
    }

    /// Binds a copy of a text, which SQLite frees.
    private func bindCopy(of text: String, at index: Int32) throws(ModelError) -> Int32 {
        guard text.utf8.count <= Int(Int32.max) else { return SQLiteError.Code.tooBig }
        guard let copy = unsafe SQLiteValue.copy(of: text) else { return SQLiteError.Code.noMemory }
        return unsafe sqlite3_bind_text(handle, index, copy.baseAddress, Int32(copy.count), free)
    }

    /// Runs the statement with a text that is not copied, and makes it ready to be run with another one.
    package func run(binding bytes: BorrowedBytes, at index: Int32) throws(ModelError) {
        guard bytes.count <= Int(Int32.max) else { return try connection.check(SQLiteError.Code.tooBig) }
        let start = unsafe bytes.rawBuffer.baseAddress?.assumingMemoryBound(to: CChar.self)
        try unsafe connection.check(sqlite3_bind_text(handle, index, start, Int32(bytes.count), nil))
        defer { restart(clearing: index) }
        while try step() {}
    }

    /// Goes to the next row; returns false when there is none.
    package func step() throws(ModelError) -> Bool {
        let code = unsafe sqlite3_step(handle)
        if code == SQLiteError.Code.row { return true }
        if code == SQLiteError.Code.done { return false }
        throw connection.stepError()
    }

    /// Makes the statement ready to be run again.
    package func reset() {
        // The code repeats that of the last step.
        _ = unsafe sqlite3_reset(handle)
        _ = unsafe sqlite3_clear_bindings(handle)
    }

    /// Makes the statement ready to be run again with the same parameters but one, which has no value then.
    private func restart(clearing index: Int32) {
        _ = unsafe sqlite3_reset(handle)
        _ = unsafe sqlite3_bind_null(handle, index)
    }

    // MARK: Columns, numbered from zero

    package func integer(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(handle, column) }

    /// Calls a function with the bytes of a text.
    package func withText<Result>(
        _ column: Int32, _ body: (BorrowedBytes) throws(ModelError) -> Result
    ) throws(ModelError) -> Result {
        // The text must be asked for before its length.
        let start = unsafe sqlite3_column_text(handle, column)
        let count = unsafe Int(sqlite3_column_bytes(handle, column))
        return try unsafe body(BorrowedBytes(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)))
    }

    package func text(_ column: Int32) -> String {
        guard let start = unsafe sqlite3_column_text(handle, column) else { return "" }
        let count = unsafe Int(sqlite3_column_bytes(handle, column))
        return unsafe String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    package func value(_ column: Int32) -> SQLiteValue {
        switch unsafe sqlite3_column_type(handle, column) {
        case 1: .integer(integer(column))
        case 2: .real(unsafe sqlite3_column_double(handle, column))
        case 5: .null
        default: .text(text(column))
        }
    }
}
