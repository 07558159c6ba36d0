import Foundation
import Pallium

/// `pallium upgrade`: upgrades archives of earlier versions in place.
struct UpgradeCommand {
    let arguments: ArchiveArguments
    let diagnostics: Diagnostics

    /// Runs the command. Each file is replaced as a whole or not at all; the first problem ends the run.
    func run() -> ExitStatus {
        guard let catalog = diagnostics.catalog(path: arguments.schemas ?? "") else { return .misuse }
        for path in arguments.inputs {
            let file = URL(fileURLWithPath: path)
            do throws(ModelError) {
                let bytes = try Data(durableFile: file)
                let models = try catalog.unarchiver(arguments).unarchive(arrayOf: DynamicModel.self, from: bytes)
                let upgraded = try ModelArchiver(validates: arguments.validates).archive(models)
                let isChanged = upgraded != bytes
                if isChanged { try upgraded.write(durablyTo: file) }
                diagnostics.sumUp(
                    "\(InputFile.displayName(of: path)): \(isChanged ? "upgraded" : "is as it should be"), "
                        + Quantity.count(models.count, "model"))
            } catch {
                return diagnostics.status(of: error, file: path)
            }
        }
        return .success
    }
}
