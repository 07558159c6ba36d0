import Foundation
import Pallium
import PalliumRecords
import PalliumStore
import Synchronization

/// What goes wrong in records of memory, as exceptions and errors of managed objects do.
enum RecordFailure: Error, Equatable {
    case unknownEntity(String)
    case unknownKey(String)
    case wrongType(String)
    case tooMany(String)
    case refused(String)
    case outsideOfContext
}

/// The description of an entity, as a managed object model has it.
struct RecordEntity {
    enum Relationship { case toOne, ordered, unordered }

    var parent: String?
    /// An example of each attribute's type.
    var attributes: [String: RecordValue] = [:]
    var relationships: [String: Relationship] = [:]
}

/// A record that behaves like a managed object: it knows its keys and their types, and is used inside of its context only.
final class MemoryRecord: ModelRecord {
    let recordEntity: String
    private unowned let context: MemoryContext
    private var values: [String: RecordValue] = [:]
    private var related: [String: [MemoryRecord]] = [:]

    init(_ entity: String, _ context: MemoryContext) {
        recordEntity = entity
        self.context = context
    }

    private func attribute(_ key: String) throws -> RecordValue {
        try context.check()
        guard let example = context.description(recordEntity).attributes[key] else {
            throw RecordFailure.unknownKey(key)
        }
        return example
    }

    private func relationship(_ key: String) throws -> RecordEntity.Relationship {
        try context.check()
        guard let relationship = context.description(recordEntity).relationships[key] else {
            throw RecordFailure.unknownKey(key)
        }
        return relationship
    }

    func recordValue(_ key: String) throws -> RecordValue? {
        _ = try attribute(key)
        return values[key]
    }

    func setRecordValue(_ value: RecordValue?, for key: String) throws {
        let example = try attribute(key)
        context.writeCount += 1
        if let value, value.typeName != example.typeName { throw RecordFailure.wrongType(key) }
        if context.refusesValue(key, value) { throw RecordFailure.refused(key) }
        values[key] = value
    }

    func relatedRecords(_ key: String) throws -> [any ModelRecord] {
        // A set has no order that could be relied on.
        try relationship(key) == .unordered ? related[key, default: []].reversed() : related[key, default: []]
    }

    func setRelatedRecords(_ records: [any ModelRecord], for key: String) throws {
        let kind = try relationship(key)
        context.writeCount += 1
        let records = records.compactMap { $0 as? MemoryRecord }
        if kind == .toOne, records.count > 1 { throw RecordFailure.tooMany(key) }
        if Set(records.map { ObjectIdentifier($0) }).count < records.count { throw RecordFailure.tooMany(key) }
        related[key] = records
    }

    func validateRecord(isNew: Bool) throws {
        try context.check()
        context.validations.append((recordEntity, isNew))
        if let key = context.refusesRecord(self) { throw RecordFailure.refused(key) }
    }

    /// A value as the owner of the records sees it.
    subscript(key: String) -> RecordValue? { values[key] }
    /// Related records as their owner sees them.
    func all(_ key: String) -> [MemoryRecord] { related[key, default: []] }

    /// Forgets what it refers to.
    func clear() { related = [:] }
}

/// The records of a program in memory, behind a lock.
final class MemoryContext: ModelRecordContext {
    private let entities: [String: RecordEntity]
    private(set) var records: [MemoryRecord] = []
    private let lock = NSRecursiveLock()
    private var isPerforming = false
    /// The entities of all requests.
    private(set) var requests: [String] = []
    /// How often a value or relationship was set.
    var writeCount = 0
    var validations: [(entity: String, isNew: Bool)] = []
    /// Whether the owner refuses a value.
    var refusesValue: (String, RecordValue?) -> Bool = { _, _ in false }
    /// The key by which the owner refuses a record; nil if it does not.
    var refusesRecord: (MemoryRecord) -> String? = { _ in nil }

    init(_ entities: [String: RecordEntity]) { self.entities = entities }

    deinit { for record in records { record.clear() } }

    func check() throws { if !isPerforming { throw RecordFailure.outsideOfContext } }

    func description(_ entity: String) -> RecordEntity {
        var description = entities[entity] ?? RecordEntity()
        if let parent = description.parent {
            let inherited = self.description(parent)
            description.attributes.merge(inherited.attributes) { own, _ in own }
            description.relationships.merge(inherited.relationships) { own, _ in own }
        }
        return description
    }

    private func inherits(_ entity: String, from ancestor: String) -> Bool {
        entity == ancestor || (entities[entity]?.parent).map { inherits($0, from: ancestor) } ?? false
    }

    func performWithRecords(_ body: () -> Void) {
        lock.lock()
        isPerforming = true
        body()
        isPerforming = false
        lock.unlock()
    }

    func insertRecord(of entity: String) throws -> any ModelRecord {
        try check()
        guard entities[entity] != nil else { throw RecordFailure.unknownEntity(entity) }
        let record = MemoryRecord(entity, self)
        records.append(record)
        return record
    }

    func findRecords(
        of entity: String, where keys: [String], in rows: [[RecordValue]], relationships: [String]
    ) throws -> [any ModelRecord] {
        try check()
        guard entities[entity] != nil else { throw RecordFailure.unknownEntity(entity) }
        let known = description(entity)
        for key in relationships where known.relationships[key] == nil { throw RecordFailure.unknownKey(key) }
        requests.append(entity)
        // As broad as a request with one condition for each key.
        return try records.filter { record in
            guard inherits(record.recordEntity, from: entity) else { return false }
            return try keys.indices.allSatisfy { number in
                let value = try record.recordValue(keys[number])
                return rows.contains { $0[number] == value }
            }
        }
    }

    func deleteRecord(_ record: any ModelRecord) { records.removeAll { $0 === record } }

    /// All records of an entity, as their owner sees them.
    func all(_ entity: String) -> [MemoryRecord] { records.filter { $0.recordEntity == entity } }

    /// Adds a record, as its owner does.
    @discardableResult
    func add(
        _ entity: String, _ values: [String: RecordValue], _ related: [String: [MemoryRecord]] = [:]
    ) throws -> MemoryRecord {
        var result: Result<MemoryRecord, any Error>?
        performWithRecords {
            result = Result {
                let record = MemoryRecord(entity, self)
                records.append(record)
                for (key, value) in values { try record.setRecordValue(value, for: key) }
                for (key, records) in related { try record.setRelatedRecords(records, for: key) }
                return record
            }
        }
        writeCount = 0
        return try result!.get()
    }
}

extension RecordValue {
    fileprivate var typeName: String { Mirror(reflecting: self).children.first?.label ?? "" }
}
