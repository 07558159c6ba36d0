import PalliumCore
import PalliumSQLite

#if canImport(SQLite3)
    import SQLite3
#endif

/// The message of SQLite that underlies a ``ModelError`` of a store.
public struct SQLiteError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The extended result code of SQLite.
    public let code: Int32
    /// The message of SQLite.
    public let message: String

    /// The message and the code.
    public var description: String { "\(message) (SQLite \(code))" }

    /// The code without its extension.
    var primaryCode: Int32 { code & 0xFF }

    /// Whether a value that must be unique is not.
    var isCollision: Bool { Code.uniqueConstraints.contains(code) }

    /// The codes that a store tells apart, as the documentation of SQLite numbers them.
    enum Code {
        static let ok: Int32 = 0
        static let error: Int32 = 1
        static let busy: Int32 = 5
        static let locked: Int32 = 6
        static let noMemory: Int32 = 7
        static let readOnly: Int32 = 8
        static let needsRollback: Int32 = 776
        static let inputOutput: Int32 = 10
        static let corrupt: Int32 = 11
        static let full: Int32 = 13
        static let cannotOpen: Int32 = 14
        static let tooBig: Int32 = 18
        static let constraint: Int32 = 19
        static let permission: Int32 = 3
        /// Of an index, a primary key and a row number.
        static let uniqueConstraints: [Int32] = [2067, 1555, 2579]
        static let notADatabase: Int32 = 26
        static let row: Int32 = 100
        static let done: Int32 = 101
        /// A failed read, a short one, and one that the disk refuses.
        static let readFailures: [Int32] = [266, 522, 8458]
    }

    /// The error for programs: what was expected, what was found.
    var modelError: ModelError {
        switch primaryCode {
        case Code.busy, Code.locked:
            error(.busy, expected: "the lock of the store within the busy timeout", found: "another writer; try again")
        case Code.full: error(.unwritableFile, expected: "room for the store", found: "a full disk")
        case Code.readOnly where code == Code.needsRollback:
            error(
                .unreadableFile, expected: "a store whose last writer has ended its work",
                found: "changes of one that died, which cannot be undone here: open the store where it can be written")
        case Code.readOnly: error(.unwritableFile, expected: "a store that can be written", found: "a read-only one")
        case Code.inputOutput where Code.readFailures.contains(code):
            error(.unreadableFile, expected: "a file that can be read", found: "an error of the system")
        case Code.inputOutput, Code.noMemory:
            error(.unwritableFile, expected: "a file that can be written", found: "an error of the system")
        case Code.cannotOpen, Code.permission:
            error(.unreadableFile, expected: "a file that can be opened", found: "one that cannot")
        case Code.corrupt: error(.malformedStore, expected: "an undamaged store", found: "a damaged one")
        case Code.notADatabase: error(.malformedStore, expected: "a store", found: "a file that is no database")
        case Code.tooBig: error(.limitExceeded, expected: "a row that SQLite can hold", found: "a larger one")
        case Code.constraint where isCollision:
            error(.conflict, expected: "values that no other row has", found: "one that another has")
        default:
            error(
                .malformedStore, expected: "a store that SQLite can work with",
                found: ModelError.shorten(message, to: 200))
        }
    }

    private func error(_ code: ModelError.Code, expected: String, found: String) -> ModelError {
        ModelError(code, expected: expected, found: found, underlying: self)
    }
}
