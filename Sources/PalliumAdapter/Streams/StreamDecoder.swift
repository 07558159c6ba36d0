package import PalliumCore
package import PalliumJSON

/// Decodes a stream that arrives in pieces: lines of JSON texts, or the elements of one array.
///
/// ```
///   pieces ──append──▶ buffer ──framing: where does the element end?──▶ ModelDecoder ──▶ model or report
/// ```
/// The decoder holds only the unread pieces and one element. The result does not depend on how the bytes are cut into
/// pieces, and equals decoding the whole text at once.
///
/// It is not generic over models, so that it is compiled as a whole; callers know the class.
///
/// Decoding makes a model that is reachable from nowhere else.
package struct StreamDecoder {
    /// The format of a stream.
    package enum Framing {
        /// Every line is a JSON text; blank lines are skipped.
        case lines
        /// The whole stream is one JSON array.
        case array
    }

    /// The result of decoding an element.
    package struct Element {
        /// The model; nil if there is a problem.
        package var model: DynamicModel?
        /// The report with all problems, if they are collected.
        package var report: DecodingReport<DynamicModel>?
        /// The location of the element, for reports.
        package var location: JSONLocation?
        /// The first problem; it is the one that decoding the whole text would throw.
        var problem: ModelError?
        /// The error that makes the rest of the stream undecodable.
        var breakdown: ModelError?
        /// The offset after an element of an array and white space.
        var end = 0
        /// The bytes of the element, if texts are kept and it is complete.
        var text: [UInt8]?
    }

    let settings: StreamSettings
    var lines = LineState()
    var array = ArrayState()
    var buffer: StreamBuffer
    /// Whether all bytes have been added.
    var isEnded = false
    /// Whether everything was decoded, or nothing more can be.
    package private(set) var isFinished = false
    /// The bytes of the element that was reported last; nil if texts are not kept or the element is incomplete.
    package private(set) var lastText: [UInt8]?

    package init<Model>(_ adapter: JSONAdapter<Model>, framing: Framing, keepsTexts: Bool = false) {
        settings = StreamSettings(adapter.untyped, framing, keepsTexts: keepsTexts)
        buffer = StreamBuffer()
    }

    /// Makes a decoder for lines of a stream that are in memory.
    init(_ adapter: JSONAdapter<DynamicModel>, lines: [UInt8], at location: JSONLocation) {
        settings = StreamSettings(adapter, .lines, keepsTexts: false)
        buffer = StreamBuffer(lines, at: location)
        isEnded = true
    }

    /// Adds a piece. Decode all complete elements before, because pieces that are not decoded are held in memory.
    package mutating func append(_ piece: BorrowedBytes) { buffer.append(piece) }

    /// Marks the end of the stream.
    package mutating func end() { isEnded = true }

    /// Stops decoding.
    package mutating func finish() { isFinished = true }

    /// Decodes the next model; nil if more bytes are needed or the stream is finished.
    ///
    /// With ``JSONAdapterOptions/ElementPolicy/skip``, elements with problems are skipped.
    ///
    /// - Throws: ``ModelError``, after which the stream is finished.
    package mutating func nextModel() throws(ModelError) -> DynamicModel? {
        while let element = nextElement(collecting: false) {
            if let model = element.model { return model }
            let skips = settings.adapter.options.elements == .skip
            if let problem = skips ? element.breakdown : element.problem {
                isFinished = true
                throw problem
            }
        }
        return nil
    }

    /// Decodes the next model, of the class that the adapter makes (see `nextModel`).
    mutating func next<Model: DynamicModel>(_ modelClass: Model.Type) throws(ModelError) -> sending Model? {
        try makeUnshared { () throws(ModelError) in try nextModel()?.known(as: modelClass) }
    }

    /// Decodes the next element and reports its problems; nil if more bytes are needed or the stream is finished.
    package mutating func nextReport() -> DecodingReport<DynamicModel>? {
        guard let element = nextElement(collecting: true) else { return nil }
        lastText = element.text
        var report =
            element.report ?? DecodingReport(model: element.model, problems: element.breakdown?.problems ?? [])
        report.location = element.location
        if element.breakdown != nil { isFinished = true }
        return report
    }

    /// Decodes the next element; nil if more bytes are needed or the stream is finished.
    ///
    /// - Parameter collecting: Whether an element with problems has a report about all of them.
    package mutating func nextElement(collecting: Bool) -> Element? {
        if isFinished { return nil }
        let element =
            switch settings.framing {
            case .lines: nextLine(collecting: collecting)
            case .array: nextArrayElement(collecting: collecting)
            }
        if element == nil, isEnded { isFinished = true }
        return element
    }
}
