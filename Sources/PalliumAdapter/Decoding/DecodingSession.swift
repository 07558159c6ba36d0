import Foundation
package import PalliumCore
package import PalliumJSON

/// The state of one decoding call: options, document, and the problems found so far.
///
/// Safety: `document` is the caller's buffer, which is valid for the whole call, and the session ends with the call.
@safe
package final class DecodingSession {
    let plans: JSONPlanSet
    let options: JSONAdapterOptions
    /// Whether problems are collected instead of thrown.
    let isCollecting: Bool
    /// The models that may lack required properties.
    let partialModels: PartialModels
    /// The models that a partial document is merged into.
    let targets: (any MergeTargets)?
    /// Whether the document is read as a tree, so that the targets of objects are known.
    var tracksTargets = false
    /// Whether the class of an object depends on its target.
    package private(set) var needsTargets = false
    /// The partial models whose objects say that they are of a class with descendants.
    package var specified: [DynamicModel] = []
    /// The elements that were left out of partial collections.
    package var skippedElements: [ObjectIdentifier: SkippedElements] = [:]
    private(set) var problems: [ModelError] = []
    /// The indices of the root array's elements that were left out, in ascending order.
    package var droppedRoots: [Int] = []
    /// The offsets of values that a later member of the same name replaces; nil before the search for them.
    private var replacedValues: Set<Int>?
    /// The offset of the value that is read; other values may precede and follow it.
    var beginning = 0
    /// Whether the document must be read again, because repeated members were found.
    private(set) var isStartingOver = false
    /// Whether values were captured until their objects ended, so that problems may be found out of order.
    var decodesOutOfOrder = false
    /// The search for the first of the collected problems.
    var search: FirstProblem?
    /// How many more properties models may have, so that an object of a few bytes cannot make any number of large models.
    private var remainingSlots: Int
    let document: JSONDocument
    /// The bytes of the document, also for line and column; nil for a tree.
    private let bytes: UnsafeRawBufferPointer?
    /// The location of the document in the stream that contains it.
    private let origin: JSONLocation
    /// The last located offset, so that locating many problems costs one pass over the document.
    private var located: (offset: Int, location: JSONLocation)

    init(
        plans: JSONPlanSet, options: JSONAdapterOptions, isCollecting: Bool, document: JSONDocument,
        origin: JSONLocation = .start, partialModels: PartialModels = .none, targets: (any MergeTargets)? = nil
    ) {
        self.plans = plans
        self.options = options
        self.isCollecting = isCollecting
        self.partialModels = partialModels
        self.targets = targets
        self.document = document
        remainingSlots = options.reading.maximumValues
        if case .bytes(let bytes) = document.form { unsafe self.bytes = bytes } else { unsafe self.bytes = nil }
        self.origin = origin
        located = (0, origin)
    }

    /// Counts the properties of a model that is made against the limit of values; false if there are too many.
    @inline(__always)
    func hasRoom(slots: Int) -> Bool {
        remainingSlots &-= slots
        return remainingSlots >= 0
    }

    /// Reads the whole document, and reads it again if a replaced value may have caused the error.
    @inline(__always)
    func read<Value>(
        _ bytes: UnsafeRawBufferPointer, _ body: (inout ModelDecoder<JSONReader>) throws(ModelError) -> Value
    ) throws(ModelError) -> Value {
        do throws(ModelError) { return try unsafe readOnce(bytes, body) } catch {
            guard startsOver(after: error) else { throw error }
            return try unsafe readAgain(bytes, body)
        }
    }

    /// Not inlined, because it is rare.
    @inline(never)
    private func readAgain<Value>(
        _ bytes: UnsafeRawBufferPointer, _ body: (inout ModelDecoder<JSONReader>) throws(ModelError) -> Value
    ) throws(ModelError) -> Value { try unsafe readOnce(bytes, body) }

    @inline(__always)
    private func readOnce<Value>(
        _ bytes: UnsafeRawBufferPointer, _ body: (inout ModelDecoder<JSONReader>) throws(ModelError) -> Value
    ) throws(ModelError) -> Value {
        let reader = unsafe JSONReader(bytes.bindMemory(to: UInt8.self), options: options.reading)
        var decoder = ModelDecoder<JSONReader>(reader, session: self)
        do throws(JSONSyntaxError) { try decoder.source.beginDocument() } catch { throw decoder.locate(error) }
        let value = try body(&decoder)
        if decoder.knowsValues { targets?.unchanged = decoder.unchanged }
        do throws(JSONSyntaxError) { try decoder.source.endDocument() } catch {
            throw recognizingLines(decoder.locate(error), after: error.offset)
        }
        return value
    }

    /// The bytes from the beginning of the value that is read; nil for a tree.
    var remainingBytes: UnsafeRawBufferPointer? {
        unsafe bytes.map { unsafe UnsafeRawBufferPointer(rebasing: $0[beginning...]) }
    }

    /// The length of the document in bytes; zero for a tree.
    var documentLength: Int { unsafe bytes?.count ?? 0 }

    /// Returns an error about the document, of which nothing below a value with a label is told.
    func masked(_ error: ModelError) -> ModelError { plans.labelledPaths?.masked(error) ?? error }

    /// Records a problem; throws if there are more than the options allow.
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
                .limitExceeded, expected: "at most \(options.maximumProblems.counted("problem"))", found: "more")
        }
    }

    /// Notes that another list has replaced one from which elements were left out.
    func moveSkippedElements(from list: SlotList, to other: SlotList) {
        guard var skipped = skippedElements.removeValue(forKey: ObjectIdentifier(list)) else { return }
        skipped.list = other
        skippedElements[ObjectIdentifier(other)] = skipped
    }

    // MARK: Repeated members

    // If the last of several members with one name counts, the others are not checked. A tree has only the last one.
    // Bytes are decoded in order, before the decoder can know that a later member replaces a value. That does no harm
    // unless a replaced value has a problem. So at the first problem the document is searched for repeated members,
    // once, and read again if it has some.

    /// Whether replaced values were found in the document.
    var knowsReplacedMembers: Bool { replacedValues?.isEmpty == false }

    /// Whether a later member of the same name is known to replace the value at an offset.
    func isReplaced(at offset: Int) -> Bool {
        guard let replacedValues, !replacedValues.isEmpty else { return false }
        return replacedValues.contains(startOfValue(at: offset))
    }

    /// Ends the attempt if a first search finds repeated members.
    func considerRepeatedMembers() throws {
        if isStartingOver || findsReplacedMembers() {
            isStartingOver = true
            throw StartingOver()
        }
    }

    /// Notes that the target of an object must be known. Ends the attempt if it is not.
    func requireTargets() throws {
        // If it is known already, the document is read to its end to find what is wrong with it.
        defer { needsTargets = true }
        if tracksTargets || needsTargets { return }
        isStartingOver = true
        throw StartingOver()
    }

    /// Whether the document must be read again as a tree.
    func startsOverAsTree() -> Bool {
        guard needsTargets, isStartingOver else { return false }
        startOver()
        return true
    }

    private func startOver() {
        isStartingOver = false
        problems = []
        droppedRoots = []
        skippedElements = [:]
        specified = []
        targets?.startOver()
    }

    /// Whether the document must be read again, because repeated members were found.
    func startsOver(after error: ModelError) -> Bool {
        if needsTargets { return false }
        guard isStartingOver || error.category != .malformedInput && findsReplacedMembers() else { return false }
        startOver()
        return true
    }

    /// Whether a first search finds replaced members. O(length of the document).
    private func findsReplacedMembers() -> Bool {
        guard replacedValues == nil, options.reading.duplicateMembers == .lastWins, let rest = unsafe remainingBytes
        else {
            return false
        }
        let found = unsafe ReplacedMembers.offsets(in: rest, options.reading)
        replacedValues = beginning == 0 ? found : Set(found.map { $0 + beginning })
        return !found.isEmpty
    }

    /// Ends an attempt; callers never see it.
    private struct StartingOver: Error {}

    // MARK: Lines

    /// Adds a hint about JSON lines to an error, if the next line is another document.
    @inline(never)
    private func recognizingLines(_ error: ModelError, after offset: Int) -> ModelError {
        guard error.code == .malformedJSON, isSecondLine(at: offset) else { return error }
        return error.found(JSONLinesHint.secondText)
    }

    /// Adds a hint about JSON lines to an error about a document that is no array, if it has several lines.
    func recognizingLines(_ error: ModelError) -> ModelError {
        guard error.code == .typeMismatch, error.pointer?.tokens.isEmpty == true, let document = unsafe bytes else {
            return error
        }
        var reader = unsafe JSONReader(document.bindMemory(to: UInt8.self), options: options.reading)
        guard (try? reader.beginDocument()) != nil, (try? reader.skipValue()) != nil else { return error }
        return isSecondLine(at: startOfValue(at: reader.offset)) ? error.found(JSONLinesHint.firstText) : error
    }

    /// Whether an object or array begins on a new line at an offset.
    private func isSecondLine(at offset: Int) -> Bool {
        guard let document = unsafe bytes, offset < document.count,
            unsafe document[offset] == UInt8(ascii: "{") || document[offset] == UInt8(ascii: "[")
        else { return false }
        return unsafe document[..<offset].last { $0 != 0x20 && $0 != 0x09 } == UInt8(ascii: "\n")
    }

    // MARK: Places

    /// The offset of the next value, behind white space.
    func startOfValue(at offset: Int) -> Int {
        guard let document = unsafe bytes else { return offset }
        var offset = offset
        while offset < document.count, unsafe [0x20, 0x0A, 0x0D, 0x09].contains(document[offset]) { offset += 1 }
        return offset
    }

    /// The line and column of a byte.
    func location(_ offset: Int) -> JSONLocation? {
        guard let document = unsafe bytes else { return nil }
        let offset = min(max(offset, 0), document.count)
        // Problems are found nearly in order; an earlier one starts again at the beginning.
        if offset < located.offset { located = (0, origin) }
        let rest = unsafe UnsafeRawBufferPointer(rebasing: document[located.offset...])
        located = unsafe (offset, located.location.advanced(by: offset - located.offset, in: rest))
        return located.location
    }

    /// The offset of the value that tokens lead to from the value at an offset, or of the last value on that path.
    func offset(of tokens: [String], from offset: Int) -> Int {
        guard let document = unsafe bytes, offset <= document.count, !tokens.isEmpty else { return offset }
        let rest = unsafe UnsafeRawBufferPointer(rebasing: document[offset...])
        return unsafe offset + ModelError.offset(of: tokens, in: rest, options.reading.forPart)
    }

    /// A short description of the value at an offset, for error messages.
    func summary(at offset: Int) -> String? {
        guard let document = unsafe bytes, offset <= document.count else { return nil }
        var reader = unsafe JSONReader(
            UnsafeBufferPointer(rebasing: document.bindMemory(to: UInt8.self)[offset...]),
            options: options.reading.forPart)
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
}

/// The models of a document that may be partial.
///
/// Partial models may lack required properties, get no defaults, and are not seen by validators or hooks. The caller
/// merges them into other models or completes them.
package enum PartialModels {
    case none
    /// The root model, and its descendants that its merge policies merge in place.
    case root
    /// Every model.
    case all
}

/// The elements that were left out of a collection, because they could not be decoded.
package struct SkippedElements {
    /// The collection, which lives as long as it is known by its address.
    package internal(set) var list: SlotList
    /// The models that have what identifies the elements, as far as that can be read.
    package internal(set) var parts: [DynamicModel] = []
    /// The keys of entries.
    package internal(set) var keys: Set<UTF8Key> = []
    /// Whether it cannot be told which element was left out.
    package internal(set) var areUnknown = false
}
