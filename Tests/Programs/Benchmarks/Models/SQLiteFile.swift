import Foundation
import PalliumSQLite

#if canImport(SQLite3)
    import SQLite3
#endif

/// A database as a program without this library uses it: statements prepared once, the journal and the care for the disk
/// that stores have.
final class SQLiteFile {
    struct Failure: Error { let code: Int32 }

    private let database: OpaquePointer
    /// Statements use the database, so they end before it.
    private var statements: [SQLiteQuery] = []

    /// Makes a file.
    init(_ file: URL, creation: [String]) throws {
        var opened: OpaquePointer?
        // SQLITE_OPEN_READWRITE, CREATE and NOMUTEX.
        try Self.check(sqlite3_open_v2(file.path, &opened, 0x8006, nil))
        guard let opened else { throw Failure(code: 0) }
        database = opened
        for sql in ["PRAGMA journal_mode = WAL", "PRAGMA synchronous = NORMAL"] + creation { try query(sql).run() }
    }

    deinit {
        for statement in statements { statement.finish() }
        sqlite3_close_v2(database)
    }

    /// Prepares a statement.
    func query(_ sql: String) throws -> SQLiteQuery {
        var prepared: OpaquePointer?
        try Self.check(sqlite3_prepare_v3(database, sql, -1, 1, &prepared, nil))
        guard let prepared else { throw Failure(code: 0) }
        let query = SQLiteQuery(handle: prepared)
        statements.append(query)
        return query
    }

    static func check(_ code: Int32) throws {
        // SQLITE_OK, ROW and DONE.
        guard [0, 100, 101].contains(code) else { throw Failure(code: code) }
    }
}

/// A prepared statement of a file.
struct SQLiteQuery {
    fileprivate let handle: OpaquePointer

    fileprivate func finish() { sqlite3_finalize(handle) }

    func bind(_ number: Int, at index: Int32) { sqlite3_bind_int64(handle, index, Int64(number)) }

    /// Binds a text that outlives the run.
    func bind(_ text: UnsafeBufferPointer<UInt8>, at index: Int32) {
        let start = UnsafeRawPointer(text.baseAddress)?.assumingMemoryBound(to: CChar.self)
        sqlite3_bind_text(handle, index, start, Int32(text.count), nil)
    }

    func bind(_ text: StaticString, at index: Int32) { text.withUTF8Buffer { bind($0, at: index) } }

    /// Goes to the next row; returns false, ready for another run, if there is none.
    func step() throws -> Bool {
        let code = sqlite3_step(handle)
        try SQLiteFile.check(code)
        if code == 100 { return true }
        sqlite3_reset(handle)
        return false
    }

    /// Runs a statement whose rows do not matter.
    func run() throws { while try step() {} }

    /// The text of a column of the row, which is there until the next step.
    func text(_ column: Int32) -> UnsafeBufferPointer<UInt8> {
        let start = sqlite3_column_text(handle, column)
        return UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
    }
}
