import PalliumJSON

/// The smallest and the largest of some numbers, and how their magnitudes are spread.
struct ValueRange: Sendable, Hashable {
    /// Exponents of magnitudes are cut to this range.
    private static let exponents = -40...70

    private(set) var minimum: JSONNumber
    private(set) var maximum: JSONNumber
    /// The count of numbers by bucket. Bucket 0 is zero, bucket *k* above it has the numbers from 2^(*k* - 41) up to the
    /// double of that, and bucket -*k* their opposites.
    private(set) var buckets: [Int: Int] = [:]

    init(_ number: JSONNumber) {
        minimum = Self.bounded(number)
        maximum = minimum
        buckets[Self.bucket(of: number)] = 1
    }

    /// Counts a number.
    mutating func record(_ number: JSONNumber) {
        let bound = Self.bounded(number)
        if bound.isBelow(minimum) { minimum = bound }
        if maximum.isBelow(bound) { maximum = bound }
        buckets[Self.bucket(of: number), default: 0] += 1
    }

    /// Adds other numbers.
    mutating func merge(_ other: ValueRange) {
        if other.minimum.isBelow(minimum) { minimum = other.minimum }
        if maximum.isBelow(other.maximum) { maximum = other.maximum }
        buckets.merge(other.buckets, uniquingKeysWith: +)
    }

    /// The smallest magnitude of a bucket's numbers, with their sign.
    static func start(of bucket: Int) -> Double {
        if bucket == 0 { return 0 }
        let magnitude = Double(sign: .plus, exponent: abs(bucket) + exponents.lowerBound - 1, significand: 1)
        return bucket < 0 ? -magnitude : magnitude
    }

    private static func bucket(of number: JSONNumber) -> Int {
        let double = number.double
        if double == 0 { return 0 }
        let exponent = double.isFinite ? Int(double.exponent) : exponents.upperBound
        let bucket = min(max(exponent, exponents.lowerBound), exponents.upperBound) - exponents.lowerBound + 1
        return double < 0 ? -bucket : bucket
    }

    /// A number that takes little memory: digits beyond those of a Double are dropped if there are many.
    private static func bounded(_ number: JSONNumber) -> JSONNumber {
        if number.int64 != nil || number.uint64 != nil { return number }
        let double = number.double
        let largest = double < 0 ? -Double.greatestFiniteMagnitude : Double.greatestFiniteMagnitude
        return JSONNumber(double.isFinite ? double : largest) ?? number
    }
}

extension JSONNumber {
    /// Whether the number is smaller than another one.
    func isBelow(_ other: JSONNumber) -> Bool {
        if let left = int64, let right = other.int64 { return left < right }
        if let left = uint64, let right = other.uint64 { return left < right }
        return double < other.double
    }
}
