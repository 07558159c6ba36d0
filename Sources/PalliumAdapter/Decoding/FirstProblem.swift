import PalliumCore
import PalliumJSON

/// Finds the first problem of a document, in the order of its text.
///
/// Properties with several paths, or with a path into an array, are decoded after their object has ended. So a problem
/// behind their value is found before a problem in it. If that may have happened, the document is decoded once more as
/// a tree, and the first of all problems is kept.
struct FirstProblem {
    private let tree: JSONValue
    /// The length of the pointer to the tree.
    private let prefixCount: Int
    private(set) var error: ModelError
    private var positions: [Int]

    init(_ error: ModelError, in tree: JSONValue, prefixCount: Int) {
        self.tree = tree
        self.prefixCount = prefixCount
        self.error = error
        positions = []
        positions = positions(of: error)
    }

    mutating func consider(_ other: ModelError) {
        let otherPositions = positions(of: other)
        guard otherPositions.lexicographicallyPrecedes(positions) else { return }
        error = other
        positions = otherPositions
    }

    /// The positions of the members and elements on the path to an error.
    private func positions(of error: ModelError) -> [Int] {
        var value = tree
        var result: [Int] = []
        for token in (error.wholePointer?.tokens ?? []).dropFirst(prefixCount) {
            switch value {
            case .object(let members):
                guard let position = members.position(of: token) else { return result }
                result.append(position)
                value = members[position].value
            case .array(let elements):
                // Your code may throw an error about another document.
                guard let position = Int(token), elements.indices.contains(position) else { return result }
                result.append(position)
                value = elements[position]
            default: return result
            }
        }
        return result
    }
}

// Safety: the reader stays inside the document, which is borrowed for the call in which the session lives.
extension DecodingSession {
    /// Returns the first problem of the decoded value, given the error that ended decoding.
    ///
    /// - Parameters:
    ///   - prefix: The tokens of the pointer to the value.
    ///   - decode: Decodes the value again.
    /// - Complexity: O(*n*) in the size of the document where values were decoded out of order, else O(1).
    func firstProblem(
        _ error: ModelError, prefix: [String] = [],
        _ decode: (inout ModelDecoder<TreeSource>) throws(ModelError) -> Void
    ) -> ModelError {
        guard decodesOutOfOrder, !isCollecting, error.category != .malformedInput, let tree = decodedTree() else {
            return error
        }
        let session = DecodingSession(
            plans: plans, options: options, isCollecting: true, document: JSONDocument(tree),
            partialModels: partialModels)
        session.search = FirstProblem(error, in: tree, prefixCount: prefix.count)
        var decoder = ModelDecoder<TreeSource>(
            TreeSource(tree, maximumDepth: options.reading.maximumDepth), session: session, prefix: prefix)
        // The error that ends this attempt is one of those that the search has recorded.
        try? decode(&decoder)
        guard let first = session.search?.error, let pointer = first.pointer, pointer != error.pointer else {
            return error
        }
        let tokens = Array(pointer.tokens.dropFirst(prefix.count))
        return first.at(location(offset(of: tokens, from: startOfValue(at: beginning))))
    }

    /// The decoded value as a tree; nil if its text is malformed.
    private func decodedTree() -> JSONValue? {
        guard let rest = unsafe remainingBytes else { return try? document.tree(options.reading) }
        var reader = unsafe JSONReader(rest.bindMemory(to: UInt8.self), options: options.reading.forPart)
        return try? reader.readValue()
    }
}
