/// Converts decimal numbers to Double, correctly rounded.
extension JSONDecimalParts {
    /// Returns the nearest Double, ties to even. `text` is the number that was read into these parts.
    func double(text: BorrowedBytes) -> Double {
        let magnitude = exactDoubleMagnitude ?? roundedDoubleMagnitude(text: text)
        return isNegative ? -magnitude : magnitude
    }

    /// The fast path of W. D. Clinger, How to Read Floating Point Numbers Accurately (1990).
    ///
    /// Significand and power of ten are both exact as Double, so the one multiplication or division rounds correctly.
    @inline(__always)
    private var exactDoubleMagnitude: Double? {
        guard droppedDigits == 0, significand <= 1 << 53, exponent >= -22, exponent <= 22 else {
            return isZero ? 0 : nil
        }
        let exact = Double(significand)
        return exponent < 0 ? exact / Self.exactPowersOfTen[-exponent] : exact * Self.exactPowersOfTen[exponent]
    }

    private static let exactPowersOfTen: [Double] = (0...22).map { exponent in
        (0..<exponent).reduce(1.0) { power, _ in power * 10 }
    }

    /// Converts by the standard library, which rounds correctly, from a text of bounded length.
    @inline(never)
    private func roundedDoubleMagnitude(text: BorrowedBytes) -> Double {
        // Above 10^310 everything is infinite, below 10^-400 · 2^64 everything is zero.
        if exponent > 310 { return .infinity }
        if droppedDigits == 0 {
            if exponent < -400 { return 0 }
            return Double("\(significand)e\(exponent)") ?? .infinity
        }
        return Double(Self.shortenedText(text)) ?? .infinity
    }

    /// Returns a text of at most 801 digits that rounds to the same Double.
    ///
    /// A halfway point between two Doubles has at most 767 significant digits. After 800 digits it matters only
    /// whether a later one is not zero, which one more digit records.
    private static func shortenedText(_ text: BorrowedBytes) -> String {
        var digits: [UInt8] = []
        var exponent = 0
        var isFraction = false
        var isSticky = false
        var position = 0
        while let byte = text.byte(at: position), byte | 0x20 != UInt8(ascii: "e") {
            position += 1
            if byte == UInt8(ascii: ".") { isFraction = true }
            guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { continue }
            if isFraction { exponent -= 1 }
            if digits.isEmpty, byte == UInt8(ascii: "0") { continue }
            if digits.count < 800 {
                digits.append(byte)
            } else {
                exponent += 1
                if byte != UInt8(ascii: "0") { isSticky = true }
            }
        }
        if isSticky {
            digits.append(UInt8(ascii: "1"))
            exponent -= 1
        }
        var written = 0
        var isNegative = false
        while let byte = text.byte(at: position) {
            position += 1
            if byte == UInt8(ascii: "-") { isNegative = true }
            guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9"), written < exponentLimit else { continue }
            written = written * 10 + Int(byte - UInt8(ascii: "0"))
        }
        exponent += isNegative ? -written : written
        // Beyond these bounds more exponent changes nothing: 801 digits at 10^-2000 are zero.
        exponent = max(-2000, min(exponent, 2000))
        return "\(String(decoding: digits, as: UTF8.self))e\(exponent)"
    }
}
