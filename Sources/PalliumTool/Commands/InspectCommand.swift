import Pallium

/// `pallium inspect`: prints the content of archives, without schemas.
struct InspectCommand {
    let arguments: ArchiveArguments
    let output: ByteOutput
    let diagnostics: Diagnostics

    /// Runs the command.
    func run() -> ExitStatus {
        for path in arguments.inputs {
            do throws(SystemError) {
                let bytes = try diagnostics.contents(of: path)
                let graph: StoredGraph
                do throws(ModelError) {
                    graph = try diagnostics.showing("opening \(InputFile.displayName(of: path))", bytes: bytes.count) {
                        () throws(ModelError) in try StoredGraph(bytes)
                    }
                } catch {
                    try? output.flush()
                    return diagnostics.status(of: error, file: path)
                }
                do throws(OutputError) {
                    let progress = Progress(
                        activity: "printing \(InputFile.displayName(of: path))", total: graph.objects.count,
                        of: "object", diagnostics: diagnostics)
                    defer { progress.end() }
                    var tree = StoredTree(graph, output: output, progress: progress)
                    try output.append(
                        "\(InputFile.displayName(of: path)): \(Quantity.count(graph.objects.count, "object")), "
                            + "\(Quantity.count(graph.roots.count, "root")), \(Quantity.size(bytes.count))\n")
                    try tree.write()
                } catch { return diagnostics.status(of: error) }
            } catch {
                diagnostics.report(unreadable: InputFile.displayName(of: path), error)
                return .misuse
            }
        }
        do throws(OutputError) { try output.flush() } catch { return diagnostics.status(of: error) }
        return .success
    }
}

extension StoredGraph {
    fileprivate init(_ bytes: [UInt8]) throws(ModelError) {
        let result = bytes.withUnsafeBytes { bytes -> Result<StoredGraph, ModelError> in
            do throws(ModelError) { return .success(try StoredGraph(bytes)) } catch { return .failure(error) }
        }
        self = try result.get()
    }
}
