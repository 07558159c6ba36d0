import PalliumCore
import PalliumJSON

/// The parts of a stream decoder that stay the same, and that decoding one element needs.
///
/// They are an object, because a copy of them for every element would be slow: it would count references to what all
/// threads share.
final class StreamSettings: Sendable {
    let adapter: JSONAdapter<DynamicModel>
    let framing: StreamDecoder.Framing
    /// Whether the texts of elements are kept.
    let keepsTexts: Bool
    /// The options of sessions whose element may be decoded again. Their policy is strict, so that no problem is lost.
    private let strictOptions: JSONAdapterOptions

    init(_ adapter: JSONAdapter<DynamicModel>, _ framing: StreamDecoder.Framing, keepsTexts: Bool) {
        // Where an element ends is found in its bytes as they are.
        let adapter =
            adapter.options.reading.comments == .error ? adapter : adapter.with { $0.reading.comments = .error }
        self.adapter = adapter
        self.framing = framing
        self.keepsTexts = keepsTexts
        var strictOptions = adapter.options
        strictOptions.elements = .fail
        self.strictOptions = strictOptions
    }

    /// The largest number of bytes of an element.
    var limit: Int { adapter.options.maximumElementBytes }

    /// Makes the error for an element of more bytes than the options allow.
    func tooLong(at tokens: [String], _ location: JSONLocation) -> ModelError {
        ModelError(
            .limitExceeded, expected: "an element of at most \(limit.counted("byte"))", found: "more",
            schema: adapter.schema.name
        ).at(tokens).located().at(location)
    }

    /// Makes a session that throws the first problem.
    ///
    /// - Parameters:
    ///   - element: The path to an element of an array; nil for a line.
    ///   - collecting: Whether an element with problems other than unknown members is decoded again, to report all of
    ///     them.
    func session(
        _ bytes: BorrowedBytes, at location: JSONLocation, element: [String]?, collecting: Bool = false
    ) -> DecodingSession {
        DecodingSession(
            plans: adapter.plans, options: collecting ? strictOptions : adapter.options,
            reporting: collecting ? .collectingUnknownMembers : .throwing, document: JSONDocument(bytes),
            prefix: element ?? [], isElement: element != nil, origin: location)
    }

    /// Reads the root of a text as a list of models, which it is not.
    func readRoot(of bytes: BorrowedBytes, _ session: DecodingSession) throws(ModelError) {
        _ = try session.attempt(bytes) { decoder throws(DecodingFailure) in
            try decoder.decode(adapter.root, as: .list)
        }
    }

    /// Makes a reader for what is between elements. The limits for documents do not apply to the unread bytes, whose
    /// number depends on how they arrive.
    func reader(of bytes: BorrowedBytes) -> JSONReader {
        JSONReader(bytes, options: adapter.options.reading.forPart)
    }

    /// Makes the error for malformed text.
    func problem(
        _ error: JSONSyntaxError, in bytes: BorrowedBytes, at location: JSONLocation, _ tokens: [String]
    ) -> ModelError {
        ModelError(error).at(tokens).at(location.advanced(by: error.offset, in: bytes))
    }

    // MARK: Elements

    /// Decodes a line, or an element of an array with the byte that follows it.
    ///
    /// - Parameters:
    ///   - element: The path to the element; nil for a line.
    ///   - isLast: Whether nothing follows a line in the bytes that have arrived.
    func decode(
        _ text: BorrowedBytes, at location: JSONLocation, element: [String]? = nil, isLast: Bool = false,
        collecting: Bool
    ) -> StreamDecoder.Element {
        var result = StreamDecoder.Element(location: location)
        let session = session(text, at: location, element: element, collecting: collecting)
        do throws(ModelError) {
            result.model = try adapter.document(session.read(adapter.root, as: .model).model)
            result.end = session.elementEnd
            if !session.problems.isEmpty {
                result.report = DecodingReport(model: result.model, problems: session.problems)
            }
        } catch {
            result.problem = recognizingDocument(error, text, at: location, isLast: isLast)
            if collecting {
                // Only an element with such a problem, or a line that is an array, is decoded again to collect all.
                let collector = adapter.session(
                    JSONDocument(text), collecting: true, element: element, origin: location)
                var (report, problem) = adapter.report(of: collector)
                report.problems = report.problems.map {
                    recognizingDocument($0, text, at: location, isLast: isLast)
                }
                result.report = report
                result.end = collector.elementEnd
                if element != nil { result.breakdown = problem }
            } else if let element {
                result.breakdown =
                    error.category == .malformedInput
                    ? error : skip(text, at: location, element, &result.end)
            }
        }
        if keepsTexts, result.breakdown == nil {
            result.text = element == nil ? Array(text) : Self.trimmed(text.part(0..<result.end))
        }
        return result
    }

    /// Adds a hint if the first line shows that the text is a whole document.
    private func recognizingDocument(
        _ error: ModelError, _ line: BorrowedBytes, at location: JSONLocation, isLast: Bool
    ) -> ModelError {
        guard framing == .lines, location == .start else { return error }
        return JSONLinesHint.recognizingDocument(error, first: line.first, isLast: isLast)
    }

    /// Skips a refused element; returns the error if it is malformed.
    private func skip(
        _ text: BorrowedBytes, at location: JSONLocation, _ tokens: [String], _ end: inout Int
    ) -> ModelError? {
        var reader = reader(of: text)
        reader.resume(inside: 1)
        do throws(JSONSyntaxError) {
            try reader.skipValue()
            reader.skipWhitespace()
            end = reader.offset
            return nil
        } catch { return problem(error, in: text, at: location, tokens) }
    }

    /// The bytes without white space at their end.
    private static func trimmed(_ bytes: BorrowedBytes) -> [UInt8] {
        Array(bytes[..<((bytes.lastIndex { !StreamDecoder.isWhitespace($0) } ?? bytes.startIndex - 1) + 1)])
    }
}
