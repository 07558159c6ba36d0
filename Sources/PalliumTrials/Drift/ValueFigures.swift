import Foundation
import PalliumCore
import PalliumJSON

/// What was counted of the values of one property, or of the elements of a collection in it.
struct ValueFigures: Sendable, Hashable {
    private(set) var nulls = 0
    private(set) var bools = 0
    private(set) var numberCount = 0
    private(set) var texts = 0
    private(set) var arrays = 0
    private(set) var objects = 0
    /// The values of which nothing is known but that they are there: results of transformers, and values of your own kinds.
    private(set) var others = 0
    private(set) var distinct = DistinctCount()
    /// The range of numbers.
    private(set) var numbers: ValueRange?
    /// The range of the lengths of texts, in Unicode scalars.
    private(set) var lengths: ValueRange?
    /// The range of the counts of elements or members.
    private(set) var counts: ValueRange?

    init() {}

    /// - Parameters:
    ///   - kinds: The counts of the kinds of JSON, in the order of ``DriftReport/Figure/kindNames``; empty for none.
    ///   - present: The number of values, null aside.
    init(
        nulls: Int, kinds: [Int], present: Int, distinct: DistinctCount, numbers: ValueRange?, lengths: ValueRange?,
        counts: ValueRange?
    ) {
        self.nulls = nulls
        if kinds.count == 5 {
            (bools, numberCount, texts, arrays, objects) = (kinds[0], kinds[1], kinds[2], kinds[3], kinds[4])
        }
        // Reports may hold any counts, whose sum is no integer.
        others = kinds.reduce(present) { $0 - min($0, $1) }
        self.distinct = distinct
        (self.numbers, self.lengths, self.counts) = (numbers, lengths, counts)
    }

    /// The number of values, null aside.
    var present: Int { bools + numberCount + texts + arrays + objects + others }

    /// The number of values of each kind of JSON, in the order of ``DriftReport/Figure/kindNames``.
    var kinds: [Int] { [bools, numberCount, texts, arrays, objects] }

    // MARK: Values

    mutating func recordNull() { nulls += 1 }

    mutating func record(_ value: Bool) {
        bools += 1
        distinct.record(DistinctCount.hash(value))
    }

    mutating func record(_ integer: Int64) {
        numberCount += 1
        numbers.record(integer)
        distinct.record(DistinctCount.hash(integer))
    }

    mutating func record(_ number: JSONNumber) {
        if let integer = number.int64 { return record(integer) }
        numberCount += 1
        numbers.record(number)
        distinct.record(DistinctCount.hash(number))
    }

    mutating func record(_ text: BorrowedBytes) {
        let (hash, length) = DistinctCount.hash(text)
        record(text: hash, length: length)
    }

    /// Counts a text by its hash and its number of Unicode scalars.
    mutating func record(text hash: UInt64, length: Int) {
        texts += 1
        lengths.record(Int64(length))
        distinct.record(hash)
    }

    /// Counts a value whose text does not matter.
    mutating func record(words: (UInt64, UInt64)) {
        texts += 1
        distinct.record(DistinctCount.hash(words))
    }

    mutating func recordArray(count: Int) {
        arrays += 1
        counts.record(Int64(count))
    }

    mutating func recordDictionary(count: Int) {
        objects += 1
        counts.record(Int64(count))
    }

    /// Counts a value of which only the presence counts, and the number if it is one.
    mutating func recordResult(_ number: JSONNumber? = nil) {
        others += 1
        if let number { numbers.record(number) }
    }

    /// Counts nothing but the kind of a value.
    mutating func recordKind(_ kind: ModelCluster.JSONKind) {
        switch kind {
        case .null: nulls += 1
        case .bool: bools += 1
        case .number: numberCount += 1
        case .string: texts += 1
        case .array: arrays += 1
        case .object: objects += 1
        }
    }

    /// Counts a value that is JSON.
    mutating func record(_ value: JSONValue) {
        switch value {
        case .null: nulls += 1
        case .bool(let bool): record(bool)
        case .number(let number): record(number)
        case .string(let text): text.withBorrowedBytes { record($0) }
        case .array(let elements): recordArray(count: elements.count)
        case .object(let members): recordDictionary(count: members.count)
        }
    }

    // MARK: Merging

    /// Adds the values of other figures.
    mutating func merge(_ other: ValueFigures) {
        nulls += other.nulls
        bools += other.bools
        numberCount += other.numberCount
        texts += other.texts
        arrays += other.arrays
        objects += other.objects
        others += other.others
        distinct.merge(other.distinct)
        numbers.merge(other.numbers)
        lengths.merge(other.lengths)
        counts.merge(other.counts)
    }
}
