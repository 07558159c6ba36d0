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
    /// A record of a relationship: one that is written, or one that stays as it is.
    private enum Link {
        case target(Int)
        case record(any ModelRecord)
    }

    private struct Target {
        let model: DynamicModel
        let path: Int
        /// Nil until the record is made.
        var record: (any ModelRecord)?
        /// Whether the record has values of its own, which defaults of the model do not replace.
        let isMerged: Bool
        /// Whether rules have not seen the model yet.
        var isUnchecked = false
        var values: [(attribute: RecordPlan.Attribute, value: RecordValue?)] = []
        var links: [(relationship: RecordPlan.Relationship, links: [(link: Link, key: String?)])] = []
    }

    private let plans: RecordPlans
    private let context: any ModelRecordContext
    private var graph: RecordGraph
    private var reader: RecordReader
    private var targets: [Target] = []
    /// The numbers of the targets of the graph's rows, and of parts.
    private var targetsOfRows: [Int: Int] = [:]
    private var targetsOfParts: [ObjectIdentifier: Int] = [:]
    /// The records of parts that stay.
    private var kept: Set<ObjectIdentifier> = []
    private var former: [(record: any ModelRecord, layout: ModelLayout)] = []

    /// - Throws: ``ModelError`` with the path of a model that cannot be a record.
    init(_ models: [DynamicModel], _ plans: RecordPlans, _ context: any ModelRecordContext) throws(ModelError) {
        self.plans = plans
        self.context = context
        graph = try RecordGraph(models, plans)
        reader = RecordReader(plans, .merge, paths: graph.paths)
    }

    /// Writes the models and returns the records of the roots.
    mutating func write(_ roots: [DynamicModel]) throws(ModelError) -> [any ModelRecord] {
        defer { reader.dissolve() }
        try graph.findRecords(in: context)
        try addRows()
        var links: [Link] = []
        for (root, path) in zip(roots, graph.roots) { links.append(try link(to: root, path, instead: nil)) }
        var number = 0
        while number < targets.count {
            do throws(ModelError) { try prepare(number) } catch { throw error.at(tokens(number)) }
            number += 1
        }
        let dropped = try droppedParts()
        var changes = RecordChanges(context)
        do throws(ModelError) { try apply(&changes) } catch {
            changes.undo()
            throw error
        }
        for record in dropped { context.deleteRecord(record) }
        var result: [any ModelRecord] = []
        for link in links { if let record = record(of: link) { result.append(record) } }
        return result
    }

    private func tokens(_ number: Int) -> [String] { graph.paths.tokens(targets[number].path) }

    private func record(of link: Link) -> (any ModelRecord)? {
        switch link {
        case .target(let number): targets[number].record
        case .record(let record): record
        }
    }

    // MARK: Models

    /// Merges each model of the graph into what its record has.
    private mutating func addRows() throws(ModelError) {
        var existing: [Int: DynamicModel] = [:]
        for (number, row) in graph.rows.enumerated() {
            guard let record = row.record, !row.isStub else { continue }
            let layout = row.model.layout
            let isSame = try plans.plan(of: layout).entity == record.recordEntity
            let model = try reader.model(of: record, as: isSame ? layout : layout.rowLayout, at: row.path)
            guard model.layout.isDescendant(of: layout) else {
                throw ModelError(
                    .typeMismatch, expected: "a model of \(model.layout.schema.name), as the record is",
                    found: "a model of \(layout.schema.name)", schema: layout.schema.name
                ).at(graph.paths.tokens(row.path))
            }
            existing[number] = model
        }
        try reader.readAll()
        for (number, row) in graph.rows.enumerated() {
            if row.isStub, row.record != nil { continue }
            do throws(ModelError) {
                targetsOfRows[number] = targets.count
                targets.append(
                    Target(
                        model: try merged(row.model, existing[number]), path: row.path, record: row.record,
                        isMerged: row.record != nil))
            } catch { throw error.at(graph.paths.tokens(row.path)) }
        }
    }

    private func merged(_ model: DynamicModel, _ existing: DynamicModel?) throws(ModelError) -> DynamicModel {
        guard let existing else {
            try model.validate()
            return model
        }
        // What is missing in the record may come with the model.
        try? existing.complete()
        try existing.merge(from: model)
        try existing.completeWithPath()
        return existing
    }

    // MARK: Values and links

    /// Converts the values of a target and finds the records to which it is related.
    private mutating func prepare(_ number: Int) throws(ModelError) {
        let (model, record, isMerged) = (targets[number].model, targets[number].record, targets[number].isMerged)
        if targets[number].isUnchecked { try model.validate() }
        let plan = try plans.plan(of: model.layout)
        func isWritten(_ slot: Int) -> Bool {
            let state = model.slot(at: slot).slotState
            return state.isUnset ? record != nil : !(state.isDefaulted && isMerged)
        }
        let texts = try plan.texts(of: model)
        for attribute in plan.attributes where isWritten(attribute.slot) {
            let value = attribute.isText ? texts[attribute.slot] : try plan.value(of: attribute, in: model)
            targets[number].values.append((attribute, value))
        }
        for relationship in plan.relationships where isWritten(relationship.slot) {
            let elements = try graph.elements(of: relationship, in: model, targets[number].path)
            let former = try formerParts(of: relationship, in: record)
            for (model, _, _) in elements {
                if let record = reader.records[ObjectIdentifier(model)] { kept.insert(ObjectIdentifier(record)) }
            }
            var links: [(link: Link, key: String?)] = []
            var related: Set<LinkKey> = []
            for (position, element) in elements.enumerated() {
                let link = try link(
                    to: element.model, element.path, instead: position < former.count ? former[position] : nil)
                if related.insert(LinkKey(link)).inserted {
                    links.append((link, element.key))
                } else if relationship.property.schema.merge == nil {
                    throw ModelError(
                        .notConvertible, relationship.property.descriptor,
                        expected: "each model once, as a relationship has its records", found: "a model twice"
                    ).at([relationship.property.key, String(position)])
                }
            }
            targets[number].links.append((relationship, links))
        }
    }

    private enum LinkKey: Hashable {
        case target(Int)
        case record(ObjectIdentifier)

        init(_ link: Link) {
            switch link {
            case .target(let number): self = .target(number)
            case .record(let record): self = .record(ObjectIdentifier(record))
            }
        }
    }

    /// Returns the record of a model, or the target that becomes one.
    ///
    /// - Parameter former: The record in whose place the model comes.
    private mutating func link(
        to model: DynamicModel, _ path: Int, instead former: (any ModelRecord)?
    ) throws(ModelError) -> Link {
        if let number = graph.number(of: model) {
            if let target = targetsOfRows[number] { return .target(target) }
            if let record = graph.rows[number].record { return .record(record) }
        }
        let own = reader.records[ObjectIdentifier(model)]
        if let own, !model.layout.identitySlots.isEmpty { return .record(own) }
        if let target = targetsOfParts[ObjectIdentifier(model)] { return .target(target) }
        var record = own
        if own == nil, let former, former.recordEntity == (try plans.plan(of: model.layout)).entity,
            kept.insert(ObjectIdentifier(former)).inserted
        {
            record = former
        }
        targetsOfParts[ObjectIdentifier(model)] = targets.count
        targets.append(
            Target(model: model, path: path, record: record, isMerged: own != nil, isUnchecked: own == nil))
        return .target(targets.count - 1)
    }

    // MARK: Parts

    /// Returns the records of a relationship, and notes those of parts.
    private mutating func formerParts(
        of relationship: RecordPlan.Relationship, in record: (any ModelRecord)?
    ) throws(ModelError) -> [any ModelRecord] {
        guard let record else { return [] }
        let related = try record.related(by: relationship)
        return related.filter { record in
            let expected = relationship.property.descriptor.innermost.model
            guard let layout = try? plans.layout(of: record, expected: expected), layout.identitySlots.isEmpty else {
                return false
            }
            former.append((record, layout))
            return true
        }
    }

    /// The parts that lost their places, and their parts.
    private mutating func droppedParts() throws(ModelError) -> [any ModelRecord] {
        var dropped: [any ModelRecord] = []
        var number = 0
        while number < former.count {
            let (record, layout) = former[number]
            number += 1
            guard kept.insert(ObjectIdentifier(record)).inserted else { continue }
            dropped.append(record)
            for relationship in try plans.plan(of: layout).relationships {
                _ = try formerParts(of: relationship, in: record)
            }
        }
        return dropped
    }

    // MARK: Records

    private mutating func apply(_ changes: inout RecordChanges) throws(ModelError) {
        for number in targets.indices where targets[number].record == nil {
            do throws(ModelError) {
                targets[number].record = try changes.insert(plans.plan(of: targets[number].model.layout).entity)
            } catch { throw error.at(tokens(number)) }
        }
        try forEachTarget { target, record throws(ModelError) in
            for (attribute, value) in target.values {
                do throws(ModelError) { try changes.set(value, attribute.key, of: record) } catch {
                    throw error.under(attribute.property)
                }
            }
        }
        try forEachTarget { target, record throws(ModelError) in
            for (relationship, links) in target.links {
                do throws(ModelError) { try relate(links, relationship, of: record, &changes) } catch {
                    throw error.under(relationship.property)
                }
            }
        }
        try forEachTarget { _, record throws(ModelError) in try changes.validate(record) }
    }

    private func forEachTarget(
        _ body: (Target, any ModelRecord) throws(ModelError) -> Void
    ) throws(ModelError) {
        for number in targets.indices {
            guard let record = targets[number].record else { continue }
            do throws(ModelError) { try body(targets[number], record) } catch {
                throw error.at(tokens(number)).inSchema(targets[number].model.layout.schema.name)
            }
        }
    }

    private func relate(
        _ links: [(link: Link, key: String?)], _ relationship: RecordPlan.Relationship, of record: any ModelRecord,
        _ changes: inout RecordChanges
    ) throws(ModelError) {
        let kind = relationship.property.descriptor.kind
        try changes.relate(
            links.compactMap { self.record(of: $0.link) }, relationship.key, isOrdered: kind == .array, of: record)
        guard let attribute = relationship.dictionaryKey else { return }
        for (link, key) in links {
            guard let key, let related = self.record(of: link) else { continue }
            var isProperty = false
            if case .target(let number) = link {
                isProperty = targets[number].values.contains { UTF8Text.equal($0.attribute.key, attribute) }
            }
            do throws(ModelError) {
                try changes.setDictionaryKey(key, attribute, isProperty: isProperty, of: related)
            } catch { throw error.under(key: key) }
        }
    }
}
