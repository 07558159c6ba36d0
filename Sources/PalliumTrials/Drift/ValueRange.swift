import PalliumJSON

/// The smallest and the largest of some numbers, and how their magnitudes are spread.
struct ValueRange: Sendable, Hashable {
    /// Some numbers of one range of magnitudes.
    struct Bar: Sendable, Hashable {
        /// 0 is zero, *k* above it are the numbers from 2^(*k* - 41) up to the double of that, and -*k* their opposites.
        let bucket: Int
        var count: Int

        /// The smallest magnitude of the numbers, with their sign.
        var start: Double {
            if bucket == 0 { return 0 }
            let exponent = abs(bucket) + ValueRange.exponents.lowerBound - 1
            return Double(sign: bucket < 0 ? .minus : .plus, exponent: exponent, significand: 1)
        }
    }

    /// Exponents of magnitudes are cut to this range.
    private static let exponents = -40...70

    private(set) var minimum: JSONNumber
    private(set) var maximum: JSONNumber
    /// The numbers by magnitude, in order.
    private(set) var bars: [Bar]
    /// The bounds again, to see quickly that a number is between them.
    private var bounds: ClosedRange<Double>

    init(_ number: JSONNumber) {
        self.init(minimum: number, maximum: number, bars: [])
        add(1, to: number.int64.map(Self.bucket) ?? Self.bucket(of: number.double))
    }

    /// - Parameter bars: A number of each bar, and the count.
    init(minimum: JSONNumber, maximum: JSONNumber, bars: [(number: Double, count: Int)]) {
        self.minimum = Self.bounded(minimum)
        self.maximum = Self.bounded(maximum)
        let (low, high) = (self.minimum.double, self.maximum.double)
        bounds = min(low, high)...max(low, high)
        self.bars = []
        for bar in bars { add(bar.count, to: Self.bucket(of: bar.number)) }
    }

    /// Counts a number.
    mutating func record(_ number: JSONNumber) {
        if let integer = number.int64 { return record(integer) }
        let double = number.double
        add(1, to: Self.bucket(of: double))
        if !isWithin(double) { widen(to: Self.bounded(number)) }
    }

    /// Counts an integer.
    mutating func record(_ integer: Int64) {
        let double = Double(integer)
        add(1, to: Self.bucket(of: integer))
        if !isWithin(double) { widen(to: JSONNumber(integer)) }
    }

    /// Whether a number surely changes no bound. Large numbers may differ although their doubles do not.
    private func isWithin(_ double: Double) -> Bool {
        if double > bounds.lowerBound, double < bounds.upperBound { return true }
        return bounds.contains(double) && double.magnitude < 0x1p53 && double == double.rounded()
    }

    private mutating func widen(to number: JSONNumber) {
        if number.isBelow(minimum) { minimum = number }
        if maximum.isBelow(number) { maximum = number }
        bounds = min(bounds.lowerBound, number.double)...max(bounds.upperBound, number.double)
    }

    private mutating func add(_ count: Int, to bucket: Int) {
        var position = 0
        while position < bars.count, bars[position].bucket < bucket { position += 1 }
        if position < bars.count, bars[position].bucket == bucket {
            // Reports may hold any counts, whose sum is no integer.
            let (sum, isTooLarge) = bars[position].count.addingReportingOverflow(count)
            bars[position].count = isTooLarge ? .max : sum
        } else {
            bars.insert(Bar(bucket: bucket, count: count), at: position)
        }
    }

    /// Whether there are numbers of at least a magnitude, a power of two, besides those of another range.
    func hasNumbers(from magnitude: Double, besides other: ValueRange?) -> Bool {
        bars.contains { bar in
            let others = other?.bars.first { $0.bucket == bar.bucket }?.count ?? 0
            return bar.start.magnitude >= magnitude && bar.count > others
        }
    }

    /// Adds other numbers.
    mutating func merge(_ other: ValueRange) {
        widen(to: other.minimum)
        widen(to: other.maximum)
        for bar in other.bars { add(bar.count, to: bar.bucket) }
    }

    private static func bucket(of integer: Int64) -> Int {
        if integer == 0 { return 0 }
        let bucket = 64 - integer.magnitude.leadingZeroBitCount - exponents.lowerBound
        return integer < 0 ? -bucket : bucket
    }

    private static func bucket(of double: Double) -> Int {
        if double == 0 { return 0 }
        let exponent = double.isFinite ? Int(double.exponent) : exponents.upperBound
        let bucket = min(max(exponent, exponents.lowerBound), exponents.upperBound) - exponents.lowerBound + 1
        return double < 0 ? -bucket : bucket
    }

    /// A number that takes little memory: digits beyond those of a Double are dropped if there are many.
    private static func bounded(_ number: JSONNumber) -> JSONNumber {
        let double = number.double
        // Zero and its opposite are one bound.
        if double == 0 { return JSONNumber(0) }
        if number.int64 != nil || number.uint64 != nil { return number }
        let largest = double < 0 ? -Double.greatestFiniteMagnitude : Double.greatestFiniteMagnitude
        return JSONNumber(double.isFinite ? double : largest) ?? number
    }
}

extension JSONNumber {
    /// Whether the number is smaller than another one.
    func isBelow(_ other: JSONNumber) -> Bool {
        if let left = int64, let right = other.int64 { return left < right }
        if let left = uint64, let right = other.uint64 { return left < right }
        if double != other.double { return double < other.double }
        // Of numbers that are one Double, one is the smallest whatever their order.
        return UTF8Text.precedes(text, other.text)
    }
}

extension ValueRange? {
    /// Counts a number.
    mutating func record(_ number: JSONNumber) {
        if self == nil { self = ValueRange(number) } else { self?.record(number) }
    }

    /// Counts an integer.
    mutating func record(_ integer: Int64) {
        if self == nil { self = ValueRange(JSONNumber(integer)) } else { self?.record(integer) }
    }

    mutating func merge(_ other: ValueRange?) {
        guard let other else { return }
        if self == nil { self = other } else { self?.merge(other) }
    }
}
