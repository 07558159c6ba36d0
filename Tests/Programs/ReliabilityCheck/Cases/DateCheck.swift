import Foundation
import Pallium
import RunSupport

/// Texts and moments.
enum DateCheck {
    static func run(_ arguments: Arguments, _ tally: inout Tally) throws {
        let holder = try Holder(.date.transformer(ISO8601DateTransformerName))
        for path in arguments.operands {
            for item in try CaseFile(path).cases {
                let input = try item.text("input")
                let valid = try item.flag("valid")
                let read = holder.read(try JSONValue.string(input).bytes(), as: Date.self, &tally)
                tally.check(
                    (read != nil) == valid, "line \(item.line): \(input.prefix(80)) \(valid ? "refused" : "accepted")")
                if valid, let expected = item.members["epochSeconds"]?.doubleValue {
                    // A Date counts from 2001, so that far fractions may differ in their last bit.
                    tally.check(
                        read.map { abs($0.timeIntervalSince1970 - expected) < 1e-6 } ?? false,
                        "line \(item.line): \(input.prefix(80)) is \(read?.timeIntervalSince1970 ?? .nan)")
                }
            }
        }
        if arguments.has("--generated") {
            try everyDay(holder, &tally)
            try changedFields(holder, seed: arguments.seed, &tally)
        }
    }

    private static func everyDay(_ holder: Holder, _ tally: inout Tally) throws {
        for year in 1...9999 {
            for month in 1...12 {
                for day in 1...SlowDate.daysInMonth(month, year) {
                    guard let moment = SlowDate(year, month, day, 0, 0, 0, offsetMinutes: 0) else { continue }
                    let text = #""\#(padded(year, 4))-\#(padded(month))-\#(padded(day))T00:00:00Z""#
                    guard let model = holder.accepts(Array(text.utf8), &tally),
                        let date = model["value", as: Date.self]
                    else {
                        tally.fail("\(text) is refused")
                        continue
                    }
                    let written = try holder.adapter.jsonValue(from: model)["value"]?.stringValue
                    tally.check(
                        date.timeIntervalSince1970 == Double(moment.seconds)
                            && written.map { "\"\($0)\"" } == text,
                        "\(text) is \(date.timeIntervalSince1970), written \(written ?? "nothing")")
                }
            }
        }
    }

    /// Each field of a text takes every value of its width, each byte some others; zones of all kinds.
    private static func changedFields(_ holder: Holder, seed: UInt64, _ tally: inout Tally) throws {
        var bits = SeededGenerator(seed: seed)
        func check(_ fields: [Int], zone: (text: String, minutes: Int?)) {
            let text =
                "\(padded(fields[0], 4))-\(padded(fields[1]))-\(padded(fields[2]))T\(padded(fields[3]))"
                + ":\(padded(fields[4])):\(padded(fields[5]))\(zone.text)"
            let expected = zone.minutes.flatMap {
                SlowDate(fields[0], fields[1], fields[2], fields[3], fields[4], fields[5], offsetMinutes: $0)
            }
            let read = holder.read(Array("\"\(text)\"".utf8), as: Date.self, &tally)
            tally.check(
                read?.timeIntervalSince1970 == expected.map { Double($0.seconds) },
                "\(text) is \(read?.timeIntervalSince1970 ?? .nan), not \(expected?.seconds ?? -1)")
        }
        let utc = (text: "Z", minutes: 0 as Int?)
        for _ in 0..<2000 {
            let base = [
                bits.below(10_000), 1 + bits.below(12), 1 + bits.below(28), bits.below(24), bits.below(60),
                bits.below(60),
            ]
            check(base, zone: utc)
            for field in 1...5 {
                for value in 0..<100 {
                    var fields = base
                    fields[field] = value
                    check(fields, zone: utc)
                }
            }
        }
        for hours in 0..<100 {
            for minutes in 0..<100 {
                let isValid = hours < 24 && minutes < 60
                for sign in [1, -1] {
                    let text = "\(sign > 0 ? "+" : "-")\(padded(hours)):\(padded(minutes))"
                    check([2016, 12, 31, 12, 0, 0], zone: (text, isValid ? sign * (hours * 60 + minutes) : nil))
                    check([2016, 12, 31, 23, 59, 60], zone: (text, isValid ? sign * (hours * 60 + minutes) : nil))
                }
            }
        }
        for text in ["", "z ", "Zz", "+", "+1", "+01:", "+01:0", "+01:000", "UTC", " Z", "+01:00Z", "\u{0}Z"] {
            check([2016, 12, 31, 12, 0, 0], zone: (text.replacingOccurrences(of: "\u{0}", with: "\\u0000"), nil))
        }
    }

    private static func padded(_ number: Int, _ width: Int = 2) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}
