import Foundation
import PalliumCore
import TestSupport
import Testing

@Suite struct UnixTimeTests {
    /// Before 1985 a `Date` is coarser than the number of seconds since 1970.
    @Test(arguments: [
        "0.1", "0.001", "12345.678", "86400.5", "-0.25", "400000000.123", "1443164400.123", "4000000000.5",
    ])
    func aDecimalFractionComesBackAsItWas(number: String) throws {
        let date = try #require(UnixTime.date(in: number))
        #expect(UnixTime.text(of: SpelledDate(seconds: date.seconds)) == number)
    }

    private static let numbers: [(String, Double)] = [
        ("1e3", -978_306_200), ("1.5E+1", -978_307_185), ("100e-2", -978_307_199),
        ("978307200.0000000000000000000000001", 1e-25), ("-1e-400", -978_307_200), ("9783072001e-1", 0.1),
        ("1e30", 1e30),
    ]

    @Test(arguments: numbers)
    func theDigitsAreRoundedOnce(number: String, seconds: Double) throws {
        #expect(UnixTime.date(in: number)?.seconds == seconds)
    }

    @Test(.trials) func everyMomentComesBackAsItWas() throws {
        for seed in Trials(400) {
            var generator = SeededGenerator(seed: seed)
            let moment = Double.random(in: -4e9...4e9, using: &generator)
            let number = try #require(UnixTime.text(of: SpelledDate(seconds: moment)))
            #expect(UnixTime.date(in: number)?.seconds == moment)
        }
    }

    @Test(.trials) func everyMillisecondComesBackAsItWas() throws {
        for seed in Trials(400) {
            var generator = SeededGenerator(seed: seed)
            let milliseconds = Int64.random(in: -100_000_000_000_000...300_000_000_000_000, using: &generator)
            let moment = try #require(UnixTime.sinceReference(milliseconds: milliseconds))
            #expect(UnixTime.milliseconds(moment) == milliseconds)
        }
    }

    @Test(arguments: [(0.0004, 0), (0.0006, 1), (-0.0004, 0), (-0.0006, -1), (0.9996, 1000)])
    func millisecondsAreTheNearestOnes(offset: Double, milliseconds: Int64) {
        #expect(UnixTime.milliseconds(offset) == 978_307_200_000 + milliseconds)
    }

    @Test(
        .threat(.numericTraps),
        arguments: [Double.infinity, -.infinity, .nan, .greatestFiniteMagnitude, 1e19, -1e19, 9.3e18, 9.2e18])
    func extremesAreRefusedOrKept(moment: Double) {
        #expect(UnixTime.milliseconds(moment) == nil)
        let number = UnixTime.text(of: SpelledDate(seconds: moment))
        #expect((number == nil) == !moment.isFinite)
        #expect(number == nil || number.flatMap(UnixTime.date)?.seconds == moment)
    }
}
