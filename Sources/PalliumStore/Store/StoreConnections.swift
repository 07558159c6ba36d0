import Foundation
import PalliumCore
import PalliumJSON

/// The connections of a store: one that writes, and as many that read as threads read at once.
final class StoreConnections: @unchecked Sendable {
    // @unchecked: the writer is used under `lock` only, and a reader only by the thread that took it from `readers`.

    private let path: String?
    private let options: ModelStoreOptions
    /// Recursive, so that a transaction may contain others.
    private let lock = NSRecursiveLock()
    /// Nil for a store that is only read.
    private let writer: SQLiteConnection?
    private let readers = Lock<[Transferred]>([])
    /// Nil for a store in memory.
    let file: OpenedFile?
    let commits: CommitSignal

    /// A connection that passes from one thread to another.
    struct Transferred: @unchecked Sendable {
        // @unchecked: only one thread has it at a time.
        let connection: SQLiteConnection

        init(_ connection: SQLiteConnection) { self.connection = connection }
    }

    init(_ path: String?, _ options: ModelStoreOptions) throws(ModelError) {
        self.path = path
        self.options = options
        let isNew = path.map { !OpenedFile.exists($0) } ?? false
        writer =
            options.isReadOnly ? nil : try SQLiteConnection(path, .writing, busyTimeout: options.busyTimeout)
        let file = try path.map { path throws(ModelError) in try OpenedFile(path) }
        self.file = file
        commits = CommitSignal(
            interval: options.pollingInterval,
            foreign: file.map { ForeignCommits($0, busyTimeout: options.busyTimeout) })
        if let writer {
            do throws(ModelError) { try prepare(writer) } catch {
                // Such as a full disk. Nobody has asked for a store without anything in it.
                if isNew, error.code == .unwritableFile { file?.removeIfEmpty() }
                throw error
            }
        } else {
            do throws(ModelError) { try checkFormat() } catch {
                guard (error.underlying as? SQLiteError)?.code == SQLiteError.Code.needsRollback else { throw error }
                // A connection that may write undoes what a dead writer left, when it reads.
                let connection = try SQLiteConnection(path, .reading, busyTimeout: options.busyTimeout)
                try StoreSchema(connection).checkFormat(mayWrite: false)
                try checkFormat()
            }
        }
    }

    private func checkFormat() throws(ModelError) {
        try read { connection throws(ModelError) in try StoreSchema(connection).checkFormat(mayWrite: false) }
    }

    private func prepare(_ connection: SQLiteConnection) throws(ModelError) {
        // Two programs may make the same file at once, and SQLite does not wait for the change of the journal.
        let deadline = ContinuousClock.now + options.busyTimeout
        while true {
            do throws(ModelError) {
                // Before the journal changes: the file may be a database of another program.
                try StoreSchema(connection).checkFormat(mayWrite: false)
                try connection.execute("PRAGMA journal_mode = WAL")
                break
            } catch {
                guard error.code == .busy, ContinuousClock.now < deadline else { throw error }
                Thread.sleep(forTimeInterval: 0.005)
            }
        }
        try connection.execute("PRAGMA synchronous = \(options.durability == .power ? "FULL" : "NORMAL")")
        try transaction { connection throws(ModelError) in try StoreSchema(connection).checkFormat(mayWrite: true) }
    }

    // MARK: Reading

    /// Calls a function with a connection that reads. That of a store in memory is the only one.
    func read<Result>(_ body: (SQLiteConnection) throws(ModelError) -> Result) throws(ModelError) -> Result {
        guard path != nil else {
            // A database in memory has one connection.
            try takeLock()
            defer { lock.unlock() }
            guard let writer else { throw Self.readOnly }
            return try body(writer)
        }
        try file?.checkProcess()
        let reader: SQLiteConnection
        if let idle = readers.withLock({ $0.popLast() }) {
            reader = idle.connection
        } else {
            reader = try SQLiteConnection(
                path, options.isReadOnly ? .readOnly : .reading, busyTimeout: options.busyTimeout)
            try reader.execute(Self.refuseWrites)
        }
        let transferred = Transferred(reader)
        let count = options.maximumIdleReaders
        defer { readers.withLock { if $0.count < count { $0.append(transferred) } } }
        return try body(reader)
    }

