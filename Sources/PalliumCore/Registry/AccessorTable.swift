import Synchronization

/// Maps the accessors of a model class to slots, so that a key is resolved once and not at every access.
///
/// An accessor is known by the address of its name's literal and the type it reads. The table has a fixed size and
/// only ever gains entries; each word is zero or the address of an immortal entry:
///
/// ```
///   (address of "title", String?.self) ──hash──▶ [ 0 | • | 0 | • ]
///                                                      └─▶ { address, length, type, slot, name's bytes }
/// ```
/// A name's bytes are compared even on a hit, because the address of a literal can be used again once a library was
/// unloaded. Two threads may enter the same accessor twice; that is harmless.
///
/// Safety: words are atomic, entries are complete before they are published and never change; both live as long as the
/// process, like the layout they belong to.
@usableFromInline
package struct AccessorTable: @unchecked Sendable {
    // @unchecked: see above.
    private struct Entry {
        let name: UnsafePointer<UInt8>
        let length: Int
        let type: ObjectIdentifier
        let slot: Int
        /// The name's bytes, owned by the table.
        let key: UnsafePointer<UInt8>
    }

    private let words: UnsafeMutablePointer<Atomic<UInt>>
    private let mask: Int
    /// How far from its place an entry may stand; beyond, an accessor is resolved at every access.
    private static let reach = 8

    init(propertyCount: Int) {
        var capacity = 16
        while capacity < propertyCount * 4 { capacity *= 2 }
        mask = capacity - 1
        words = .allocate(capacity: capacity)
        for index in 0..<capacity { (words + index).initialize(to: Atomic(0)) }
    }

    /// The slot of an accessor that was seen before, or -1.
    @inline(__always)
    func find(_ name: UnsafePointer<UInt8>, _ length: Int, _ type: ObjectIdentifier) -> Int {
        var place = Self.hash(name, type) & mask
        for _ in 0..<Self.reach {
            let word = words[place].load(ordering: .acquiring)
            guard let entry = UnsafePointer<Entry>(bitPattern: word) else { return -1 }
            if entry.pointee.name == name, entry.pointee.type == type, entry.pointee.length == length,
                NameBytes.areEqual(entry.pointee.key, name, length)
            {
                return entry.pointee.slot
            }
            place = (place &+ 1) & mask
        }
        return -1
    }

    func insert(_ name: UnsafePointer<UInt8>, _ length: Int, _ type: ObjectIdentifier, slot: Int) {
        let key = UnsafeMutablePointer<UInt8>.allocate(capacity: max(length, 1))
        key.update(from: name, count: length)
        let entry = UnsafeMutablePointer<Entry>.allocate(capacity: 1)
        entry.initialize(to: Entry(name: name, length: length, type: type, slot: slot, key: UnsafePointer(key)))
        var place = Self.hash(name, type) & mask
        for _ in 0..<Self.reach {
            let (exchanged, _) = words[place].compareExchange(
                expected: 0, desired: UInt(bitPattern: entry), ordering: .acquiringAndReleasing)
            if exchanged { return }
            place = (place &+ 1) & mask
        }
        entry.deallocate()
        key.deallocate()
    }

    @inline(__always)
    private static func hash(_ name: UnsafePointer<UInt8>, _ type: ObjectIdentifier) -> Int {
        let value = UInt64(UInt(bitPattern: name)) ^ (UInt64(UInt(bitPattern: type)) << 1)
        return Int(truncatingIfNeeded: (value &* 0x9E37_79B9_7F4A_7C15) >> 40)
    }
}
