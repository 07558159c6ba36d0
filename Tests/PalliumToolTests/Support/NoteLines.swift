import Foundation
import TestSupport

/// Lines of notes, about one in ten of which has problems, and what the tool writes of each.
///
/// They are so many that the tool reads several blocks.
enum NoteLines {
    struct Line: Sendable {
        var bytes: [UInt8]
        /// What is written of the line; nil if it has problems or is blank.
        var output: String?
        var isBlank = false
    }

    private static let refused =
        [
            #"{"id":"x"}"#, #"{"id":1.5,"text":5}"#, "{}", "nope", #"{"id":"#, #"[{"id":1},{"id":"y"}]"#, "null",
            #"{"id":7,"code":9}"#, #"{"id":7,"tags":["a",1,2]}"#, #"{"id":1}{"id":2}"#,
        ].map { Array($0.utf8) } + [[0xFF, 0xFE], Array(#"{"id":1,"text":""#.utf8) + [0xFF] + Array("\"}".utf8)]

    static let all: [Line] = (1...6000).map { number in
        if number % 11 == 0 { return Line(bytes: refused[number / 11 % refused.count]) }
        if number % 101 == 0 { return Line(bytes: Array(" \t\r".utf8), isBlank: true) }
        let end = number % 13 == 0 ? "\r" : ""
        let text = String(repeating: "text ", count: number % 7 * number % 70)
        return Line(
            bytes: Array(#" {"id": \#(number), "text": "\#(text)", "other": [1, 2]}\#(end)"#.utf8),
            output: #"{"id":\#(number),"text":"\#(text)"}"#)
    }

    /// The last line has no line feed.
    static let bytes = Array(all.map(\.bytes).joined(separator: [10]))

    static let output = all.compactMap(\.output)

    /// The numbers of the lines that have problems.
    static let refusedNumbers = all.indices.filter { all[$0].output == nil && !all[$0].isBlank }.map { $0 + 1 }
}

/// What a run over lines gave, without times.
struct LinesRun: Equatable {
    var status: Int32
    var output: String
    var errorLines: [String]
    /// What is in the file of rejects afterwards.
    var rejects: String?

    var outputLines: [String] { output.split(separator: "\n").map(String.init) }
    var rejectLines: [String] { (rejects ?? "").split(separator: "\n").map(String.init) }

    /// The rejects as JSON objects.
    func rejectObjects() throws -> [[String: Any]] { try rejectLines.map(object) }
}

/// The JSON object that a line holds.
func object(_ line: String) throws -> [String: Any] {
    try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
}

extension NoteSchema {
    /// Decodes lines; `--rejects` gets a file in the folder of the schema.
    func decodeLines(
        _ options: [String], _ files: [String] = ["-"], input: [UInt8] = []
    ) async throws -> LinesRun {
        let options = options.flatMap { $0 == "--rejects" ? [$0, folder.path + "/rejects"] : [$0] }
        let run = try await run(["decode", "--lines"] + options + files, input: input)
        let output = options.contains("--quiet") ? run.output.replacing(#/ in [0-9.]+ m?s/#, with: "") : run.output
        let rejects = options.contains("--rejects") ? try? folder.read("rejects") : nil
        return LinesRun(status: run.status, output: output, errorLines: run.errorLines, rejects: rejects)
    }

    func decodeLines(_ options: [String], input: String) async throws -> LinesRun {
        try await decodeLines(options, input: Array(input.utf8))
    }
}
