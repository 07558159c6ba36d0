import PalliumCore
import PalliumJSON

/// The plans of one call, and the layouts of entities.
final class RecordPlans {
    let registry: SchemaRegistry
    private let mappings: [String: RecordMapping]
    private var plans: [ObjectIdentifier: RecordPlan] = [:]
    /// The layouts by their entities.
    private lazy var layouts: [UTF8Key: [ModelLayout]] = Dictionary(
        grouping: registry.schemas.compactMap { registry.layout(for: $0) }, by: { UTF8Key(entity(of: $0)) })

    init(_ registry: SchemaRegistry, _ mappings: [String: RecordMapping]) {
        self.registry = registry
        self.mappings = mappings
    }

    private func entity(of layout: ModelLayout) -> String {
        mappings[layout.schema.name]?.entity ?? layout.schema.name
    }

    func plan(of layout: ModelLayout) throws(ModelError) -> RecordPlan {
        if let plan = plans[ObjectIdentifier(layout)] { return plan }
        guard registry.layout(for: layout.schema) === layout else {
            throw ModelError(
                .unknownSchema, expected: "a schema that is registered with the adapter's registry",
                found: ModelError.quote(layout.schema.name), schema: layout.schema.name)
        }
        let plan = try RecordPlan(
            layout, layout.lineage.compactMap { mappings[$0.schema.name] }, entity: entity(of: layout))
        plans[ObjectIdentifier(layout)] = plan
        return plan
    }

    /// Returns the layout of a record's entity.
    ///
    /// - Parameter expected: The layout that the caller asks for, or an ancestor of what is allowed. Of several schemas with
    ///   one entity it chooses.
    func layout(of record: any ModelRecord, expected: ModelLayout?) throws(ModelError) -> ModelLayout {
        let entity = record.recordEntity
        let candidates = (layouts[UTF8Key(entity)] ?? []).filter { layout in
            expected.map { layout.isDescendant(of: $0) } ?? true
        }
        if let expected, candidates.contains(where: { $0 === expected }) { return expected }
        guard let layout = candidates.first else {
            throw ModelError(
                .unknownModel, expected: expected.map { "a record of \($0.schema.name)" } ?? "a record with a schema",
                found: "one of the entity \(ModelError.quote(entity))", schema: expected?.schema.name)
        }
        guard candidates.count == 1 else {
            throw ModelError(
                .conflict, expected: "one schema for the entity \(ModelError.quote(entity))",
                found: candidates.map(\.schema.name).joined(separator: ", "))
        }
        return layout
    }
}

/// Calls a method of a record or context.
///
/// - Throws: ``ModelError``, also for an error of another type, with the given code.
func withRecords<Result>(
    _ code: ModelError.Code, expected: String, _ body: () throws -> Result
) throws(ModelError) -> Result {
    do { return try body() } catch let error as ModelError { throw error } catch {
        throw ModelError(code, expected: expected, found: "an error", underlying: error)
    }
}
