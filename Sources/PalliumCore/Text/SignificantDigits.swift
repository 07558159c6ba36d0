import PalliumJSON

/// The digits of a decimal number that is being read.
///
/// They are an integer that does not end with zero, and a power of ten.
///
/// Zeros are held back, and multiplied in only when another digit follows. Any number of zeros at the end, which do not
/// change the value, then cannot overflow the mantissa.
struct SignificantDigits {
    /// The digits read so far, without the zeros that are held back.
    private(set) var mantissa: UInt128 = 0

    /// Whether ``mantissa`` contains all digits so far.
    private(set) var fit = true

    /// The number of zeros since the last other digit; 0 before the first other digit.
    private var heldZeros = 0

    /// The number of digits read after the decimal point.
    private var fractionPlaces = 0

    /// The power of ten by which ``mantissa`` must be multiplied.
    var exponent: Int {
        heldZeros - fractionPlaces
    }

    /// Reads digits from `index` on, and moves it to the first byte that is no digit.
    mutating func take(_ bytes: BorrowedBytes, from index: inout Int, isFraction: Bool) {
        let first = index
        while let byte = bytes.byte(at: index), byte &- 0x30 <= 9 {
            let digit = byte &- 0x30
            if digit != 0 {
                append(digit)
            } else if mantissa != 0 {
                heldZeros += 1
            }
            index += 1
        }
        if isFraction {
            fractionPlaces += index - first
        }
    }

    private mutating func append(_ digit: UInt8) {
        // After a mantissa, 39 more digits never fit; stopping here also bounds the loop below.
        guard fit, heldZeros < 39 else {
            fit = false
            return
        }
        for step in 0...heldZeros {
            let (product, overflows) = mantissa.multipliedReportingOverflow(by: 10)
            let (sum, overflowsToo) = product.addingReportingOverflow(step == heldZeros ? UInt128(digit) : 0)
            guard !overflows, !overflowsToo else {
                fit = false
                return
            }
            mantissa = sum
        }
        heldZeros = 0
    }
}
