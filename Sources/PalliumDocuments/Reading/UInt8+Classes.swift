extension UInt8 {
    /// Whether the byte is a decimal digit.
    package var isDigit: Bool { self &- 48 < 10 }
    /// Whether the byte is an ASCII letter.
    package var isLetter: Bool { (self | 0x20) &- 97 < 26 }
    /// Whether the byte is an ASCII letter, a digit or an underscore.
    package var isWordByte: Bool { isLetter || isDigit || self == UInt8(ascii: "_") }
}
