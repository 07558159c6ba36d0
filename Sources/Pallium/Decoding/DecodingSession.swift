import Foundation
import PalliumCore
import PalliumJSON

/// What one call of an adapter decodes with: options, and the problems that were found.
///
/// Safety: `document` is the caller's buffer, which holds for the whole call, and the session ends with the call.
@safe
final class DecodingSession {
    let plans: JSONPlanSet
    let options: JSONAdapterOptions
    /// Problems are collected instead of thrown.
    let isCollecting: Bool
    /// Which models may lack what their schemas ask for.
    let parts: DocumentParts
    /// The model that the document is about, whose values are shared where the document says the same.
    let known: DynamicModel?
    private(set) var problems: [ModelError] = []
    /// Where elements of the document's array stand that were left out of the list, in their order.
    var droppedRoots: [Int] = []
    /// Where the values begin that a later member of their name replaces; nil until it matters.
    private var replacedValues: Set<Int>?
    /// Where the value begins that is read, of which other values may stand around.
    var beginning = 0
    /// The document is to be read again, now that its repeated members are known.
    private(set) var isStartingOver = false
    /// Whether values were kept until their objects end, so that the first problem that is met may not be the first one
    /// of the document.
    var decodesOutOfOrder = false
    /// What looks for the first problem among those that are collected.
    var search: FirstProblem?
    let document: JSONDocument
    /// The bytes of the document, also for line and column; nil where a tree is read.
    private let bytes: UnsafeRawBufferPointer?
    /// Where the document begins in the stream it is a part of.
    private let origin: JSONLocation
    /// The last place that was located, so that many problems of one document cost one pass over it.
    private var located: (offset: Int, location: JSONLocation)

    init(
        plans: JSONPlanSet, options: JSONAdapterOptions, isCollecting: Bool, document: JSONDocument,
        origin: JSONLocation = .start, parts: DocumentParts = .none, known: DynamicModel? = nil
    ) {
        self.plans = plans
        self.options = options
        self.isCollecting = isCollecting
        self.parts = parts
        self.known = known
        self.document = document
        if case .bytes(let bytes) = document.form { unsafe self.bytes = bytes } else { unsafe self.bytes = nil }
        self.origin = origin
        located = (0, origin)
    }

    /// Reads the whole document, once more where a value may be to blame that a later member of its name replaces.
    @inline(__always)
    func read<Value>(
        _ body: (inout ModelDecoder<JSONReader>) throws(ModelError) -> Value
    ) throws(ModelError) -> Value {
        do throws(ModelError) { return try readOnce(body) } catch {
            guard startsOver(after: error) else { throw error }
            return try readAgain(body)
        }
    }

    /// Not inlined: the quick way is `read`.
    @inline(never)
    private func readAgain<Value>(
        _ body: (inout ModelDecoder<JSONReader>) throws(ModelError) -> Value
    ) throws(ModelError) -> Value { try readOnce(body) }

    @inline(__always)
    private func readOnce<Value>(
        _ body: (inout ModelDecoder<JSONReader>) throws(ModelError) -> Value
    ) throws(ModelError) -> Value {
        let text = unsafe bytes?.bindMemory(to: UInt8.self) ?? UnsafeBufferPointer(start: nil, count: 0)
        var decoder = unsafe ModelDecoder<JSONReader>(JSONReader(text, options: options.reading), session: self)
        do throws(JSONSyntaxError) { try decoder.source.beginDocument() } catch { throw decoder.locate(error) }
        let value = try body(&decoder)
        do throws(JSONSyntaxError) { try decoder.source.endDocument() } catch {
            throw recognizingLines(decoder.locate(error), after: error.offset)
        }
        return value
    }

    /// The bytes from the beginning of the value that is read; nil where a tree is read.
    var remainingBytes: UnsafeRawBufferPointer? {
        unsafe bytes.map { unsafe UnsafeRawBufferPointer(rebasing: $0[beginning...]) }
    }

    /// How many bytes there are to read; none where a tree is read.
    var documentLength: Int { unsafe bytes?.count ?? 0 }

    /// Notes a problem; throws when there are more than the options allow.
    func report(_ error: ModelError) throws {
        try considerRepeatedMembers()
        if search != nil {
            for problem in error.problems { search?.consider(problem) }
            return
        }
        let room = max(options.maximumProblems - problems.count, 0)
        problems += error.problems.prefix(room)
        if error.problems.count > room {
            throw ModelError(
                .limitExceeded, expected: "at most \(options.maximumProblems) problems", found: "more")
        }
    }

    // MARK: Repeated members

    // Where the last of several members of a name counts, the others are not looked at, as in a tree. Bytes come in their
    // order, so a value is decoded before it is known that it does not count. As long as all goes well it leaves nothing.
    // At the first problem the document is searched for repeated members, once, and read again if it has some.

    /// Whether the document has values that are known to be replaced.
    var knowsReplacedMembers: Bool { replacedValues?.isEmpty == false }

    /// Whether the value that follows an offset is known to be replaced by a later member of its name.
    func isReplaced(at offset: Int) -> Bool {
        guard let replacedValues, !replacedValues.isEmpty else { return false }
        return replacedValues.contains(startOfValue(at: offset))
    }

    /// Ends the attempt when the document has repeated members, of which nothing was known.
    func considerRepeatedMembers() throws {
        if isStartingOver || findsReplacedMembers() {
            isStartingOver = true
            throw StartingOver()
        }
    }

