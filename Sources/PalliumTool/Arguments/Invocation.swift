import Pallium

/// What the arguments request: an action, and the place of its output.
struct Invocation {
    let action: Action
    /// The file to write; nil for standard output.
    var output: String?
}

/// The action that the arguments request.
enum Action {
    case version
    case help(Command?, isManual: Bool)
    case decode(DecodeArguments)
    case show(SourceArguments)
    case diff(DiffArguments)
    case merge(MergeArguments)
    case archive(ArchivingArguments)
    case unarchive(ArchiveArguments)
    case inspect(ArchiveArguments)
    case upgrade(ArchiveArguments)
    case check(CheckArguments)
    case generate(GenerateArguments)
    case infer(InferArguments)
    case sample(SampleArguments)
    case laws(SampleArguments)
    case compare(CompareArguments)
    case drift(DriftArguments)
    case export(ExportArguments)
    case `import`(ImportArguments)
    case storeImport(StoreArguments)
    case storeQuery(QueryArguments)
    case storeDump(StoreArguments)
    case storeUpgrade(StoreArguments)
    case storeCheck(StoreArguments)
    case storeBackup(StoreArguments)
    case completions(Shell)
}

extension Invocation {
    /// Reads the arguments that follow the tool's name.
    ///
    /// - Throws: ``UsageError`` with the first mistake.
    init(_ arguments: [String]) throws(UsageError) {
        guard let first = arguments.first else {
            throw UsageError(message: "a command is missing: \(Self.listed(Command.principal.map(\.rawValue)))")
        }
        if Option.version.isCalled(first) {
            self.init(action: .version)
        } else if Option.help.isCalled(first) {
            self.init(action: .help(nil, isManual: false))
        } else if first.utf8.first != UInt8(ascii: "-") {
            var rest = arguments[...]
            let command = try Command(takingFrom: &rest)
            let parsed = try ParsedArguments(Array(rest), of: command)
            // A folder of generated files may be called as a document is.
            let output = command == .generate ? nil : parsed.output
            self.init(action: try Self.action(of: command, parsed), output: parsed.has(.help) ? nil : output)
        } else {
            throw UsageError(
                message: "unknown option \(PrintableText.escape(first, limit: 64))",
                suggestion: ModelError.nearest(to: first, among: [Option.help.name, Option.version.name])
                    ?? Self.commandWithOption(first))
        }
    }

    private static func action(of command: Command, _ parsed: ParsedArguments) throws(UsageError) -> Action {
        if command != .help, parsed.has(.help) { return .help(command, isManual: false) }
        switch command {
        case .decode: return .decode(try DecodeArguments(parsed))
        case .show: return .show(try SourceArguments(parsed, command: .show))
        case .diff: return .diff(try DiffArguments(parsed))
        case .merge: return .merge(try MergeArguments(parsed))
        case .archive: return .archive(try ArchivingArguments(parsed))
        case .unarchive: return .unarchive(try ArchiveArguments(parsed, command: .unarchive))
        case .inspect: return .inspect(try ArchiveArguments(parsed, command: .inspect))
        case .upgrade: return .upgrade(try ArchiveArguments(parsed, command: .upgrade))
        case .check: return .check(try CheckArguments(parsed))
        case .generate: return .generate(try GenerateArguments(parsed))
        case .infer: return .infer(try InferArguments(parsed))
        case .sample: return .sample(try SampleArguments(parsed, command: .sample))
        case .laws: return .laws(try SampleArguments(parsed, command: .laws))
        case .compare: return .compare(try CompareArguments(parsed))
        case .drift: return .drift(try DriftArguments(parsed))
        case .export: return .export(try ExportArguments(parsed))
        case .import: return .import(try ImportArguments(parsed))
        case .store:
            let names = command.subcommands.map(\.word)
            throw UsageError(message: "store needs another command: \(listed(names))", command: .store)
        case .storeImport: return .storeImport(try StoreArguments(parsed, command: command))
        case .storeQuery: return .storeQuery(try QueryArguments(parsed))
        case .storeDump: return .storeDump(try StoreArguments(parsed, command: command))
        case .storeUpgrade: return .storeUpgrade(try StoreArguments(parsed, command: command))
        case .storeCheck: return .storeCheck(try StoreArguments(parsed, command: command))
        case .storeBackup: return .storeBackup(try StoreArguments(parsed, command: command))
        case .completions:
            let shells = Shell.allCases.map(\.rawValue)
            guard parsed.operands.count == 1, let name = parsed.operands.first,
                let shell = Shell.allCases.first(where: { name.utf8.elementsEqual($0.rawValue.utf8) })
            else {
                throw UsageError(
                    message: "completions needs the name of a shell: \(listed(shells))", command: .completions)
            }
            return .completions(shell)
        case .help:
            let isManual = parsed.has(.manual)
            var operands = parsed.operands[...]
            if operands.isEmpty { return .help(parsed.has(.help) ? .help : nil, isManual: isManual) }
            let subject = try Command(takingFrom: &operands)
            guard operands.isEmpty else {
                throw UsageError(message: "help explains one command at a time", command: .help)
            }
            return .help(subject, isManual: isManual)
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
