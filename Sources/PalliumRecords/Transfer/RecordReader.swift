import PalliumCore
import PalliumJSON

/// Makes models from records: one for each record, however often it is related.
///
/// ```
///   records          models                 to merge into
///   issue 1 ──────▶ issue 1 ─▶ user 7      issue 1 ─▶ user 7 with nothing but its identity
///   user 7  ──────▶    everything            what the record itself has, and its parts
/// ```
/// A part is a model of a schema without an identity.
///
/// Safety: lists refer to the descriptors of a layout, which lives as long as the models and the plans.
struct RecordReader {
    /// The models that a call returns, or those into which other models are merged.
    enum Purpose { case result, merge }

    private struct Entry {
        let record: any ModelRecord
        let model: DynamicModel
        let path: Int
        /// Whether only the identity is read.
        let isReference: Bool
    }

    private let plans: RecordPlans
    private let purpose: Purpose
    private var models: [ObjectIdentifier: DynamicModel] = [:]
    private var references: [ObjectIdentifier: DynamicModel] = [:]
    private var entries: [Entry] = []
    private var readCount = 0
    let paths: GraphPaths
    /// The records of models.
    private(set) var records: [ObjectIdentifier: any ModelRecord] = [:]

    /// - Parameter paths: The paths of the models that are asked for, if there are any yet.
    init(_ plans: RecordPlans, _ purpose: Purpose, paths: GraphPaths = GraphPaths()) {
        self.plans = plans
        self.purpose = purpose
        self.paths = paths
    }

    /// Makes the model of a record, whose values are read later.
    ///
    /// - Parameter path: The path of the model among those of the reader.
    /// - Throws: ``ModelError`` with the path if no schema has the entity.
    mutating func model(
        of record: any ModelRecord, as expected: ModelLayout?, at path: Int
    ) throws(ModelError) -> DynamicModel {
        do throws(ModelError) { return try model(of: record, expected, path, isReference: false) } catch {
            throw error.at(paths.tokens(to: path))
        }
    }

    private mutating func model(
        of record: any ModelRecord, _ expected: ModelLayout?, _ path: Int, isReference: Bool
    ) throws(ModelError) -> DynamicModel {
        let key = ObjectIdentifier(record)
        if let model = isReference ? references[key] : models[key] { return model }
        let model = try plans.layout(of: record, expected: expected).makeEmptyModel()
        if isReference { references[key] = model } else { models[key] = model }
        records[ObjectIdentifier(model)] = record
        entries.append(Entry(record: record, model: model, path: path, isReference: isReference))
        return model
    }

    /// Fills the models that were made, and those to which they lead.
    mutating func readAll() throws(ModelError) {
        while readCount < entries.count {
            let entry = entries[readCount]
            readCount += 1
            do throws(ModelError) { try read(entry) } catch { throw error.at(paths.tokens(to: entry.path)) }
        }
    }

    private mutating func read(_ entry: Entry) throws(ModelError) {
        let plan = try plans.plan(of: entry.model.layout)
        for attribute in entry.isReference ? plan.identity : plan.attributes {
            try plan.store(
                entry.record.value(of: attribute), attribute, in: entry.model, storesNull: purpose == .result)
        }
        if entry.isReference { return }
        for relationship in plan.relationships {
            do throws(ModelError) { try read(relationship, of: entry) } catch {
                throw error.under(relationship.property)
                    .inSchema(plan.layout.schema.name, property: relationship.property.key)
            }
        }
    }

