import Foundation
package import PalliumCore
package import PalliumJSON

/// The state of one decoding call: options, document, and the problems found so far.
package final class DecodingSession {
    // MARK: Set when the call begins

    /// The plans of the adapter, which lives as long as the call.
    let plans: JSONPlanSet
    /// The options of the adapter. If `reporting` is `collectingUnknownMembers`, their `elements` are `fail`.
    let options: JSONAdapterOptions
    /// The document, which lives as long as the call.
    let document: JSONDocument
    /// The path from the root of the stream or document to this document; empty for a whole document or a line.
    let prefix: [String]
    /// Whether the document is an element of an array, which something may follow. The last token of `prefix` is its index.
    let isElement: Bool
    /// The location of the document in the stream that contains it; the beginning for a whole document.
    private let origin: JSONLocation
    /// The models that may lack required properties. If there are some, `reporting` is `throwing`, or `findingFirst` in the second
    /// pass.
    let partialModels: PartialModels
    /// The models that a partial document is merged into. Never without `partialModels`, and nil for stored models.
    let targets: (any MergeTargets)?
    /// Whether problems are thrown or collected. It decides which of `problems` and `first` is used.
    private let reporting: ProblemReporting
    /// Whether decoding goes on behind a problem: `isCollecting`, or the options skip bad elements.
    let recovers: Bool

    // MARK: Changed by decoding

    /// The text that is decoded, which is lent for that time; nil before and after.
    private var text: BorrowedBytes?
    /// The last location that was found in `text`, so that locating many problems costs one pass over it; `origin` before
    /// the first in each text, and always if the document is no text.
    private var located: JSONLocation
    /// How many more properties the models of the call may have in sum, so that an object of a few bytes cannot make any
    /// number of large models. It begins with the limit of values, falls before each model or stub is made, and `startOver`
    /// resets it.
    private var remainingSlots: Int
    /// `required` after an object has asked for its target, which ends the attempt; `tracked` from `startOver` on, or from the
    /// beginning of the search for the first problem. It never goes back. Always `none` without `targets`.
    private var targetTracking = TargetTracking.none
    /// Whether values were captured until their objects ended, so that problems may be found out of order. Starting over does not
    /// reset it.
    var decodesOutOfOrder = false

    // MARK: Results, which `startOver` resets except for `first` and `elementEnd`

    /// The problems that were collected. Empty if `reporting` is `throwing`, and if it is `findingFirst`.
    private(set) var problems: [ModelError] = []
    /// The problem with the least offset, and that offset; nil unless `findsFirstProblem`, and before the first problem.
    private var first: (offset: Int, problem: ModelError)?
    /// The partial models whose objects name their class, where that class has descendants or a cluster; only with
    /// `targets`. Each is added when its object begins. The root is not, if `targets` have a root.
    package var specified: [DynamicModel] = []
    /// The elements that were left out of collections, by the identity of the list; only with `partialModels`, and only if
    /// the session recovers. Each is noted when decoding goes on behind it.
    package var skippedElements: [ObjectIdentifier: SkippedElements] = [:]
    /// The indices of the root array's elements that were left out, in ascending order; only if the session recovers.
    package var droppedRoots: [Int] = []
    /// The root array as far as it was decoded, set if an error inside it ends decoding and `isCollecting`. Nil otherwise,
    /// also for an error behind the array.
    var decodedRoots: SlotList?
    /// The offset after an element and the white space behind it, set when the element has been decoded; 0 before, after a
    /// failure, and unless `isElement`.
    private(set) var elementEnd = 0

    init(
        plans: JSONPlanSet, options: JSONAdapterOptions, reporting: ProblemReporting = .throwing,
        document: JSONDocument, prefix: [String] = [], isElement: Bool = false, origin: JSONLocation = .start,
        partialModels: PartialModels = .none, targets: (any MergeTargets)? = nil
    ) {
        self.plans = plans
        self.options = options
        self.reporting = reporting
        self.partialModels = partialModels
        self.targets = targets
        self.document = document
        self.prefix = prefix
        self.isElement = isElement
        self.origin = origin
        recovers = reporting == .collecting || reporting == .findingFirst || options.elements == .skip
        located = origin
        remainingSlots = options.reading.maximumValues
    }

    /// Whether problems are collected instead of thrown.
    var isCollecting: Bool { reporting == .collecting || reporting == .findingFirst }
    /// Whether unknown members are collected instead of thrown.
    var collectsUnknownMembers: Bool { reporting != .throwing }
    /// Whether the session collects problems only to keep the first in the order of the text.
    var findsFirstProblem: Bool { reporting == .findingFirst }
    /// Whether the targets of objects are found.
    var tracksTargets: Bool { @inline(__always) get { targetTracking == .tracked } }
    /// Whether the class of an object depended on its target, so that targets are found.
    package var needsTargets: Bool { targetTracking != .none }
    var readsEmptyTextAsNull: Bool { options.leniency.contains(.emptyTextAsNull) }
    /// The number of containers around the root value.
    var outerDepth: Int { isElement ? 1 : 0 }

    /// Counts the properties of a model that is made against the limit of values; false if there are too many.
    @inline(__always)
    func hasRoom(slots: Int) -> Bool {
        remainingSlots &-= slots
        return remainingSlots >= 0
    }

    // MARK: Texts

    /// Reads a text that the document is, or that was written of it.
    @inline(__always)
    func read<Value>(
        _ bytes: BorrowedBytes, _ body: (inout ModelDecoder) throws(DecodingFailure) -> Value
    ) throws(DecodingFailure) -> Value {
        text = bytes
        located = origin
        defer { text = nil }
        var reader = JSONReader(bytes, options: document.readingOptions(options.reading))
        if isElement { reader.resume(inside: outerDepth) }
        var decoder = ModelDecoder(reader, session: self)
        if !isElement {
            do throws(JSONSyntaxError) { try decoder.source.beginDocument() } catch {
                throw decoder.locate(error)
            }
        }
        let value = try body(&decoder)
        if decoder.known.mayShare { targets?.unchanged = decoder.known.unchanged }
        if isElement {
            decoder.source.skipWhitespace()
            elementEnd = decoder.source.offset
        } else {
            do throws(JSONSyntaxError) { try decoder.source.endDocument() } catch {
                let failure = decoder.locate(error)
                guard case .problem(let problem) = failure else { throw failure }
                throw .problem(recognizingLines(problem, after: error.offset))
            }
        }
        return value
    }

    /// The line and column of a byte; nil if the document is no text.
    func location(_ offset: Int) -> JSONLocation? {
        guard case .bytes = document.form, let text else { return nil }
        let offset = min(max(offset, 0), text.count)
        // Problems are found nearly in order; an earlier one starts again at the beginning.
        if offset < located.byteOffset - origin.byteOffset { located = origin }
        let start = located.byteOffset - origin.byteOffset
        located = located.advanced(by: offset - start, in: text.part(from: start))
        return located
    }

    // MARK: Starting over

    /// Notes that the target of an object must be known. Ends the attempt if it is not.
    func requireTargets() throws(DecodingFailure) {
        guard targetTracking == .none else { return }
        targetTracking = .required
        throw .startsOver
    }

    /// Forgets what the last attempt has made and reported, and tracks targets if they are required.
    func startOver() {
        if targetTracking == .required { targetTracking = .tracked }
        problems = []
        droppedRoots = []
        decodedRoots = nil
        skippedElements = [:]
        specified = []
        remainingSlots = options.reading.maximumValues
        targets?.startOver()
    }

    // MARK: Problems

    /// Returns an error about the document, of which nothing below a value with a label is told.
    func masked(_ error: ModelError) -> ModelError { plans.labelledPaths?.masked(error) ?? error }

    /// Records a problem; throws if there are more than the options allow.
    func report(_ error: ModelError) throws {
        let room = max(options.maximumProblems - problems.count, 0)
        problems += error.problems.prefix(room)
        if error.problems.count > room {
            throw ModelError(
                .limitExceeded, expected: "at most \(options.maximumProblems.counted("problem"))", found: "more")
        }
    }

    /// Keeps a problem if it is the first in the text so far.
    func consider(_ problem: ModelError, at offset: Int) {
        if let first, first.offset <= offset { return }
        first = (offset, problem)
    }

    /// Returns the first problem in the text, given the error that ended decoding.
    ///
    /// Properties with several paths, or with a path into an array, are decoded after their object has ended. So a
    /// problem after their value is found before a problem in it. If that may have happened, the text is decoded once
    /// more, and the first of all problems is kept.
    ///
    /// - Complexity: O(*n*) in the size of the text where values were decoded out of order, else O(1).
    func firstProblem(
        _ error: ModelError, in bytes: BorrowedBytes,
        _ body: (inout ModelDecoder) throws(DecodingFailure) -> Void
    ) -> ModelError {
        guard decodesOutOfOrder, !isCollecting, error.category != .malformedInput else { return error }
        let search = DecodingSession(
            plans: plans, options: options, reporting: .findingFirst, document: document, prefix: prefix,
            isElement: isElement, origin: origin, partialModels: partialModels, targets: targets)
        // Objects are of the classes of their targets, as in this attempt.
        if targets != nil { search.targetTracking = .tracked }
        // The error that ends this attempt is one of those that the search has considered.
        _ = try? search.read(bytes, body)
        return search.first?.problem ?? error
    }

    /// Notes that another list has replaced one from which elements were left out.
    func moveSkippedElements(from list: SlotList, to other: SlotList) {
        guard var skipped = skippedElements.removeValue(forKey: ObjectIdentifier(list)) else { return }
        skipped.list = other
        skippedElements[ObjectIdentifier(other)] = skipped
    }

    // MARK: Lines

    /// Adds a hint about JSON lines to an error, if the next line is another document.
    @inline(never)
    private func recognizingLines(_ error: ModelError, after offset: Int) -> ModelError {
        guard error.code == .malformedJSON, isSecondLine(at: offset) else { return error }
        return error.found(JSONLinesHint.secondText)
    }

    /// Adds a hint about JSON lines to an error about a document that is no array, if it has several lines.
    func recognizingLines(_ error: ModelError, in bytes: BorrowedBytes) -> ModelError {
        guard error.code == .typeMismatch, error.pointer?.tokens.isEmpty == true else { return error }
        text = bytes
        defer { text = nil }
        var reader = JSONReader(bytes, options: options.reading)
        guard (try? reader.beginDocument()) != nil, (try? reader.skipValue()) != nil else { return error }
        return isSecondLine(at: reader.startOfValue(at: reader.offset)) ? error.found(JSONLinesHint.firstText) : error
    }

    /// Whether an object or array begins on a new line at an offset.
    private func isSecondLine(at offset: Int) -> Bool {
        guard let text, let byte = text.byte(at: offset), byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") else {
            return false
        }
        return text[..<offset].last { $0 != 0x20 && $0 != 0x09 } == UInt8(ascii: "\n")
    }
}

/// The use that a decoding call makes of the problems of a document.
enum ProblemReporting {
    /// The first one is thrown.
    case throwing
    /// Unknown members are collected, which need no recovery. The first of other problems is thrown.
    case collectingUnknownMembers
    /// They are collected.
    case collecting
    /// Decoding goes on to find the first in the order of the text.
    case findingFirst
}

/// Whether a decoding call knows the models that objects are merged into.
private enum TargetTracking {
    case none
    /// They must be known, so the attempt has ended.
    case required
    case tracked
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
    /// The collection. It is held because `skippedElements` knows it by its address. Replaced when a set gets a list
    /// without repeated elements.
    package internal(set) var list: SlotList
    /// Arrays and sets: for each element that could be identified, a model that has only what identifies it. Empty for
    /// dictionaries.
    package internal(set) var parts: [DynamicModel] = []
    /// Dictionaries: the keys of the entries that were left out. Empty for arrays and sets.
    package internal(set) var keys: Set<UTF8Key> = []
    /// Arrays and sets: whether at least one element could not be identified; `parts` has the others. False for
    /// dictionaries.
    package internal(set) var areUnknown = false
}
