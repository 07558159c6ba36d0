import Foundation
import PalliumCore
import TestSupport
import Testing

@Suite struct UnixTimeTests {
    /// Before 1985 a `Date` is coarser than the number of seconds since 1970.
    @Test(arguments: [0.1, 0.001, 12_345.678, 86_400.5, -0.25, 400_000_000.123, 1_443_164_400.123, 4_000_000_000.5])
    func aDecimalFractionComesBackAsItWas(seconds: Double) throws {
        let moment = try #require(UnixTime.sinceReference(seconds: seconds))
        #expect(UnixTime.seconds(moment) == seconds)
    }

    @Test func everyMomentComesBackAsItWas() throws {
        var generator = SeededGenerator(seed: 1970)
        for _ in 0..<20_000 {
            let moment = Double.random(in: -4e9...4e9, using: &generator)
            let seconds = try #require(UnixTime.seconds(moment))
            let again = try #require(UnixTime.sinceReference(seconds: seconds))
            // A number since 1970 beyond 2032 may be coarser than the one since 2001 by its last bit.
            #expect(abs(again - moment) <= seconds.ulp)
        }
    }

    @Test func everyMillisecondComesBackAsItWas() throws {
        var generator = SeededGenerator(seed: 2001)
        for _ in 0..<20_000 {
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
        #expect(UnixTime.sinceReference(seconds: moment).map { $0 + 978_307_200 } == (moment.isFinite ? moment : nil))
        #expect(UnixTime.seconds(moment) == (moment.isFinite ? moment + 978_307_200 : nil))
    }
}
