public import Foundation
import PalliumJSON

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
            TextCodec(
                date: "an ISO 8601 date without a zone", read: { LocalTime.date(in: $0, timeZone) },
                write: { LocalTime.text(of: $0, timeZone) }))
    }
}

/// Converts between moments and local times of a zone.
///
/// A local time is read and written as if it were UTC. The difference is a whole number of seconds, so the fraction is the
/// same and keeps its spelling.
private enum LocalTime {
    /// Returns the first moment with a local time; nil if there is none.
    static func date(in bytes: BorrowedBytes, _ zone: TimeZone) -> SpelledDate? {
        let text = String(decoding: bytes, as: UTF8.self) + "Z"
        guard let shown = ISO8601Text.date(in: text), let (whole, spelling) = ISO8601Text.parts(of: shown) else {
            return nil
        }
        // The offset is one of those a day before, at, or a day after that time, since offsets change by less than a
        // day.
        let offsets = [-86_400, 0, 86_400].map { offset(of: zone, at: whole + $0) }
        guard let moment = offsets.map({ whole - $0 }).filter({ offset(of: zone, at: $0) == whole - $0 }).min() else {
            return nil
        }
        let date = SpelledDate(seconds: spelling.moment(moment))
        guard ISO8601Text.text(of: date) != nil else { return nil }
        return SpelledDate(
            seconds: date.seconds, spelling: shown.spelling == .canonical ? .canonical : shown.spelling.with(.local))
    }

    /// Returns the local time of a moment as text; nil outside the years of four digits.
    static func text(of date: SpelledDate, _ zone: TimeZone) -> String? {
        let spelling = date.spelling.form == .local ? date.spelling : .canonical
        guard let (whole, parts) = ISO8601Text.parts(of: SpelledDate(seconds: date.seconds, spelling: spelling)) else {
            return nil
        }
        let shown = parts.moment(whole + offset(of: zone, at: whole))
        let text = ISO8601Text.text(of: SpelledDate(seconds: shown, spelling: parts.with(.zoned)))
        // A time that UTC cannot express without an offset has no local text either.
        return text.flatMap { $0.last == "Z" ? String($0.dropLast()) : nil }
    }

    private static func offset(of zone: TimeZone, at seconds: Int) -> Int {
        zone.secondsFromGMT(for: Date(timeIntervalSinceReferenceDate: Double(seconds)))
    }
}
