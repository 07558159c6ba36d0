import Pallium

/// `pallium show`: documents as trees for people.
struct ShowCommand {
    let arguments: SourceArguments
    let output: ByteOutput
    let diagnostics: Diagnostics

    /// Runs the command.
    func run() -> ExitStatus {
        guard let adapter = diagnostics.adapter(for: arguments, options: JSONAdapterOptions()) else { return .misuse }
        let decoder = DocumentDecoder(adapter: adapter, isCollecting: false)
        let source = DocumentSource(arguments, diagnostics: diagnostics, survivesUnreadableFiles: false)
        do throws(Interruption) {
            try source.forEach(willWait: flush) { document throws(Interruption) in
                let result = decoder.decode(document)
                for model in result.models { try append(model) }
                if result.problems.isEmpty { return }
                try flush()
                diagnostics.report(result.problems, in: document)
                throw .problem
            }
            try flush()
            return .success
        } catch {
            return diagnostics.status(of: error)
        }
    }

    private func append(_ model: DynamicModel) throws(Interruption) {
        do throws(OutputError) { try output.append("\(model.debugDescription)\n") } catch { throw .output(error) }
    }

    private func flush() throws(Interruption) {
        do throws(OutputError) { try output.flush() } catch { throw .output(error) }
    }
}
