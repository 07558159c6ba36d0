import Pallium

extension ModelError {
    /// The problem of a line that is an array where each line is one model.
    static func arrayInLine(_ location: JSONLocation?) -> ModelError {
        ModelError(.typeMismatch, expected: "one object in a line", found: "an array").at([]).at(location)
    }

    /// The problem with the option that sets the limit, if it is about one of the limits that have an option.
    func namingLimit(of options: JSONAdapterOptions) -> ModelError {
        guard code == .limitExceeded else { return self }
        let names = [
            "at most \(options.reading.maximumDepth.counted("level"))": "--max-depth",
            "at most \(options.reading.maximumDocumentBytes.counted("byte"))": "--max-bytes",
            "a string of at most \(options.reading.maximumStringBytes.counted("byte"))": "--max-bytes",
            "an element of at most \(options.maximumElementBytes.counted("byte"))": "--max-bytes",
        ]
        return names[expected].map { expecting("\(expected) (\($0))") } ?? self
    }
}