    private mutating func read(_ relationship: RecordPlan.Relationship, of entry: Entry) throws(ModelError) {
        let slot = entry.model.slot(at: relationship.slot)
        let descriptor = slot.description
        let related = try entry.record.related(by: relationship)
        let path = paths.append(relationship.property.key, to: entry.path)
        if descriptor.kind == .model {
            guard related.count <= 1 else {
                throw ModelError(
                    .elementCount, descriptor, expected: "at most one record", found: "\(related.count)")
            }
            guard let record = related.first else {
                if purpose == .result, descriptor.isNullable { slot.setNull() }
                return
            }
            return slot.replace(with: try relatedModel(record, descriptor, path))
        }
        // That there is none does not tell whether anybody ever said so.
        if purpose == .merge, related.isEmpty, !relationship.property.schema.isRequired { return }
        let dictionary = descriptor.kind == .dictionary ? SlotDictionary(of: descriptor) : nil
        let list: SlotList = dictionary ?? .make(of: descriptor, capacity: related.count)
        for (index, record) in related.enumerated() {
            do throws(ModelError) {
                let key = dictionary == nil ? nil : try record.dictionaryKey(relationship)
                if let key, dictionary?.index(of: key) != nil {
                    throw ModelError(
                        .conflict, descriptor, expected: "records with different keys",
                        found: "two of \(ModelError.quote(key))")
                }
                let path = key.map { paths.append($0, to: path) } ?? paths.append(index, to: path)
                let model = try relatedModel(record, descriptor.innermost, path)
                (key.flatMap { dictionary?.slot(forKey: $0) } ?? list.appendSlot()).replace(with: model)
            } catch { throw error.under(index: index) }
        }
        slot.replace(with: list)
    }

    /// Whether a record was read as that of a part.
    func isPart(_ record: any ModelRecord) -> Bool {
        models[ObjectIdentifier(record)]?.layout.identitySlots.isEmpty == true
    }

    /// The records of all parts that were read.
    var parts: [any ModelRecord] { entries.map(\.record).filter { isPart($0) } }

    private mutating func relatedModel(
        _ record: any ModelRecord, _ descriptor: ValueDescriptor, _ path: Int
    ) throws(ModelError) -> DynamicModel {
        var isReference = false
        if purpose == .merge {
            isReference = try !plans.layout(of: record, expected: descriptor.model).identitySlots.isEmpty
        }
        return try model(of: record, descriptor.model, path, isReference: isReference)
    }

    /// Completes and checks the models, those that were found last first.
    ///
    /// - Throws: ``ModelError`` with the path of a model that lacks something required, or that rules or hooks refuse.
    func finish() throws(ModelError) {
        for entry in entries {
            do throws(ModelError) { try entry.model.completeWithPath() } catch {
                throw error.at(paths.tokens(to: entry.path))
            }
            entry.model.linkChildren()
        }
        for entry in entries.reversed() {
            let problems = entry.model.problemsOfNewModel { [entry.model.layout.properties[$0].key] }
            if !problems.isEmpty { throw ModelError(problems).at(paths.tokens(to: entry.path)) }
        }
    }

    /// Takes the models apart, which may form cycles.
    func dissolve() {
        for entry in entries { entry.model.clearModels() }
    }
}

extension DynamicModel {
    /// Completes the model with its defaults.
    ///
    /// - Throws: ``ModelError`` with the key of a required property that is missing.
    final func completeWithPath() throws(ModelError) {
        do throws(ModelError) { try complete() } catch { throw error.at(error.property.map { [$0] } ?? []) }
    }
}

extension ModelRecord {
    fileprivate func dictionaryKey(_ relationship: RecordPlan.Relationship) throws(ModelError) -> String {
        let value = try withRecords(.hookFailed, expected: "the key of a record in a dictionary") {
            try recordValue(relationship.dictionaryKey ?? "")
        }
        guard case .string(let key)? = value else {
            throw ModelError(
                .typeMismatch, relationship.property.descriptor,
                expected: "text in \(ModelError.quote(relationship.dictionaryKey ?? ""))",
                found: ModelError.describe(value?.propertyValue))
        }
        return key
    }

    func value(of attribute: RecordPlan.Attribute) throws(ModelError) -> RecordValue? {
        do throws(ModelError) {
            return try withRecords(
                .hookFailed, expected: "a record with the attribute \(ModelError.quote(attribute.key))"
            ) { try recordValue(attribute.key) }
        } catch { throw error.under(attribute.property) }
    }

    func related(by relationship: RecordPlan.Relationship) throws(ModelError) -> [any ModelRecord] {
        try withRecords(
            .hookFailed, expected: "a record with the relationship \(ModelError.quote(relationship.key))"
        ) { try relatedRecords(relationship.key) }
    }
}
