public import Foundation
public import PalliumCore
public import PalliumJSON

/// Collects what real data does against a schema.
///
///     var monitor = try DriftMonitor(schema: schema, registry: registry)
///     let report = adapter.report(from: data)
///     monitor.add(data, problems: report.problems, models: report.models, source: "orders.json")
///     print(monitor.report().text)
///
/// An adapter with ``JSONAdapterOptions/UnknownMembers/refuse`` finds the contradictions, and the monitor counts them and
/// the figures of all properties. Documents are not held: memory is bounded, whatever their number and content. Monitors of
/// several threads can be merged. The article *Drift* describes the report.
///
/// Safety: the bytes of a document are used only while they are borrowed.
public struct DriftMonitor: Sendable {
    private let plans: DriftPlans
    private var counts: DriftCounts

    /// Begins without documents.
    ///
    /// - Parameters:
    ///   - schema: The schema of the documents' roots.
    ///   - profile: The profile that the adapter reads with.
    ///   - registry: The registry of the schema.
    /// - Throws: ``ModelError`` if the schema is not registered.
    public init(
        schema: ModelSchema, profile: String? = nil, registry: SchemaRegistry = .shared
    ) throws(ModelError) {
        let layout = try registry.layout(named: schema.name)
        guard layout.schema == schema else {
            throw ModelError(
                .unknownSchema, expected: "a registered schema", found: "another schema of the name \(schema.name)")
        }
        plans = DriftPlans(root: layout, profile: profile, registry: registry)
        counts = DriftCounts(plans)
    }

    /// Counts a document and its problems.
    ///
    /// - Parameters:
    ///   - document: JSON in UTF-8: an object, or an array of them. Only the problems count of a document that is malformed
    ///     or exceeds a limit of ``JSONReadingOptions``.
    ///   - problems: All problems that decoding the document reported, as in ``DecodingReport/problems``.
    ///   - models: The models that decoding the document gave, as in ``DecodingReport/models``. With them, a document without
    ///     problems other than unknown members is counted by their values, many times as fast as it is parsed again.
    ///   - source: The name of the source in examples, such as a file.
    ///   - line: The line of the source at which the document begins, if its problems count lines from its own beginning.
    ///   - location: The location of the document, if its problems have locations in the source, as those of a stream: see
    ///     ``DecodingReport/location``.
    ///   - pointer: The path to the document in its source, with which the pointers of the problems begin.
    /// - Complexity: O(*n*) in the size of the document and the number of problems.
    public mutating func add(
        _ document: some ContiguousBytes, problems: [ModelError], models: [DynamicModel]? = nil, source: String = "",
        line: Int = 1, location: JSONLocation? = nil, at pointer: JSONPointer = JSONPointer()
    ) {
        var (isCounted, isDoubtful) = (false, true)
        if let models, problems.allSatisfy({ $0.code == .unknownMember }) {
            counts.documents += models.count
            isCounted = true
            isDoubtful = false
            for model in models where counts.count(model, plans) { isDoubtful = true }
            if problems.isEmpty, !isDoubtful { return }
        }
        let origin = DriftOrigin(source: source, line: line, location: location, pointer: pointer.tokens)
        let consequences = DriftConsequences(of: problems)
        document.withBorrowedBytes { bytes in
            let document = DriftDocument(bytes, start: location?.byteOffset ?? 0)
            for problem in problems where !consequences.contains(problem) {
                let contradiction = DriftContradiction(problem, origin, in: document, plans)
                counts.evidences.record(contradiction.occurrence, of: contradiction.key)
            }
            if !isCounted { counts.documents += document.tree?.arrayValue?.count ?? 1 }
            guard isDoubtful, let value = document.tree else { return }
            var walk = DriftWalk(origin, plans, countingFigures: !isCounted)
            walk.count(value, in: &counts)
        }
    }

    /// Adds what another monitor has counted. The order of monitors does not matter.
    ///
    /// - Throws: ``ModelError`` if the monitors are for different schemas, or if a schema that theirs refers to differs.
    /// - Complexity: O(*n*) in the number of properties and findings.
    public mutating func merge(_ other: DriftMonitor) throws(ModelError) {
        guard plans.root.schema == other.plans.root.schema else {
            throw ModelError(
                .typeMismatch, expected: "a monitor for \(plans.root.schema.name)",
                found: "one for \(other.plans.root.schema.name)", schema: plans.root.schema.name)
        }
        // Plans of one schema may have other numbers in another registry.
        guard plans.hasNumbers(of: other.plans) else {
            throw ModelError(
                .typeMismatch, expected: "a monitor for the same schemas", found: "one for others",
                schema: plans.root.schema.name)
        }
        counts.merge(other.counts)
    }

    /// Returns a report of what was counted so far.
    ///
    /// - Complexity: O(*n* log *n*) in the number of properties and findings.
    public func report() -> DriftReport {
        DriftSummary(plans: plans, counts: counts).report
    }
}

/// Where a document comes from.
struct DriftOrigin {
    let source: String
    let line: Int
    let location: JSONLocation?
    let pointer: [String]

    /// Returns the line of the source that a problem is in; nil if it is unknown.
    func line(of problem: ModelError) -> Int? { (problem.location ?? location).map { $0.line + line - 1 } }
}

/// An occurrence that may become an example.
struct DriftOccurrence {
    private let origin: DriftOrigin
    private let tokens: [String]
    private let line: Int?
    private let found: String?

    /// - Parameter found: A description of the value; nil for that of the sample.
    init(_ origin: DriftOrigin, _ tokens: [String], line: Int?, found: String?) {
        self.origin = origin
        self.tokens = tokens
        self.line = line
        self.found = found
    }

    /// Whether another example surely precedes it. Most do, when documents come in order.
    func follows(_ example: DriftReport.Finding.Example) -> Bool {
        guard let line, let other = example.line else { return false }
        return other < line && UTF8Text.equal(example.source, origin.source)
    }

    /// Returns the example at the path in the document.
    func example(of sample: JSONValue?) -> DriftReport.Finding.Example {
        DriftReport.Finding.Example(
            source: origin.source, line: line,
            pointer: JSONPointer(tokens: (origin.pointer + tokens).map { Self.shorten($0) }),
            found: ModelError.shorten(found ?? sample?.summary ?? "", to: 64))
    }

    /// Names in documents may be of any length.
    private static func shorten(_ token: String) -> String {
        token.utf8.count <= PlaceTree.maximumNameBytes ? token : ModelError.shorten(token, to: 64)
    }
}
