import Foundation

/// Transformers for dates that are encoded as numbers.
extension Transformer {
    static let unixSeconds = Transformer(
        readable: "a number of seconds since 1970", writable: "a finite date",
        forward: { (number: Decimal) in DecimalText.write(number).flatMap(UnixTime.date)?.date },
        reverse: { (date: Date) in UnixTime.text(of: SpelledDate(date)).flatMap(DecimalText.value) })

    static let unixMilliseconds = Transformer(
        readable: "a whole number of milliseconds since 1970 that a date can hold",
        writable: "a date that 64 bits of milliseconds can hold",
        forward: { UnixTime.sinceReference(milliseconds: $0).map { Date(timeIntervalSinceReferenceDate: $0) } },
        reverse: { (date: Date) in UnixTime.milliseconds(date.timeIntervalSinceReferenceDate) })
}

extension ISO8601Text {
    /// Returns the missing part of a text that is otherwise a date and time; nil for any other text.
    package static func missingPart(of text: String) -> String? {
        guard text.utf8.count <= maximumByteCount else { return nil }
        if date(in: text + "Z") != nil {
            return "the zone is missing (the transformer \(LocalISO8601DateTransformerName) reads such dates)"
        }
        if DateOnlyText.seconds(in: text) != nil {
            return "the time is missing (the transformer \(DateOnlyTransformerName) reads such dates)"
        }
        return nil
    }
}
