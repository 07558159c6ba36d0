/// The digits of a decimal number while it is read: a whole number that does not end with zero, and a power of ten.
///
/// Zeros are held back and multiplied in only when another digit follows them, so that any number of zeros at the
/// end, which leave the value as it is, cannot overflow the mantissa.
///
/// Safety: every byte is read at an index below the count.
struct SignificantDigits {
    /// The digits read so far, without the zeros held back.
    private(set) var mantissa: UInt128 = 0

    /// Whether all digits so far went into ``mantissa``.
    private(set) var fit = true

    /// Zeros read since the last other digit; none while there was no other digit.
    private var heldZeros = 0

    /// Digits read behind the decimal point.
    private var fractionPlaces = 0

    /// The power of ten that ``mantissa`` is to be multiplied with.
    var exponent: Int {
        heldZeros - fractionPlaces
    }

    /// Reads digits from `index` on and leaves it at the first byte that is none.
    mutating func take(_ bytes: UnsafeBufferPointer<UInt8>, from index: inout Int, isFraction: Bool) {
        let first = index
        while index < bytes.count, unsafe bytes[index] &- 0x30 <= 9 {
            let digit = unsafe bytes[index] &- 0x30
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
        // With a mantissa before them, 39 more digits never fit; stopping here also bounds the loop below.
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
