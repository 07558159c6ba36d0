import PalliumJSON

/// A moment with the spelling that it was read with, as a slot of the kind `date` holds it.
///
/// Equality, order, hashing, rules, queries and observation go by the moment alone.
package struct SpelledDate: BitwiseCopyable, Sendable {
    /// Seconds since 2001-01-01T00:00:00Z.
    package var seconds: Double
    package var spelling: DateSpelling

    package init(seconds: Double, spelling: DateSpelling = .canonical) {
        self.seconds = seconds
        self.spelling = spelling
    }

    /// The date as stores hold it in documents: its number, in text with the spelling if it has one of its own. SQLite
    /// takes the number at the start of such a text.
    package var storedText: String { "\(seconds) \(spelling.rawValue)" }

    package init?(storedText text: some StringProtocol) {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 2, let seconds = Double(words[0]), let spelling = UInt64(words[1]), seconds.isFinite else {
            return nil
        }
        self.init(seconds: seconds, spelling: DateSpelling(rawValue: spelling))
    }
}

/// The way in which a moment was spelled, beside the moment in the second word of a slot. 0 is the canonical spelling.
///
/// ```
/// bit   63        62     61       60 … 58    57 … 46         45 … 6    5 … 2   1 0
///       second 60 comma  small t  zone form  zone minutes    fraction  digits  form
///                                            + 1,440                   0…12    1 with a zone, 2 Unix seconds, 3 local
/// ```
/// A spelling can come from an archive, so none is taken for one that fits its moment: a writer uses it if its text reads
/// back as the moment.
package struct DateSpelling: RawRepresentable, Equatable, BitwiseCopyable, Sendable {
    package enum Form: UInt64 { case canonical, zoned, unixSeconds, local }

    /// The most digits that are kept. The moment goes by the first nine.
    package static let maximumDigitCount = 12
    /// Farther from 2001 than any text.
    static let maximumSeconds = 1e12
    package static let canonical = DateSpelling(rawValue: 0)
    /// No fraction, in UTC.
    static let whole = DateSpelling(.zoned, fraction: 0, digitCount: 0).with(.zoned)

    package let rawValue: UInt64

    package init(rawValue: UInt64) { self.rawValue = rawValue }

    package init(_ form: Form, fraction: Int, digitCount: Int) {
        rawValue = form.rawValue | UInt64(digitCount) &<< 2 | UInt64(fraction) &<< 6
    }

    package var form: Form { Form(rawValue: rawValue & 3)! }  // Two bits are one of four cases.
    package var digitCount: Int { Int(rawValue &>> 2 & 15) }
    package var fraction: Int { Int(rawValue &>> 6 & 0xFF_FFFF_FFFF) }
    var hasComma: Bool { rawValue &>> 62 & 1 == 1 }
    var hasSmallT: Bool { rawValue &>> 61 & 1 == 1 }
    var isLeapSecond: Bool { rawValue &>> 63 == 1 }

    /// The same digits and letters in another form, in UTC.
    func with(_ form: Form) -> DateSpelling {
        DateSpelling(rawValue: rawValue & ~(3 | 0x7FFF &<< 46) | form.rawValue | DateZone.utc.bits)
    }

    func with(_ zone: DateZone, comma: Bool, smallT: Bool, leapSecond: Bool) -> DateSpelling {
        DateSpelling(
            rawValue: rawValue | zone.bits | (comma ? 1 &<< 62 : 0) | (smallT ? 1 &<< 61 : 0)
                | (leapSecond ? 1 &<< 63 : 0))
    }

    /// Adds the fraction to a whole number of seconds, as readers do.
    package func moment(_ whole: Int) -> Double {
        var (numerator, denominator) = (fraction, 1)
        for _ in 0..<min(digitCount, 9) { denominator &*= 10 }
        for _ in 0..<max(digitCount &- 9, 0) { numerator /= 10 }
        return numerator == 0 ? Double(whole) : Double(whole) + Double(numerator) / Double(denominator)
    }

    /// The whole seconds of a moment before the fraction; nil if the fraction does not belong to it.
    package func whole(of seconds: Double) -> Int? {
        let floor = seconds.rounded(.down)
        guard digitCount <= Self.maximumDigitCount, abs(floor) < Self.maximumSeconds else { return nil }
        if moment(Int(floor)) == seconds { return Int(floor) }
        // A fraction such as .999999999 can have been rounded up to the next second.
        return moment(Int(floor) - 1) == seconds ? Int(floor) - 1 : nil
    }

    /// Whether no shorter fraction has the same moment, which is sure while moments are less than a microsecond apart.
    func isShortest(for seconds: Double) -> Bool {
        digitCount == 0 || digitCount <= 6 && fraction % 10 != 0 && abs(seconds) < 4_294_967_296
    }
}

/// The zone of a spelling: its distance from UTC and how it is written.
struct DateZone {
    enum Form: UInt64 { case capitalZ, smallZ, colon, digits, hours }

    static let utc = DateZone(minutes: 0, form: .capitalZ)
    /// Minutes east of UTC.
    let minutes: Int
    let form: Form
    var isNegativeZero = false

    var bits: UInt64 { UInt64(isNegativeZero ? 0 : minutes + 1440) &<< 46 | form.rawValue &<< 58 }

    init(minutes: Int, form: Form, isNegativeZero: Bool = false) {
        (self.minutes, self.form, self.isNegativeZero) = (minutes, form, isNegativeZero)
    }

    /// The zone of a spelling; nil if it has none that a text can have.
    init?(_ spelling: DateSpelling) {
        let sum = Int(spelling.rawValue &>> 46 & 0xFFF)
        guard let form = Form(rawValue: spelling.rawValue &>> 58 & 7), sum < 2880 else { return nil }
        self.init(minutes: sum == 0 ? 0 : sum - 1440, form: form, isNegativeZero: sum == 0)
        if form == .capitalZ || form == .smallZ, sum != 1440 { return nil }
        if form == .hours, minutes % 60 != 0 { return nil }
    }
}
