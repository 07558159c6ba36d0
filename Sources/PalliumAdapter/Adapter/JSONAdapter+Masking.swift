import PalliumJSON

extension JSONAdapter {
    /// Returns the text of a document with a mask in place of each value of a property with a label, for a log or a queue
    /// of refused documents.
    ///
    ///     log(accounts.masked(body).map { String(decoding: $0, as: UTF8.self) } ?? "no JSON")
    ///
    /// The rest of the text stays as it is, and null stays null. Of repeated members, each is masked.
    ///
    /// - Returns: The text; nil if properties have labels and it is no JSON, so that nobody knows where their values are.
    /// - Complexity: O(*n*) in the size of the text.
    public func masked(_ document: some Sequence<UInt8>) -> [UInt8]? {
        let text = Array(document)
        guard let paths = plans.labelledPaths else { return text }
        return paths.masked(text[...], maximumDepth: options.reading.maximumDepth)
    }
}
