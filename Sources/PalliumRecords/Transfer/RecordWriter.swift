import PalliumCore
import PalliumJSON
import PalliumMerging

/// Writes a graph of models to records. No record changes before everything is known that can be wrong with the models.
///
/// ```
///   models ─▶ identities ─▶ records that exist ─▶ merged models ─▶ values and links │ changes of records
///                          (one request an entity)                                  │ all of them, or none
/// ```
/// A model without an identity is a part: it belongs to the record of the model that holds it. It takes the place of the
/// part at its position there, and a part that lost its place is deleted.
struct RecordWriter {
    private let plans: RecordPlans
    private let context: any ModelRecordContext
    private let graph: SavedGraph
    private var reader: RecordReader
    private var targets: [RecordTarget] = []
    /// The targets of the graph's models with an identity.
    private var targetsOfRows: [ModelIdentity: RecordTarget] = [:]
    /// The targets of parts, and of models that refer to a record.
    private var otherTargets: [ObjectIdentifier: RecordTarget] = [:]
    /// The records of parts that stay.
    private var kept: Set<ObjectIdentifier> = []
    private var paths: GraphPaths { graph.paths }

    /// - Throws: ``ModelError`` with the path of a model that lacks a value of its identity, and for two different models of
    ///   one identity.
    init(_ models: [DynamicModel], _ plans: RecordPlans, _ context: any ModelRecordContext) throws(ModelError) {
        self.plans = plans
        self.context = context
        graph = try SavedGraph(models, for: .records)
        reader = RecordReader(plans, .merge, paths: graph.paths)
    }

    /// Writes the models and returns the records of the roots.
    mutating func write(_ roots: [DynamicModel]) throws(ModelError) -> [any ModelRecord] {
        defer {
            reader.dissolve()
            for target in targets { target.links = [] }
        }
        for (layout, entries) in graph.rows { try find(entries, layout) }
        try mergeIntoRecords()
        var result: [RecordTarget] = []
        for (root, path) in zip(roots, graph.roots) { result.append(try target(of: root, path, instead: nil)) }
        var number = 0
        while number < targets.count {
            let target = targets[number]
            do throws(ModelError) { try prepare(target) } catch { throw error.at(paths.tokens(to: target.path)) }
            number += 1
        }
        var changes = RecordChanges(context, paths)
        try changes.make(in: targets, plans)
        for record in reader.parts where !kept.contains(ObjectIdentifier(record)) { context.deleteRecord(record) }
        return result.compactMap(\.record)
    }

    // MARK: Models

    /// Finds the records of models with an identity by one request.
    ///
    /// - Throws: ``ModelError`` with the path of a model for which there are two records.
    private mutating func find(_ entries: [SavedGraph.Entry], _ layout: ModelLayout) throws(ModelError) {
        var rows: [[RecordValue]] = []
        for entry in entries {
            do throws(ModelError) { rows.append(try plans.plan(of: layout).identityValues(of: entry.model)) } catch {
                throw error.at(graph.tokens(of: entry))
            }
            let target = RecordTarget(entry.model, entry.path)
            target.isStub = entry.content != .model
            targets.append(target)
            if let identity = ModelIdentity(entry.model) { targetsOfRows[identity] = target }
        }
        let plan = try plans.plan(of: layout)
        let found = try withRecords(
            .hookFailed, expected: "the records of the entity \(ModelError.quote(plan.entity))"
        ) {
            try context.findRecords(
                of: plan.entity, where: plan.identity.map(\.key), in: rows,
                relationships: plan.relationships.map(\.key))
        }
        for record in found {
            let probe = layout.makeEmptyModel()
            for attribute in plan.identity {
                try plan.store(record.value(of: attribute), attribute, in: probe, storesNull: false)
            }
            guard let identity = ModelIdentity(probe), let target = targetsOfRows[identity] else { continue }
            if let other = target.record, other !== record {
                throw ModelError(
                    .conflict, expected: "one record of \(identity)", found: "two", schema: layout.schema.name
                ).at(paths.tokens(to: target.path))
            }
            target.record = record
        }
    }

