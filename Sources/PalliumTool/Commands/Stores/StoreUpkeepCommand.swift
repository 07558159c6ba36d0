import Foundation
import Pallium
import PalliumStore

/// `pallium store upgrade`, `store check` and `store backup`.
struct StoreUpkeepCommand: RunnableCommand {
    let arguments: StoreArguments
    let output: ByteOutput
    let diagnostics: Diagnostics

    func run() throws(Interruption) -> ExitStatus {
        switch arguments.command {
        case .storeUpgrade: try upgrade()
        case .storeCheck: try check()
        default: try backUp()
        }
    }

    private var name: String { InputFile.displayName(of: arguments.store) }

    /// Upgrades rows of earlier versions. What is done stays if the run is interrupted.
    private func upgrade() throws(Interruption) -> ExitStatus {
        let catalog = try diagnostics.catalog(arguments.schemas)
        return try diagnostics.withStore(arguments.store, catalog.registry, isReadOnly: false) {
            store throws(ModelError) in
            var progress = Progress(activity: "upgrading \(name)", total: nil, of: "model", diagnostics: diagnostics)
            defer { progress.end() }
            let changes = try store.upgrade { progress.advance(to: $0.completed, of: $0.total) }
            diagnostics.sumUp("\(name): \(Quantity.count(changes.updated, "model")) upgraded")
            return .success
        }
    }

    /// Reports what is wrong with a store.
    private func check() throws(Interruption) -> ExitStatus {
        let catalog = try diagnostics.catalog(arguments.schemas)
        return try diagnostics.withStore(arguments.store, catalog.registry) { store throws(ModelError) in
            var progress = Progress(activity: "checking \(name)", total: nil, of: "model", diagnostics: diagnostics)
            defer { progress.end() }
            let problems = try store.integrityCheck { progress.advance(to: $0.completed, of: $0.total) }
            diagnostics.report(problems, file: name, location: nil)
            diagnostics.sumUp("\(name): \(Quantity.count(problems.count, "problem"))")
            return problems.isEmpty ? .success : .problems
        }
    }

    /// Writes one state of a store to another file.
    private func backUp() throws(Interruption) -> ExitStatus {
        let copy = arguments.files[0]
        return try diagnostics.withStore(arguments.store, SchemaRegistry()) { store throws(ModelError) in
            do throws(ModelError) {
                try diagnostics.showing("copying \(name)", bytes: Self.size(of: arguments.store)) {
                    () throws(ModelError) in
                    try store.backup(to: URL(fileURLWithPath: copy))
                }
                return .success
            } catch {
                return diagnostics.status(of: error, file: error.code == .unwritableFile ? copy : arguments.store)
            }
        }
    }

    /// The size of a file in bytes; zero if there is none. To open a store that SQLite has open would drop its locks.
    private static func size(of path: String) -> Int {
        (try? URL(fileURLWithPath: path).resourceValues(forKeys: [.fileSizeKey]).fileSize) ?? 0
    }
}
