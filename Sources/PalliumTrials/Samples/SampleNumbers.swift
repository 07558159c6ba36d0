import Foundation
import PalliumCore
import PalliumJSON

/// Numbers at the edges of a kind and of its rules.
///
/// The lists may contain numbers that a rule refuses; a trial decides which are used.
enum SampleNumbers {
    /// Returns numbers for a kind, typical ones first; empty for other kinds.
    static func candidates(_ kind: PropertyKind, rules: [PropertySchema.Rule]) -> [JSONValue] {
        guard let natural = natural(kind) else { return [] }
        let limits = rules.compactMap(\.number)
        var texts: [String] = []
        let isWhole = kind.isWhole
        let divisor = rules.compactMap(\.divisor).first.flatMap { Decimal(string: $0.text) }
        let step = divisor ?? (isWhole ? 1 : Decimal(string: "0.5") ?? 1)
        for limit in limits {
            texts.append(limit.text)
            if let exact = Decimal(string: limit.text), !exact.isNaN {
                for neighbour in neighbours(of: exact, step: step, divisor: divisor, isWhole: isWhole) {
                    texts.append("\(neighbour)")
                }
            } else if let double = limit.exactDouble {
                texts += [double.nextDown, double.nextUp].compactMap { JSONNumber($0)?.text }
            }
        }
        if let divisor, !divisor.isNaN {
            for multiple in [1, -1, 2, 0, 10, 1001] as [Decimal] { texts.append("\(divisor * multiple)") }
            for text in natural {
                guard let number = Decimal(string: text), !number.isNaN else { continue }
                texts += neighbours(of: number, step: step, divisor: divisor, isWhole: isWhole).map { "\($0)" }
            }
        }
        // The first number of a document should look like one.
        return (natural.prefix(1) + texts + natural.dropFirst()).compactMap { text in
            JSONNumber(text: text).map { .number($0) }
        }
    }

    /// Numbers near a limit: one step away, and the nearest multiples.
    private static func neighbours(of number: Decimal, step: Decimal, divisor: Decimal?, isWhole: Bool) -> [Decimal] {
        var found = [number - step, number + step]
        let rounded = NSDecimalNumber(decimal: number / (divisor ?? 1)).doubleValue.rounded(.down)
        if let divisor, abs(rounded) < 1e15 {
            found += [-1, 0, 1].map { (Decimal(rounded) + $0) * divisor }
        } else if isWhole, abs(rounded) < 1e15 {
            found += [Decimal(rounded), Decimal(rounded) + 1]
        }
        return found.filter { !$0.isNaN }
    }

    private static func natural(_ kind: PropertyKind) -> [String]? {
        switch kind {
        case .integer(let width):
            let maximum = Int64.max >> (64 - width.rawValue)
            return ["7", "0", "-1", "\(maximum)", "\(-maximum - 1)", "1", "100"]
        case .unsigned(let width): return ["7", "0", "\(UInt64.max >> (64 - width.rawValue))", "1", "100"]
        case .double:
            return ["2.5", "0", "-1", "0.1", "1e-7", "1.7976931348623157e308", "5e-324", "9007199254740993", "100"]
        case .float: return ["2.5", "0", "-1", "0.1", "3.4028235e38", "16777217", "100"]
        case .decimal:
            return [
                "12.5", "0", "-1", "0.1", "99999999999999999999999999999999999999",
                "-12345678901234567890.12345678901234567", "100",
            ]
        default: return nil
        }
    }

    /// Numbers that the kind itself refuses, as out of its range.
    static func outOfRange(_ kind: PropertyKind) -> [JSONValue] {
        let texts: [String] =
            switch kind {
            case .integer(let width):
                ["\(UInt64.max >> (65 - width.rawValue) + 1)", "-\(UInt64.max >> (65 - width.rawValue) + 2)"]
            case .unsigned(.bits64): ["18446744073709551616", "-1"]
            case .unsigned(let width): ["\(UInt64.max >> (64 - width.rawValue) + 1)", "-1"]
            case .double: ["1e999", "-1e999"]
            case .float: ["1e39"]
            case .decimal: ["1e300", "1234567890123456789012345678901234567890.5"]
            default: []
            }
        return texts.compactMap { JSONNumber(text: $0).map { .number($0) } }
    }
}

extension PropertyKind {
    /// Whether the values are integers.
    var isWhole: Bool {
        switch self {
        case .integer, .unsigned: true
        default: false
        }
    }
}

extension PropertySchema.Rule {
    /// The limit of a rule about the size of numbers.
    fileprivate var number: JSONNumber? {
        switch self {
        case .minimum(let limit), .maximum(let limit), .exclusiveMinimum(let limit), .exclusiveMaximum(let limit): limit
        default: nil
        }
    }

    fileprivate var divisor: JSONNumber? {
        if case .multipleOf(let divisor) = self { divisor } else { nil }
    }
}
