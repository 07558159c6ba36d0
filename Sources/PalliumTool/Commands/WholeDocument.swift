import Pallium

// Reads whole files.
extension Diagnostics {
    /// Reads a whole file and passes it to a function; reports problems otherwise.
    ///
    /// - Throws: ``Interruption`` that was reported already, or for a file that cannot be read.
    func read<Value>(
        _ path: String, as make: ([UInt8]) throws(ModelError) -> Value
    ) throws(Interruption) -> Value {
        let bytes = try contents(of: path, isJSON: true)
        return try reporting(InputFile.displayName(of: path)) { () throws(ModelError) in try make(bytes) }
    }

    /// Reads a whole file.
    ///
    /// - Throws: As ``InputFile``.
    func contents(of path: String, isJSON: Bool = false) throws(Interruption) -> [UInt8] {
        let file = try InputFile(path: path, isJSON: isJSON)
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
