import PalliumCore

/// Changes of records that can be taken back.
struct RecordChanges {
    private let context: any ModelRecordContext
    private var restorations: [() throws -> Void] = []
    private var inserted: [any ModelRecord] = []
    private var new: Set<ObjectIdentifier> = []
    private var changed: Set<ObjectIdentifier> = []
    /// The keys that records have in dictionaries.
    private var dictionaryKeys: [ObjectIdentifier: [String: String]] = [:]

    init(_ context: any ModelRecordContext) { self.context = context }

    mutating func insert(_ entity: String) throws(ModelError) -> any ModelRecord {
        let record = try withRecords(
            .hookFailed, expected: "a new record of the entity \(ModelError.quote(entity))"
        ) { try context.insertRecord(of: entity) }
        inserted.append(record)
        new.insert(ObjectIdentifier(record))
        changed.insert(ObjectIdentifier(record))
        return record
    }

    /// Sets an attribute, unless it has the value.
    mutating func set(_ value: RecordValue?, _ key: String, of record: any ModelRecord) throws(ModelError) {
        try withRecords(.validationFailed, expected: "a value that the record accepts for \(ModelError.quote(key))") {
            let former = try record.recordValue(key)
            if value.map({ $0.isHeld(as: former) }) ?? (former == nil) { return }
            changed.insert(ObjectIdentifier(record))
            restorations.append { try record.setRecordValue(former, for: key) }
            try record.setRecordValue(value, for: key)
        }
    }

    /// Sets a relationship, unless it has the records.
    mutating func relate(
        _ records: [any ModelRecord], _ key: String, isOrdered: Bool, of record: any ModelRecord
    ) throws(ModelError) {
        try withRecords(.validationFailed, expected: "records that the record accepts for \(ModelError.quote(key))") {
            let former = try record.relatedRecords(key)
            let (old, new) = (former.map { ObjectIdentifier($0) }, records.map { ObjectIdentifier($0) })
            if isOrdered ? old == new : Set(old) == Set(new) { return }
            changed.insert(ObjectIdentifier(record))
            restorations.append { try record.setRelatedRecords(former, for: key) }
            try record.setRelatedRecords(records, for: key)
        }
    }

    /// Sets the key that a record has in a dictionary.
    ///
    /// - Throws: ``ModelError`` with the code `conflict` if it has another in a dictionary or by its own property.
    mutating func setDictionaryKey(
        _ key: String, _ attribute: String, isProperty: Bool, of record: any ModelRecord
    ) throws(ModelError) {
        let former = dictionaryKeys[ObjectIdentifier(record), default: [:]].updateValue(key, forKey: attribute)
        let own = try withRecords(.hookFailed, expected: "the key of a record in a dictionary") {
            isProperty ? try record.recordValue(attribute) : nil
        }
        guard former ?? key == key, own ?? .string(key) == .string(key) else {
            throw ModelError(
                .conflict, expected: "one key of a record in dictionaries, as \(ModelError.quote(attribute)) holds one",
                found: "\(ModelError.quote(key)) and another")
        }
        try set(.string(key), attribute, of: record)
    }

    /// Lets the owner check a record that changed.
    func validate(_ record: any ModelRecord) throws(ModelError) {
        guard changed.contains(ObjectIdentifier(record)) else { return }
        let isNew = new.contains(ObjectIdentifier(record))
        try withRecords(.validationFailed, expected: "a record that its owner accepts") {
            try record.validateRecord(isNew: isNew)
        }
    }

    /// Gives all records their former values, and deletes new ones.
    func undo() {
        // A record takes back what it had.
        for restore in restorations.reversed() { try? restore() }
        for record in inserted.reversed() { context.deleteRecord(record) }
    }
}
