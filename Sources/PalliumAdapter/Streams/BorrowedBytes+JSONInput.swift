package import PalliumJSON

extension BorrowedBytes: JSONInput {
    /// Calls a function with the bytes.
    package func _withJSONDocument<Outcome, Failure: Error>(
        _ body: (JSONDocument) throws(Failure) -> Outcome
    ) throws(Failure) -> Outcome {
        try body(JSONDocument(self))
    }
}
