import Foundation

/// Moments as text and as numbers.
extension Transformer {
    static let iso8601Date = Transformer(
        .iso8601Date, readable: "an ISO 8601 date", writable: "a date of the years 0 to 9999",
        forward: { text throws(ModelError) in
            guard let seconds = ISO8601Text.seconds(in: text) else {
                guard let missing = ISO8601Text.missingPart(of: text) else { return nil }
                throw ModelError(
                    .invalidValue, expected: "an ISO 8601 date", found: "\(ModelError.quote(text)), \(missing)")
            }
            return Date(timeIntervalSinceReferenceDate: seconds)
        },
        reverse: { (date: Date) in ISO8601Text.text(of: date.timeIntervalSinceReferenceDate) })

    static let dateOnly = Transformer(
        .dateOnly, readable: "a day as YYYY-MM-DD", writable: "a date of the years 0 to 9999",
        forward: { DateOnlyText.seconds(in: $0).map { Date(timeIntervalSinceReferenceDate: $0) } },
        reverse: { (date: Date) in DateOnlyText.text(of: date.timeIntervalSinceReferenceDate) })

    static let unixSeconds = Transformer(
        .unixSeconds, readable: "a number of seconds since 1970", writable: "a finite date",
        forward: { UnixTime.sinceReference(seconds: $0).map { Date(timeIntervalSinceReferenceDate: $0) } },
        reverse: { (date: Date) in UnixTime.seconds(date.timeIntervalSinceReferenceDate) })

    static let unixMilliseconds = Transformer(
        .unixMilliseconds, readable: "an integer of milliseconds since 1970 that a date can hold",
        writable: "a date that 64 bits of milliseconds can hold",
        forward: { UnixTime.sinceReference(milliseconds: $0).map { Date(timeIntervalSinceReferenceDate: $0) } },
        reverse: { (date: Date) in UnixTime.milliseconds(date.timeIntervalSinceReferenceDate) })
}
