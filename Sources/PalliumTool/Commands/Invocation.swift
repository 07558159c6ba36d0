import Pallium
import PalliumGeneration

/// What the arguments request: an action, and where its results and messages go.
struct Invocation {
    /// Returns the exit status; reports problems, unless they interrupt it.
    typealias Action = (ByteOutput, Diagnostics) throws(Interruption) -> ExitStatus

    let action: Action
    /// The file to write; nil for standard output.
    var output: String?
    var errorFormat = ErrorFormat.text
    /// Whether nothing is said of how far the run is.
    var isQuiet = false
    /// The largest number of bytes of a document; nil for the adapter's.
    var maximumBytes: Int?

    /// Reads the arguments that follow the tool's name.
    ///
    /// - Throws: ``UsageError`` with the first mistake.
    init(_ arguments: [String]) throws(UsageError) {
        guard let first = arguments.first else {
            throw UsageError(message: "a command is missing: \(Self.listed(Command.principal.map(\.rawValue)))")
        }
        if Option.version.isCalled(first) {
            action = Self.printing("pallium \(Tool.version)\n")
        } else if Option.help.isCalled(first) {
            action = Self.printing(HelpText.text(for: nil))
        } else if first.utf8.first != UInt8(ascii: "-") {
            var rest = arguments[...]
            let command = try Command(takingFrom: &rest)
            let parsed = try ParsedArguments(Array(rest), of: command)
            if command != .help, parsed.has(.help) {
                action = Self.printing(HelpText.text(for: command))
                return
            }
            action = try Self.action(parsed)
            // A folder of generated files may be called as a document is.
            output = command == .generate ? nil : parsed.output
            errorFormat = try parsed.choice(.errors, default: .text)
            isQuiet = parsed.has(.quiet)
            // One byte more can be read.
            maximumBytes = try parsed.number(.maximumBytes, from: 1).map { min($0, .max - 1) }
        } else {
            throw UsageError(
                message: "unknown option \(ModelError.shorten(first, to: 64))",
                suggestion: ModelError.nearest(to: first, among: [Option.help.name, Option.version.name])
                    ?? Self.commandWithOption(first))
        }
    }

    private static func action(_ parsed: ParsedArguments) throws(UsageError) -> Action {
        switch parsed.command {
        case .decode: return action(DecodeCommand.self, try DecodeArguments(parsed))
        case .show: return action(ShowCommand.self, try SourceArguments(parsed))
        case .diff: return action(DiffCommand.self, try DiffArguments(parsed))
        case .merge: return action(MergeCommand.self, try MergeArguments(parsed))
        case .archive: return action(ArchiveCommand.self, try ArchivingArguments(parsed))
        case .unarchive: return action(UnarchiveCommand.self, try ArchiveArguments(parsed))
        case .inspect: return action(InspectCommand.self, try ArchiveArguments(parsed))
        case .upgrade: return action(UpgradeCommand.self, try ArchiveArguments(parsed))
        case .check: return action(CheckCommand.self, try CheckArguments(parsed))
        case .generate: return action(GenerateCommand.self, try ClassGeneration(parsed))
        case .infer: return action(InferCommand.self, try InferArguments(parsed))
        case .sample: return action(SampleCommand.self, try SampleArguments(parsed))
        case .laws: return action(LawsCommand.self, try SampleArguments(parsed))
        case .compare: return action(CompareCommand.self, try CompareArguments(parsed))
        case .drift: return action(DriftCommand.self, try DriftArguments(parsed))
        case .export: return action(ExportCommand.self, try ExportArguments(parsed))
        case .import: return action(ImportCommand.self, try ImportArguments(parsed))
        case .store:
            throw parsed.error("store needs another command: \(listed(parsed.command.subcommands.map(\.word)))")
        case .storeImport: return action(StoreImportCommand.self, try StoreArguments(parsed))
        case .storeQuery: return action(StoreQueryCommand.self, try QueryArguments(parsed))
        case .storeDump: return action(StoreDumpCommand.self, try StoreArguments(parsed))
        case .storeDelete: return action(StoreDeleteCommand.self, try QueryArguments(parsed))
        case .storeUpgrade, .storeCheck, .storeBackup:
            return action(StoreUpkeepCommand.self, try StoreArguments(parsed))
        case .completions:
            guard parsed.operands.count == 1, let name = parsed.operands.first,
                let shell = Shell.allCases.first(where: { name.utf8.elementsEqual($0.rawValue.utf8) })
            else {
                throw parsed.error(
                    "completions needs the name of a shell: \(listed(Shell.allCases.map(\.rawValue)))")
            }
            return printing(CompletionScript.text(for: shell))
        case .help:
            var operands = parsed.operands[...]
            var subject = parsed.has(.help) ? Command.help : nil
            if !operands.isEmpty { subject = try Command(takingFrom: &operands) }
            if !operands.isEmpty { throw parsed.error("help explains one command at a time") }
            return printing(parsed.has(.manual) ? ManualPage.text(for: subject) : HelpText.text(for: subject))
        }
    }

    private static func action<Runnable: RunnableCommand>(
        _ type: Runnable.Type, _ arguments: Runnable.Arguments
    ) -> Action {
        { output, diagnostics throws(Interruption) in
            try type.init(arguments: arguments, output: output, diagnostics: diagnostics).run()
        }
    }

    private static func printing(_ text: String) -> Action {
        { output, _ throws(Interruption) in
            try output.finish(text)
            return .success
        }
    }

    /// Returns the command that was forgotten before one of its options.
    private static func commandWithOption(_ argument: String) -> String? {
        let name = Substring(argument.utf8.prefix { $0 != UInt8(ascii: "=") })
        return Command.allCases.first { command in command.options.contains { $0.isCalled(name) } }
            .map { "pallium \($0.rawValue) \(name)" }
    }

    private static func listed(_ names: [String]) -> String {
        names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
    }
}

/// A command with its arguments.
protocol RunnableCommand {
    associatedtype Arguments

    init(arguments: Arguments, output: ByteOutput, diagnostics: Diagnostics)

    /// Runs the command; returns the exit status.
    ///
    /// - Throws: ``Interruption`` if it ends early.
    func run() throws(Interruption) -> ExitStatus
}
