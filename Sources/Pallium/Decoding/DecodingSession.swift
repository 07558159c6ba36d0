import Foundation
import PalliumCore
import PalliumJSON

/// What one call of an adapter decodes with: options, and the problems that were found.
final class DecodingSession {
    let programs: JSONProgramSet
    let options: JSONAdapterOptions
    /// Problems are collected instead of thrown.
    let isCollecting: Bool
    private(set) var problems: [ModelError] = []
    private(set) var decodedModels = 0
    /// The document, for line and column; nil where a tree is read.
    private let document: UnsafeRawBufferPointer?
    /// The last place that was located, so that many problems of one document cost one pass over it.
    private var located = (offset: 0, line: 1, lineStart: 0)

    init(
        programs: JSONProgramSet, options: JSONAdapterOptions, isCollecting: Bool, document: UnsafeRawBufferPointer?
    ) {
        self.programs = programs
        self.options = options
        self.isCollecting = isCollecting
        self.document = document
    }

    /// Notes a problem; throws when there are more than the options allow.
    func report(_ error: ModelError) throws {
        problems += error.problems
        if problems.count >= options.maximumProblems {
            throw ModelError(
                .limitExceeded, expected: "fewer than \(options.maximumProblems) problems", found: "more")
        }
    }

    /// Where the value begins that follows an offset: behind the white space of JSON.
    func startOfValue(at offset: Int) -> Int {
        guard let document else { return offset }
        var offset = offset
        while offset < document.count, [0x20, 0x0A, 0x0D, 0x09].contains(document[offset]) { offset += 1 }
        return offset
    }

    /// Line and column of a byte.
    func location(_ offset: Int) -> JSONLocation? {
        guard let document else { return nil }
        let offset = min(max(offset, 0), document.count)
        // Problems come nearly in the order of the document; one that lies further back starts over.
        var (position, line, lineStart) = offset >= located.offset ? located : (0, 1, 0)
        while position < offset {
            let byte = document[position]
            position += 1
            guard byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") else { continue }
            // CR LF is one line end, as in JSONLocation.
            if byte == UInt8(ascii: "\r"), position < document.count, document[position] == UInt8(ascii: "\n") {
                continue
            }
            line += 1
            lineStart = position
        }
        located = (offset, line, lineStart)
        return JSONLocation(line: line, column: offset - lineStart + 1, byteOffset: offset)
    }

    /// What stands at an offset, for an error message.
    func summary(at offset: Int) -> String? {
        guard let document, offset <= document.count else { return nil }
        var options = options.reading
        options.maximumDocumentBytes = .max
        var reader = JSONReader(
            UnsafeBufferPointer(rebasing: document.bindMemory(to: UInt8.self)[offset...]), options: options)
        do {
            switch try reader.peekKind() {
            case .object: return "an object"
            case .array: return "an array"
            case .string: return JSONValue.string(try reader.readText().string).summary
            case .number: return JSONValue.number(try reader.readNumber().number).summary
            case .true: return "true"
            case .false: return "false"
            case .null: return "null"
            }
        } catch { return nil }
    }

    /// Whether the number at an offset is an integer.
    func isInteger(at offset: Int) -> Bool {
        guard let document, offset <= document.count else { return false }
        var reader = JSONReader(
            UnsafeBufferPointer(rebasing: document.bindMemory(to: UInt8.self)[offset...]), options: options.reading)
        return (try? reader.readNumber().isInteger) ?? false
    }

    func context(_ value: ValueProgram, pointer: JSONPointer?) -> TransformerContext {
        TransformerContext(
            direction: .forward, schema: value.descriptor.schema, property: value.descriptor.key, pointer: pointer,
            userInfo: options.userInfo)
    }
}

extension ModelError {
    /// A syntax error as an error of the adapter.
    init(_ error: JSONSyntaxError) {
        let code: Code =
            switch error.code {
            case .depthLimit, .documentTooLarge, .stringTooLong, .nameTooLong, .numberTooLong, .tooManyValues:
                .limitExceeded
            case .duplicateMember: .duplicateMember
            default: .malformedJSON
            }
        // The sentence has the shape "expected … but found …", or "expected … but the text ended".
        let sentence = error.problem
        guard let middle = sentence.range(of: " but ") else {
            self.init(code, expected: "JSON", found: sentence)
            return
        }
        let found = sentence[middle.upperBound...]
        self.init(
            code, expected: String(sentence[..<middle.lowerBound].trimmingPrefix("expected ")),
            found: found.hasPrefix("found ") ? String(found.dropFirst(6)) : "the end of the text")
    }
}
