import Pallium

extension JSONAdapter<DynamicModel> {
    /// Makes parts of the lines of a file on several threads, and shows the progress.
    ///
    /// - Parameters:
    ///   - isLineBuffered: Whether each line is passed on as soon as it has arrived.
    ///   - transform: Makes a part of a block of lines, on any thread.
    ///   - receive: Takes the parts.
    /// - Returns: The number of bytes that were read, and the reason why the others were not.
    func process<Part: Sendable>(
        linesOf path: String, _ run: Run, concurrently threadCount: Int, inOrder isOrdered: Bool = true,
        isLineBuffered: Bool = false,
        _ transform: @escaping @Sendable (LineBlock<DynamicModel>) throws(Interruption) -> Part,
        receive: (Part) throws(Interruption) -> Void
    ) throws(Interruption) -> (bytes: Int, failure: Interruption?) {
        let file = try InputFile(path: path, isJSON: true)
        var shown = Progress(
            activity: "decoding \(InputFile.displayName(of: path))", size: file.size, run: run)
        defer { shown.end() }
        let input = InputChunks.State()
        try process(
            lines: InputChunks(file, state: input, isLineBuffered: isLineBuffered), concurrently: threadCount,
            inOrder: isOrdered, transform
        ) { part throws(Interruption) in
            do throws(Interruption) { try receive(part) } catch {
                input.stop()
                throw error
            }
            shown.advance(to: input.bytesRead)
        }
        return (input.bytesRead, input.failure)
    }
}
