import PalliumCore
import PalliumJSON

/// Changes of records, all of which are made or none.
struct RecordChanges {
    private let context: any ModelRecordContext
    private let paths: GraphPaths
    private var restorations: [() throws -> Void] = []
    private var inserted: [any ModelRecord] = []
    private var new: Set<ObjectIdentifier> = []
    private var changed: Set<ObjectIdentifier> = []

    init(_ context: any ModelRecordContext, _ paths: GraphPaths) {
        self.context = context
        self.paths = paths
    }

    /// Makes the records that targets lack, sets what differs, and lets the owner check the records that changed.
    ///
    /// - Throws: ``ModelError`` with the path of what a record refuses. All records then have their former values.
    mutating func make(in targets: [RecordTarget], _ plans: RecordPlans) throws(ModelError) {
        do throws(ModelError) {
            try Self.forEach(targets, paths) { target throws(ModelError) in
                if target.record == nil { target.record = try insert(plans.plan(of: target.model.layout).entity) }
            }
            try Self.forEach(targets, paths) { target throws(ModelError) in
                for (key, value, property) in target.values {
                    do throws(ModelError) { try set(value, key, of: target) } catch { throw error.under(property) }
                }
            }
            try Self.forEach(targets, paths) { target throws(ModelError) in
                for (relationship, related) in target.links {
                    do throws(ModelError) { try relate(target, relationship, related) } catch {
                        throw error.under(relationship.property)
                    }
                }
            }
            try Self.forEach(targets, paths) { target throws(ModelError) in try validate(target) }
        } catch {
            // A record takes back what it had.
            for restore in restorations.reversed() { try? restore() }
            for record in inserted.reversed() { context.deleteRecord(record) }
            throw error
        }
    }

    private static func forEach(
        _ targets: [RecordTarget], _ paths: GraphPaths, _ body: (RecordTarget) throws(ModelError) -> Void
    ) throws(ModelError) {
        for target in targets {
            do throws(ModelError) { try body(target) } catch {
                throw error.at(paths.tokens(to: target.path)).inSchema(target.model.layout.schema.name)
            }
        }
    }

    private mutating func insert(_ entity: String) throws(ModelError) -> any ModelRecord {
        let record = try withRecords(
            .hookFailed, expected: "a new record of the entity \(ModelError.quote(entity))"
        ) { try context.insertRecord(of: entity) }
        inserted.append(record)
        new.insert(ObjectIdentifier(record))
        changed.insert(ObjectIdentifier(record))
        return record
    }

    /// Sets an attribute, unless it has the value.
    private mutating func set(_ value: RecordValue?, _ key: String, of target: RecordTarget) throws(ModelError) {
        guard let record = target.record else { return }
        try withRecords(.validationFailed, expected: "a value that the record accepts for \(ModelError.quote(key))") {
            let former = try record.recordValue(key)
            if value.map({ $0.isHeld(as: former) }) ?? (former == nil) { return }
            changed.insert(ObjectIdentifier(record))
            restorations.append { try record.setRecordValue(former, for: key) }
            try record.setRecordValue(value, for: key)
        }
    }

    /// Sets a relationship, unless it has the records, and the keys that these have in a dictionary.
    private mutating func relate(
        _ target: RecordTarget, _ relationship: RecordPlan.Relationship, _ related: [RecordTarget.Link]
    ) throws(ModelError) {
        guard let record = target.record else { return }
        let (key, records) = (relationship.key, related.compactMap(\.target.record))
        try withRecords(.validationFailed, expected: "records that the record accepts for \(ModelError.quote(key))") {
            let former = try record.relatedRecords(key)
            let (old, new) = (former.map { ObjectIdentifier($0) }, records.map { ObjectIdentifier($0) })
            let isOrdered = relationship.property.descriptor.kind == .array
            if isOrdered ? old == new : Set(old) == Set(new) { return }
            changed.insert(ObjectIdentifier(record))
            restorations.append { try record.setRelatedRecords(former, for: key) }
            try record.setRelatedRecords(records, for: key)
        }
        guard let attribute = relationship.dictionaryKey else { return }
        for (target, path) in related {
            guard let key = paths.tokens(to: path).last else { continue }
            do throws(ModelError) { try setKey(key, attribute, of: target, relationship.property) } catch {
                throw error.under(key: key)
            }
        }
    }

    /// Sets the key that a record has in a dictionary.
    ///
    /// - Throws: ``ModelError`` with the code `conflict` if it has another in a dictionary or by its own property.
    private mutating func setKey(
        _ key: String, _ attribute: String, of target: RecordTarget, _ property: ModelLayout.Property
    ) throws(ModelError) {
        let value = RecordValue.string(key)
        for other in target.values where UTF8Text.equal(other.key, attribute) {
            guard other.value?.isHeld(as: value) == false else { continue }
            throw ModelError(
                .conflict, expected: "one key of a record in dictionaries, as \(ModelError.quote(attribute)) holds one",
                found: "\(ModelError.quote(key)) and another")
        }
        target.values.append((attribute, value, property))
        try set(value, attribute, of: target)
    }

    /// Lets the owner check a record that changed.
    private func validate(_ target: RecordTarget) throws(ModelError) {
        guard let record = target.record, changed.contains(ObjectIdentifier(record)) else { return }
        let isNew = new.contains(ObjectIdentifier(record))
        try withRecords(.validationFailed, expected: "a record that its owner accepts") {
            try record.validateRecord(isNew: isNew)
        }
    }
}
