/// A hash table from objects, by address, to numbers.
///
/// It uses open addressing with a multiplicative hash. No input can choose addresses, so neither seeded hashing nor a
/// long search is needed. The user of the table keeps its objects alive.
package struct AddressTable {
    @usableFromInline
    struct Entry {
        /// The address of the object; 0 for an empty bucket.
        @usableFromInline var key: UInt64 = 0
        @usableFromInline var number = 0

        @inlinable init() {}
    }

    @usableFromInline var entries: [Entry] = []
    private var count = 0

    package init() {}

    package var isEmpty: Bool { count == 0 }

    /// Returns the bucket of a key, or the empty bucket where it belongs. The table must not be full.
    @inlinable func bucket(of key: UInt64) -> Int {
        // The upper bits of the product depend on all bits of the address.
        let shift = UInt64(truncatingIfNeeded: 64 &- entries.count.trailingZeroBitCount)
        var bucket = Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) &>> shift)
        while entries[bucket].key != 0, entries[bucket].key != key { bucket = (bucket &+ 1) & (entries.count &- 1) }
        return bucket
    }

    /// The number of the object at an address; nil when it has none.
    @inlinable package subscript(address: UInt) -> Int? {
        if entries.isEmpty { return nil }
        let bucket = bucket(of: UInt64(address))
        return entries[bucket].key == 0 ? nil : entries[bucket].number
    }

    /// The number of an object; nil when it has none.
    @inlinable package subscript(object: AnyObject) -> Int? { self[UInt(bitPattern: ObjectIdentifier(object))] }

    /// Assigns a number to the object at an address. An object that has a number keeps it, and the number is returned.
    @discardableResult
    package mutating func insert(_ number: Int, for address: UInt) -> Int? {
        if count &* 4 >= entries.count &* 3 { grow(to: max(8, entries.count &* 2)) }
        let bucket = bucket(of: UInt64(address))
        if entries[bucket].key != 0 { return entries[bucket].number }
        entries[bucket].key = UInt64(address)
        entries[bucket].number = number
        count &+= 1
        return nil
    }

    /// Assigns a number to an object. An object that has a number keeps it, and the number is returned.
    @discardableResult
    package mutating func insert(_ number: Int, for object: AnyObject) -> Int? {
        insert(number, for: UInt(bitPattern: ObjectIdentifier(object)))
    }

    /// Makes room for more objects.
    package mutating func reserve(_ more: Int) {
        var size = max(8, entries.count)
        while (count &+ more) &* 4 >= size &* 3 { size &*= 2 }
        if size > entries.count { grow(to: size) }
    }

    private mutating func grow(to size: Int) {
        let former = entries
        entries = Array(repeating: Entry(), count: size)
        for entry in former where entry.key != 0 { entries[bucket(of: entry.key)] = entry }
    }
}
