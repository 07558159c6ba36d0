import PalliumCore
import PalliumJSON

/// What was counted of the values of one property, or of the elements of a collection in it.
struct ValueFigures: Sendable {
    /// The number of objects or collections whose values were counted, those without the value included.
    private(set) var holders = 0
    private(set) var absent = 0
    private(set) var nulls = 0
    private(set) var bools = 0
    private(set) var arrays = 0
    private(set) var objects = 0
    private(set) var numbers = NumberEvidence()
    private(set) var texts = TextEvidence()
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
        switch value {
        case .null: nulls += 1
        case .bool(let bool):
            bools += 1
            if !isSensitive { distinct.record(bool) }
        case .number(let number):
            numbers.record(number)
            if isSensitive { return }
            Self.add(number, to: &values)
            distinct.record(number)
        case .string(let text):
            texts.record(text)
            if isSensitive { return }
            Self.add(JSONNumber(text.unicodeScalars.count), to: &lengths)
            distinct.record(text)
        case .array(let elements):
            arrays += 1
            if !isSensitive { Self.add(JSONNumber(elements.count), to: &counts) }
        case .object(let members):
            objects += 1
            if !isSensitive { Self.add(JSONNumber(members.count), to: &counts) }
        }
    }

    private static func add(_ number: JSONNumber, to range: inout ValueRange?) {
        if range == nil { range = ValueRange(number) } else { range?.record(number) }
    }

    /// Adds the values of other figures.
    mutating func merge(_ other: ValueFigures) {
        holders += other.holders
        absent += other.absent
        nulls += other.nulls
        bools += other.bools
        arrays += other.arrays
        objects += other.objects
        numbers.join(other.numbers)
        texts.join(other.texts)
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
            ("bool", bools), ("number", numbers.count), ("string", texts.count), ("array", arrays), ("object", objects),
        ].filter { $0.1 > 0 }
    }

    /// The property that holds all scalar values; nil for others, and for several kinds of values.
    var scalar: PropertySchema? {
        guard kinds.count == 1 else { return nil }
        if bools > 0 { return .bool }
        if numbers.count > 0 { return numbers.property(of: nil, isSingle: true) }
        return texts.count > 0 ? texts.property(isSingle: true) : nil
    }
}
