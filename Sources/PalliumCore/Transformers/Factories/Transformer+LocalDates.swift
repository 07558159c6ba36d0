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
            timeZone == .gmt ? .localISO8601Date : nil, readable: "an ISO 8601 date without a zone",
            writable: "a date of the years 0 to 9999",
            forward: { text in
                LocalTime.moment(in: text, timeZone).map { Date(timeIntervalSinceReferenceDate: $0) }
            },
            reverse: { (date: Date) in LocalTime.text(of: date.timeIntervalSinceReferenceDate, timeZone) })
    }
}

/// Moments as a clock in a zone shows them. All times are seconds since the start of 2001, in UTC or as the clock says.
private enum LocalTime {
    /// The first moment at which the clock shows a text; nil where it never does.
    static func moment(in text: String, _ zone: TimeZone) -> Double? {
        guard let shown = ISO8601Text.seconds(in: text + "Z") else { return nil }
        // The clock shows a time in one of the offsets around it, which never change by more than a day.
        let offsets = [-86_400.0, 0, 86_400].map { offset(of: zone, at: shown + $0) }
        let moments = offsets.map { shown - Double($0) }.filter { Double(offset(of: zone, at: $0)) == shown - $0 }
        return moments.min()
    }

    static func text(of seconds: Double, _ zone: TimeZone) -> String? {
        guard seconds.isFinite, let text = ISO8601Text.text(of: seconds) else { return nil }
        let whole = seconds.rounded(.down) + Double(offset(of: zone, at: seconds))
        guard let shown = ISO8601Text.text(of: whole) else { return nil }
        // Offsets are whole seconds: the fraction is the same everywhere, and not calculated with.
        return String(shown.prefix(19)) + String(text.dropFirst(19).dropLast())
    }

    private static func offset(of zone: TimeZone, at seconds: Double) -> Int {
        zone.secondsFromGMT(for: Date(timeIntervalSinceReferenceDate: seconds))
    }
}
