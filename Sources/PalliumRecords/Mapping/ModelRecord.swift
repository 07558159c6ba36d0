/// An object that somebody else owns and that holds values by key, such as a managed object of Core Data.
///
///     extension Row: ModelRecord { … }
///
///     let adapter = try RecordAdapter()
///     try adapter.write(issues, to: context)
///
/// A ``RecordAdapter`` makes models from records and writes models to them. One object is one record: while a call of the
/// adapter lasts, a context returns the same object for the same record.
///
/// Every method throws what it cannot do, above all for a key that the record does not have.
public protocol ModelRecord: AnyObject {
    /// The name of the record's entity, by which the adapter knows the schema.
    var recordEntity: String { get }

    /// Returns the value of an attribute; nil if it has none.
    func recordValue(_ key: String) throws -> RecordValue?

    /// Sets an attribute; nil clears it.
    func setRecordValue(_ value: RecordValue?, for key: String) throws

    /// Returns the records of a relationship: at most one of a relationship to one, in order if the relationship has one.
    func relatedRecords(_ key: String) throws -> [any ModelRecord]

    /// Replaces the records of a relationship.
    ///
    /// - Parameter records: Each record once; at most one for a relationship to one.
    func setRelatedRecords(_ records: [any ModelRecord], for key: String) throws

    /// Checks the record by the rules of its owner. It is called once, when all values are set.
    ///
    /// - Parameter isNew: Whether the adapter inserted the record.
    func validateRecord(isNew: Bool) throws
}

/// The place where records live, such as a managed object context.
public protocol ModelRecordContext: AnyObject {
    /// Calls a function once, before it returns, where its records may be used: on their queue or under their lock.
    ///
    /// All that an adapter does with records happens inside of one such call.
    func performWithRecords(_ body: () -> Void)

    /// Makes a record of an entity.
    func insertRecord(of entity: String) throws -> any ModelRecord

    /// Finds the records of an entity, and of those that inherit from it, by one request.
    ///
    ///     find(of: "Vote", where: ["issue", "user"], in: [[1, 7], [2, 8]])
    ///     // issue is 1 and user is 7, or issue is 2 and user is 8
    ///
    /// - Parameters:
    ///   - keys: The attributes that identify a record.
    ///   - rows: The values of the attributes, one row for each record that is wanted. No two rows are the same.
    ///   - relationships: The relationships that the adapter reads next, for contexts that can fetch them at once.
    /// - Returns: The records of the rows, in any order. Others are ignored, so the request may be broader.
    func findRecords(
        of entity: String, where keys: [String], in rows: [[RecordValue]], relationships: [String]
    ) throws -> [any ModelRecord]

    /// Deletes a record.
    func deleteRecord(_ record: any ModelRecord)
}
