import Pallium

extension ModelError {
    /// The problem of a line that is an array where each line is one model.
    static func arrayInLine(_ location: JSONLocation?) -> ModelError {
        ModelError(.typeMismatch, expected: "one object in a line", found: "an array").at([]).at(location)
    }

    /// The problem with the option that sets the limit, if it is about one of the limits that have an option.
    ///
    /// - Parameter hasDepth: Whether there is an option for levels.
    func namingLimit(of options: JSONAdapterOptions, hasDepth: Bool = false) -> ModelError {
        guard code == .limitExceeded else { return self }
        var names = [
            "at most \(options.reading.maximumDocumentBytes.counted("byte"))": "--max-bytes",
            "a string of at most \(options.reading.maximumStringBytes.counted("byte"))": "--max-bytes",
            "an element of at most \(options.maximumElementBytes.counted("byte"))": "--max-bytes",
            "a line of at most \(options.maximumElementBytes.counted("byte"))": "--max-bytes",
        ]
        if hasDepth { names["at most \(options.reading.maximumDepth.counted("level"))"] = "--max-depth" }
        return names[expected].map { expecting("\(expected) (\($0))") } ?? self
    }
}
