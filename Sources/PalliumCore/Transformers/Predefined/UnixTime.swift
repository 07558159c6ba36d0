/// Converts between time since 1970-01-01T00:00:00Z and the seconds since 2001-01-01T00:00:00Z of `Date`.
package enum UnixTime {
    /// The seconds from the start of 1970 to the start of 2001: 31 years, eight of them leap years.
    private static let referenceSeconds: Int64 = 978_307_200

    /// Returns the moment as seconds since 2001; nil for numbers that are not finite.
    package static func sinceReference(seconds: Double) -> Double? {
        seconds.isFinite ? seconds - Double(referenceSeconds) : nil
    }

    /// Returns seconds since 1970; nil for a moment that is not finite.
    ///
    /// Before July 1985 the number since 1970 is more precise than the one since 2001, and some digits at its end are
    /// noise. Therefore it returns the shortest of 0, 3, 6 and 9 fraction digits that reads back as the same moment, if
    /// there is one.
    package static func seconds(_ sinceReference: Double) -> Double? {
        guard sinceReference.isFinite else { return nil }
        let seconds = sinceReference + Double(referenceSeconds)
        for scale in [1, 1e3, 1e6, 1e9] {
            let rounded = (seconds * scale).rounded() / scale
            if self.sinceReference(seconds: rounded) == sinceReference { return rounded }
        }
        return seconds
    }

    /// Returns the moment as seconds since 2001; nil when it is so far away that milliseconds cannot be distinguished.
    package static func sinceReference(milliseconds: Int64) -> Double? {
        let (shifted, overflow) = milliseconds.subtractingReportingOverflow(referenceSeconds * 1000)
        guard !overflow else { return nil }
        // One division of exact numbers is rounded once, to the nearest moment.
        let sinceReference = Double(shifted) / 1000
        return self.milliseconds(sinceReference) == milliseconds ? sinceReference : nil
    }

    /// Returns the nearest milliseconds since 1970; nil when 64 bits cannot hold them or the moment is not finite.
    package static func milliseconds(_ sinceReference: Double) -> Int64? {
        let whole = sinceReference.rounded(.down)
        // Whole seconds and fraction are converted separately, since their product with 1000 needs more bits than a
        // Double has.
        guard let seconds = Int64(exactly: whole) else { return nil }
        let fraction = Int64(((sinceReference - whole) * 1000).rounded())
        let (sinceUnix, addition) = seconds.addingReportingOverflow(referenceSeconds)
        let (product, multiplication) = sinceUnix.multipliedReportingOverflow(by: 1000)
        let (sum, last) = product.addingReportingOverflow(fraction)
        return addition || multiplication || last ? nil : sum
    }
}
