import Foundation
package import PalliumCore
import PalliumJSON
import PalliumSQLite

#if canImport(SQLite3)
    import SQLite3
#endif

/// An open database, used by one thread at a time.
///
/// It trusts nothing in the file: triggers, views and functions in the schema of a hostile database do not run.
///
/// Safety: the handle is valid until `deinit`, and SQLite frees it after the last statement. The caller sees to it that no two
/// threads use the connection at once.
@safe
package final class SQLiteConnection {
    /// How a database is opened.
    package enum Mode {
        /// Made if there is none.
        case writing
        /// An existing one, which other connections of the program may write.
        case reading
        /// An existing one, which nobody writes through this program.
        case readOnly
    }

    private let handle: OpaquePointer
    /// Whether the database has no file, and so no other connection.
    package let isInMemory: Bool
    /// The statements that are not in use, those that were used last at the end, where they are searched for first.
    private var statements: [(sql: String, statement: SQLiteStatement)] = []
    /// How many statements have run.
    package private(set) var statementCount = 0
    /// How many statements are kept.
    private static let maximumStatements = 128

    /// Whether a transaction is to be open. SQLite ends one by itself after some errors, such as a full disk; statements that
    /// come later would then be committed one by one.
    package var expectsTransaction = false

    /// Opens a database.
    ///
    /// - Parameter path: The path of the file; nil for a database in memory.
    package init(_ path: String?, _ mode: Mode, busyTimeout: Duration) throws(ModelError) {
        // SQLITE_OPEN_READWRITE | CREATE or READONLY, NOMUTEX, EXRESCODE.
        let access: Int32 = mode == .writing ? 0x6 : mode == .reading ? 0x2 : 0x1
        var opened: OpaquePointer?
        let code = unsafe sqlite3_open_v2(path ?? ":memory:", &opened, access | 0x8000 | 0x0200_0000, nil)
        guard let opened = unsafe opened else { throw SQLiteError(code: code, message: "no memory").modelError }
        unsafe handle = opened
        isInMemory = path == nil
        guard code == SQLiteError.Code.ok else { throw error() }
        // DEFENSIVE on; TRUSTED_SCHEMA, ENABLE_TRIGGER and ENABLE_VIEW off; DQS_DML and DQS_DDL off, so that a column that is
        // missing is an error and not a text.
        let options: [(Int32, Int32)] = [(1010, 1), (1017, 0), (1003, 0), (1015, 0), (1013, 0), (1014, 0)]
        for (option, isOn) in options {
            _ = unsafe palliumSQLiteConfigure(handle, option, isOn)
        }
        let milliseconds = (busyTimeout / .milliseconds(1)).rounded()
        _ = unsafe sqlite3_busy_timeout(handle, Int32(min(max(milliseconds, 0), Double(Int32.max))))
    }

    deinit { unsafe sqlite3_close_v2(handle) }

    // MARK: Errors

    package func check(_ code: Int32) throws(ModelError) {
        if code == SQLiteError.Code.ok { return }
        throw error(code)
    }

    /// The error of the last call that failed.
    package func error(_ code: Int32? = nil) -> ModelError { sqliteError(code).modelError }

    private func sqliteError(_ code: Int32?) -> SQLiteError {
        let last = unsafe sqlite3_extended_errcode(handle)
        if let code, last & 0xFF != code & 0xFF {
            return SQLiteError(code: code, message: unsafe String(cString: sqlite3_errstr(code)))
        }
        return SQLiteError(code: last, message: unsafe String(cString: sqlite3_errmsg(handle)))
    }

    // MARK: Functions

    /// The functions that statements call, by their names.
    private var functions: [String: SQLiteFunction] = [:]

    /// Adds a function, unless there is one of the name.
    func addFunction(
        _ name: String, argumentCount: Int32, _ body: @escaping SQLiteFunction.Body
    ) throws(ModelError) {
        if functions[name] != nil { return }
        let (code, function) = unsafe SQLiteFunction.add(name, argumentCount: argumentCount, to: handle, body)
        try check(code)
        functions[name] = function
    }

    /// Returns the error of a step: the one of a function that it called, or SQLite's.
    func stepError() -> ModelError {
        for function in functions.values { if let error = function.takeError() { return error } }
        return error()
    }

    // MARK: Statements

    /// Runs a statement and ignores its rows.
    package func execute(_ sql: String, _ values: [SQLiteValue] = []) throws(ModelError) {
        try withStatement(sql) { statement throws(ModelError) in
            try statement.bind(values)
            while try statement.step() {}
        }
    }

    /// Returns the first row of a statement; nil when it has none.
    package func firstRow<Result>(
        _ sql: String, _ values: [SQLiteValue] = [], _ body: (SQLiteStatement) throws(ModelError) -> Result
    ) throws(ModelError) -> Result? {
        try withStatement(sql) { statement throws(ModelError) in
            try statement.bind(values)
            return try statement.step() ? try body(statement) : nil
        }
    }

    /// Returns the number in the first row of a statement; nil when it has none.
    package func integer(_ sql: String, _ values: [SQLiteValue] = []) throws(ModelError) -> Int64? {
        try firstRow(sql, values) { row throws(ModelError) in row.integer(0) }
    }

    /// Calls a function for each row of a statement.
    package func forEachRow(
        _ sql: String, _ values: [SQLiteValue] = [], _ body: (SQLiteStatement) throws(ModelError) -> Void
    ) throws(ModelError) {
        try withStatement(sql) { statement throws(ModelError) in
            try statement.bind(values)
            while try statement.step() { try body(statement) }
        }
    }

    /// Calls a function with a prepared statement, which is kept for the next call.
    ///
    /// While it is in use, another call with the same text prepares another statement.
    package func withStatement<Result>(
        _ sql: String, _ body: (SQLiteStatement) throws(ModelError) -> Result
    ) throws(ModelError) -> Result {
        let statement = try takeStatement(sql)
        defer { keep(statement, sql) }
        return try body(statement)
    }

    /// Returns a prepared statement, which nobody else uses until it is kept again.
    ///
    /// - Throws: ``ModelError`` with the code `unwritableFile` if SQLite has ended the transaction.
    package func takeStatement(_ sql: String) throws(ModelError) -> SQLiteStatement {
        guard !expectsTransaction || isInTransaction else {
            throw ModelError(
                .unwritableFile, expected: "a transaction that is open", found: "one that an error before has ended")
        }
        statementCount += 1
        guard let index = statements.lastIndex(where: { UTF8Text.equal($0.sql, sql) }) else { return try prepare(sql) }
        return statements.remove(at: index).statement
    }

    /// Keeps a statement for its next use.
    package func keep(_ statement: SQLiteStatement, _ sql: String) {
        statement.reset()
        if statements.count == Self.maximumStatements { statements.removeFirst() }
        statements.append((sql, statement))
    }

    /// Calls a function whose statements see one state of the database, those of other connections notwithstanding.
    ///
    /// - Parameter isNeeded: False if the function runs one statement, which sees one state anyway.
    package func snapshot<Result>(
        if isNeeded: Bool = true, _ body: () throws(ModelError) -> Result
    ) throws(ModelError) -> Result {
        if !isNeeded || isInTransaction { return try body() }
        try execute("BEGIN")
        defer { try? execute("COMMIT") }
        return try body()
    }

    private func prepare(_ sql: String) throws(ModelError) -> SQLiteStatement {
        guard !sql.utf8.contains(0) else {
            throw ModelError(.unknownKey, expected: "names without a null character", found: ModelError.quote(sql))
        }
        var prepared: OpaquePointer?
        // SQLITE_PREPARE_PERSISTENT.
        try unsafe check(sqlite3_prepare_v3(handle, sql, -1, 1, &prepared, nil))
        guard let prepared = unsafe prepared else { throw error() }
        return unsafe SQLiteStatement(self, prepared)
    }

    /// The number of rows that the last statement changed.
    package var changeCount: Int { unsafe Int(sqlite3_changes(handle)) }

    /// The number of rows that all statements changed.
    package var totalChangeCount: Int { unsafe Int(sqlite3_total_changes(handle)) }

    /// Whether a transaction is open.
    package var isInTransaction: Bool { unsafe sqlite3_get_autocommit(handle) == 0 }

    /// The version of the library, such as 3040001.
    package static var libraryVersion: Int { Int(sqlite3_libversion_number()) }
}
