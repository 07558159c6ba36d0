import Foundation
import Pallium
import RunSupport

/// Text to the nearest Double, and back.
enum NumberCheck {
    static func run(_ arguments: Arguments, _ tally: inout Tally) throws {
        for path in arguments.operands { try check(CaseFile(path), &tally) }
        if let count = arguments.number("--random") { try random(count, seed: arguments.seed, &tally) }
    }

    private static func check(_ file: CaseFile, _ tally: inout Tally) throws {
        let holder = try Holder(.double)
        for item in file.cases {
            let text = try item.text("t")
            let bits = try item.bits("b")
            let expected = Double(bitPattern: bits)
            let bytes = Array(text.utf8)
            guard NumberGrammar.isNumber(bytes) else {
                let read = tally.tree(bytes)
                tally.check(read == nil, "line \(item.line): \(text) is no JSON number but was read")
                continue
            }
            do {
                let value = try JSONValue(parsing: bytes)
                tally.check(
                    value.doubleValue?.bitPattern == bits,
                    "line \(item.line): \(text) is \(expected), read as \(String(describing: value.doubleValue))")
            } catch {
                tally.checkRefusal(error, inputCount: bytes.count, "line \(item.line)")
                tally.check(
                    error.code == .numberTooLong && bytes.count > JSONReadingOptions().maximumNumberCharacters,
                    "line \(item.line): \(text.prefix(80)): \(error)")
                continue
            }
            let typed = holder.read(bytes, as: Double.self, &tally)
            tally.check(
                expected.isFinite ? typed?.bitPattern == bits : typed == nil,
                "line \(item.line): \(text) as a property is \(String(describing: typed))")
        }
    }

    private static func random(_ count: Int, seed: UInt64, _ tally: inout Tally) throws {
        let holder = try Holder(.double)
        let model = try holder.makeModel()
        var bits = SeededGenerator(seed: seed)
        for _ in 0..<count {
            let double = Double(bitPattern: bits.next())
            guard let text = holder.written(double, in: model) else {
                tally.check(!double.isFinite, "\(double) is not written")
                continue
            }
            // The standard library prints the shortest digits that read back as the same Double.
            let isShortest = NumberGrammar.significantDigits(text) == NumberGrammar.significantDigits("\(double)")
            let again = (try? JSONValue(parsing: text))?.doubleValue
            tally.check(
                isShortest && again?.bitPattern == double.bitPattern,
                "\(double) is printed as \(text) and read as \(String(describing: again))")
        }
    }
}

/// A Double to the shortest text.
enum PrintingCheck {
    static func run(_ arguments: Arguments, _ tally: inout Tally) throws {
        let holder = try Holder(.double)
        let model = try holder.makeModel()
        for path in arguments.operands {
            for item in try CaseFile(path).cases {
                let bits = try item.bits("b")
                let double = Double(bitPattern: bits)
                guard let text = holder.written(double, in: model) else {
                    tally.check(!double.isFinite, "line \(item.line): \(double) is not printed")
                    continue
                }
                let digits = NumberGrammar.significantDigits(text)
                let expected = try item.required("digits") { $0 }
                let count = expected.intValue ?? NumberGrammar.significantDigits(expected.stringValue ?? "").utf8.count
                tally.check(
                    digits.utf8.count <= max(count, 1), "line \(item.line): \(text) has more than \(count) digits")
                tally.check(
                    strtod(text, nil).bitPattern == bits
                        && (try? JSONValue(parsing: text))?.doubleValue?.bitPattern == bits,
                    "line \(item.line): \(double) is printed as \(text), which is another number")
            }
        }
    }
}

/// The grammar of RFC 8259 §6, written for obviousness.
enum NumberGrammar {
    static func isNumber(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        func digits() -> Int {
            let count = rest.prefix { (0x30...0x39).contains($0) }.count
            rest = rest.dropFirst(count)
            return count
        }
        if rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
        let leading = rest.first
        let count = digits()
        if count == 0 || (count > 1 && leading == 0x30) { return false }
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            if digits() == 0 { return false }
        }
        if let sign = rest.first, sign | 0x20 == UInt8(ascii: "e") {
            rest = rest.dropFirst()
            if let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { rest = rest.dropFirst() }
            if digits() == 0 { return false }
        }
        return rest.isEmpty
    }

    /// The digits without sign, point, exponent, and zeros at both ends.
    static func significantDigits(_ text: String) -> String {
        let mantissa = text.utf8.prefix { $0 | 0x20 != UInt8(ascii: "e") }.filter { (0x30...0x39).contains($0) }
        var digits = mantissa.drop { $0 == 0x30 }
        while digits.last == 0x30 { digits = digits.dropLast() }
        return String(decoding: digits, as: UTF8.self)
    }
}
