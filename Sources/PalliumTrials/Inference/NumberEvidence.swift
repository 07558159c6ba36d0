import PalliumCore
import PalliumJSON

/// The numbers of one place: which kinds can hold each of them and write it back equal.
struct NumberEvidence: Sendable {
    private(set) var count = 0
    private var fitsInteger = true
    private var fitsDouble = true
    private(set) var fitsDecimal = true
    /// Whether no number has more than two decimals, and whether one has two.
    private var fitsCents = true
    private var hasCents = false
    private var minimum = Int64.max
    private var maximum = Int64.min

    /// Counts a number.
    mutating func record(_ number: JSONNumber) {
        count += 1
        if let integer = number.int64 {
            minimum = min(minimum, integer)
            maximum = max(maximum, integer)
            // Every integer of 64 bits is a decimal number.
            if integer.magnitude > 1 << 53, !Self.isWrittenBack(number) { fitsDouble = false }
            return
        }
        fitsInteger = false
        let isDouble = Self.isWrittenBack(number)
        if !isDouble { fitsDouble = false }
        let isTwoDecimals = Self.isMultiple(number.double, ofOneIn: 100)
        if !isTwoDecimals { fitsCents = false }
        if isTwoDecimals, !Self.isMultiple(number.double, ofOneIn: 10) { hasCents = true }
        // A double has at most 17 digits, so within these bounds its digits fit a decimal number.
        if isDouble, (1e-20..<1e20).contains(number.double.magnitude) { return }
        if fitsDecimal, DecimalText.value(in: number.text) == nil { fitsDecimal = false }
    }

    private static func isWrittenBack(_ number: JSONNumber) -> Bool {
        let double = number.double
        return double.isFinite && JSONNumber(written: double) == number
    }

    /// Whether a number is the nearest one to a multiple of a decimal fraction.
    private static func isMultiple(_ number: Double, ofOneIn count: Double) -> Bool {
        (number * count).rounded() / count == number
    }

    /// Whether the numbers are such that a `decimal` may be meant: amounts of money.
    ///
    /// - Parameter name: The name of the member that holds them.
    func looksLikeMoney(_ name: String) -> Bool {
        !fitsInteger && fitsDouble && (fitsCents && hasCents || InferredNames.isMoney(name))
    }

    /// Adds the numbers of another place.
    mutating func join(_ other: NumberEvidence) {
        count += other.count
        fitsInteger = fitsInteger && other.fitsInteger
        fitsDouble = fitsDouble && other.fitsDouble
        fitsDecimal = fitsDecimal && other.fitsDecimal
        fitsCents = fitsCents && other.fitsCents
        hasCents = hasCents || other.hasCents
        minimum = min(minimum, other.minimum)
        maximum = max(maximum, other.maximum)
    }

    /// Returns the property for the numbers.
    ///
    /// - Parameters:
    ///   - name: The name of the member that holds them; nil for elements.
    ///   - isSingle: Whether the model of the member was seen once only, so that one number must do.
    func property(of name: String?, isSingle: Bool) -> PropertySchema {
        if fitsInteger {
            if count > 1 || isSingle, let name, InferredNames.isTime(name), let transformer = unixTime {
                return .date.transformer(transformer)
            }
            return .integer
        }
        return fitsDouble ? .double : fitsDecimal ? .decimal : .jsonValue
    }

    /// The transformer for which all numbers are moments from 2000 up to 2100.
    private var unixTime: TransformerName? {
        let years: ClosedRange<Int64> = 946_684_800...4_102_444_800
        if years.contains(minimum), years.contains(maximum) { return UnixSecondsTransformerName }
        let first = years.lowerBound * 1000
        let last = years.upperBound * 1000
        return minimum >= first && maximum <= last ? UnixMillisecondsTransformerName : nil
    }
}
