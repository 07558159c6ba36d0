import Foundation
import PalliumCore
import PalliumSQLite

#if canImport(SQLite3)
    import SQLite3
#endif

/// A function that statements of a connection call.
///
/// Safety: SQLite keeps the function as long as the connection, and lends arguments for the call. Text that is returned is
/// a copy, which SQLite frees.
@safe
final class SQLiteFunction {
    typealias Body = ([SQLiteValue]) throws(ModelError) -> SQLiteValue

    private let body: Body
    /// The error of the last call, which the statement throws.
    private var error: ModelError?

    private init(_ body: @escaping Body) { self.body = body }

    /// Takes the error of a statement that failed in the function.
    func takeError() -> ModelError? {
        defer { error = nil }
        return error
    }

    /// Adds a function to a database. Views, triggers and indexes cannot call it.
    static func add(
        _ name: String, argumentCount: Int32, to database: OpaquePointer, _ body: @escaping Body
    ) -> (code: Int32, function: SQLiteFunction) {
        let function = SQLiteFunction(body)
        let data = unsafe Unmanaged.passRetained(function).toOpaque()
        // SQLITE_UTF8, SQLITE_DETERMINISTIC, SQLITE_DIRECTONLY.
        let flags: Int32 = 0x1 | 0x800 | 0x8_0000
        let code = unsafe sqlite3_create_function_v2(
            database, name, argumentCount, flags, data,
            { context, count, arguments in
                guard let context = unsafe context, let data = unsafe sqlite3_user_data(context) else { return }
                let function = unsafe Unmanaged<SQLiteFunction>.fromOpaque(data).takeUnretainedValue()
                var values: [SQLiteValue] = []
                for index in 0..<Int(count) { values.append(unsafe SQLiteFunction.value(arguments?[index])) }
                unsafe function.run(values, context)
            }, nil, nil,
            { data in
                if let data = unsafe data { unsafe Unmanaged<SQLiteFunction>.fromOpaque(data).release() }
            })
        return (code, function)
    }

    private func run(_ values: [SQLiteValue], _ context: OpaquePointer) {
        do throws(ModelError) {
            switch try body(values) {
            case .null: unsafe sqlite3_result_null(context)
            case .integer(let value): unsafe sqlite3_result_int64(context, value)
            case .real(let value): unsafe sqlite3_result_double(context, value)
            case .text(let text):
                guard text.utf8.count <= Int(Int32.max), let copy = unsafe SQLiteValue.copy(of: text) else {
                    return unsafe sqlite3_result_error_code(context, SQLiteError.Code.noMemory)
                }
                unsafe sqlite3_result_text(context, copy.baseAddress, Int32(copy.count), free)
            }
        } catch {
            self.error = error
            unsafe sqlite3_result_error_code(context, SQLiteError.Code.error)
        }
    }

    private static func value(_ argument: OpaquePointer?) -> SQLiteValue {
        switch unsafe sqlite3_value_type(argument) {
        case 1: return .integer(unsafe sqlite3_value_int64(argument))
        case 2: return .real(unsafe sqlite3_value_double(argument))
        case 5: return .null
        default:
            // The text must be asked for before its length.
            guard let start = unsafe sqlite3_value_text(argument) else { return .null }
            let count = unsafe Int(sqlite3_value_bytes(argument))
            return .text(unsafe String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self))
        }
    }
}
