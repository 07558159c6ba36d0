/// The command `pallium`: reads its arguments and runs the requested action.
struct Tool {
    static let version = "0.1.0"

    /// The output for results, unless the arguments name a file.
    let output: ByteOutput
    /// The output for messages.
    let errors: Descriptor

    /// Runs the tool, prints everything, and returns its exit status.
    func run(_ arguments: [String]) -> ExitStatus {
        do throws(UsageError) {
            return run(try Invocation(arguments))
        } catch {
            Diagnostics(errors, format: .text).say(error)
            return .misuse
        }
    }

    private func run(_ invocation: Invocation) -> ExitStatus {
        do throws(OutputError) {
            let output = if let path = invocation.output { try ByteOutput(path: path) } else { self.output }
            let status = run(invocation.action, output)
            try output.end(status)
            return status
        } catch { return Diagnostics(errors, format: .text).status(of: error) }
    }

    private func run(_ action: Action, _ output: ByteOutput) -> ExitStatus {
        let diagnostics = self.diagnostics(.text, output)
        switch action {
        case .version: return printing("pallium \(Self.version)\n", output)
        case .help(let command, let isManual):
            return printing(isManual ? ManualPage.text(for: command) : HelpText.text(for: command), output)
        case .completions(let shell): return printing(CompletionScript.text(for: shell), output)
        case .decode(let arguments):
            let diagnostics = self.diagnostics(arguments.errorFormat, output, isQuiet: arguments.isQuiet)
            return DecodeCommand(arguments: arguments, output: output, diagnostics: diagnostics).run()
        case .show(let arguments):
            return ShowCommand(arguments: arguments, output: output, diagnostics: diagnostics).run()
        case .diff(let arguments):
            return DiffCommand(arguments: arguments, output: output, diagnostics: diagnostics).run()
        case .merge(let arguments):
            return MergeCommand(arguments: arguments, output: output, diagnostics: diagnostics).run()
        case .archive(let arguments):
            return ArchiveCommand(arguments: arguments, output: output, diagnostics: diagnostics).run()
        case .unarchive(let arguments):
            return UnarchiveCommand(arguments: arguments, output: output, diagnostics: diagnostics).run()
        case .inspect(let arguments):
            return InspectCommand(arguments: arguments, output: output, diagnostics: diagnostics).run()
        case .upgrade(let arguments):
            return UpgradeCommand(arguments: arguments, diagnostics: diagnostics).run()
        case .check(let arguments):
            return CheckCommand(arguments: arguments, output: output, diagnostics: diagnostics).run()
        case .generate(let arguments):
            return GenerateCommand(arguments: arguments, output: output, diagnostics: diagnostics).run()
        case .infer(let arguments):
            let diagnostics = self.diagnostics(arguments.errorFormat, output)
            return InferCommand(arguments: arguments, output: output, diagnostics: diagnostics).run()
        case .sample(let arguments):
            return SampleCommand(arguments: arguments, output: output, diagnostics: diagnostics).run()
        case .laws(let arguments):
            return LawsCommand(arguments: arguments, output: output, diagnostics: diagnostics).run()
        case .compare(let arguments):
            return CompareCommand(arguments: arguments, output: output, diagnostics: diagnostics).run()
        case .drift(let arguments):
            return DriftCommand(arguments: arguments, output: output, diagnostics: diagnostics).run()
        case .export(let arguments):
            return ExportCommand(arguments: arguments, output: output, diagnostics: diagnostics).run()
        case .import(let arguments):
            return ImportCommand(arguments: arguments, output: output, diagnostics: diagnostics).run()
        case .storeImport(let arguments):
            let diagnostics = self.diagnostics(arguments.errorFormat, output)
            return StoreImportCommand(arguments: arguments, diagnostics: diagnostics).run()
        case .storeQuery(let arguments):
            return StoreQueryCommand(arguments: arguments, output: output, diagnostics: diagnostics).run()
        case .storeDump(let arguments):
            return StoreDumpCommand(arguments: arguments, output: output, diagnostics: diagnostics).run()
        case .storeUpgrade(let arguments):
            return StoreUpkeepCommand(arguments: arguments, diagnostics: diagnostics).upgrade()
        case .storeCheck(let arguments):
            let diagnostics = self.diagnostics(arguments.errorFormat, output)
            return StoreUpkeepCommand(arguments: arguments, diagnostics: diagnostics).check()
        case .storeBackup(let arguments):
            return StoreUpkeepCommand(arguments: arguments, diagnostics: diagnostics).backUp()
        }
    }

    /// Makes diagnostics whose progress does not get into the results if both go to one terminal.
    private func diagnostics(_ format: ErrorFormat, _ output: ByteOutput, isQuiet: Bool = false) -> Diagnostics {
        let diagnostics = Diagnostics(errors, format: format, isQuiet: isQuiet)
        output.status = diagnostics.status
        return diagnostics
    }

    private func printing(_ text: String, _ output: ByteOutput) -> ExitStatus {
        do throws(Interruption) {
            try output.finish(text)
            return .success
        } catch {
            return Diagnostics(errors, format: .text).status(of: error)
        }
    }
}