    private static let refuseWrites = "PRAGMA query_only = 1"

    /// Writes a copy of the database into an empty file.
    func copy(to target: String) throws(ModelError) {
        try read { connection throws(ModelError) in
            let isReader = connection !== writer
            if connection.isInTransaction {
                throw ModelError(
                    .conflict, expected: "a copy outside of transactions", found: "a transaction of the store in memory"
                )
            }
            // SQLite takes the copy for a write.
            if isReader { try connection.execute("PRAGMA query_only = 0") }
            defer { if isReader { try? connection.execute(Self.refuseWrites) } }
            try connection.execute("VACUUM INTO ?1", [.text(target)])
        }
    }

    /// Lets a connection that reads see what was committed meanwhile.
    func renewSnapshot(_ connection: SQLiteConnection) throws(ModelError) {
        guard connection !== writer, connection.isInTransaction else { return }
        try connection.execute("COMMIT")
        try connection.execute("BEGIN")
    }

    // MARK: Writing

    private static var readOnly: ModelError {
        ModelError(.unwritableFile, expected: "a store that can be written", found: "one that was opened to be read")
    }

    /// Calls a function in a transaction, which is committed if the function returns and rolled back if it throws.
    ///
    /// Inside of another transaction of the thread it is a part of that one, which the function is told.
    ///
    /// - Parameter ended: Told whether the transaction was committed, or it or a part of it was rolled back, before another
    ///   thread can begin one.
    func transaction<Result>(
        _ body: (SQLiteConnection, _ isInner: Bool) throws(ModelError) -> Result,
        ended: (_ isCommitted: Bool) -> Void = { _ in }
    ) throws(ModelError) -> Result {
        try takeLock()
        defer { lock.unlock() }
        guard let writer else { throw Self.readOnly }
        let isInner = writer.expectsTransaction || writer.isInTransaction
        let before = writer.totalChangeCount
        try file?.checkProcess()
        try file?.checkPath()
        try writer.execute(isInner ? "SAVEPOINT inner_part" : "BEGIN IMMEDIATE")
        writer.expectsTransaction = true
        let result: Result
        do throws(ModelError) {
            result = try body(writer, isInner)
            try writer.execute(isInner ? "RELEASE inner_part" : "COMMIT")
        } catch {
            if !isInner { writer.expectsTransaction = false }
            // An error such as a full disk may have rolled back already.
            if writer.isInTransaction {
                if isInner { try? writer.execute("ROLLBACK TO inner_part") }
                try? writer.execute(isInner ? "RELEASE inner_part" : "ROLLBACK")
            }
            ended(false)
            throw error
        }
        if !isInner {
            writer.expectsTransaction = false
            ended(true)
            if writer.totalChangeCount != before { commits.send() }
        }
        return result
    }

    /// Calls a function in a transaction.
    func transaction<Result>(_ body: (SQLiteConnection) throws(ModelError) -> Result) throws(ModelError) -> Result {
        try transaction { connection, _ throws(ModelError) in try body(connection) }
    }

    /// Whether a transaction is open on this thread.
    var isInTransaction: Bool {
        guard lock.try() else { return false }
        defer { lock.unlock() }
        return writer?.expectsTransaction == true
    }

    /// - Throws: ``ModelError`` with the code `busy` if another thread does not release the lock within the timeout.
    private func takeLock() throws(ModelError) {
        guard lock.lock(before: Date(timeIntervalSinceNow: options.busyTimeout / .seconds(1))) else {
            throw SQLiteError(code: SQLiteError.Code.busy, message: "another thread writes").modelError
        }
    }
}
