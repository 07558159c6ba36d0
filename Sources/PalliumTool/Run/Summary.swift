package import Pallium

/// Counts what a run did.
package struct Summary: Sendable {
    private var models: [UTF8Key: Int] = [:]
    /// The models of one schema that came last and are not among `models` yet: mostly the next model is of it, too.
    private var latest: (layout: ModelLayout, count: Int)?
    /// The number of bytes read.
    package var bytes = 0
    /// Whether a file could not be read.
    var hasUnreadableFiles = false
    private(set) var documents = 0
    private var refusedDocuments = 0
    private var problemCounts: ProblemCounts

    /// - Parameter isPart: Whether the summary is of a part of a run, to be merged into another.
    package init(isPart: Bool = false) { problemCounts = ProblemCounts(isPart: isPart) }

    /// The number of problems.
    var problems: Int { problemCounts.total }

    /// Counts a model.
    package mutating func add(_ model: DynamicModel) {
        if latest?.layout === model.layout {
            latest?.count += 1
        } else {
            models = countedModels
            latest = (model.layout, 1)
        }
    }

    /// Counts a document with its problems.
    package mutating func add(document problems: [ModelError]) {
        documents += 1
        if problems.isEmpty { return }
        refusedDocuments += 1
        for problem in problems { problemCounts.add(problem) }
    }

    /// Adds what another summary has counted.
    mutating func merge(_ other: Summary) {
        models = countedModels.merging(other.countedModels, uniquingKeysWith: +)
        latest = nil
        documents += other.documents
        refusedDocuments += other.refusedDocuments
        problemCounts.merge(other.problemCounts)
    }

    private var countedModels: [UTF8Key: Int] {
        var models = models
        if let latest { models[UTF8Key(latest.layout.schema.name), default: 0] += latest.count }
        return models
    }

    /// `30 models (12 PushEvent, 8 ForkEvent), 22.9 kB in 14 ms, no problems`: the most frequent schema first, then by
    /// name.
    package func text(time: Duration) -> String {
        "\(modelText), \(Quantity.size(bytes)) in \(Quantity.time(time)), \(Quantity.count(problems, "problem"))"
    }

    /// The verdict, the summary, and the problems by code, place and schema, for a run that prints nothing else.
    func report(time: Duration) -> String {
        let refused = "\(Quantity.count(refusedDocuments, "document")) of \(documents)"
        let verdict = problems == 0 ? "valid" : "invalid: \(Quantity.count(problems, "problem")) in \(refused)"
        let lines = [verdict, "\(modelText), \(Quantity.size(bytes)) in \(Quantity.time(time))"]
        return (lines + problemCounts.tables).map { $0 + "\n" }.joined()
    }

    /// The same as one JSON object in one line, without the time.
    var jsonReport: String {
        let report: JSONObject = [
            "valid": .bool(problems == 0), "documents": .number(JSONNumber(documents)),
            "refusedDocuments": .number(JSONNumber(refusedDocuments)), "bytes": .number(JSONNumber(bytes)),
            "models": .object(ProblemCounts.object(sortedModels)), "problems": .number(JSONNumber(problems)),
            "counts": .object(problemCounts.object),
        ]
        // Writing fails only for nesting beyond the limit, and there is none.
        return (try? JSONValue.object(report).text()) ?? ""
    }

    private var sortedModels: [(name: String, count: Int)] {
        ProblemCounts.sorted(countedModels.lazy.map { ($0.key, $0.value) })
    }

    private var modelText: String {
        let models = sortedModels
        let schemas = models.map { "\($0.count) \(ModelError.shorten($0.name, to: 64))" }
        let detail = schemas.isEmpty ? "" : " (\(schemas.joined(separator: ", ")))"
        return Quantity.count(models.reduce(0) { $0 + $1.count }, "model") + detail
    }
}
