import PalliumCore
import PalliumJSON

/// What was counted of the values of one property, or of the elements of a collection in it.
struct ValueFigures: Sendable {
    /// The number of objects or collections whose values were counted, those without the value included.
    private(set) var holders = 0
    private(set) var absent = 0
    /// The values themselves.
    private(set) var evidence = ValueEvidence()
    private(set) var distinct = DistinctCount()
    /// The range of numbers.
    private(set) var values: ValueRange?
    /// The range of the lengths of texts, in Unicode scalars.
    private(set) var lengths: ValueRange?
    /// The range of the counts of elements or members.
    private(set) var counts: ValueRange?

    /// Counts an object without the value.
    mutating func recordAbsence() {
        holders += 1
        absent += 1
    }

    /// Counts a value.
    ///
    /// - Parameter isSensitive: Whether nothing but its presence and kind may be counted.
    mutating func record(_ value: JSONValue, isSensitive: Bool) {
        holders += 1
        evidence.record(value)
        if isSensitive { return }
        switch value {
        case .null: break
        case .bool(let bool): distinct.record(bool)
        case .number(let number):
            Self.add(number, to: &values)
            distinct.record(number)
        case .string(let text):
            Self.add(JSONNumber(text.unicodeScalars.count), to: &lengths)
            distinct.record(text)
        case .array(let elements): Self.add(JSONNumber(elements.count), to: &counts)
        case .object(let members): Self.add(JSONNumber(members.count), to: &counts)
        }
    }

    private static func add(_ number: JSONNumber, to range: inout ValueRange?) {
        if range == nil { range = ValueRange(number) } else { range?.record(number) }
    }

    /// Adds the values of other figures.
    mutating func merge(_ other: ValueFigures) {
        holders += other.holders
        absent += other.absent
        evidence.join(other.evidence)
        distinct.merge(other.distinct)
        values = Self.merged(values, other.values)
        lengths = Self.merged(lengths, other.lengths)
        counts = Self.merged(counts, other.counts)
    }

    private static func merged(_ left: ValueRange?, _ right: ValueRange?) -> ValueRange? {
        guard var range = left, let right else { return left ?? right }
        range.merge(right)
        return range
    }

    /// The number of values of each kind of JSON, null aside.
    var kinds: [(name: String, count: Int)] {
        [
            ("bool", evidence.bools), ("number", evidence.numbers.count), ("string", evidence.texts.count),
            ("array", evidence.arrays), ("object", evidence.objects),
        ].filter { $0.1 > 0 }
    }
}