    /// Merges each model of the graph into what its record has.
    private mutating func mergeIntoRecords() throws(ModelError) {
        var merging: [(target: RecordTarget, existing: DynamicModel)] = []
        for target in targets where !target.isReference {
            guard let record = target.record else { continue }
            let layout = target.model.layout
            let isSame = try plans.plan(of: layout).entity == record.recordEntity
            let model = try reader.model(of: record, as: isSame ? layout : layout.rowLayout, at: target.path)
            guard model.layout.isDescendant(of: layout) else {
                throw ModelError(
                    .typeMismatch, expected: "a model of \(model.layout.schema.name), as the record is",
                    found: "a model of \(layout.schema.name)", schema: layout.schema.name
                ).at(paths.tokens(to: target.path))
            }
            merging.append((target, model))
        }
        try reader.readAll()
        for (target, existing) in merging {
            do throws(ModelError) {
                // What is missing in the record may come with the model.
                try? existing.complete()
                try existing.merge(from: target.model)
                try existing.completeWithPath()
            } catch { throw error.at(paths.tokens(to: target.path)) }
            target.model = existing
            target.isMerged = true
        }
    }

    // MARK: Values and links

    /// Converts the values of a target and finds the records to which it is related.
    private mutating func prepare(_ target: RecordTarget) throws(ModelError) {
        if target.isReference { return }
        let model = target.model
        if !target.isMerged { try model.validate() }
        let plan = try plans.plan(of: model.layout)
        func isWritten(_ slot: Int) -> Bool {
            let state = model.slot(at: slot).slotState
            return state.isUnset ? target.record != nil : !(state.isDefaulted && target.isMerged)
        }
        let texts = try plan.texts(of: model)
        for attribute in plan.attributes where isWritten(attribute.slot) {
            let value = attribute.isText ? texts[attribute.slot] : try plan.value(of: attribute, in: model)
            target.values.append((attribute.key, value, attribute.property))
        }
        for relationship in plan.relationships where isWritten(relationship.slot) {
            let elements = try elements(of: relationship, in: target)
            let former = try target.record?.related(by: relationship).filter { reader.isPart($0) } ?? []
            for (model, _) in elements {
                if let record = reader.records[ObjectIdentifier(model)] { kept.insert(ObjectIdentifier(record)) }
            }
            var related: [RecordTarget.Link] = []
            var targets: Set<ObjectIdentifier> = []
            for (position, element) in elements.enumerated() {
                let other = try self.target(
                    of: element.model, element.path, instead: position < former.count ? former[position] : nil)
                if targets.insert(ObjectIdentifier(other)).inserted {
                    related.append((other, element.path))
                } else if relationship.property.schema.merge == nil {
                    throw ModelError(
                        .notConvertible, relationship.property.descriptor,
                        expected: "each model once, as a relationship has its records", found: "a model twice"
                    ).at([relationship.property.key, String(position)])
                }
            }
            target.links.append((relationship, related))
        }
    }

    /// Returns the models of a relationship with their paths.
    ///
    /// - Throws: ``ModelError`` with the path in the model for an element that is null.
    private func elements(
        of relationship: RecordPlan.Relationship, in target: RecordTarget
    ) throws(ModelError) -> [(model: DynamicModel, path: Int)] {
        let slot = target.model.slot(at: relationship.slot)
        guard slot.hasValue else { return [] }
        var elements: [(model: DynamicModel, path: Int)] = []
        let path = paths.append(relationship.property.key, to: target.path)
        try paths.forEachHolder(in: slot, at: path) { element, path throws(ModelError) in
            guard element.hasValue else {
                throw ModelError(
                    .notConvertible, slot.description, expected: "models, as a relationship has them", found: "null"
                ).at(paths.tokens(to: path, after: target.path))
            }
            elements.append((element.model, path))
        }
        return elements
    }

    /// Returns the target of a model, which the first call makes.
    ///
    /// - Parameter former: The record in whose place the model comes.
    private mutating func target(
        of model: DynamicModel, _ path: Int, instead former: (any ModelRecord)?
    ) throws(ModelError) -> RecordTarget {
        if let target = ModelIdentity(model).flatMap({ targetsOfRows[$0] }) { return target }
        if let target = otherTargets[ObjectIdentifier(model)] { return target }
        let target = RecordTarget(model, path)
        if let own = reader.records[ObjectIdentifier(model)] {
            target.record = own
            target.isMerged = true
            target.isStub = !model.layout.identitySlots.isEmpty
        } else if let former, former.recordEntity == (try plans.plan(of: model.layout)).entity,
            kept.insert(ObjectIdentifier(former)).inserted
        {
            target.record = former
        }
        otherTargets[ObjectIdentifier(model)] = target
        targets.append(target)
        return target
    }
}
