import PalliumCore
import PalliumJSON

/// The parts of a stream decoder that stay the same, and that decoding one element needs.
///
/// They are an object, because a copy of them for every element would be slow: it would count references to what all
/// threads share.
///
/// Safety: a session does not outlive the call that borrows the bytes.
final class StreamSettings: Sendable {
    let adapter: JSONAdapter<DynamicModel>
    let framing: StreamDecoder.Framing
    /// Whether the texts of elements are kept.
    let keepsTexts: Bool
    /// The options of sessions whose element may be decoded again. Their policy is strict, so that no problem is lost.
    private let strictOptions: JSONAdapterOptions

    init(_ adapter: JSONAdapter<DynamicModel>, _ framing: StreamDecoder.Framing, keepsTexts: Bool) {
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
    /// - Parameter collecting: Whether an element with problems is decoded again, to report all of them.
    func session(
        _ bytes: UnsafeRawBufferPointer, at location: JSONLocation, collecting: Bool = false
    ) -> DecodingSession {
        unsafe DecodingSession(
            plans: adapter.plans, options: collecting ? strictOptions : adapter.options, isCollecting: false,
            document: JSONDocument(bytes: bytes), origin: location)
    }
}
