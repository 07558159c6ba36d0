public import Foundation

/// Dates of clocks that do not say where they hang.
extension Transformer {
    /// Makes a transformer for ISO 8601 dates without a zone, as a clock in the time zone shows them.
    ///
    ///     let berlin = TimeZone(identifier: "Europe/Berlin")!
    ///     try registry.register(.localISO8601Date(timeZone: berlin), as: "BerlinDate")
    ///     // "2026-07-14T09:05:03" ⇄ 2026-07-14T07:05:03Z
    ///
    /// The predefined ``LocalISO8601DateTransformerName`` is the one of UTC. Text that names a zone is refused, and so are
    /// times that the clock skipped when it was put forward. Of the hour that it shows twice, the first one is read: of
    /// moments in the second, the text does not say so.
    ///
    /// - Parameter timeZone: The zone of all texts. Which times it has depends on the zone data of the system.
    public static func localISO8601Date(timeZone: TimeZone) -> Transformer {
        Transformer(
            readable: "an ISO 8601 date without a zone",
            writable: "a date of the years 0 to 9999",
            forward: { text in
                LocalTime.moment(in: text, timeZone).map { Date(timeIntervalSinceReferenceDate: $0) }
            },
            reverse: { (date: Date) in LocalTime.text(of: date.timeIntervalSinceReferenceDate, timeZone) })
    }
}

/// Moments as a clock in a zone shows them. All times are seconds since the start of 2001, in UTC or as the clock says.
///
/// Offsets are whole seconds. Only these are calculated with, which is exact; the fraction is the same on every clock and
/// passed on as text.
private enum LocalTime {
    /// The first moment at which the clock shows a text; nil where it never does.
    static func moment(in text: String, _ zone: TimeZone) -> Double? {
        guard ISO8601Text.seconds(in: text + "Z") != nil else { return nil }
        let parts = Parts(text)
        guard let shown = ISO8601Text.seconds(in: parts.second + "Z") else { return nil }
        // The clock shows a time in one of the offsets around it, which never change by more than a day.
        let offsets = [-86_400.0, 0, 86_400].map { offset(of: zone, at: shown + $0) }
        let moments = offsets.map { shown - $0 }.filter { offset(of: zone, at: $0) == shown - $0 }
        guard let moment = moments.min(), let text = ISO8601Text.text(of: moment) else { return nil }
        var exact = Parts(text)
        exact.fraction = parts.fraction
        return ISO8601Text.seconds(in: exact.text)
    }

    /// The text that the clock shows; nil outside of the years that four digits name.
    static func text(of seconds: Double, _ zone: TimeZone) -> String? {
        // The text of UTC decides about second and fraction together: a fraction may round up to the next second.
        guard let text = ISO8601Text.text(of: seconds) else { return nil }
        var moment = Parts(text)
        let fraction = moment.fraction
        moment.fraction = ""
        guard let whole = ISO8601Text.seconds(in: moment.text),
            let shown = ISO8601Text.text(of: whole + offset(of: zone, at: whole))
        else { return nil }
        let local = Parts(shown)
        // What UTC cannot name without an offset, the clock cannot either.
        return local.zone == "Z" ? local.second + fraction : nil
    }

    private static func offset(of zone: TimeZone, at seconds: Double) -> Double {
        Double(zone.secondsFromGMT(for: Date(timeIntervalSinceReferenceDate: seconds)))
    }

    /// A text of ISO 8601, cut where its length varies.
    private struct Parts {
        let second: String
        /// With its separator; empty for a whole second.
        var fraction: String
        /// Empty for a time of a clock.
        let zone: String

        /// - Parameter text: One that can be read, but for its zone.
        init(_ text: String) {
            second = String(text.prefix(19))
            let rest = text.dropFirst(19)
            fraction = String(rest.prefix { $0 == "." || $0 == "," || $0.isNumber })
            zone = String(rest.dropFirst(fraction.count))
        }

        var text: String { second + fraction + zone }
    }
}
