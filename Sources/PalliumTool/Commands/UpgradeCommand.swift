import Foundation
import Pallium

extension CommandSpec {
    static let upgrade = CommandSpec(
        name: "upgrade", summary: "bring archives of earlier versions up to date",
        usage: ["--schemas DIR [OPTION…] FILE…"],
        about: """
            Opens archives as unarchive does and writes them again, with the present versions. Each file is
            replaced as a whole or stays unchanged. The first problem ends the run.
            """,
        options: [.schemas, .validation, .maximumArchiveBytes, .help],
        examples: "pallium upgrade --schemas Schemas/github *.pallium",
        run: running(UpgradeCommand.self) { parsed throws(UsageError) in
            let arguments = try ArchiveArguments(parsed)
            if arguments.inputs.contains(where: InputFile.isStandardInput) {
                throw parsed.error("standard input cannot be upgraded: name a file")
            }
            return arguments
        })
}

/// `pallium upgrade`: upgrades archives of earlier versions in place.
struct UpgradeCommand: RunnableCommand {
    let arguments: ArchiveArguments
    let output: ByteOutput
    let run: Run

    /// Replaces each file as a whole or not at all; the first problem ends the run.
    func execute() throws(Interruption) -> ExitStatus {
        let catalog = try run.catalog(arguments.schemas)
        for path in arguments.inputs {
            let file = URL(fileURLWithPath: path)
            let bytes = Data(try run.contents(of: path))
            do throws(ModelError) {
                let name = InputFile.displayName(of: path)
                let (isChanged, count) = try run.showing("upgrading \(name)", bytes: bytes.count) {
                    () throws(ModelError) in
                    let models = try catalog.unarchiver(arguments).unarchive(arrayOf: DynamicModel.self, from: bytes)
                    let upgraded = try ModelArchiver(validates: arguments.validates).archive(models)
                    if upgraded != bytes { try upgraded.write(durablyTo: file) }
                    return (upgraded != bytes, models.count)
                }
                run.sumUp(
                    "\(name): \(isChanged ? "upgraded" : "is as it should be"), \(Quantity.count(count, "model"))")
            } catch {
                return run.status(of: error, file: path)
            }
        }
        return .success
    }
}
