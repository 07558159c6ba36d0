/// A table with an entry for each byte, written as the 256 characters of a literal.
///
/// Safety: the literal has 256 bytes at an address, which is checked, and lives as long as the process.
@frozen
@usableFromInline
@safe
package struct ByteTable {
    @usableFromInline let entries: UnsafePointer<UInt8>

    @inlinable @inline(__always)
    package init(_ literal: StaticString) {
        // An invariant: the compiler knows the literal.
        precondition(literal.hasPointerRepresentation && literal.utf8CodeUnitCount == 256)
        unsafe entries = literal.utf8Start
    }

    @inlinable package subscript(byte: UInt8) -> UInt8 {
        @inline(__always) get { unsafe entries[Int(byte)] }
    }
}
