import Pallium

// Reads whole files and writes whole documents.
extension Diagnostics {
    /// Reads a whole file and passes it to a function; reports problems otherwise.
    ///
    /// - Throws: ``Interruption`` that was reported already, or for a file that cannot be read.
    func read<Value>(
        _ path: String, as make: ([UInt8]) throws(ModelError) -> Value
    ) throws(Interruption) -> Value {
        let name = InputFile.displayName(of: path)
        let bytes: [UInt8]
        do throws(SystemError) { bytes = try contents(of: path) } catch {
            throw .unreadable(file: name, error)
        }
        return try reporting(name) { () throws(ModelError) in try make(bytes) }
    }

    /// Reads a whole file.
    ///
    /// - Throws: ``SystemError`` if it cannot be read.
    func contents(of path: String) throws(SystemError) -> [UInt8] {
        let file = try InputFile(path: path)
        var progress = Progress(
            activity: "reading \(InputFile.displayName(of: path))", size: file.size, diagnostics: self)
        defer { progress.end() }
        return try file.readToEnd { progress.advance(by: $0) }
    }

    /// Calls a function with the content of a file; reports problems otherwise.
    func reporting<Value>(
        _ file: String, _ body: () throws(ModelError) -> Value
    ) throws(Interruption) -> Value {
        do throws(ModelError) { return try body() } catch {
            report(error.problems, file: file, location: nil)
            throw .problem
        }
    }
}

extension ByteOutput {
    /// Writes a document or lines of text, and all collected output before it.
    func finish(_ text: String) throws(Interruption) {
        do throws(OutputError) {
            try append(text)
            try flush()
        } catch { throw .output(error) }
    }
}
