import PalliumJSON

/// A hash table from a fixed set of names to their numbers.
///
/// ```
/// names ["id", "title"], 4 table entries, · is empty
///
///   hash("id")    & 3 = 2        table  [ · , 1 , 0 , · ]      hash & mask → number of a name
///   hash("title") & 3 = 2 → 1?   bytes  [ i d t i t l e ]
///                                ends   [ 0   2         7 ]
/// ```
/// At most half of it is full, so a miss ends at an empty entry. Names come from schemas and contracts that others may
/// have written, so hashes have a seed: nobody can prepare names of which the hashes are equal.
///
/// Safety: the three arrays are allocated in `init`, never change, and are freed in `deinit`. Every index in the table
/// is the number of a name or -1.
@usableFromInline
@safe
package final class KeyTable: @unchecked Sendable {
    // @unchecked: nobody writes the memory of the pointers after `init`.
    private let bytes: UnsafeMutablePointer<UInt8>
    private let ends: UnsafeMutablePointer<Int32>
    private let table: UnsafeMutablePointer<Int32>
    private let mask: UInt64
    /// A random odd number of the process, by which hashes multiply.
    private let seed = KeyTable.seed
    package let count: Int

    /// Builds the table. A name that occurs twice has the number of its first position.
    package init(_ names: [String]) {
        count = names.count
        let size = names.reduce(0) { $0 + $1.utf8.count }
        unsafe bytes = .allocate(capacity: max(size, 1))
        unsafe ends = .allocate(capacity: names.count + 1)
        unsafe ends[0] = 0
        var offset = 0
        for (number, name) in names.enumerated() {
            for byte in name.utf8 {
                unsafe bytes[offset] = byte
                offset += 1
            }
            unsafe ends[number + 1] = Int32(offset)
        }
        var capacity = 4
        while capacity < names.count * 2 { capacity *= 2 }
        mask = UInt64(capacity - 1)
        unsafe table = .allocate(capacity: capacity)
        unsafe table.initialize(repeating: -1, count: capacity)
        for number in 0..<names.count {
            let start = unsafe Int(ends[number])
            let length = unsafe Int(ends[number + 1]) - start
            if unsafe find(UnsafePointer(bytes + start), length) >= 0 { continue }
            var bucket = unsafe Int(hash(UnsafePointer(bytes + start), length) & mask)
            while unsafe table[bucket] >= 0 { bucket = (bucket + 1) & Int(mask) }
            unsafe table[bucket] = Int32(number)
        }
    }

    deinit {
        unsafe bytes.deallocate()
        unsafe ends.deallocate()
        unsafe table.deallocate()
    }

    /// Returns the number of the name with these bytes, or -1.
    package func find(_ start: UnsafePointer<UInt8>, _ length: Int) -> Int {
        var bucket = unsafe Int(hash(start, length) & mask)
        while true {
            let number = unsafe Int(table[bucket])
            if number < 0 { return -1 }
            let begin = unsafe Int(ends[number])
            if unsafe Int(ends[number + 1]) - begin == length,
                unsafe EightBytes.areEqual(UnsafePointer(bytes + begin), start, length)
            {
                return number
            }
            bucket = (bucket + 1) & Int(mask)
        }
    }

    /// Returns the number of a name, or nil.
    package func find(_ name: String) -> Int? {
        let number = unsafe name.withBytes { unsafe find($0, $1) }
        return number < 0 ? nil : number
    }

    /// Hashes by multiplying and folding, eight bytes at a time; the last word overlaps the one before it.
    ///
    /// It has the form of wyhash, with a multiplier that is not known outside of the process.
    @inline(__always)
    private func hash(_ start: UnsafePointer<UInt8>, _ length: Int) -> UInt64 {
        var state = UInt64(truncatingIfNeeded: length) &* 0x9E37_79B9_7F4A_7C15
        let raw = unsafe UnsafeRawPointer(start)
        if length >= 8 {
            var offset = 0
            while offset &+ 8 < length {
                state = unsafe mix(state ^ raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
                offset &+= 8
            }
            return unsafe mix(state ^ raw.loadUnaligned(fromByteOffset: length &- 8, as: UInt64.self))
        }
        if length >= 4 {
            let first = unsafe UInt64(raw.loadUnaligned(as: UInt32.self))
            let last = unsafe UInt64(raw.loadUnaligned(fromByteOffset: length &- 4, as: UInt32.self))
            return mix(state ^ (first << 32 | last))
        }
        guard length > 0 else { return mix(state) }
        let bytes = unsafe UInt64(start[0]) << 16 | UInt64(start[length &>> 1]) << 8 | UInt64(start[length &- 1])
        return mix(state ^ bytes)
    }

    @inline(__always)
    private func mix(_ value: UInt64) -> UInt64 {
        let product = value.multipliedFullWidth(by: seed)
        return product.high ^ product.low
    }

    /// The seed of the process, which also is that of the standard library's hashes.
    private static let seed = UInt64(bitPattern: Int64(Hasher().finalize())) | 1
}
