public import PalliumCore
public import PalliumJSON

/// A document with exactly one mistake, and the error that it causes.
public struct InvalidSample: Sendable, Hashable, CustomStringConvertible {
    /// The document.
    public let document: JSONValue
    /// The kind of problem that decoding reports.
    public let code: ModelError.Code
    /// The path of the problem, as decoding reports it.
    public let pointer: JSONPointer
    /// The mistake, for people: `null for Issue.number`.
    public let mistake: String

    /// The document and the expected error as JSON.
    ///
    ///     {"document": {"number": true}, "expected": {"code": "typeMismatch", "pointer": "/number"}}
    public var json: JSONValue {
        ["document": document, "expected": ["code": .string(code.rawValue), "pointer": .string(pointer.description)]]
    }

    /// The mistake and the expected error: `null for Issue.number: nullNotAllowed at /number`.
    public var description: String { "\(mistake): \(code.rawValue) at \(pointer.description)" }
}

extension SampleDocuments {
    /// Makes documents with exactly one mistake each.
    ///
    /// Each is a valid document with one change: a value of the wrong kind, out of range or against a rule, null or
    /// nothing where a value is required, an unlisted case or discriminator, an unknown member, a broken rule about
    /// several properties. Every model inside of the document gets its mistakes. Decoding must refuse the document with
    /// the announced error; for unknown members that takes `JSONAdapterOptions.UnknownMembers.refuse`.
    ///
    /// - Complexity: O(*n*) in the number of properties, apart from the size of the documents.
    public func invalid() -> [InvalidSample] {
        var mistakes = SampleMistakes(maker: maker)
        return mistakes.all()
    }
}
