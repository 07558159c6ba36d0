import Foundation

/// Durations by ISO 8601, with a regular expression and decimal numbers.
extension ReferenceTexts {
    static func duration(_ text: String) -> Duration? {
        let number = "([0-9]+(?:[.,][0-9]{1,18})?)"
        let time = "(?:\(number)H)?(?:\(number)M)?(?:\(number)S)?"
        guard let pattern = try? Regex("(?i)([+-]?)P(?:\(number)W)?(?:\(number)D)?(T\(time))?"),
            let match = try? pattern.wholeMatch(in: text)
        else { return nil }
        var total = Decimal(0)
        var numbers: [Substring] = []
        for (group, seconds) in [(2, 604_800), (3, 86400), (5, 3600), (6, 60), (7, 1)] {
            guard let part = match.output[group].substring else { continue }
            numbers.append(part)
            guard let value = Decimal(string: part.replacingOccurrences(of: ",", with: ".")) else { return nil }
            total += value * Decimal(seconds)
        }
        guard !numbers.isEmpty, match.output[4].substring?.utf8.count != 1 else { return nil }
        if numbers.dropLast().contains(where: { $0.contains { $0 == "." || $0 == "," } }) { return nil }
        return duration(match.output[1].substring == "-" ? -total : total)
    }

    static func duration(_ seconds: Decimal) -> Duration? {
        var (rounded, value) = (Decimal(), abs(seconds))
        NSDecimalRound(&rounded, &value, 0, .down)
        guard let whole = Int64("\(rounded)"),
            let rest = Int64("\((value - rounded) * Decimal(1_000_000_000_000_000_000 as UInt64))")
        else { return nil }
        let length = Duration(secondsComponent: whole, attosecondsComponent: rest)
        return seconds < 0 ? .zero - length : length
    }

    /// The canonical text.
    static func text(_ duration: Duration) -> String {
        let (whole, rest) = duration.components
        if whole == 0, rest == 0 { return "PT0S" }
        let (seconds, attoseconds) = (whole.magnitude, rest.magnitude)
        let fraction = String(format: "%018llu", attoseconds).replacing(#/0+$/#, with: "")
        var units = ["\(seconds / 86400)D", "T", "\(seconds / 3600 % 24)H", "\(seconds / 60 % 60)M"]
        units.append("\(seconds % 60)" + (fraction.isEmpty ? "" : "." + fraction) + "S")
        let text = units.filter { !["0D", "0H", "0M", "0S"].contains($0) }.joined()
        return (whole < 0 || rest < 0 ? "-P" : "P") + (text.hasSuffix("T") ? String(text.dropLast()) : text)
    }
}