    /// Whether the document is to be read again, now that its repeated members are known.
    func startsOver(after error: ModelError) -> Bool {
        guard isStartingOver || error.category != .malformedInput && findsReplacedMembers() else { return false }
        isStartingOver = false
        problems = []
        droppedRoots = []
        return true
    }

    /// Whether there are replaced members, when they were not looked for before. O(length of the document).
    private func findsReplacedMembers() -> Bool {
        guard replacedValues == nil, options.reading.duplicateMembers == .lastWins, let rest = unsafe remainingBytes
        else {
            return false
        }
        let found = unsafe ReplacedMembers.offsets(in: rest, options.reading)
        replacedValues = beginning == 0 ? found : Set(found.map { $0 + beginning })
        return !found.isEmpty
    }

    /// Leaves an attempt; never seen by callers.
    private struct StartingOver: Error {}

    // MARK: Lines

    /// The error about what follows a document, where that is another one in a line of its own.
    @inline(never)
    private func recognizingLines(_ error: ModelError, after offset: Int) -> ModelError {
        guard error.code == .malformedJSON, isSecondLine(at: offset) else { return error }
        return error.found(JSONLinesHint.secondText)
    }

    /// The error about a document that was to be an array and is several lines.
    func recognizingLines(_ error: ModelError) -> ModelError {
        guard error.code == .typeMismatch, error.pointer?.tokens.isEmpty == true, let document = unsafe bytes else {
            return error
        }
        var reader = unsafe JSONReader(document.bindMemory(to: UInt8.self), options: options.reading)
        guard (try? reader.beginDocument()) != nil, (try? reader.skipValue()) != nil else { return error }
        return isSecondLine(at: startOfValue(at: reader.offset)) ? error.found(JSONLinesHint.firstText) : error
    }

    /// Whether an object or array begins a line there.
    private func isSecondLine(at offset: Int) -> Bool {
        guard let document = unsafe bytes, offset < document.count,
            unsafe document[offset] == UInt8(ascii: "{") || document[offset] == UInt8(ascii: "[")
        else { return false }
        return unsafe document[..<offset].last { $0 != 0x20 && $0 != 0x09 } == UInt8(ascii: "\n")
    }

    // MARK: Places

    /// Where the value begins that follows an offset: behind the white space of JSON.
    func startOfValue(at offset: Int) -> Int {
        guard let document = unsafe bytes else { return offset }
        var offset = offset
        while offset < document.count, unsafe [0x20, 0x0A, 0x0D, 0x09].contains(document[offset]) { offset += 1 }
        return offset
    }

    /// Line and column of a byte.
    func location(_ offset: Int) -> JSONLocation? {
        guard let document = unsafe bytes else { return nil }
        let offset = min(max(offset, 0), document.count)
        // Problems come nearly in the order of the document; one that lies further back starts over.
        if offset < located.offset { located = (0, origin) }
        let rest = unsafe UnsafeRawBufferPointer(rebasing: document[located.offset...])
        located = unsafe (offset, located.location.advanced(by: offset - located.offset, in: rest))
        return located.location
    }

    /// Where the value begins to which tokens lead from the value at an offset, or the innermost one on the way.
    func offset(of tokens: [String], from offset: Int) -> Int {
        guard let document = unsafe bytes, offset <= document.count, !tokens.isEmpty else { return offset }
        let rest = unsafe UnsafeRawBufferPointer(rebasing: document[offset...])
        var options = options.reading
        options.maximumDocumentBytes = .max
        return unsafe offset + ModelError.offset(of: tokens, in: rest, options)
    }

    /// What stands at an offset, for an error message.
    func summary(at offset: Int) -> String? {
        guard let document = unsafe bytes, offset <= document.count else { return nil }
        var options = options.reading
        options.maximumDocumentBytes = .max
        var reader = unsafe JSONReader(
            UnsafeBufferPointer(rebasing: document.bindMemory(to: UInt8.self)[offset...]), options: options)
        do {
            switch try reader.peekKind() {
            case .object: return "an object"
            case .array: return "an array"
            case .string: return unsafe JSONValue.string(try reader.readText().string).summary
            case .number: return unsafe JSONValue.number(try reader.readNumber().number).summary
            case .true: return "true"
            case .false: return "false"
            case .null: return "null"
            }
        } catch { return nil }
    }

    /// Whether the number at an offset is an integer.
    func isInteger(at offset: Int) -> Bool {
        guard let document = unsafe bytes, offset <= document.count else { return false }
        var reader = unsafe JSONReader(
            UnsafeBufferPointer(rebasing: document.bindMemory(to: UInt8.self)[offset...]), options: options.reading)
        return unsafe (try? reader.readNumber().isInteger) ?? false
    }

    func context(_ value: ValuePlan, pointer: JSONPointer?) -> TransformerContext {
        TransformerContext(
            direction: .forward, schema: value.descriptor.schema, property: value.descriptor.key, pointer: pointer,
            userInfo: options.userInfo)
    }
}

/// Which models of a document may lack required properties. They get no defaults, and no validator or hook sees them:
/// whoever asked for them merges them into others, or completes them.
enum DocumentParts {
    case none
    /// The outermost model, and what its merge policies merge in place.
    case root
    /// Every model.
    case all
}
