package import Foundation

/// Reads and writes bytes as Base64 text (RFC 4648, section 4), with exactly one text for every value.
///
///     bytes   |........|........|........|
///     digits  |......|......|......|......|     four digits of six bits are three bytes
///
/// Reading is therefore strict: padding is required, and line breaks, other alphabets and set bits after the last byte
/// are refused (RFC 4648, sections 3.1 to 3.3 and 3.5). Foundation accepts the last two and even `====`.
///
/// Safety: three bytes are written only after four were read within the count. The room is computed before: 3 × (count
/// / 4), less the padding.
package enum Base64Text {
    /// The digits of the alphabet in the order of their values.
    private static let alphabet: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

    /// The value of each byte as a digit, or 255 for bytes outside the alphabet.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 255, count: 256)
        for value in 0..<64 {
            unsafe values[Int(alphabet.utf8Start[value])] = UInt8(value)
        }
        return values
    }()

    /// Reads the bytes of a text, which must be all of `bytes`. The empty text means no bytes.
    ///
    /// Complexity: linear in the count; the memory reserved is at most three quarters of the count.
    ///
    /// - Returns: nil for a text that breaks one of the rules above.
    package static func decode(_ bytes: UnsafeBufferPointer<UInt8>) -> Data? {
        guard bytes.count % 4 == 0 else {
            return nil
        }
        guard bytes.count > 0 else {
            return Data()
        }
        let padding =
            unsafe bytes[bytes.count - 1] != UInt8(ascii: "=") ? 0 : bytes[bytes.count - 2] != UInt8(ascii: "=") ? 1 : 2
        var data = Data(count: bytes.count / 4 * 3 - padding)
        let isRight = unsafe data.withUnsafeMutableBytes { output in
            unsafe values.withUnsafeBufferPointer { values in
                unsafe decode(bytes, padding: padding, values: values, into: output)
            }
        }
        return isRight ? data : nil
    }

    private static func decode(
        _ bytes: UnsafeBufferPointer<UInt8>, padding: Int, values: UnsafeBufferPointer<UInt8>,
        into output: UnsafeMutableRawBufferPointer
    ) -> Bool {
        // Values are at most 63 and refusals 255, so bits 6 and 7 of the union show whether any byte was refused.
        var union: UInt8 = 0
        var position = 0
        let wholeCount = padding == 0 ? bytes.count : bytes.count - 4
        for index in stride(from: 0, to: wholeCount, by: 4) {
            let (first, second) = unsafe (values[Int(bytes[index])], values[Int(bytes[index + 1])])
            let (third, fourth) = unsafe (values[Int(bytes[index + 2])], values[Int(bytes[index + 3])])
            union |= first | second | third | fourth
            unsafe output[position] = first << 2 | second >> 4
            unsafe output[position + 1] = second << 4 | third >> 2
            unsafe output[position + 2] = third << 6 | fourth
            position += 3
        }
        if padding > 0 {
            let (first, second) = unsafe (values[Int(bytes[wholeCount])], values[Int(bytes[wholeCount + 1])])
            unsafe output[position] = first << 2 | second >> 4
            union |= first | second
            if padding == 1 {
                let third = unsafe values[Int(bytes[wholeCount + 2])]
                unsafe output[position + 1] = second << 4 | third >> 2
                union |= third | (third & 0x03 == 0 ? 0 : 0x80)
            } else {
                union |= second & 0x0F == 0 ? 0 : 0x80
            }
        }
        return union < 64
    }

    /// Returns the number of bytes of the text of `count` bytes.
    package static func encodedByteCount(of count: Int) -> Int {
        (count + 2) / 3 * 4
    }

    /// Writes bytes as text. Complexity: linear in the count.
    package static func encode(_ data: Data) -> String {
        unsafe data.withUnsafeBytes { input in
            unsafe String(unsafeUninitializedCapacity: encodedByteCount(of: input.count)) { output in
                unsafe output.baseAddress.map { unsafe encode(input, into: $0) } ?? 0
            }
        }
    }

    /// Writes bytes as text to memory. Complexity: linear in the count.
    ///
    /// - Parameters:
    ///   - bytes: the bytes to write.
    ///   - start: room for ``encodedByteCount(of:)`` bytes.
    /// - Returns: the number of bytes written.
    @discardableResult
    package static func encode(_ bytes: UnsafeRawBufferPointer, into start: UnsafeMutablePointer<UInt8>) -> Int {
        let digits = unsafe alphabet.utf8Start
        let wholeCount = bytes.count - bytes.count % 3
        var position = 0
        for index in stride(from: 0, to: wholeCount, by: 3) {
            let (first, second, third) = unsafe (bytes[index], bytes[index + 1], bytes[index + 2])
            unsafe start[position] = digits[Int(first >> 2)]
            unsafe start[position + 1] = digits[Int((first & 0x03) << 4 | second >> 4)]
            unsafe start[position + 2] = digits[Int((second & 0x0F) << 2 | third >> 6)]
            unsafe start[position + 3] = digits[Int(third & 0x3F)]
            position += 4
        }
        guard wholeCount < bytes.count else {
            return position
        }
        let first = unsafe bytes[wholeCount]
        let second = unsafe wholeCount + 1 < bytes.count ? bytes[wholeCount + 1] : nil
        unsafe start[position] = digits[Int(first >> 2)]
        unsafe start[position + 1] = digits[Int((first & 0x03) << 4 | (second ?? 0) >> 4)]
        unsafe start[position + 2] = second.map { unsafe digits[Int(($0 & 0x0F) << 2)] } ?? UInt8(ascii: "=")
        unsafe start[position + 3] = UInt8(ascii: "=")
        return position + 4
    }
}
