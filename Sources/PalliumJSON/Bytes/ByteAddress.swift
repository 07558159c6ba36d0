/// The address of a byte of a text that somebody holds, or of its end.
///
/// Calculating with addresses reads nothing. Only reading is unsafe: whoever reads has compared the address with the end.
///
/// Safety: whoever makes one of a pointer promises that it is that of a byte of the text, or of its end. Addresses that
/// are calculated from it are not read unless they are, too.
@frozen
@usableFromInline
@safe
struct ByteAddress: Equatable {
    @usableFromInline let pointer: UnsafePointer<UInt8>

    @_transparent
    @usableFromInline
    init(_ pointer: UnsafePointer<UInt8>) { unsafe self.pointer = pointer }

    /// The byte at the address.
    @unsafe @usableFromInline var byte: UInt8 { @_transparent get { unsafe pointer.pointee } }

    /// The byte some bytes behind the address.
    @unsafe @usableFromInline subscript(offset: Int) -> UInt8 { @_transparent get { unsafe pointer[offset] } }

    /// The eight bytes from the address on, the first byte lowest.
    @unsafe @usableFromInline var word: UInt64 { @_transparent get { unsafe EightBytes.load(pointer) } }

    @_transparent
    @usableFromInline
    static func + (address: ByteAddress, distance: Int) -> ByteAddress {
        unsafe ByteAddress(address.pointer + distance)
    }

    @_transparent
    @usableFromInline
    static func - (address: ByteAddress, distance: Int) -> ByteAddress {
        unsafe ByteAddress(address.pointer - distance)
    }

    @_transparent
    @usableFromInline
    static func - (end: ByteAddress, start: ByteAddress) -> Int { unsafe end.pointer - start.pointer }

    @_transparent
    @usableFromInline
    static func += (address: inout ByteAddress, distance: Int) { address = address + distance }

    @_transparent
    @usableFromInline
    static func == (left: ByteAddress, right: ByteAddress) -> Bool { unsafe left.pointer == right.pointer }

    @_transparent
    @usableFromInline
    static func < (left: ByteAddress, right: ByteAddress) -> Bool { unsafe left.pointer < right.pointer }

    @_transparent
    @usableFromInline
    static func > (left: ByteAddress, right: ByteAddress) -> Bool { unsafe left.pointer > right.pointer }

    @_transparent
    @usableFromInline
    static func <= (left: ByteAddress, right: ByteAddress) -> Bool { unsafe left.pointer <= right.pointer }
}
