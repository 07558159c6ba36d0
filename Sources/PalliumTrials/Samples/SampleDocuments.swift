public import PalliumCore
public import PalliumJSON

/// Documents made from a schema, for tests.
///
///     var samples = try SampleDocuments(of: schema, registry: registry)
///     while !samples.isComplete { try send(samples.next()) }
///
/// A few documents contain every property absent, null and with values at the edges of its kind and rules, every case of
/// enumerations, and every model that a cluster chooses. A choice of a nested model occurs once in all of them, and not in
/// each place where the model can be. A document has about 16 kB and at most four values that need more, unless its schema
/// requires more. The same schema and seed make the same documents.
public struct SampleDocuments {
    var maker: SampleMaker
    /// The document to return if no other can be made.
    private var last: JSONValue
    private var isFirst = true

    /// Prepares documents of one model each.
    ///
    /// - Parameters:
    ///   - schema: The schema of the model, which must be registered. Its own mapping to JSON is used.
    ///   - registry: The registry that knows the schema.
    ///   - seed: The beginning of the random choices. The first documents differ little for other seeds.
    /// - Throws: ``SchemaError`` if there is no such document: a required property has no known value, or a model
    ///   requires itself without end, or models on more than 50 levels.
    public init(of schema: ModelSchema, registry: SchemaRegistry = .shared, seed: UInt64 = 0) throws(SchemaError) {
        maker = SampleMaker(try registry.registeredLayout(schema), registry: registry, seed: seed)
        guard let first = maker.document() else {
            let reasons = maker.omissions.filter { $0.fix == nil }
            throw SchemaError(
                [
                    SchemaError.Problem(
                        schema: schema.name,
                        message: maker.models[0].height == nil && reasons.isEmpty
                            ? "requires itself without end, or models on more than \(SampleMaker.maximumHeight.counted("level"))"
                            : "has no samples: \(maker.excess ?? "no document was found that it accepts")")
                ] + reasons)
        }
        last = .object(first)
    }

    /// Makes the next document.
    ///
    /// There is no end: once everything was covered, choices are random.
    public mutating func next() -> JSONValue {
        if isFirst {
            isFirst = false
            return last
        }
        if let object = maker.document() { last = .object(object) }
        return last
    }

    /// How many documents are made at most to cover every choice.
    package static let maximumCoverage = 1000

    /// Makes the next of a number of documents; nil if there are enough.
    ///
    /// - Parameters:
    ///   - made: The number of documents so far.
    ///   - count: The number of all; nil for as many as cover every choice, at most `maximumCoverage`.
    package mutating func next(after made: Int, of count: Int?) -> JSONValue? {
        guard made < count ?? Self.maximumCoverage, count != nil || !isComplete else { return nil }
        return next()
    }

    /// Whether the documents so far took every choice that a document can take.
    public var isComplete: Bool { !isFirst && maker.isComplete }

    /// The properties and models that samples leave out so far, because no value is known that they accept.
    ///
    /// For example, a transformer of your own accepts only texts that samples cannot guess, or a pattern has no simple
    /// construction. Models that a cluster names are among them once they were tried in vain.
    public var omissions: [SchemaError.Problem] { maker.omissions + maker.unmadeModels }
}
