import Pallium

// Reads whole files.
extension Run {
    /// Reads a whole file and passes it to a function; reports problems otherwise.
    ///
    /// - Throws: ``Interruption`` that was reported already, or for a file that cannot be read.
    func read<Value>(_ path: String, as make: ([UInt8]) throws(ModelError) -> Value) throws(Interruption) -> Value {
        let bytes = try contents(of: path, isJSON: true)
        return try reporting(InputFile.displayName(of: path)) { () throws(ModelError) in try make(bytes) }
    }

    /// Reads a whole file.
    ///
    /// - Parameter maximum: The number of bytes after which reading ends, for what has a limit of its own.
    /// - Throws: As ``InputFile``, and ``Interruption/tooLarge(file:limit:)``.
    func contents(of path: String, isJSON: Bool = false, cutAt maximum: Int? = nil) throws(Interruption) -> [UInt8] {
        let name = InputFile.displayName(of: path)
        let limit = maximum ?? adapterOptions(from: JSONAdapterOptions()).reading.maximumDocumentBytes
        let file = try InputFile(path: path, isJSON: isJSON)
        // Nobody has to wait until the limit is reached.
        if maximum == nil, let size = file.size, size > limit { throw .tooLarge(file: name, limit: limit) }
        var progress = Progress(activity: "reading \(name)", size: file.size, run: self)
        defer { progress.end() }
        let bytes = try file.readAll(upTo: maximum ?? limit + 1) { progress.advance(by: $0) }
        if bytes.count > limit { throw .tooLarge(file: name, limit: limit) }
        return bytes
    }

    /// Calls a function with the content of a file; reports problems otherwise.
    func reporting<Value>(_ file: String, _ body: () throws(ModelError) -> Value) throws(Interruption) -> Value {
        do throws(ModelError) { return try body() } catch {
            report(error.problems, file: file, location: nil)
            throw .problem
        }
    }
}
