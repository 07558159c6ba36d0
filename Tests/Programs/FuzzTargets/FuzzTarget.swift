import Pallium

/// What is fuzzed: a function of arbitrary bytes that throws when a promise of the library does not hold.
///
/// The same functions replay saved inputs in the tests.
package enum FuzzTarget: String, CaseIterable, Sendable {
    /// Documents into models of every kind of property.
    case typed
    /// Documents into trees, against the same documents as a property and as a skipped member.
    case untyped
    /// Trees to text and back, in every layout.
    case writing
    /// The same document through bytes, a tree and Foundation's objects.
    case entrances
    /// The same stream in one piece and in chunks.
    case chunks
    /// Text of URLs that are made at the first read.
    case url
    /// Moments as text.
    case date
    /// Schema documents.
    case schema
    /// Documents as later states of each other, and as patches.
    case patch
    /// Archives whose checksums are made to fit.
    case archive
    /// Reports of drift, which are the baselines of others.
    case report
    /// JSON Schema and OpenAPI documents.
    case contract
    /// Files of stores with changed bytes.
    case store

    /// Checks the promises for an input.
    package func check(_ bytes: [UInt8]) throws {
        switch self {
        case .typed: try TypedDocuments.check(bytes)
        case .untyped: try UntypedDocuments.check(bytes)
        case .writing: try WrittenTrees.check(bytes)
        case .entrances: try EqualEntrances.check(bytes)
        case .chunks: try ChunkedStreams.check(bytes)
        case .url: try LazyURLs.check(bytes)
        case .date: try Moments.check(bytes)
        case .schema: try SchemaDocuments.check(bytes)
        case .patch: try Patches.check(bytes)
        case .archive: try ForgedArchives.check(bytes)
        case .report: try Reports.check(bytes)
        case .contract: try ContractDocuments.check(bytes)
        case .store: try DamagedStores.check(bytes)
        }
    }
}

/// A promise that does not hold.
package struct BrokenPromise: Error, CustomStringConvertible {
    package let description: String
}

/// Throws when a promise does not hold.
func promise(_ holds: Bool, _ text: @autoclosure () -> String) throws {
    if !holds { throw BrokenPromise(description: text()) }
}

/// Throws when a refusal tells no place inside the input or is too long.
func promiseUsefulError(_ error: any Error, inputCount: Int) throws {
    try promise("\(error)".utf8.count <= 512, "an error of more than 512 bytes: \(error)")
    guard let offset = (error as? JSONSyntaxError)?.offset ?? (error as? ModelError)?.location?.byteOffset else {
        throw BrokenPromise(description: "an error without a place: \(error)")
    }
    try promise((0...inputCount).contains(offset), "an error outside the input, at \(offset): \(error)")
}
