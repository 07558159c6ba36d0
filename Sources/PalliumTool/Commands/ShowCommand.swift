import Pallium

/// `pallium show`: prints documents as trees for people.
struct ShowCommand {
    let arguments: SourceArguments
    let output: ByteOutput
    let diagnostics: Diagnostics

    /// Runs the command.
    func run() -> ExitStatus {
        guard let adapter = diagnostics.adapter(for: arguments, options: JSONAdapterOptions()) else { return .misuse }
        let decoder = DocumentDecoder(adapter: adapter, isCollecting: false)
        let source = DocumentSource(
            arguments.inputs, isLines: arguments.isLines, decoder: decoder, diagnostics: diagnostics)
        do throws(Interruption) {
            try source.forEach(willWait: flush) { decoded throws(Interruption) in
                for model in decoded.models { try append(model) }
                if decoded.problems.isEmpty { return }
                try flush()
                diagnostics.report(decoded.problems, file: decoded.file, location: decoded.location)
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
