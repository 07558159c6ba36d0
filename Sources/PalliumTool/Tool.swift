extension CommandSpec {
    static let tool: Self = CommandSpec(
        name: "", summary: "reads JSON with schemas that are known at run time only",
        usage: ["COMMAND [OPTION…] [FILE…]"],
        about: "'pallium help COMMAND' explains a command, and 'pallium help --man COMMAND' writes a page for man.",
        options: [.help, .version],
        problems: "the data has problems; or documents differ, where that was asked",
        examples: "pallium decode --schemas Schemas/github --model Event Schemas/samples/events.json",
        subcommands: [
            .decode, .show, .diff, .merge, .archive, .unarchive, .inspect, .upgrade, .check, .generate, .infer, .sample,
            .laws, .compare, .drift, .export, .import, .store, .completions, .help,
        ],
        run: { parsed throws(UsageError) in
            throw UsageError(message: "a command is missing: \(parsed.command.listedSubcommands)")
        })
}

extension Option {
    static let version = Option("--version", "Print the version.")
}

/// The command `pallium`: reads its arguments and runs the requested action.
struct Tool {
    static let version = "0.1.0"

    /// The output for results, unless the arguments name a file.
    let output: ByteOutput
    /// The output for messages.
    let errors: Descriptor

    /// Runs the tool, prints everything, and returns its exit status.
    func run(_ arguments: () throws(UsageError) -> [String]) -> ExitStatus {
        do throws(UsageError) {
            return run(try Invocation(arguments()))
        } catch {
            Run(errors, format: .text).say(error)
            return .misuse
        }
    }

    private func run(_ invocation: Invocation) -> ExitStatus {
        let run = Run(
            errors, format: invocation.errorFormat, isQuiet: invocation.isQuiet, maximumBytes: invocation.maximumBytes,
            acceptsComments: invocation.acceptsComments)
        do throws(Interruption) {
            let output = if let path = invocation.output { try ByteOutput(path: path) } else { self.output }
            // Progress does not get into the results if both go to one terminal.
            output.status = run.status
            let status: ExitStatus
            do throws(Interruption) { status = try invocation.action(output, run) } catch {
                status = run.status(of: error)
            }
            try output.end(status)
            return status
        } catch { return run.status(of: error) }
    }
}
