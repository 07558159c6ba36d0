import Foundation

/// A way to decode that rows time, and the proof that it is strict: it takes the document and refuses every mutation.
struct Configuration {
    /// The way in words.
    let name: String

    private let document: DocumentValue
    private let optionalMembers: Set<String>
    private let decode: (Data) throws -> Void

    /// - Parameters:
    ///   - document: A document of one model in which everything is present.
    ///   - optionalMembers: Names of the members that may be missing and null.
    ///   - decode: Decodes a document of one model.
    init(
        _ name: String, document: DocumentValue, optionalMembers: Set<String> = [],
        decode: @escaping (Data) throws -> Void
    ) {
        self.name = name
        self.document = document
        self.optionalMembers = optionalMembers
        self.decode = decode
    }

    /// How many mutations every configuration must refuse.
    static let mutationCount = 200

    /// A document has not enough places for mutations, so that nothing would be proved.
    struct TooFewMutations: Error {}

    /// Returns how many documents it takes that it must refuse.
    func acceptedMutations() throws -> Int {
        try decode(document.data)
        let mutations = DocumentMutations(optionalMembers: optionalMembers)
            .mutations(of: document, count: Self.mutationCount)
        guard mutations.count == Self.mutationCount else { throw TooFewMutations() }
        return mutations.count { mutation in
            do { try decode(mutation) } catch { return false }
            return true
        }
    }
}
