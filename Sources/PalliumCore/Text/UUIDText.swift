package import Foundation

/// Reads and writes UUIDs as text of 8, 4, 4, 4 and 12 hexadecimal digits (RFC 9562, section 4).
///
///     4A275FBD-8217-4397-964B-403F4C2B8545
///     0        9    14   19   24  28    35
///
/// Lower case is read, too, and upper case is written, as Mantle and `UUID` do (conformance rows C263 and C265).
///
/// Safety: the bytes are read and written only at the positions 0…35, after the count was checked to be 36.
package enum UUIDText {
    /// The number of bytes of every text.
    package static let byteCount = 36

    /// Reads a UUID, whose text must be all of `bytes`.
    package static func parse(_ bytes: UnsafeBufferPointer<UInt8>) -> UUID? {
        guard let (upper, lower) = unsafe parseWords(bytes) else {
            return nil
        }
        // Both sides are sixteen plain bytes; big endian order puts the first byte of the text first.
        return unsafe withUnsafeBytes(of: (upper.bigEndian, lower.bigEndian)) {
            unsafe UUID(uuid: $0.loadUnaligned(as: uuid_t.self))
        }
    }

    /// Reads a UUID as two numbers, the upper 64 bits (the first 16 digits) and the lower ones.
    package static func parseWords(_ bytes: UnsafeBufferPointer<UInt8>) -> (upper: UInt64, lower: UInt64)? {
        guard bytes.count == byteCount, let start = bytes.baseAddress,
            unsafe start[8] == UInt8(ascii: "-"), unsafe start[13] == UInt8(ascii: "-"),
            unsafe start[18] == UInt8(ascii: "-"), unsafe start[23] == UInt8(ascii: "-")
        else {
            return nil
        }
        let first = unsafe ByteLanes.load(start)
        let second = unsafe ByteLanes.loadHalf(start + 9) | ByteLanes.loadHalf(start + 14) &<< 32
        let third = unsafe ByteLanes.loadHalf(start + 19) | ByteLanes.loadHalf(start + 24) &<< 32
        let fourth = unsafe ByteLanes.load(start + 28)
        let refusals =
            HexadecimalDigits.refusals(first) | HexadecimalDigits.refusals(second)
            | HexadecimalDigits.refusals(third) | HexadecimalDigits.refusals(fourth)
        guard refusals & ByteLanes.highBits == 0 else {
            return nil
        }
        return (
            HexadecimalDigits.number(first) &<< 32 | HexadecimalDigits.number(second),
            HexadecimalDigits.number(third) &<< 32 | HexadecimalDigits.number(fourth)
        )
    }

    /// Writes a UUID in upper case.
    ///
    /// - Parameter start: room for ``byteCount`` bytes.
    /// - Returns: ``byteCount``.
    @discardableResult
    package static func write(_ value: UUID, into start: UnsafeMutablePointer<UInt8>) -> Int {
        let (upper, lower) = unsafe withUnsafeBytes(of: value.uuid) {
            unsafe (
                UInt64(bigEndian: $0.loadUnaligned(as: UInt64.self)),
                UInt64(bigEndian: $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            )
        }
        return unsafe write(upper: upper, lower: lower, into: start)
    }

    /// Writes a UUID of two numbers, the reverse of ``parseWords(_:)``.
    ///
    /// - Parameter start: room for ``byteCount`` bytes.
    /// - Returns: ``byteCount``.
    @discardableResult
    package static func write(upper: UInt64, lower: UInt64, into start: UnsafeMutablePointer<UInt8>) -> Int {
        let second = HexadecimalDigits.text(upper & 0xFFFF_FFFF)
        let third = HexadecimalDigits.text(lower &>> 32)
        unsafe ByteLanes.store(HexadecimalDigits.text(upper &>> 32), to: start)
        unsafe ByteLanes.storeHalf(second, to: start + 9)
        unsafe ByteLanes.storeHalf(second &>> 32, to: start + 14)
        unsafe ByteLanes.storeHalf(third, to: start + 19)
        unsafe ByteLanes.storeHalf(third &>> 32, to: start + 24)
        unsafe ByteLanes.store(HexadecimalDigits.text(lower & 0xFFFF_FFFF), to: start + 28)
        unsafe start[8] = UInt8(ascii: "-")
        unsafe start[13] = UInt8(ascii: "-")
        unsafe start[18] = UInt8(ascii: "-")
        unsafe start[23] = UInt8(ascii: "-")
        return byteCount
    }
}
