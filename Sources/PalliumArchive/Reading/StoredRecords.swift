import PalliumCore
import PalliumJSON

/// The records of an archive whose schemas have changed, by number. Steps read models whose records follow later, or
/// were skipped.
///
/// It owns a copy of the bytes, so that a stored model may outlive the call that opens the archive. It keeps models
/// that were read, so shared models cost no more than their length.
final class StoredRecords: FormerModelSource {
    private struct State {
        var models: [Int: FormerModel] = [:]
        /// Conditional values by object.
        var conditional: [Int: [ConditionalValue]] = [:]
        /// How many values conversions may still copy.
        var room: Int
        var isOpen = true
    }

    private let bytes: [UInt8]
    private let schemas: [ArchivedSchema]
    private let numbers: [UInt32]
    private let offsets: [Int]
    private let state: Lock<State>

    /// Checks all records.
    ///
    /// - Parameter numbers: The number of each object's schema.
    /// - Throws: ``ModelError`` for the first damaged record.
    init(
        _ records: BorrowedBytes, _ schemas: [ArchivedSchema], _ numbers: [UInt32]
    ) throws(ModelError) {
        var cursor = ArchiveCursor(records)
        var offsets: [Int] = []
        offsets.reserveCapacity(numbers.count)
        for (number, schema) in numbers.enumerated() {
            offsets.append(records.count - cursor.remaining)
            do throws(ModelError) { try cursor.skipRecord(schemas[Int(schema)], objects: numbers.count) } catch {
                throw error.at(["objects", "\(number)"]).located()
            }
        }
        try cursor.expectEnd()
        bytes = Array(records)
        self.schemas = schemas
        self.numbers = numbers
        self.offsets = offsets
        // The room is many times the stored size, but limited: shared models could make exponentially many values.
        state = Lock(State(room: 1_000_000 + 16 * records.count))
    }

    func add(_ value: ConditionalValue) { state.withLock { $0.conditional[value.object, default: []].append(value) } }

    func model(_ number: Int) -> FormerModel {
        if let model = state.withLock({ $0.models[number] }) { return model }
        let model = read(number)
        state.withLock { if $0.isOpen { $0.models[number] = model } }
        return model
    }

    /// Reads the model with a number, without keeping it.
    func read(_ number: Int) -> FormerModel {
        let schema = schemas[Int(numbers[number])]
        let stored = bytes.withBorrowedBytes { bytes -> FormerModel? in
            var cursor = ArchiveCursor(bytes.part(from: offsets[number]))
            return try? cursor.readModel(schema, objects: numbers.count, in: self)
        }
        // Every record was checked.
        var model = stored ?? FormerModel(schema.levels)
        for value in state.withLock({ $0.conditional[number] }) ?? [] {
            model.set(value.stored, forKey: value.key)
        }
        return model
    }

    func charge(_ values: Int) throws(ModelError) {
        let fits = state.withLock { state in
            guard values <= state.room else { return false }
            state.room -= values
            return true
        }
        guard fits else {
            throw ModelError(
                .limitExceeded, expected: "models that become JSON of at most many times their archive's size",
                found: "more")
        }
    }

    /// Releases everything that refers back to the records.
    func close() {
        state.withLock { $0 = State(room: $0.room, isOpen: false) }
    }
}
