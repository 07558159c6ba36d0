import PalliumCore
public import PalliumJSON

/// A law that does not hold, and a small document that shows it.
public struct BrokenLaw: Error, Sendable, Hashable, CustomStringConvertible {
    /// The law.
    public let law: SchemaLaw
    /// The schema of the property, or of the model if no single property breaks the law.
    public let schema: String
    /// The key of the property, if one breaks the law.
    public let property: String?
    /// A description of what happened.
    public let problem: String
    /// A document that breaks the law. No document with a member, an element or a character less does.
    public let document: JSONValue
    /// The schema that the document is decoded as.
    public let model: String
    /// The seed of the samples.
    public let seed: UInt64

    /// The law, the property and what happened, and in a second line the document.
    public var description: String {
        let place = property.map { "\(schema).\(ModelError.shorten($0, to: 64))" } ?? schema
        return "\(place) breaks the law \(law.rawValue): \(problem)\n  a \(model), seed \(seed): \(document)"
    }
}
