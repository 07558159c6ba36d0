import PalliumCore
import PalliumJSON

/// The models of an archive as they were at earlier versions, with the models that steps make for them.
struct FormerGraph {
    /// How many models steps can make, besides 16 for each model of the archive.
    private static let maximumMade = 65_536

    private(set) var schemas: [FormerSchema]
    /// The objects by number, each with the number of its schema.
    private(set) var objects: [(schema: Int, model: StoredModel)] = []
    let preserved: [Int: JSONObject]
    let roots: [Int]
    /// The numbers of the models that steps made. The graph holds these models, so their identities stay unique.
    private var numbers: [ObjectIdentifier: Int] = [:]
    private var made: [MadeModel] = []
    /// The schemas by the levels that their models have before the steps.
    private var numberByLevels: [UTF8Key: Int] = [:]
    /// The steps for each schema.
    private var plans: [DowngradePlan?]
    private let records: StoredRecords
    private let archivedCount: Int

    /// Brings the models of an archive back.
    ///
    /// - Parameters:
    ///   - plans: The steps for each schema of the archive.
    ///   - plan: Returns the steps for models that steps make.
    /// - Throws: ``ModelError`` if a step fails.
    init(
        _ graph: StoredGraph, _ layouts: [ModelLayout], _ plans: [DowngradePlan?],
        plan: (StoredModel) throws(ModelError) -> DowngradePlan?
    ) throws(ModelError) {
        records = graph.records
        archivedCount = graph.objects.count
        preserved = graph.preserved
        roots = graph.roots
        self.plans = plans
        schemas = zip(graph.schemas, zip(layouts, plans)).map { FormerSchema($0, $1.0, $1.1) }
        for (number, schema) in graph.schemas.enumerated() { numberByLevels[UTF8Key(schema.levels.text)] = number }
        for (schema, model) in graph.objects { try add(model, schema) }
        // A model that a step made may refer to others.
        var next = 0
        while next < made.count {
            let model = made[next].model
            try add(model, schema(of: model, plan))
            next += 1
        }
    }

    private mutating func add(_ stored: StoredModel, _ schema: Int) throws(ModelError) {
        var model = stored
        do throws(ModelError) {
            do throws(ModelError) { try plans[schema]?.apply(to: &model) } catch {
                guard schemas[schema].hasSensitiveProperties else { throw error }
                throw error.maskingEach { $0.wholePointer.map { min($0.tokens.count, 1) } }
            }
            for key in model.keys {
                guard let value = model[key] else { continue }
                do throws(ModelError) { try takeMade(value, depth: 1) } catch {
                    throw error.under(property: key, isSensitive: schemas[schema].hasSensitiveProperties)
                }
            }
            try schemas[schema].take(model)
        } catch { throw error.isLocated ? error : error.at(["objects", "\(objects.count)"]).located() }
        objects.append((schema, model))
    }

    /// Numbers the models that steps made, behind those of the archive.
    private mutating func takeMade(_ value: StoredModel.Value, depth: Int) throws(ModelError) {
        switch value {
        case .model(let reference):
            guard let model = reference.made else {
                guard reference.leads(to: records) else {
                    throw ModelError(.upgradeFailed, expected: "a model of this archive", found: "one of another")
                }
                return
            }
            guard numbers[ObjectIdentifier(model)] == nil else { return }
            // A copy that a step makes takes the step, too, which could make copies without end.
            guard made.count < Self.maximumMade + 16 * archivedCount else {
                throw ModelError(
                    .limitExceeded,
                    expected:
                        "steps that make at most \(Self.maximumMade.counted("model")) and 16 for each of the archive",
                    found: "more")
            }
            numbers[ObjectIdentifier(model)] = archivedCount + made.count
            made.append(model)
        case .array(let elements):
            try checkDepth(depth)
            for element in elements { try takeMade(element, depth: depth + 1) }
        case .dictionary(let entries):
            try checkDepth(depth)
            for entry in entries { try takeMade(entry.value, depth: depth + 1) }
        default: return
        }
    }

    private func checkDepth(_ depth: Int) throws(ModelError) {
        guard depth < ArchivedSchema.maximumNesting else {
            throw ModelError(
                .depthLimit, expected: "at most \(ArchivedSchema.maximumNesting.counted("level")) of elements",
                found: "more")
        }
    }

    private mutating func schema(
        of model: StoredModel, _ plan: (StoredModel) throws(ModelError) -> DowngradePlan?
    ) throws(ModelError) -> Int {
        if let number = numberByLevels[UTF8Key(model.levels.text)] { return number }
        guard model.version >= 1, schemas.count < ArchivedSchema.maximumSchemas else {
            throw ModelError(
                .upgradeFailed,
                expected:
                    "models of versions from 1 on, and of at most \(ArchivedSchema.maximumSchemas.counted("schema"))",
                found: "version \(model.version) of another schema", schema: model.schema)
        }
        let plan = try plan(model)
        numberByLevels[UTF8Key(model.levels.text)] = schemas.count
        let isSensitive = schemas.contains(where: \.hasSensitiveProperties)
        schemas.append(FormerSchema(plan?.levels ?? model.levels, hasSensitiveProperties: isSensitive))
        plans.append(plan)
        return schemas.count - 1
    }

    /// Returns the number of the object of a reference.
    func number(of reference: StoredModel.Reference) -> Int {
        reference.made.flatMap { numbers[ObjectIdentifier($0)] } ?? reference.number
    }
}
