package import PalliumCore
package import PalliumJSON

// Lent bytes for what takes buffers.
//
// Safety: the document, or the buffer, is used as long as the bytes are lent.
extension JSONDocument {
    /// Makes a document from the bytes of its text, which the caller holds while the document is used.
    package init(_ bytes: BorrowedBytes) { unsafe self.init(bytes: bytes.rawBuffer) }
}

extension BorrowedBytes: JSONInput {
    /// Calls a function with the bytes.
    package func _withJSONDocument<Outcome, Failure: Error>(
        _ body: (JSONDocument) throws(Failure) -> Outcome
    ) throws(Failure) -> Outcome {
        try body(JSONDocument(self))
    }
}

extension StoredTextWriter {
    /// Calls a function with the text of a model, which is valid during the call only (see `withText`).
    package mutating func withBorrowedText<Result>(
        of model: DynamicModel, _ body: (BorrowedBytes) throws(ModelError) -> Result
    ) throws(ModelError) -> Result {
        try unsafe withText(of: model) { bytes throws(ModelError) in try unsafe body(BorrowedBytes(bytes)) }
    }
}

extension DecodingSession {
    /// Reads a text that the document is.
    func attempt<Value>(
        _ bytes: BorrowedBytes, _ body: (inout ModelDecoder) throws(DecodingFailure) -> Value
    ) throws(ModelError) -> Value {
        try unsafe attempt(bytes.rawBuffer, body)
    }
}

extension StreamDecoder {
    /// The offset of the first line feed from an offset on.
    static func lineEnd(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        unsafe BorrowedBytes(bytes).offset(of: UInt8(ascii: "\n"), from: start)
    }
}
