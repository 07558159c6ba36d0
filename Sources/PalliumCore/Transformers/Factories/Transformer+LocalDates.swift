public import Foundation

/// Transformers for dates without a time zone.
extension Transformer {
    /// Makes a transformer for ISO 8601 dates without a zone, in the local time of this zone.
    ///
    ///     let berlin = TimeZone(identifier: "Europe/Berlin")!
    ///     try registry.register(.localISO8601Date(timeZone: berlin), as: "BerlinDate")
    ///     // "2026-07-14T09:05:03" ⇄ 2026-07-14T07:05:03Z
    ///
    /// The predefined ``LocalISO8601DateTransformerName`` is this transformer for UTC. Text with a zone is refused, and
    /// so are times that a change to summer time skips. When clocks are put back, an hour occurs twice; its times are
    /// read as the first occurrence.
    ///
    /// - Parameter timeZone: The zone of all texts. Its rules come from the zone data of the system.
    public static func localISO8601Date(timeZone: TimeZone) -> Transformer {
        Transformer(
            TextForm(
                "an ISO 8601 date without a zone", json: "text of a date",
                writable: "a date of the years 0000 to 9999",
                readString: { LocalTime.moment(in: $0, timeZone).map { Date(timeIntervalSinceReferenceDate: $0) } },
                write: { (date: Date) in LocalTime.text(of: date.timeIntervalSinceReferenceDate, timeZone) }))
    }
}

/// Converts between moments and local times of a zone, all as seconds since the start of 2001.
///
/// Offsets are whole seconds, and calculating with whole seconds is exact. The fraction is the same in every zone and
/// is passed on as text.
private enum LocalTime {
    /// Returns the first moment with a local time; nil if there is none.
    static func moment(in text: String, _ zone: TimeZone) -> Double? {
        guard ISO8601Text.seconds(in: text + "Z") != nil else { return nil }
        let parts = Parts(text)
        guard let shown = ISO8601Text.seconds(in: parts.second + "Z") else { return nil }
        // The offset is one of those a day before, at, or a day after that time, since offsets change by less than a
        // day.
        let offsets = [-86_400.0, 0, 86_400].map { offset(of: zone, at: shown + $0) }
        let moments = offsets.map { shown - $0 }.filter { offset(of: zone, at: $0) == shown - $0 }
        guard let moment = moments.min(), let text = ISO8601Text.text(of: moment) else { return nil }
        var exact = Parts(text)
        exact.fraction = parts.fraction
        return ISO8601Text.seconds(in: exact.text)
    }

    /// Returns the local time of a moment as text; nil outside the years of four digits.
    static func text(of seconds: Double, _ zone: TimeZone) -> String? {
        // Second and fraction come from the text in UTC, because a fraction may round up to the next second.
        guard let text = ISO8601Text.text(of: seconds) else { return nil }
        var moment = Parts(text)
        let fraction = moment.fraction
        moment.fraction = ""
        guard let whole = ISO8601Text.seconds(in: moment.text),
            let shown = ISO8601Text.text(of: whole + offset(of: zone, at: whole))
        else { return nil }
        let local = Parts(shown)
        // A time that UTC cannot express without an offset has no local text either.
        return local.zone == "Z" ? local.second + fraction : nil
    }

    private static func offset(of zone: TimeZone, at seconds: Double) -> Double {
        Double(zone.secondsFromGMT(for: Date(timeIntervalSinceReferenceDate: seconds)))
    }

    /// A text of ISO 8601, split where its length varies.
    private struct Parts {
        let second: String
        /// With its separator; empty for a whole second.
        var fraction: String
        /// Empty for a local time.
        let zone: String

        /// - Parameter text: A valid text, with or without a zone.
        init(_ text: String) {
            second = String(text.prefix(19))
            let rest = text.dropFirst(19)
            fraction = String(rest.prefix { $0 == "." || $0 == "," || $0.isNumber })
            zone = String(rest.dropFirst(fraction.count))
        }

        var text: String { second + fraction + zone }
    }
}
