import Foundation
import PalliumJSON

/// Transformers for durations that are encoded as numbers.
extension Transformer {
    static let durationSeconds = Transformer(
        readable: "a number of seconds that a duration holds exactly", writable: Duration.rangeExpectation,
        forward: { (value: JSONValue) throws(ModelError) -> Duration? in
            guard case .number(let number) = value else {
                throw ModelError.refused(value, expected: "a number of seconds", code: .typeMismatch)
            }
            return Duration(seconds: number)
        },
        reverse: { (duration: Duration) in
            guard let parts = duration.parts else { return nil }
            let text = (parts.isNegative ? "-" : "") + "\(parts.seconds)" + DurationText.fraction(parts.attoseconds)
            return JSONNumber(text: text).map { JSONValue.number($0) }
        })
}

extension Duration {
    /// Makes a duration of exactly so many seconds; nil if there is none.
    fileprivate init?(seconds number: JSONNumber) {
        // A decimal holds all digits that a duration can have. Only its exponent changes.
        guard let seconds = DecimalText.value(in: number.text), seconds.exponent >= -18,
            let attoseconds = UInt128(
                "\(Decimal(sign: .plus, exponent: seconds.exponent + 18, significand: seconds.significand.magnitude))")
        else { return nil }
        self.init(attoseconds: attoseconds, isNegative: seconds.isSignMinus)
    }
}
