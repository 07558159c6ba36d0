import Foundation
import Pallium
import PalliumStore

extension CommandSpec {
    static let storeUpgrade = CommandSpec(
        name: "store upgrade", summary: "bring rows of earlier versions up to date",
        usage: ["--schemas DIR STORE"],
        about: """
            Writes the rows of earlier versions of their schemas anew, by the steps that the schemas declare.
            What is done stays if the run is interrupted.
            """,
        options: [.schemas, .help],
        problems: "the data or the store has problems",
        examples: "pallium store upgrade --schemas Schemas issues.store",
        run: running(StoreUpkeepCommand.self) { parsed throws(UsageError) in (.upgrade, try StoreArguments(parsed)) })

    static let storeCheck = CommandSpec(
        name: "store check", summary: "find what is wrong with a store",
        usage: ["--schemas DIR [OPTION…] STORE"],
        about: """
            Reports damage of the file, rows with a wrong checksum or that cannot be read, columns that differ
            from their rows, and tables without a schema. The pointer of a problem has the table and the
            identity of the row. After 100 problems of a table, the next one is checked.
            """,
        options: [.schemas, .errors, .help],
        problems: "the store has problems",
        examples: "pallium store check --schemas Schemas issues.store",
        run: running(StoreUpkeepCommand.self) { parsed throws(UsageError) in (.check, try StoreArguments(parsed)) })

    static let storeBackup = CommandSpec(
        name: "store backup", summary: "write one state of a store to another file, also while others write",
        usage: ["STORE FILE"],
        about: """
            FILE becomes a store without other files beside it. A file of the name is replaced as a whole or
            stays as it was.
            """,
        options: [.help],
        problems: "the data or the store has problems",
        examples: "pallium store backup issues.store issues-2026-01-31.store",
        run: running(StoreUpkeepCommand.self) { parsed throws(UsageError) in
            (.backup, try StoreArguments(parsed, files: 2...2, "the file of a store, and one for the copy: STORE FILE"))
        })
}

/// `pallium store upgrade`, `store check` and `store backup`.
struct StoreUpkeepCommand: RunnableCommand {
    /// The kinds of upkeep.
    enum Task { case upgrade, check, backup }

    let arguments: (task: Task, store: StoreArguments)
    let output: ByteOutput
    let run: Run

    func execute() throws(Interruption) -> ExitStatus {
        switch arguments.task {
        case .upgrade: try upgrade()
        case .check: try check()
        case .backup: try backUp()
        }
    }

    private var store: String { arguments.store.store }
    private var name: String { InputFile.displayName(of: store) }

    private func catalog() throws(Interruption) -> SchemaCatalog { try run.catalog(arguments.store.schemas) }

    /// Upgrades rows of earlier versions. What is done stays if the run is interrupted.
    private func upgrade() throws(Interruption) -> ExitStatus {
        let catalog = try catalog()
        return try run.withStore(store, catalog.registry, isReadOnly: false) {
            store throws(ModelError) in
            var progress = Progress(activity: "upgrading \(name)", total: nil, of: "model", run: run)
            defer { progress.end() }
            let changes = try store.upgrade { progress.advance(to: $0.completed, of: $0.total) }
            run.sumUp("\(name): \(Quantity.count(changes.updated, "model")) upgraded")
            return .success
        }
    }

    /// Reports what is wrong with a store.
    private func check() throws(Interruption) -> ExitStatus {
        let catalog = try catalog()
        return try run.withStore(store, catalog.registry) { store throws(ModelError) in
            var progress = Progress(activity: "checking \(name)", total: nil, of: "model", run: run)
            defer { progress.end() }
            let problems = try store.integrityCheck { progress.advance(to: $0.completed, of: $0.total) }
            run.report(problems, file: name, location: nil)
            run.sumUp("\(name): \(Quantity.count(problems.count, "problem"))")
            return problems.isEmpty ? .success : .problems
        }
    }

    /// Writes one state of a store to another file.
    private func backUp() throws(Interruption) -> ExitStatus {
        let copy = arguments.store.files[0]
        return try run.withStore(store, SchemaRegistry()) { opened throws(ModelError) in
            do throws(ModelError) {
                try run.showing("copying \(name)", bytes: Self.size(of: store)) {
                    () throws(ModelError) in
                    try opened.backup(to: URL(fileURLWithPath: copy))
                }
                return .success
            } catch {
                return run.status(of: error, file: error.code == .unwritableFile ? copy : store)
            }
        }
    }

    /// The size of a file in bytes; zero if there is none. To open a store that SQLite has open would drop its locks.
    private static func size(of path: String) -> Int {
        (try? URL(fileURLWithPath: path).resourceValues(forKeys: [.fileSizeKey]).fileSize) ?? 0
    }
}
