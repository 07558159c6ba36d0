package import PalliumCore
import PalliumJSON

/// Decodes a stream that arrives in pieces: lines of JSON texts, or the elements of one array.
///
/// ```
///   pieces ──append──▶ buffer ──framing: where does the element end?──▶ ModelDecoder ──▶ model or report
/// ```
/// No more is held than the pieces not yet used up and one element. What comes out does not depend on how the bytes
/// are cut into pieces, and is what decoding the whole text at once gives.
///
/// It is not generic over models, so that it is compiled as a whole; callers know the class.
///
/// Safety: the buffer copies a piece before `append` returns; sessions do not outlive the call that lends the bytes.
package struct StreamDecoder {
    /// How a stream is divided.
    package enum Framing {
        /// Every line is a JSON text; blank lines are passed over.
        case lines
        /// The whole stream is one JSON array.
        case array
    }

    /// What became of an element.
    struct Element {
        /// The model, unless there is a problem.
        var model: DynamicModel?
        /// What could be built in spite of problems, and the problems, where they are collected.
        var report: DecodingReport<DynamicModel>?
        /// Where the element begins, for reports.
        var location: JSONLocation?
        /// The first problem, as decoding the whole text would throw it.
        var problem: ModelError?
        /// Why nothing can be decoded behind this element.
        var breakdown: ModelError?
    }

    let adapter: JSONAdapter<DynamicModel>
    let framing: Framing
    var lines = LineState()
    var array = ArrayState()
    var buffer = StreamBuffer()
    /// No more bytes will come.
    var isEnded = false
    /// Everything was decoded, or nothing more can be.
    package private(set) var isFinished = false

    package init<Model>(_ adapter: JSONAdapter<Model>, framing: Framing) {
        self.adapter = adapter.untyped
        self.framing = framing
    }

    /// Adds a piece. What it holds already should have been taken out before, or it is held, too.
    package mutating func append(_ piece: UnsafeRawBufferPointer) { unsafe buffer.append(piece) }

    /// Says that there are no more pieces.
    package mutating func end() { isEnded = true }

    /// Gives up.
    package mutating func finish() { isFinished = true }

    /// The next model; nil when more bytes are needed, or the stream is finished. With
    /// ``JSONAdapterOptions/ElementPolicy/skip``, elements with problems are passed over.
    ///
    /// - Throws: ``ModelError``, after which the stream is finished.
    package mutating func nextModel() throws(ModelError) -> DynamicModel? {
        while let element = nextElement(collecting: false) {
            if let model = element.model { return model }
            let skips = adapter.options.elements == .skip
            if let problem = skips ? element.breakdown : element.problem {
                isFinished = true
                throw problem
            }
        }
        return nil
    }

    /// The report about the next element; nil when more bytes are needed, or the stream is finished.
    package mutating func nextReport() -> DecodingReport<DynamicModel>? {
        guard let element = nextElement(collecting: true) else { return nil }
        var report =
            element.report ?? DecodingReport(models: element.model.map { [$0] } ?? [], problems: [], isArray: false)
        report.location = element.location
        if let breakdown = element.breakdown {
            isFinished = true
            report.problems += breakdown.problems
        }
        return report
    }

    private mutating func nextElement(collecting: Bool) -> Element? {
        if isFinished { return nil }
        let element =
            switch framing {
            case .lines: nextLine(collecting: collecting)
            case .array: nextArrayElement(collecting: collecting)
            }
        if element == nil, isEnded { isFinished = true }
        return element
    }

    // MARK: For both kinds of framing

    var limit: Int { adapter.options.maximumElementBytes }

    /// An element of more bytes than the options allow.
    func tooLong(at tokens: [String]) -> ModelError {
        ModelError(
            .limitExceeded, expected: "an element of at most \(limit) bytes", found: "more",
            schema: adapter.schema.name
        ).at(tokens).located().at(buffer.location)
    }

    /// An attempt to decode an element without collecting: with the strict policy, so that no problem is lost.
    func strictSession(_ document: UnsafeRawBufferPointer) -> DecodingSession {
        var options = adapter.options
        options.elements = .fail
        return unsafe DecodingSession(
            plans: adapter.plans, options: options, isCollecting: false, document: JSONDocument(bytes: document),
            origin: buffer.location)
    }
}
