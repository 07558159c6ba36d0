import Foundation

/// The arguments of `decode` that only lines have.
struct LineArguments {
    /// The number of threads.
    let threadCount: Int
    /// Whether lines are written as soon as they are decoded, in any order.
    let isUnordered: Bool
    /// Whether valid lines are written as they came.
    let isOriginal: Bool
    /// Whether a line may be an array of models.
    let mayBeArrays: Bool
    /// The file for lines with problems; nil to report the problems.
    let rejects: String?
    /// Whether rejected lines are written with the values of properties with labels.
    let isUnmasked: Bool
    /// Whether every line is answered by one line, with the model or the problems.
    let isEnveloped: Bool
    /// Whether each line is decoded and written by itself.
    let isLineBuffered: Bool

    /// Reads the arguments.
    ///
    /// - Throws: ``UsageError`` if a value is not allowed, or there is one without `--lines`.
    init(_ parsed: ParsedArguments) throws(UsageError) {
        for option in [Option.jobs, .unordered, .array, .original, .rejects, .envelope, .lineBuffered, .drift]
        where parsed.has(option) && !parsed.has(.lines) {
            throw parsed.error("\(option.name) needs --lines")
        }
        threadCount = try parsed.number(.jobs, from: 1) ?? ProcessInfo.processInfo.activeProcessorCount
        isUnordered = parsed.has(.unordered)
        isOriginal = parsed.has(.original)
        mayBeArrays = parsed.has(.array)
        rejects = try parsed.sideFile(.rejects)
        isEnveloped = parsed.has(.envelope)
        isLineBuffered = parsed.has(.lineBuffered)
        isUnmasked = parsed.has(.unmasked)
        if isUnmasked, rejects == nil {
            throw parsed.error("--unmasked needs --rejects FILE")
        }
    }
}
